//! Writing scenarios as links and bundles.

use elastiplan_documents::{
    Bundle, CurveSource, Document, GeneratedJobs, JobSource, Link, NeededFile, Preset, PublishedName, SampleJobs,
    data_apart,
};
use elastiplan_scenario::sample;
use elastiplan_text::words::counted;
use elastiplan_workloads::DrawnJobs;
use elastiplan_workloads::published::Published;

use crate::Packed;
use crate::keeping::{ShareOrder, SharedScenario};
use crate::messages::Response;

/// Writes a scenario as a link and as a bundle.
pub(crate) fn share(order: &ShareOrder) -> Result<Response, String> {
    let document = document(order);
    let link = match order.preset.as_deref().and_then(Preset::named) {
        Some(preset) => Ok(Link::of_preset(&order.base, preset, &order.view)),
        None => Link::of(&order.base, &document, &order.view, &|_| None),
    };
    let needs = link.as_ref().map(|link| link.needs.clone()).unwrap_or_default();
    let need = |needed: &NeededFile| (needed.name.clone(), needed.hash.short(), needed.bytes.len() as u64);
    let shared = SharedScenario {
        needs: needs.iter().map(need).collect(),
        contains: contains(&document, &needs),
        link: link.map(|link| link.text).map_err(|error| error.to_string()),
    };
    let bundle = bundle(order, &document)?;
    let files = needs.iter().map(|needed| needed.bytes.as_slice().into()).collect();
    Ok(Response::Shared { shared: Packed::of(&shared)?, bundle: bundle.as_slice().into(), files })
}

fn bundle(order: &ShareOrder, document: &Document) -> Result<Vec<u8>, String> {
    let (document, files) = data_apart(document);
    let file = |name: &str| files.iter().find(|file| file.name == name).map(|file| file.bytes.clone());
    let mut bundle = Bundle::of(&document, &file, order.view.clone(), &order.build);
    bundle.results = order.known.clone();
    bundle.write().ok_or_else(|| "More than 4 GB: a bundle cannot hold it".into())
}

/// The document of a scenario, with names in the place of data that are drawn or built in.
fn document(order: &ShareOrder) -> Document {
    let scenario = &order.scenario;
    let mut document = Document::of(&order.title, scenario, order.policies.clone());
    document.study = order.study.clone();
    let seed = scenario.conditions.seed;
    // Jobs of another seed than the scenario's are not those that the document would draw.
    let drawn = order.drawing.jobs.as_ref().filter(|(jobs, _)| jobs.trace(seed) == *scenario.trace);
    match drawn {
        Some((DrawnJobs::Sample, _)) => document.jobs = JobSource::Sample(SampleJobs::default()),
        Some((DrawnJobs::Generated(spec), _)) => {
            document.jobs = JobSource::Generated(GeneratedJobs { spec: spec.clone(), seed: None });
        }
        None => {}
    }
    let published = order.drawing.curves.as_deref().and_then(Published::named);
    if *scenario.curves == sample::curves() {
        document.curves = CurveSource::Sample {};
    } else if let Some(table) = published.filter(|table| table.curves() == *scenario.curves) {
        document.curves = CurveSource::Published(PublishedName(table));
    }
    document
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
    use elastiplan_documents::{KnownResult, ShownView};
    use elastiplan_planner::run;
    use elastiplan_scenario::Scenario;
    use elastiplan_workloads::Drawing;

    use super::*;

    fn order(scenario: Scenario, drawing: Drawing) -> ShareOrder {
        let policies = vec!["fixed".parse().unwrap(), "elastic-dp[delta_s=60]".parse().unwrap()];
        let known = vec![KnownResult { policy: "fixed".into(), seed: 3, digest: "0".into() }];
        ShareOrder {
            base: "https://example.org/".into(),
            title: "Any".into(),
            preset: None,
            scenario,
            drawing,
            policies,
            study: None,
            view: ShownView { job: Some("a".into()), ..ShownView::default() },
            known,
            build: "test".into(),
        }
    }

    fn digests(scenario: &Scenario, order: &ShareOrder) -> Vec<String> {
        let workload = scenario.workload().0;
        order.policies.iter().map(|policy| run(scenario, &workload, policy).unwrap().digest).collect()
    }

    /// Shares a scenario, and checks what comes back of the link, what that holds, and what comes back of the bundle.
    fn check(order: &ShareOrder, contains: &str, needs: usize) {
        let Response::Shared { shared, bundle, files } = share(order).unwrap() else { panic!("nothing shared") };
        let shared: SharedScenario = shared.unpack().unwrap();
        assert!(shared.contains.join(", ").contains(contains), "{:?}", shared.contains);
        assert_eq!((shared.needs.len(), files.len()), (needs, needs));
        let expected = digests(&order.scenario, order);
        let opened = Link::open(&shared.link.unwrap()).unwrap();
        assert_eq!((opened.faults, &opened.view), (vec![], &order.view));
        let of_link = |name: &str| {
            let at = shared.needs.iter().position(|(known, ..)| known == name)?;
            Some(files[at].raw().to_vec())
        };
        assert_eq!(digests(&opened.document.resolve(&of_link).unwrap().scenario, order), expected);
        let bundle = Bundle::read("", bundle.raw()).unwrap().bundle;
        assert_eq!((&bundle.results, &bundle.view), (&order.known, &order.view));
        let resolved = bundle.document.resolve(&|name| bundle.files.get(name).cloned()).unwrap();
        assert_eq!(digests(&resolved.scenario, order), expected);
        assert_eq!(bundle.document.policies, order.policies);
    }

    #[test]
    fn shared_scenarios_come_back_and_run_the_same() {
        let drawn = |jobs: DrawnJobs| Drawing { jobs: Some((jobs, 5)), ..Drawing::default() };
        check(&order(sample::scenario(5), drawn(DrawnJobs::Sample)), "how jobs are drawn, the name of the curves", 0);
        // Jobs of another seed are not drawn by the document's.
        let mut other = sample::scenario(5);
        other.trace = sample::trace(6).into();
        check(&order(other, drawn(DrawnJobs::Sample)), "seed 5, jobs, the name of the curves", 0);
        let spec: elastiplan_workloads::generate::GeneratorSpec = "elasticflow[jobs=900]".parse().unwrap();
        let table = Published::named(spec.generator().curves).unwrap();
        let generated = Scenario { trace: spec.trace(5).into(), curves: table.curves().into(), ..sample::scenario(5) };
        let mut named = drawn(DrawnJobs::Generated(spec));
        named.curves = Some(table.name.into());
        check(&order(generated.clone(), named), "how jobs are drawn, the name of the curves", 0);
        check(&order(generated, Drawing::default()), "seed 5, curves", 1);
    }
}
