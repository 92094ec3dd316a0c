//! Writing scenarios as links and bundles.

use elastiplan_documents::{CurveSource, Document, JobSource, Link, NeededFile, Preset};
use elastiplan_text::words::counted;

use crate::keeping::{ShareOrder, SharedScenario};
use crate::messages::Response;
use crate::{Packed, writing};

/// Writes a scenario as a link and as a bundle.
pub(crate) fn share(order: &ShareOrder) -> Result<Response, String> {
    let work = &order.work;
    let documents = writing::documents(work)?;
    let document = documents.first().ok_or("There is nothing to share")?;
    let link = match order.preset.as_deref().and_then(Preset::named) {
        Some(preset) => Ok(Link::of_preset(&order.base, preset, &work.view)),
        None => Link::of(&order.base, document, &work.view, &|_| None),
    };
    let needs = link.as_ref().map(|link| link.needs.clone()).unwrap_or_default();
    let need = |needed: &NeededFile| (needed.name.clone(), needed.hash.short(), needed.bytes.len() as u64);
    let shared = SharedScenario {
        needs: needs.iter().map(need).collect(),
        contains: contains(document, &needs),
        link: link.map(|link| link.text).map_err(|error| error.to_string()),
    };
    let (bundle, _) = writing::bundle(work, &documents);
    let bundle = bundle.write().ok_or("More than 4 GB: a bundle cannot hold it")?;
    let files = needs.iter().map(|needed| needed.bytes.as_slice().into()).collect();
    Ok(Response::Shared { shared: Packed::of(&shared)?, bundle: bundle.as_slice().into(), files })
}

/// What a link holds, in words.
fn contains(document: &Document, needs: &[NeededFile]) -> Vec<String> {
    let is_inside = |stem: &str| !needs.iter().any(|needed| needed.name.starts_with(stem));
    let mut parts = vec!["cluster".to_string(), "what-ifs".into()];
    parts.push(counted(document.policies.len() as u64, "policy", "policies"));
    parts.extend(document.seeds.first().map(|seed| format!("seed {seed}")));
    let jobs = match &document.jobs {
        JobSource::Sample(_) | JobSource::Generated(_) => "how jobs are drawn",
        _ => "jobs",
    };
    let curves = match &document.curves {
        CurveSource::Sample {} | CurveSource::Published(_) => "the name of the curves",
        _ => "curves",
    };
    parts.extend(
        [("jobs", jobs), ("curves", curves)]
            .into_iter()
            .filter(|(stem, _)| is_inside(stem))
            .map(|(_, words)| words.into()),
    );
    let has = [
        ("availability", document.availability.is_some(), "availability log"),
        ("prices", document.prices().is_some(), "prices"),
        ("", !document.forks.is_empty(), "forks"),
        ("-", document.study.is_some(), "study"),
    ];
    parts.extend(
        has.into_iter()
            .filter(|(stem, has, _)| *has && (stem.is_empty() || is_inside(stem)))
            .map(|(.., words)| words.into()),
    );
    parts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use elastiplan_documents::{Bundle, KnownResult, ShownView};
    use elastiplan_planner::run;
    use elastiplan_scenario::{Scenario, sample};
    use elastiplan_workloads::DrawnJobs;
    use elastiplan_workloads::published::Published;

    use super::*;
    use crate::keeping::{OrderedData, OrderedWorld, WorkOrder};

    fn order(scenario: &Scenario, jobs: Option<DrawnJobs>, curves: Option<&str>) -> ShareOrder {
        let policies = vec!["fixed".parse().unwrap(), "elastic-dp[delta_s=60]".parse().unwrap()];
        let known = vec![KnownResult { policy: "fixed".into(), seed: 3, digest: "0".into() }];
        let data = vec![
            OrderedData::Jobs(Arc::clone(&scenario.trace), jobs.map(|jobs| (jobs, 5))),
            OrderedData::Curves(Arc::clone(&scenario.curves), curves.map(String::from)),
        ];
        let scenario = scenario.without_data();
        let work = WorkOrder {
            worlds: vec![OrderedWorld { title: "Any".into(), scenario, nodes_in_log: 0, data: vec![0, 1] }],
            data,
            runs: Vec::new(),
            policies,
            study: None,
            view: ShownView { job: Some("a".into()), ..ShownView::default() },
            known,
            build: "test".into(),
        };
        ShareOrder { base: "https://example.org/".into(), preset: None, work }
    }

    fn digests(scenario: &Scenario, order: &ShareOrder) -> Vec<String> {
        let workload = scenario.workload().0;
        order.work.policies.iter().map(|policy| run(scenario, &workload, policy).unwrap().digest).collect()
    }

    /// Shares a scenario, and checks what comes back of the link, what that holds, and what comes back of the bundle.
    fn check(order: &ShareOrder, scenario: &Scenario, contains: &str, needs: usize) {
        let Response::Shared { shared, bundle, files } = share(order).unwrap() else { panic!("nothing shared") };
        let shared: SharedScenario = shared.unpack().unwrap();
        assert!(shared.contains.join(", ").contains(contains), "{:?}", shared.contains);
        assert_eq!((shared.needs.len(), files.len()), (needs, needs));
        let expected = digests(scenario, order);
        let opened = Link::open(&shared.link.unwrap()).unwrap();
        assert_eq!((opened.faults, &opened.view), (vec![], &order.work.view));
        let of_link = |name: &str| {
            let at = shared.needs.iter().position(|(known, ..)| known == name)?;
            Some(files[at].raw().to_vec())
        };
        assert_eq!(digests(&opened.document.resolve(&of_link).unwrap().scenario, order), expected);
        let bundle = Bundle::read("", bundle.raw()).unwrap().bundle;
        assert_eq!((&bundle.results, &bundle.view), (&order.work.known, &order.work.view));
        let resolved = bundle.document.resolve(&|name| bundle.files.get(name).cloned()).unwrap();
        assert_eq!(digests(&resolved.scenario, order), expected);
        assert_eq!(bundle.document.policies, order.work.policies);
    }

    #[test]
    fn shared_scenarios_come_back_and_run_the_same() {
        let sample = sample::scenario(5);
        let of_sample = || Some(DrawnJobs::Sample);
        check(&order(&sample, of_sample(), None), &sample, "how jobs are drawn, the name of the curves", 0);
        // Jobs of another seed are not drawn by the document's.
        let mut other = sample::scenario(5);
        other.trace = sample::trace(6).into();
        check(&order(&other, of_sample(), None), &other, "seed 5, jobs, the name of the curves", 0);
        let spec: elastiplan_workloads::generate::GeneratorSpec = "elasticflow[jobs=900]".parse().unwrap();
        let table = Published::named(spec.generator().curves).unwrap();
        let generated = Scenario { trace: spec.trace(5).into(), curves: table.curves().into(), ..sample::scenario(5) };
        let named = order(&generated, Some(DrawnJobs::Generated(spec)), Some(table.name));
        check(&named, &generated, "how jobs are drawn, the name of the curves", 0);
        check(&order(&generated, None, None), &generated, "seed 5, curves", 1);
    }
}
