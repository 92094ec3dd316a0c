//! Scenarios of all kinds through JSON, a link and a bundle: the same document, and the same runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use elastiplan_documents::{Bundle, Document, Link, LinkError, NeededFile, ShownView};
use elastiplan_model::{Availability, Cluster, Curves, Job, ModelId, Prices, Trace, Work};
use elastiplan_planner::run;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::fields::FIELDS;
use elastiplan_scenario::{Conditions, Faults, Placement, Scenario};
use proptest::prelude::*;

use crate::given_properties::curves;

const POLICIES: [&str; 6] = ["fixed", "equal-share", "elastic-dp[delta_s=60]", "edf", "tiresias", "elasticflow"];

/// Names as they stand in traces, and as they would break a table, a link or a page.
const NAMES: [&str; 6] = ["job", "a,b", "\"quoted\"", "<script>", "ü&=#%", "two words"];

/// What a job is made of: submission, model, GPUs, work, batch size, slack and user, and the start of its name.
type Drawn = (f64, prop::sample::Index, u32, Work, (Option<u32>, Option<f64>, Option<String>), &'static str);

fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let work =
        prop_oneof![(1.0..1e9_f64).prop_map(Work::Samples), (0.1..9000.0_f64).prop_map(Work::DurationOnRequested)];
    let options = (prop::option::of(1..4096_u32), prop::option::of(0.0..1e6_f64), prop::option::of("[a-c]"));
    let job = (0.0..1e5_f64, any::<prop::sample::Index>(), 1..=16_u32, work, options, prop::sample::select(&NAMES[..]));
    prop::collection::vec(job, 1..15).prop_map(|jobs| {
        let job = |(at, (submit_s, model, gpus, work, (batch, slack_s, user), name)): (usize, Drawn)| Job {
            name: format!("{name}-{at}"),
            source_row: 0,
            submit_s,
            model: ModelId(model.index(1 << 16) as u32),
            batch_global: batch,
            batch_range: None,
            gpus_requested: gpus,
            gpus_min: None,
            gpus_max: None,
            work,
            deadline_s: slack_s.map(|slack_s: f64| submit_s + slack_s),
            user: user.map(|user| user.as_str().into()),
            rescale: None,
            priority: None,
        };
        jobs.into_iter().enumerate().map(job).collect()
    })
}

fn log() -> impl Strategy<Value = Option<Arc<Availability>>> {
    let node = (0.0..1e4_f64, prop::option::of(1.0..1e5_f64));
    prop::option::of(prop::collection::vec(node, 1..5)).prop_map(|nodes| {
        let node = |(at, (start_s, length_s)): (usize, (f64, Option<f64>))| {
            (format!("n{at}"), vec![(start_s, length_s.map(|length_s| start_s + length_s))])
        };
        let nodes = nodes?.into_iter().enumerate().map(node).collect();
        Some(Arc::new(Availability::from_intervals(nodes, 2e5).unwrap()))
    })
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let prices = prop::option::of(prop::collection::btree_map(0..99_999_u32, 0.0..9.0_f64, 1..6));
    // Some fields as their examples have them: all kinds of values are among them.
    let examples = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    let forks = prop::collection::vec(prop::sample::select(vec!["at=1h nodes=9", "at=30m policy=edf"]), 0..2);
    (0..=u64::from(u32::MAX), 0.0..1e3_f64, prices, examples, log(), forks, prop::sample::select(Placement::ALL))
        .prop_map(|(seed, rescale_cost_s, prices, examples, availability, forks, placement)| {
            let prices = prices.map(|steps| {
                Arc::new(Prices::new(steps.into_iter().map(|(at, price)| (f64::from(at), price))).unwrap())
            });
            let mut conditions =
                Conditions { seed, rescale_cost_s, prices, availability, placement, ..Conditions::default() };
            conditions.forks = forks.iter().map(|fork| fork.parse().unwrap()).collect();
            conditions.faults = Faults { node_repair_s: 60.0, ..conditions.faults };
            for example in examples {
                let field = example.get(FIELDS);
                if field.key != "seed" && !field.access.is_of_cluster() {
                    let mut changed = conditions.clone();
                    field.write(&mut changed, field.example());
                    conditions = if changed.validate().is_ok() { changed } else { conditions };
                }
            }
            conditions
        })
}

/// A scenario with its policies.
fn scenario() -> impl Strategy<Value = (Scenario, Vec<PolicySpec>)> {
    let policies = prop::sample::subsequence(&POLICIES[..], 1..=3);
    (jobs(), curves(), conditions(), (1..20_u32, 1..9_u32), policies).prop_map(made)
}

fn made(
    (mut jobs, curves, conditions, (nodes, gpus), policies): (Vec<Job>, Curves, Conditions, (u32, u32), Vec<&str>),
) -> (Scenario, Vec<PolicySpec>) {
    let mut models: Vec<String> = curves.models().iter().map(ToString::to_string).collect();
    models.push("without a curve".into());
    jobs.iter_mut().for_each(|job| job.model = ModelId(job.model.0 % models.len() as u32));
    let in_log = conditions.availability.as_ref().map_or(0, |log| log.nodes());
    let cluster = Cluster::new(nodes + in_log, gpus).unwrap();
    let trace = Trace::new(models.iter().map(|model| model.as_str().into()).collect(), jobs).unwrap();
    let scenario = Scenario { conditions, ..Scenario::new(trace, curves, cluster) };
    (scenario, policies.iter().map(|policy| policy.parse().unwrap()).collect())
}

fn files_of(needs: &[NeededFile]) -> BTreeMap<&str, &[u8]> {
    needs.iter().map(|needed| (needed.name.as_str(), needed.bytes.as_slice())).collect()
}

fn digests(scenario: &Scenario, policies: &[PolicySpec]) -> Vec<Result<String, String>> {
    let mut scenario = scenario.clone();
    // A job of a million years on nodes that fail every day leaves a record that fills the memory.
    scenario.conditions.until_s.get_or_insert(1e6);
    let (workload, _) = scenario.workload();
    let digest = |policy| run(&scenario, &workload, policy).map(|run| run.digest).map_err(|error| error.to_string());
    policies.iter().map(digest).collect()
}

/// The scenario that comes out of each way of keeping a document.
fn kept(document: &Document) -> Vec<(&'static str, Scenario)> {
    let json = Document::parse(&document.to_json()).unwrap();
    assert_eq!(&json, document);
    let short = Document::parse(&document.to_minimal_json()).unwrap();
    assert_eq!(&short, document);
    let bundle = Bundle::of(document, &|_| None, ShownView::default(), "").write().unwrap();
    let bundle = Bundle::read("", &bundle).unwrap();
    assert_eq!((&bundle.bundle.document, bundle.faults), (document, vec![]));
    let mut kept = vec![("json", json.resolve(&|_| None).unwrap().scenario)];
    kept.push(("bundle", bundle.bundle.document.resolve(&|_| None).unwrap().scenario));
    match Link::of("", document, &ShownView::default(), &|_| None) {
        Ok(link) => {
            let opened = Link::open(&link.text).unwrap();
            assert_eq!(opened.faults, []);
            if link.needs.is_empty() {
                assert_eq!(&opened.document, document);
            }
            let files = files_of(&link.needs);
            let file = |name: &str| files.get(name).map(|bytes| bytes.to_vec());
            kept.push(("link", opened.document.resolve(&file).unwrap().scenario));
            let bundle = Bundle::of(&opened.document, &file, ShownView::default(), "");
            let file = |name: &str| bundle.files.get(name).cloned();
            kept.push(("bundle of a link", bundle.document.resolve(&file).unwrap().scenario));
        }
        // Curves that no table can say have to stay inside.
        Err(error) => assert!(matches!(error, LinkError::TooLong { .. }), "{error}"),
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn scenarios_come_back_from_wherever_they_are_kept((scenario, policies) in scenario()) {
        let document = Document::of("Any <b>title</b>", &scenario, policies);
        let kept = kept(&document);
        for (place, back) in &kept {
            prop_assert_eq!(back, &kept[0].1, "{}", place);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn kept_scenarios_run_to_the_same_digests((scenario, policies) in scenario()) {
        let document = Document::of("", &scenario, policies.clone());
        let expected = digests(&scenario, &policies);
        for (place, back) in kept(&document) {
            prop_assert_eq!(&digests(&back, &policies), &expected, "{}", place);
        }
    }
}
