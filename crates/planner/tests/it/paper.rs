//! A paper's values beside ours.

use elastiplan_documents::Document;
use elastiplan_metrics::Unit;
use elastiplan_planner::{PaperComparison, PaperValue, PolicyResult};
use elastiplan_scenario::sample;

use crate::run_all;

fn value(policy: &str, metric: &str, value: f64, relative_to: Option<&str>) -> PaperValue {
    PaperValue {
        policy: policy.parse().unwrap(),
        metric: metric.into(),
        value,
        range: None,
        relative_to: relative_to.map(|policy| policy.parse().unwrap()),
        source: "Table 1".into(),
    }
}

#[test]
fn values_stand_beside_the_mean_over_seeds() {
    let policies = ["fixed", "equal-share"];
    let results: Vec<Vec<PolicyResult>> = [1, 2]
        .map(|seed| run_all(&sample::scenario(seed), &policies).0.iter().map(PolicyResult::from).collect())
        .to_vec();
    let jct = |seed: usize, policy: usize| results[seed][policy].summary.metrics.avg_jct_s.unwrap();
    let paper = [
        value("fixed", "avg_jct_s", 1000.0, None),
        value("fixed", "avg_jct_s", 2.0, Some("equal-share")),
        value("fixed", "cost_dollars", 2.0, None),
        value("fixed", "preemption_count", 0.0, None),
        value("fixed", "preemption_count", 2.0, Some("equal-share")),
        value("equal-share", "additional_jobs", 17.4, Some("fixed")),
        value("fixed", "additional_jobs", 0.0, Some("fixed")),
    ];
    let pairs = PaperComparison::of(&paper, &results);
    let mean = (jct(0, 0) + jct(1, 0)) / 2.0;
    assert_eq!(pairs[0].mean(), Some(mean));
    assert_eq!(pairs[0].difference(), Some(mean - 1000.0));
    assert_eq!(pairs[0].relative_difference(), Some((mean - 1000.0) / 1000.0));
    assert_eq!(pairs[1].ours, [jct(0, 0) / jct(0, 1), jct(1, 0) / jct(1, 1)]);
    // Where the metric does not apply there is nothing of ours, and nothing is divided by nothing.
    assert_eq!((pairs[2].mean(), pairs[2].difference()), (None, None));
    assert_eq!((pairs[3].mean(), pairs[3].relative_difference()), (Some(0.0), None));
    assert_eq!(pairs[4].ours, [0.0; 0]);
    // What compares two runs is a number of jobs, not so many times as many.
    let additional = |seed: usize| {
        let [fixed, equal_share] = [&results[seed][0].completions, &results[seed][1].completions];
        equal_share.additional_to(fixed, 100).unwrap()
    };
    assert_eq!(pairs[5].ours, [additional(0), additional(1)]);
    assert_eq!((pairs[5].measure.unit(), pairs[0].measure.unit()), (Unit::Jobs, Unit::Seconds));
    assert_eq!(pairs[6].ours, [0.0, 0.0]);
    // Of a range, the nearer end counts.
    let check = |ours: f64, expected: f64| {
        let printed = PaperValue { range: Some([15.0, 16.8]), ..value("fixed", "additional_jobs", 15.9, None) };
        assert!((printed.difference(ours) - expected).abs() < 1e-9, "{ours}");
    };
    check(16.0, 0.0);
    check(6.0, -9.0);
    check(17.0, 0.2);
}

#[test]
fn values_must_be_of_policies_and_metrics_that_there_are() {
    let mut document = Document::of("", &sample::scenario(1), vec!["fixed".parse().unwrap()]);
    let mut error = |paper: PaperValue| {
        document.paper = vec![value("fixed", "avg_jct_s", 1.0, None), paper];
        Document::parse(&document.to_json()).unwrap_err().to_string()
    };
    let policy = error(value("equal-share", "avg_jct_s", 1.0, None));
    assert_eq!(policy, "paper[1].policy: equal-share is not one of the policies above");
    let other = error(value("fixed", "avg_jct_s", 1.0, Some("equal-share")));
    assert_eq!(other, "paper[1].relative_to: equal-share is not one of the policies above");
    let range = error(PaperValue { range: Some([2.0, 3.0]), ..value("fixed", "avg_jct_s", 1.0, None) });
    assert_eq!(range, "paper[1].range: 2 to 3 is not a range with 1 in it");
    let alone = error(value("fixed", "additional_jobs", 1.0, None));
    let rule = "nothing is not one of the policies above: additional_jobs compares two";
    assert_eq!(alone, format!("paper[1].relative_to: {rule}"));
    let metric = error(value("fixed", "jct", 1.0, None));
    assert!(metric.starts_with("paper[1].metric: jct is not a metric. There are: jobs_total, "), "{metric}");
}
