//! The verdict: which run meets the goal, or comes nearest, and at what price. In words.
//!
//! It is about a [`Goal`]. While a shown run is on its way there is no winner; where runs are not about the same there is
//! none either. A run whose declined jobs flatter its times is never named. The second line says what the win costs.

pub(crate) mod names;
mod price;
mod remarks;
mod sentences;
mod states;
#[cfg(test)]
mod tests;

use elastiplan_metrics::{Comparison, EQUAL_WITHIN_S, first_difference_s};
use elastiplan_model::Workload;

use crate::comparable::workload_of;
use crate::goal::standing::{Candidate, Standing};
use crate::goal::{Goal, GoalKind};
use crate::runs::RunEntry;
use names::Names;

pub use states::Changed;

/// The tone of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A fact.
    Plain,
    /// A fact that stands out.
    Strong,
    /// The price.
    Worse,
    /// Something failed.
    Bad,
}

/// Some words and how they are meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// Their tone.
    pub tone: Tone,
}

/// Jobs by how they end under a run, compared with the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The run.
    pub policy: String,
    /// Its place in the list of runs.
    pub slot: usize,
    /// The baseline.
    pub baseline: String,
    /// The counts.
    pub comparison: Comparison,
    /// The first moment at which the two differ, on the clock of the trace.
    pub first_difference_s: Option<f64>,
}

/// What the user can do next, beside running what has not run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Load files.
    AddFiles,
    /// Look at the sample.
    UseSample,
    /// End all runs so many seconds after the first submission, as the shortest of them does.
    EndAllAfter(f64),
    /// Judge runs by another metric.
    JudgeBy(GoalKind),
}

/// How far runs on their way have come.
#[derive(Clone, Debug, PartialEq)]
pub struct Going {
    /// Which runs, and about how long they will take: `tiresias, about 6s left`.
    pub words: String,
    /// The share of all jobs of all shown runs that has ended, 0 to 1.
    pub share: f64,
}

/// The verdict on a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// One sentence.
    pub headline: String,
    /// The line below.
    pub second: Vec<Phrase>,
    /// The bar at the side.
    pub outcomes: Option<Outcomes>,
    /// Slots of the runs that it calls best or says meet the goal; empty where it names none.
    pub named: Vec<usize>,
    /// What the user can do next.
    pub acts: Vec<Act>,
    /// Runs on their way.
    pub going: Option<Going>,
}

/// The shown runs with their names and the goal.
struct Shown<'a> {
    standing: Standing<'a>,
    names: Names,
    goal: Goal,
    /// The value of the goal's metric under each, as it is written.
    texts: Vec<String>,
    workload: &'a Workload,
}

impl<'a> Shown<'a> {
    fn get(&self, place: usize) -> Option<&Candidate<'a>> {
        self.standing.shown.get(place)
    }

    fn name(&self, place: usize) -> String {
        self.get(place).map(|candidate| self.names.of_entry(candidate.entry)).unwrap_or_default()
    }

    /// The value of the goal's metric, as it is written.
    fn value(&self, place: usize) -> Option<String> {
        self.get(place)?.value_of(self.goal.kind)?;
        self.texts.get(place).cloned()
    }

    fn cost(&self, place: usize) -> Option<f64> {
        self.get(place)?.metrics()?.cost_dollars
    }

    fn ranked(&self) -> Vec<usize> {
        self.standing.ranked().map(|(place, _)| place).collect()
    }

    fn slots(&self, places: &[usize]) -> Vec<usize> {
        places.iter().filter_map(|place| Some(self.get(*place)?.entry.slot)).collect()
    }

    /// The run with which a winner is compared: the baseline, or the best other one.
    fn rival_of(&self, winner: usize) -> Option<usize> {
        let baseline = self.standing.baseline.filter(|place| *place != winner);
        let order = self.standing.order(&self.goal);
        let next = order.iter().map(|(place, _)| *place).find(|place| *place != winner);
        baseline.or(next).or_else(|| self.ranked().into_iter().find(|place| *place != winner))
    }
}

/// A headline with the runs that it names, as places, and with what belongs at the front of the second line.
#[derive(Default)]
struct Judgement {
    headline: String,
    named: Vec<usize>,
    first: Vec<Phrase>,
    /// The run whose price is told, and the one that it is compared with.
    price: Option<(usize, usize)>,
    acts: Vec<Act>,
}

impl Verdict {
    /// Makes it from runs of `workload`, hidden ones left out.
    pub fn of(entries: &[RunEntry], workload: &Workload, goal: &Goal) -> Self {
        let names = Names::of(entries.iter().filter(|entry| !entry.is_hidden));
        let standing = Standing::of(entries, workload, None);
        let texts = standing.texts(goal);
        let shown = Shown { standing, names, goal: *goal, texts, workload };
        if let Some(verdict) = states::before_results(&shown) {
            return verdict;
        }
        let judgement = states::not_comparable(&shown).unwrap_or_else(|| sentences::judge(&shown));
        let mut second = judgement.first;
        if let Some((winner, rival)) = judgement.price {
            second.push(price::price(&shown, winner, rival));
            second.extend(price::deadlines(&shown, winner, rival));
            second.extend(price::cheapest(&shown, &judgement.named));
        }
        second.extend(remarks::remarks(&shown));
        let outcomes = outcomes(&shown, &judgement.named);
        let named = shown.slots(&judgement.named);
        Self { headline: judgement.headline, second, outcomes, named, acts: judgement.acts, going: None }
    }

    /// The verdict while its inputs are no longer those of the page.
    pub fn for_changed_inputs(&self, changed: &[Changed]) -> Self {
        let (headline, second) = states::stale(changed);
        Self { headline, second: vec![plain(second)], outcomes: self.outcomes.clone(), ..Self::default() }
    }
}

/// The jobs of the first named run beside the baseline, or of the first other one.
fn outcomes(shown: &Shown<'_>, named: &[usize]) -> Option<Outcomes> {
    let baseline = shown.standing.baseline?;
    let is_other = |place: &usize| *place != baseline;
    let other = named.iter().copied().find(is_other);
    let place = other.or_else(|| shown.rival_of(baseline)).filter(is_other)?;
    let (candidate, base) = (shown.get(place)?, shown.get(baseline)?);
    let (run, base_run) = (&candidate.entry.whole()?.run, &base.entry.whole()?.run);
    // Jobs that arrive at other times, or have more to do, are not sooner or later.
    let is_own =
        |candidate: &Candidate<'_>| !std::ptr::eq(workload_of(candidate.entry, shown.workload), shown.workload);
    if is_own(candidate) || is_own(base) {
        return None;
    }
    Some(Outcomes {
        policy: shown.name(place),
        slot: candidate.entry.slot,
        baseline: shown.name(baseline),
        comparison: Comparison::between(run, base_run, shown.workload, EQUAL_WITHIN_S),
        first_difference_s: first_difference_s(run, base_run),
    })
}

fn plain(text: impl Into<String>) -> Phrase {
    Phrase { text: text.into(), tone: Tone::Plain }
}

fn worse(text: impl Into<String>) -> Phrase {
    Phrase { text: text.into(), tone: Tone::Worse }
}
