//! Fixtures of the tests: a study of nodes, one of nodes and load, and studies of any form.

use proptest::prelude::*;

use super::*;

/// The values of an axis with the way they are shown.
pub fn axis(key: &str, label: &str, values: &[(f64, String)]) -> AxisView {
    let value = |(number, shown): &(f64, String)| AxisPlace {
        text: number.to_string(),
        shown: shown.clone(),
        number: Some(*number),
    };
    AxisView { key: key.into(), label: label.into(), values: values.iter().map(value).collect(), ignored_by: vec![] }
}

/// Nodes from 40 to 80 in steps of 2.
pub fn nodes() -> AxisView {
    let values: Vec<(f64, String)> = (20..=40).map(|half| (f64::from(half * 2), (half * 2).to_string())).collect();
    axis("cluster.nodes", "nodes", &values)
}

fn load() -> AxisView {
    let value = |tenth: u32| (f64::from(tenth) / 10.0, format!("× {:.1}", f64::from(tenth) / 10.0));
    axis("what_if.arrival_rate", "arrival rate", &(7..=13).map(value).collect::<Vec<_>>())
}

/// Four policies over nodes: smooth curves with one dip at 60 nodes, ten seeds.
pub fn nodes_study() -> StudyView {
    study(vec![nodes()], 10)
}

/// The same over nodes and load, with three seeds.
pub fn load_study() -> StudyView {
    let nodes: Vec<(f64, String)> = (5..=12).map(|eighth| (f64::from(eighth * 8), (eighth * 8).to_string())).collect();
    study(vec![axis("cluster.nodes", "nodes", &nodes), load()], 3)
}

const POLICIES: [&str; 4] = ["fixed", "equal-share", "elastic-dp[delta_s=300]", "elasticflow"];
/// Where half of the deadlines are met, and how fast that rises.
const RISES: [(f64, f64); 4] = [(54.5, 6.6), (42.0, 9.5), (27.0, 9.8), (25.0, 8.0)];

fn study(axes: Vec<AxisView>, seeds: u32) -> StudyView {
    let policies: Vec<String> = POLICIES.map(String::from).into();
    let mut view = StudyView {
        axes,
        policies,
        goals: vec![
            goal("deadline_satisfactory_ratio", 0.95, true, "deadlines met ≥ 95%"),
            goal("job_drop_ratio", 0.05, false, "share declined ≤ 5%"),
        ],
        draws: DrawsView::Days,
        ..StudyView::default()
    };
    let keys = [
        "deadline_satisfactory_ratio",
        "job_drop_ratio",
        "avg_jct_s",
        "p95_queueing_s",
        "cost_dollars",
        "gpu_utilization",
    ];
    view.metrics = keys
        .map(|key| MetricView {
            key: key.into(),
            estimates: each(&view).map(|(policy, point)| Some(estimate(&view, key, policy, point, seeds))).collect(),
        })
        .into();
    view.seeds = vec![seeds; view.policies.len() * view.points()];
    view.cells = each(&view).map(|(policy, point)| known(&view, policy, point)).collect();
    view.answers = answers(&view);
    if view.axes.len() == 1 {
        let worse = WorseView {
            policy: 2,
            point: 10,
            left: 9,
            metric: keys[0].into(),
            seeds_worse: 8,
            seeds: 10,
            seed: 5,
            seed_number: 6,
            words: "60 nodes: two more than 58, and it got worse. −0.8pt, in 8 of 10 seeds".into(),
        };
        view.worse.push(worse);
    }
    view.progress = Progress { stage: Stage::Open, runs: 802, runs_wanted: 840, settled: 76, open: 8, ..view.progress };
    view.words = words(&view);
    view
}

pub fn goal(metric: &str, limit: f64, is_least: bool, text: &str) -> GoalView {
    GoalView { metric: metric.into(), limit, is_least, text: text.into() }
}

fn each(view: &StudyView) -> impl Iterator<Item = (usize, usize)> + use<> {
    let points = view.points();
    (0..view.policies.len()).flat_map(move |policy| (0..points).map(move |point| (policy, point)))
}

/// Nodes for the load: twice the load takes twice the nodes.
fn size(view: &StudyView, point: usize) -> f64 {
    let number = |(axis, place): (&AxisView, usize)| axis.values[place].number.unwrap();
    let mut numbers = view.axes.iter().zip(view.places(point)).map(number);
    numbers.next().unwrap() / numbers.next().unwrap_or(1.0)
}

fn value(view: &StudyView, key: &str, policy: usize, point: usize) -> f64 {
    let (nodes, (middle, slope)) = (size(view, point), RISES[policy]);
    let met = 1.0 / (1.0 + libm::exp((middle - nodes) / slope));
    let dip = if policy == 2 && nodes == 60.0 { 0.012 } else { 0.0 };
    match key {
        "deadline_satisfactory_ratio" => met.min(0.999) - dip,
        "job_drop_ratio" if policy == 3 => 0.18 * (1.0 - met),
        "job_drop_ratio" => 0.0,
        "avg_jct_s" => 4.0 * 3600.0 + 20.0 * 3600.0 * (1.0 - met),
        "p95_queueing_s" => 44.0 * 3600.0 * (1.0 - met).max(0.0) * if policy == 1 { 0.0 } else { 1.0 },
        "cost_dollars" => 1_000.0 * (90.0 + 1.9 * nodes * (1.2 - 0.1 * policy as f64)),
        _ => (0.85 - 0.004 * (nodes - 40.0) - 0.03 * policy as f64).max(0.2),
    }
}

fn estimate(view: &StudyView, key: &str, policy: usize, point: usize, n: u32) -> PointEstimate {
    let mean = value(view, key, policy, point);
    let half = if mean <= 1.0 { mean.min(1.0 - mean).max(0.002) * 0.12 } else { mean * 0.1 };
    let base = value(view, key, 0, point);
    let is_ratio = key.ends_with("_s") || key.ends_with("dollars");
    let difference = if is_ratio { mean / base } else { mean - base };
    let reach = if is_ratio { 0.03 } else { half * 0.7 };
    let against = Against { is_ratio, mean: difference, low: difference - reach, high: difference + reach };
    PointEstimate {
        n,
        missing: 0,
        mean,
        interval: (n >= 5).then_some((mean - half, mean + half)),
        against: (policy > 0 && n >= 5 && difference.is_finite()).then_some(against),
        nearest: 0,
    }
}

fn known(view: &StudyView, policy: usize, point: usize) -> Cell {
    let met = view.estimate("deadline_satisfactory_ratio", policy, point).unwrap();
    let dropped = view.estimate("job_drop_ratio", policy, point).unwrap();
    match met.interval {
        _ if dropped.mean > 0.05 => Cell::Misses,
        Some((low, _)) if low >= 0.95 => Cell::Meets,
        Some((_, high)) if high >= 0.95 => Cell::Open,
        _ if met.interval.is_none() && met.mean >= 0.95 => Cell::Meets,
        _ => Cell::Misses,
    }
}

/// The smallest place from which on all meet, and the open ones before it.
fn answers(view: &StudyView) -> Vec<AnswerView> {
    let lines: Vec<Vec<usize>> =
        (0..view.points()).filter(|point| view.places(*point)[0] == 0).map(|point| view.line(point, 0)).collect();
    let answer = |policy: usize, line: &Vec<usize>| {
        let known: Vec<Cell> = line.iter().map(|point| view.cells[view.at(policy, *point)]).collect();
        let after = |is: fn(Cell) -> bool| known.iter().rposition(|cell| !is(*cell)).map_or(0, |place| place + 1);
        let (answer, first) = (after(|cell| cell == Cell::Meets), after(|cell| cell != Cell::Misses));
        let place = (answer < line.len()).then_some(answer as u32);
        let mut view_of = AnswerView {
            policy: policy as u32,
            line: line.iter().map(|point| *point as u32).collect(),
            answer: place,
            bracket: (first < line.len()).then_some((first as u32, answer.min(line.len() - 1) as u32)),
            isolated: (0..first).filter(|place| known[*place] == Cell::Meets).map(|place| place as u32).collect(),
            confirmed: None,
            is_settled: answer == first,
            words: String::new(),
        };
        view_of.words = answer_words(view, &view_of);
        view_of
    };
    (0..view.policies.len()).flat_map(|policy| lines.iter().map(move |line| answer(policy, line))).collect()
}

/// A study of three policies over nodes, with five seeds.
pub const SMALL: &str = r#"{
    "elastiplan": 1,
    "jobs": { "generated": { "generator": "elasticflow", "jobs": 60, "interarrival_s": 900 } },
    "curves": { "published": "elasticflow-a100" },
    "cluster": { "nodes": 16, "gpus_per_node": 8 },
    "policies": ["fixed", "equal-share", "elastic-dp"],
    "study": {
        "axes": { "cluster.nodes": { "from": 2, "to": 16, "step": 2 } },
        "seeds": 5,
        "goals": [{ "metric": "deadline_satisfactory_ratio", "at_least": 0.9 }]
    }
}"#;

/// What a study of a document says after so many rounds of runs, or at its end.
pub fn made(document: &str, metrics: &[&str], rounds: usize) -> StudyView {
    let document = elastiplan_documents::Document::parse(document).unwrap();
    let study = document.study().unwrap().unwrap();
    let resolved = document.resolve(&|_| None).unwrap();
    let mut results = elastiplan_study::Results::default();
    for _ in 0..rounds {
        let units = study.next(&results);
        if units.is_empty() {
            break;
        }
        for unit in units {
            results.add(unit, study.run(unit, |seed| resolved.with_seed(seed))).unwrap();
        }
    }
    let stage = if study.next(&results).is_empty() { Stage::Over(Ended::Complete) } else { Stage::Seeds };
    let progress = Progress { stage, runs: results.len() as u32, ..Progress::default() };
    let metrics: Vec<String> = metrics.iter().map(ToString::to_string).collect();
    StudyView::of(&study, &results, &metrics, progress)
}

/// Studies of any form: one to three axes, any values, unknown and failed points, any answers.
pub fn any_view() -> impl Strategy<Value = StudyView> {
    let axis_of = prop_oneof![
        Just(("cluster.nodes", "nodes")),
        Just(("what_if.arrival_rate", "arrival rate")),
        Just(("what_if.rescale_s", "rescale cost")),
        Just(("cluster.placement", "placement")),
    ];
    let axes = prop::collection::vec((axis_of, 1..6_usize, any::<bool>()), 1..4);
    let forms = (axes, 1..5_usize, 0..4_usize, any::<(bool, u64)>(), 0..8_u32);
    forms.prop_map(|(axes, policies, goals, (is_largest, seed), stage)| {
        random(axes, policies, goals, is_largest, seed, stage)
    })
}

fn random(
    axes: Vec<((&str, &str), usize, bool)>,
    policies: usize,
    goals: usize,
    is_largest: bool,
    seed: u64,
    stage: u32,
) -> StudyView {
    let mut draw = Draws(seed);
    let axes = axes.into_iter().map(|((key, label), count, doubled)| {
        let number = |at: usize| if doubled { 1.5 * 2_f64.powi(at as i32) } else { 3.0 + at as f64 };
        let mut axis = axis(key, label, &(0..count).map(|at| (number(at), number(at).to_string())).collect::<Vec<_>>());
        if key == "cluster.placement" {
            axis.values.iter_mut().for_each(|value| value.number = None);
        }
        axis
    });
    let mut view = StudyView {
        axes: axes.collect(),
        policies: POLICIES[..policies].iter().map(ToString::to_string).collect(),
        is_largest,
        ..StudyView::default()
    };
    let limits = [
        goal("deadline_satisfactory_ratio", 0.9, true, ""),
        goal("avg_jct_s", 9_000.0, false, ""),
        goal("job_drop_ratio", 0.05, false, ""),
    ];
    view.goals = limits[..goals.min(3)].to_vec();
    view.find = draw.below(view.axes.len());
    let stages = [Stage::Coarse, Stage::Points, Stage::Seeds, Stage::Open, Stage::Fresh];
    let ends = [Ended::Complete, Ended::Stopped, Ended::BudgetUsed];
    let over = |at: usize| Stage::Over(ends[at % 3]);
    view.progress.stage = stages.get(stage as usize).copied().unwrap_or(over(stage as usize));
    (view.progress.runs, view.progress.open) = (draw.below(3) as u32, draw.below(3) as u32);
    view.draws = [DrawsView::Seeds, DrawsView::Days, DrawsView::One][draw.below(3)];
    let count = view.policies.len() * view.points();
    for key in ["deadline_satisfactory_ratio", "job_drop_ratio", "avg_jct_s", "cost_dollars"] {
        let estimates = (0..count).map(|_| draw.estimate(key)).collect();
        view.metrics.push(MetricView { key: key.into(), estimates });
    }
    let cells = [Cell::Unknown, Cell::Open, Cell::Misses, Cell::Meets, Cell::Failed, Cell::NoValue];
    view.cells = (0..count).map(|_| cells[draw.below(6)]).collect();
    for (at, cell) in view.cells.iter().enumerate() {
        let (policy, point) = ((at / view.points()) as u32, (at % view.points()) as u32);
        match cell {
            Cell::Failed => view.failed.push(Failed { policy, point, runs: 2, message: "no GPUs".into() }),
            Cell::NoValue => view.no_value.push(NoValue { policy, point, metric: "avg_jct_s".into(), runs: 1 }),
            _ => {}
        }
    }
    view.seeds_to_decide = (0..draw.below(3)).map(|at| 50 * at as u32).collect();
    view.progress.seeds_most = draw.below(12) as u32;
    view.seeds = (0..count).map(|_| draw.below(12) as u32).collect();
    for policy in 0..view.policies.len() {
        for point in 0..view.points() {
            let line: Vec<u32> = view.line(point, view.find).into_iter().map(|point| point as u32).collect();
            if line[0] as usize == point && draw.below(6) > 0 {
                let length = line.len() as u32;
                let place = |draw: &mut Draws| draw.below(length as usize) as u32;
                let (a, b) = (place(&mut draw), place(&mut draw));
                view.answers.push(AnswerView {
                    policy: policy as u32,
                    line,
                    answer: (draw.below(2) > 0).then_some(b.max(a)),
                    bracket: (draw.below(4) > 0).then_some((a.min(b), a.max(b))),
                    isolated: (0..draw.below(2) as u32).collect(),
                    confirmed: None,
                    is_settled: draw.below(2) > 0,
                    words: String::new(),
                });
            }
        }
    }
    view
}

/// Numbers from a seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count.max(1)
    }

    fn estimate(&mut self, key: &str) -> Option<PointEstimate> {
        let share = self.below(1001) as f64 / 1000.0;
        let mean = if key.ends_with("ratio") { share } else { share * 20_000.0 };
        let low = mean * 0.9;
        let against = Against { is_ratio: !key.ends_with("ratio"), mean: share, low: share - 0.1, high: share + 0.1 };
        let estimate = PointEstimate {
            n: self.below(20) as u32 + 1,
            missing: 0,
            mean,
            interval: (self.below(3) > 0).then_some((low, mean * 1.2)),
            against: (self.below(2) > 0).then_some(against),
            nearest: 0,
        };
        (self.below(5) > 0).then_some(estimate)
    }
}
