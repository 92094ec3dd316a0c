//! What is said of a study, worked out once for all formats.

use elastiplan_present::study::{
    Side, best_words, not_compared_words, point_name, reversal_line, sentence, unconfirmed_words, undecided_words, why,
    worse_line,
};
use elastiplan_study::{Gap, PolicyAnswer, Results, Reversal, Study, Unit, Worse};

use super::Subject;

/// So many points are explained: each takes two runs.
const EXPLAINED_MOST: usize = 3;

/// What the outcomes say.
pub struct Report<'a> {
    pub subject: &'a Subject,
    pub results: &'a Results,
    pub answers: Vec<PolicyAnswer>,
    /// The answers in words.
    pub sentence: Option<String>,
    /// Which policy is the best, in words.
    pub best: Option<String>,
    /// What is not compared, and why.
    pub not_compared: Option<String>,
    /// Points that are not decided for failed runs, missing values, or fresh seeds that say otherwise, in words.
    pub gaps: Vec<String>,
    /// How many seeds would decide open points.
    pub undecided: Option<String>,
    /// What is worth knowing of how runs were kept.
    pub notes: &'a [String],
    pub worse: Vec<WorsePoint>,
    pub reversals: Vec<ReversedLine>,
}

/// A point that is worse than its neighbour.
pub struct WorsePoint {
    pub worse: Worse,
    pub words: String,
    /// Why, in the seed in which it is worst; empty for all but the clearest.
    pub why: Vec<String>,
}

/// A policy that some seed shows to be worse with more.
pub struct ReversedLine {
    pub reversal: Reversal,
    pub words: String,
    /// Why, in the seed in which it is worst.
    pub why: Vec<String>,
}

impl<'a> Report<'a> {
    pub fn of(subject: &'a Subject, results: &'a Results, notes: &'a [String]) -> Self {
        let study = &subject.study;
        let answers = study.answers(results);
        let sentence = sentence(study, results, &answers);
        let point = |(at, worse): (usize, Worse)| {
            let units = (worse.unit(), worse.neighbour_unit());
            let why = if at < EXPLAINED_MOST { explanation(subject, units) } else { Vec::new() };
            WorsePoint { words: worse_line(study, &worse), worse, why }
        };
        let worse = study.worse(results).into_iter().enumerate().map(point).collect();
        let line = |(at, reversal): (usize, Reversal)| {
            let units = (reversal.unit(), reversal.neighbour_unit());
            let why = if at < EXPLAINED_MOST { explanation(subject, units) } else { Vec::new() };
            ReversedLine { words: reversal_line(study, &reversal), reversal, why }
        };
        let reversals = study.reversals(results).into_iter().enumerate().map(line).collect();
        let best = best_words(study, results);
        let not_compared = not_compared_words(study, results);
        let gaps = gaps(study, results).into_iter().chain(unconfirmed_words(study, &answers)).collect();
        let undecided = undecided_words(study, results);
        Self { subject, results, answers, sentence, best, not_compared, gaps, undecided, notes, worse, reversals }
    }

    /// Why points are not decided: the first few, and how many more there are.
    pub fn gaps_text(&self) -> String {
        some_of(self.gaps.iter().map(|gap| format!("{gap}.\n")).collect())
    }

    /// What got worse with more, and why, for the clearest; then how many more there are. Empty where nothing did.
    pub fn worse_text(&self) -> String {
        let study = &self.subject.study;
        let worse = self.worse.iter().map(|point| told(&point.words, study.seed(point.worse.unit()), &point.why));
        let reversals =
            self.reversals.iter().map(|line| told(&line.words, study.seed(line.reversal.unit()), &line.why));
        some_of(worse.collect()) + &some_of(reversals.collect())
    }
}

/// A line, and one with the explanation.
fn told(words: &str, seed: u64, why: &[String]) -> String {
    let why = if why.is_empty() { String::new() } else { format!("  Seed {seed}: {}\n", why.join(" ")) };
    format!("{words}.\n{why}")
}

/// Those that are explained, and how many more there are.
fn some_of(mut lines: Vec<String>) -> String {
    let more = lines.split_off(lines.len().min(EXPLAINED_MOST)).len();
    let more = if more == 0 { String::new() } else { format!("And {more} more; --format json has all.\n") };
    lines.concat() + &more
}

/// Each point that is not decided for failed runs or missing values: `fixed with 8 nodes: 5 of 5 runs failed: ...`.
fn gaps(study: &Study, results: &Results) -> Vec<String> {
    let words = |Unit { point, policy, .. }: Unit| {
        let words = match study.gap(results, point, policy)? {
            Gap::Failed { runs, of, message } => {
                format!("{runs} of {of} runs failed: {}", message.trim_end_matches('.'))
            }
            Gap::NoValue { metric, runs, of } => {
                let label = metric.label.to_lowercase();
                format!("{label} has no value in {runs} of {of} runs: {}", metric.reason_absent())
            }
        };
        let name = study.policies.get(policy as usize).map(ToString::to_string).unwrap_or_default();
        Some(format!("{name} with {}: {words}", point_name(study, point)))
    };
    study.own_units().filter_map(words).collect()
}

/// Makes two runs again and says why the first is worse.
fn explanation(subject: &Subject, (unit, neighbour): (Unit, Unit)) -> Vec<String> {
    let study = &subject.study;
    let run = |unit| study.inputs(unit, |seed| subject.resolved.with_seed(seed))?.run().ok();
    let (Some((workload, here)), Some((workload_there, there))) = (run(unit), run(neighbour)) else {
        return Vec::new();
    };
    let [name, name_there] = [unit, neighbour].map(|unit| point_name(study, unit.point));
    let here = Side { name: &name, workload: &workload, run: &here.run };
    why(here, Side { name: &name_there, workload: &workload_there, run: &there.run }).sentences
}
