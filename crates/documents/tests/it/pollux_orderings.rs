//! Who is ahead of whom in Figures 7 to 9 of Pollux, on a quarter of the jobs and of the cluster.

use elastiplan_documents::{Document, Preset};
use elastiplan_planner::run;

/// Average JCT in seconds, over two draws of a preset of Pollux.
fn avg_jct_s(change: &dyn Fn(&mut serde_json::Value), policy: &str) -> f64 {
    let draws = [1, 2].map(|seed| {
        let mut json: serde_json::Value = serde_json::from_str(Preset::named("pollux-table-2").unwrap().json).unwrap();
        json["jobs"]["generated"]["load"] = 0.25.into();
        json["cluster"]["nodes"] = 4.into();
        json["seeds"] = vec![seed].into();
        json["paper"] = serde_json::json!([]);
        json["policies"] = vec![policy].into();
        change(&mut json);
        let resolved = Document::parse(&json.to_string()).unwrap().resolve(&|_| None).unwrap();
        let (workload, _) = resolved.scenario.workload();
        let run = run(&resolved.scenario, &workload, &policy.parse().unwrap()).unwrap();
        run.summary.metrics.avg_jct_s.unwrap()
    });
    draws.iter().sum::<f64>() / draws.len() as f64
}

const POLLUX: &str = "pollux";
const OPTIMUS: &str = "optimus";
const TIRESIAS: &str = "tiresias[interval_s=60,two_queues=true]";

#[test]
fn figure_7_users_do_not_know_what_suits_their_jobs() {
    let share = |share: f64| move |json: &mut serde_json::Value| json["jobs"]["generated"]["realistic"] = share.into();
    let of = |policy| [0.0, 0.2, 1.0].map(|part| avg_jct_s(&share(part), policy));
    let (pollux, optimus, tiresias) = (of(POLLUX), of(OPTIMUS), of(TIRESIAS));
    println!("tuned jobs, a fifth as users configure them, all: {pollux:?} {optimus:?} {tiresias:?}");
    for at in 0..3 {
        assert!(pollux[at] < optimus[at] && pollux[at] < tiresias[at]);
    }
    // Pollux chooses for itself; the others depend on the requests, Tiresias most.
    assert!(pollux[2] == pollux[0]);
    assert!(tiresias[2] > optimus[2] && tiresias[2] / tiresias[0] > optimus[2] / optimus[0]);
}

#[test]
fn figure_8_twice_as_many_jobs() {
    let twice = |json: &mut serde_json::Value| json["jobs"]["generated"]["load"] = 0.5.into();
    let grows = |policy| avg_jct_s(&twice, policy) / avg_jct_s(&|_| (), policy);
    let [pollux, optimus, tiresias] = [POLLUX, OPTIMUS, TIRESIAS].map(grows);
    println!("times longer with twice the load: {pollux} {optimus} {tiresias}");
    assert!(avg_jct_s(&twice, POLLUX) < avg_jct_s(&twice, OPTIMUS).min(avg_jct_s(&twice, TIRESIAS)));
    assert!(tiresias > optimus && tiresias > pollux);
}

#[test]
fn figure_9_jobs_in_each_others_way() {
    let slower =
        |share: f64| move |json: &mut serde_json::Value| json["conditions"]["interference_slowdown"] = share.into();
    let of = |policy| [0.0, 0.25, 0.5].map(|share| avg_jct_s(&slower(share), policy));
    let (apart, anywhere) = (of(POLLUX), of("pollux[avoid_interference=false]"));
    println!("kept apart or not, with 0, 25 and 50 % slowdown: {apart:?} {anywhere:?}");
    assert!(apart[0] == apart[1] && apart[1] == apart[2]);
    // On so few nodes, being apart matters only where the slowdown is large.
    assert!(anywhere[2] > anywhere[0] && anywhere[2] > apart[2]);
}
