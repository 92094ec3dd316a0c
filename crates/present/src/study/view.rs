//! What a screen shows of a study.

use elastiplan_metrics::Metrics;
use elastiplan_study::Unit;
use serde::{Deserialize, Serialize};

/// A study as far as it has come.
///
/// Points are places in the grid, the values of the last axis next to each other; `policy` is a place among `policies`.
/// What is kept for each policy and point stands in one list, at `policy × points + point`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyView {
    /// How far it has come.
    pub progress: Progress,
    /// The answer in words.
    pub words: Words,
    /// What is varied.
    pub axes: Vec<AxisView>,
    /// The axis of the question, by its place among `axes`; the first where nothing is asked.
    pub find: usize,
    /// The ids of the policies; the first is the baseline.
    pub policies: Vec<String>,
    /// What is asked.
    pub goals: Vec<GoalView>,
    /// Whether the largest value that meets the goals is looked for, and not the smallest.
    pub is_largest: bool,
    /// What makes seeds differ.
    pub draws: DrawsView,
    /// Whether drawing whole days of the trace anew would make seeds differ, where they do not.
    pub could_draw_days: bool,
    /// The metrics that were asked for, in that order.
    pub metrics: Vec<MetricView>,
    /// What is known about the goals: an entry for each policy and point.
    pub cells: Vec<Cell>,
    /// Runs that are there: an entry for each policy and point.
    pub seeds: Vec<u32>,
    /// An answer for each policy and combination of the other axes' values.
    pub answers: Vec<AnswerView>,
    /// Points that are worse than their left neighbour.
    pub worse: Vec<WorseView>,
    /// Single seeds in which some point is worse than its left neighbour, though the mean may not be: for each policy and
    /// line the worst of them, and how many there are.
    pub reversals: Vec<WorseView>,
    /// Points with runs that failed.
    pub failed: Vec<Failed>,
    /// Points at which a goal's metric has no value.
    pub no_value: Vec<NoValue>,
    /// For open points about how many seeds would decide each, the fewest first; points are left out where that is not known,
    /// or more than 1,000. Only once the study is over.
    pub seeds_to_decide: Vec<u32>,
    /// What is worth knowing: an axis that a policy ignores, a goal that lacks another, one draw.
    pub notes: Vec<String>,
}

/// What makes seeds differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DrawsView {
    /// Jobs, faults or errors are drawn by the seed.
    #[default]
    Seeds,
    /// Whole days of the trace are drawn by the seed.
    Days,
    /// Nothing: every seed gives the same run.
    One,
}

/// How far a study has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// Runs that are there.
    pub runs: u32,
    /// How many of them were kept from before and were not made again.
    pub runs_kept: u32,
    /// Runs that are there or wanted now. It grows while questions are open.
    pub runs_wanted: u32,
    /// Points under a policy whose question is settled; without goals, those that have all their seeds.
    pub settled: u32,
    /// Points that more seeds may settle.
    pub open: u32,
    /// Points that no seeds settle: runs failed there, or a goal's metric has no value.
    pub gaps: u32,
    /// Seeds that a point has at most.
    pub seeds_most: u32,
    /// Seconds since it began.
    pub elapsed_s: f64,
    /// Seconds after which the first picture was there.
    pub first_picture_s: Option<f64>,
    /// About how many seconds are left for the runs that are wanted now.
    pub left_s: Option<f64>,
}

/// What a study is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// A coarse first picture.
    #[default]
    Coarse,
    /// All points, with the first seeds.
    Points,
    /// The seeds that all points have.
    Seeds,
    /// More seeds where a question is open.
    Open,
    /// Fresh seeds that confirm the answers.
    Fresh,
    /// Nothing any more.
    Over(Ended),
}

/// Why a study is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// All is known that was asked for.
    Complete,
    /// It was stopped.
    Stopped,
    /// Its time budget is used up.
    BudgetUsed,
}

/// The answer in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Words {
    /// The answer: "95% of deadlines need 46 nodes under elasticflow, 56 under elastic-dp, 76 under fixed".
    pub headline: String,
    /// What it rests on, what it costs and what it saves, a sentence each; `true` for those that warn.
    pub rest: Vec<(String, bool)>,
}

/// What is varied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisView {
    /// Its key in documents: `cluster.nodes`.
    pub key: String,
    /// Its name: `nodes`.
    pub label: String,
    /// Its values, numbers rising.
    pub values: Vec<AxisPlace>,
    /// The policies that it changes nothing for, by their places.
    pub ignored_by: Vec<u32>,
}

/// A value of an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisPlace {
    /// As it is written in a document.
    pub text: String,
    /// As it is shown, with its unit: `60s`, `× 1.2`.
    pub shown: String,
    /// The number, if it is one.
    pub number: Option<f64>,
}

/// A goal: a metric's mean has a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoalView {
    /// The key of the metric.
    pub metric: String,
    /// The limit.
    pub limit: f64,
    /// Whether that much or more is asked for, and not that much or less.
    pub is_least: bool,
    /// In words: `deadlines met ≥ 90%`.
    pub text: String,
}

/// A metric at all points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricView {
    /// Its key; its label, unit and sense follow from the catalogue of metrics.
    pub key: String,
    /// An entry for each policy and point; `None` where nothing is known.
    pub estimates: Vec<Option<PointEstimate>>,
}

/// The mean of a metric at a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointEstimate {
    /// Seeds that have a value.
    pub n: u32,
    /// Seeds that have none: the run failed, or the metric does not apply to it.
    pub missing: u32,
    /// The mean of those that have.
    pub mean: f64,
    /// The ends of its 95 % interval; `None` with too few seeds, and where seeds make no difference.
    pub interval: Option<(f64, f64)>,
    /// How it differs from the baseline at the same point.
    pub against: Option<Against>,
    /// The seed, by its place, whose value is nearest to the mean: the run that a click opens.
    pub nearest: u32,
}

/// A difference from the baseline, seed by seed, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// Whether it is ours over theirs, and not ours less theirs.
    pub is_ratio: bool,
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What is known about the goals at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cell {
    /// No run is there yet.
    #[default]
    Unknown,
    /// More seeds may tell.
    Open,
    /// A goal is missed.
    Misses,
    /// All goals are met. Without goals: all seeds are there.
    Meets,
    /// Every run failed.
    Failed,
    /// The metric of a goal has no value in some of its runs, though none failed.
    NoValue,
}

/// The answer for a policy along the axis of the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    /// The policy.
    pub policy: u32,
    /// The points along the axis.
    pub line: Vec<u32>,
    /// The answer, by its place on the axis.
    pub answer: Option<u32>,
    /// The first and the last place at which it may be; none where nothing meets the goals and nothing is open.
    pub bracket: Option<(u32, u32)>,
    /// Places that meet the goals though one beyond the answer's side misses them.
    pub isolated: Vec<u32>,
    /// With how many fresh seeds it was confirmed.
    pub confirmed: Option<u32>,
    /// Whether nothing more is going to be run for it.
    pub is_settled: bool,
    /// Beside the strip: `46, may be 42`, `46, settled`, `not within 80`.
    pub words: String,
}

/// A point that is worse than its left neighbour, with 95 % confidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorseView {
    /// The policy.
    pub policy: u32,
    /// The point.
    pub point: u32,
    /// Its left neighbour.
    pub left: u32,
    /// The key of the metric.
    pub metric: String,
    /// In how many seeds it is worse.
    pub seeds_worse: u32,
    /// Of how many.
    pub seeds: u32,
    /// The seed, by its place, in which it is worst.
    pub seed: u32,
    /// That seed as a scenario has it.
    pub seed_number: u64,
    /// In words: `60 nodes: two more than 58, and it got worse. -0.8pt, in 8 of 10 seeds`.
    pub words: String,
}

impl WorseView {
    /// The run in which it is worst, and that of the neighbour.
    pub fn units(&self) -> [Unit; 2] {
        [self.point, self.left].map(|point| Unit { point, policy: self.policy, seed: self.seed })
    }
}

/// A point at which the metric of a goal has no value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoValue {
    /// The policy.
    pub policy: u32,
    /// The point.
    pub point: u32,
    /// The key of the metric.
    pub metric: String,
    /// In how many runs it has none.
    pub runs: u32,
}

/// A point with runs that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// The policy.
    pub policy: u32,
    /// The point.
    pub point: u32,
    /// How many runs failed.
    pub runs: u32,
    /// The reason that the first of them gives.
    pub message: String,
}

impl StudyView {
    /// How many points there are.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// Why nothing is decided for a policy at a point, in a sentence: `2 of 5 runs failed: ...`; `None` where nothing is in
    /// the way.
    pub fn gap_words(&self, policy: usize, point: usize) -> Option<String> {
        let of = self.seeds.get(self.at(policy, point)).copied().unwrap_or_default();
        let runs = |runs: u32, verb: &str| match (runs >= of, of) {
            (true, 1) => format!("The run {verb}"),
            (true, _) => format!("Every run {verb}"),
            _ => format!("{runs} of {of} runs {verb}"),
        };
        if let Some(failed) = self.failed_at(policy, point) {
            return Some(format!("{}: {}", runs(failed.runs, "failed"), failed.message));
        }
        let found = self.no_value_at(policy, point)?;
        let metric = Metrics::info(&found.metric)?;
        let verb = format!("has no value of {}", metric.label.to_lowercase());
        let words = if found.runs >= of || found.runs == 1 { verb } else { verb.replacen("has", "have", 1) };
        Some(format!("{}: {}", runs(found.runs, &words), metric.reason_absent()))
    }

    /// Whether a run failed there, or the metric of a goal has no value.
    pub fn has_gap(&self, policy: usize, point: usize) -> bool {
        self.failed_at(policy, point).is_some() || self.no_value_at(policy, point).is_some()
    }

    fn failed_at(&self, policy: usize, point: usize) -> Option<&Failed> {
        self.failed.iter().find(|of| (of.policy, of.point) == (policy as u32, point as u32))
    }

    fn no_value_at(&self, policy: usize, point: usize) -> Option<&NoValue> {
        self.no_value.iter().find(|of| (of.policy, of.point) == (policy as u32, point as u32))
    }

    /// Where the entry of a policy and a point stands.
    pub fn at(&self, policy: usize, point: usize) -> usize {
        policy * self.points() + point
    }

    /// The metric of a key, if it was asked for.
    pub fn metric(&self, key: &str) -> Option<&MetricView> {
        self.metrics.iter().find(|metric| metric.key == key)
    }

    /// A metric of a policy at a point.
    pub fn estimate(&self, metric: &str, policy: usize, point: usize) -> Option<&PointEstimate> {
        self.metric(metric)?.estimates.get(self.at(policy, point))?.as_ref()
    }

    /// The answer of a policy on a line of points along the axis of the question. A policy that another axis does not
    /// concern has one answer for all its values.
    pub fn answer_on(&self, policy: usize, line: &[usize]) -> Option<&AnswerView> {
        let own = || self.answers.iter().filter(move |answer| answer.policy as usize == policy);
        let is_on = |answer: &&AnswerView| {
            answer.line.first().is_some_and(|first| line.first().is_some_and(|own| *own == *first as usize))
        };
        let ignores = self.axes.iter().enumerate().filter(|(at, _)| *at != self.find);
        let mut ignores = ignores.filter(|(_, axis)| axis.ignored_by.contains(&(policy as u32)));
        own().find(is_on).or_else(|| {
            ignores.next()?;
            let first = self.places(*line.first()?);
            // The axes that concern the policy have the same places on both lines.
            let is_alike = |answer: &&AnswerView| {
                let places = answer.line.first().map(|first| self.places(*first as usize)).unwrap_or_default();
                let axes = self.axes.iter().zip(places.iter().zip(&first));
                axes.into_iter().all(|(axis, (a, b))| a == b || axis.ignored_by.contains(&(policy as u32)))
            };
            own().find(is_alike)
        })
    }

    /// The place of a point's value on each axis.
    pub fn places(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut places: Vec<usize> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let length = axis.values.len().max(1);
            places.push(rest % length);
            rest /= length;
        }
        places.reverse();
        places
    }

    /// The point with these places.
    pub fn point(&self, places: &[usize]) -> usize {
        self.axes.iter().zip(places).fold(0, |point, (axis, &place)| {
            let length = axis.values.len().max(1);
            point * length + place.min(length - 1)
        })
    }

    /// The points along an axis through a point.
    pub fn line(&self, point: usize, axis: usize) -> Vec<usize> {
        let mut places = self.places(point);
        let length = self.axes.get(axis).map_or(1, |axis| axis.values.len());
        let along = |place| {
            if let Some(own) = places.get_mut(axis) {
                *own = place;
            }
            self.point(&places)
        };
        (0..length).map(along).collect()
    }
}
