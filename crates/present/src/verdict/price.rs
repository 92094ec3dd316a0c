//! The price of a win: what is worse than under another run.

use elastiplan_metrics::{Comparison, EQUAL_WITHIN_S, Metrics, Unit};
use elastiplan_model::order;
use elastiplan_text::{format, words};

use super::{Phrase, Shown, Tone, plain, worse};
use crate::comparable::workload_of;
use crate::goal::GoalKind;
use crate::quantity::Quantity;
use crate::run_table::words::{change, part_of_change};

/// Less than this part is no price: it cannot be seen in the words.
const SEEN: f64 = 1.005;
/// Parts of a price that are told.
const PARTS_MAX: usize = 3;

/// How costs are written.
pub(super) const COST: Quantity = Quantity::of(Unit::Dollars);

/// A cost as text.
pub(super) fn dollars(cost: f64) -> String {
    COST.value(cost)
}

/// Something that is worse.
struct Part {
    words: String,
    /// How many times as much as under the other run.
    ratio: f64,
}

/// What a run costs beside another; never left out.
pub(super) fn price(shown: &Shown<'_>, winner: usize, rival: usize) -> Phrase {
    let parts = parts(shown, winner, rival).unwrap_or_default();
    let name = shown.name(rival);
    if parts.is_empty() {
        return no_price(shown, winner, rival, &name);
    }
    // The three that are worst, told in the order in which they are found.
    let mut worst: Vec<usize> = (0..parts.len()).collect();
    order::sort_by_number(&mut worst, |at| parts.get(*at).map_or(0.0, |part| -part.ratio));
    worst.truncate(PARTS_MAX);
    let told = parts.iter().enumerate().filter(|(at, _)| worst.contains(at)).map(|(_, part)| part.words.as_str());
    worse(format!("Its price: {}. ", told.collect::<Vec<_>>().join(", ")))
}

fn no_price(shown: &Shown<'_>, winner: usize, rival: usize, name: &str) -> Phrase {
    let later = || {
        let (run, base) = (shown.get(winner)?, shown.get(rival)?);
        let own = [run, base].iter().any(|of| !std::ptr::eq(workload_of(of.entry, shown.workload), shown.workload));
        let (run, base) = (&run.entry.whole()?.run, &base.entry.whole()?.run);
        (!own).then(|| Comparison::between(run, base, shown.workload, EQUAL_WITHIN_S).later)
    };
    match later() {
        Some(later) if later > 0 => {
            let text = words::counted(later, "job ends", "jobs end");
            worse(format!("Its price: {text} later than under {name}. "))
        }
        Some(_) => plain(format!("Its price: none beside {name}, no job ends more than 1m later. ")),
        None => plain(format!("Its price: none beside {name}. ")),
    }
}

fn parts(shown: &Shown<'_>, winner: usize, rival: usize) -> Option<Vec<Part>> {
    let (own, other) = (shown.get(winner)?, shown.get(rival)?);
    let (mine, theirs) = (own.metrics()?, other.metrics()?);
    // Fewer jobs flatter a mean: what is worse all the same is worse.
    let is_comparable = shown.standing.complete_the_same(own, other) || own.completed() < other.completed();
    let is_before = own.entry.policy == other.entry.policy && own.entry.differs != other.entry.differs;
    let kind = shown.goal.kind;
    let gpus = |of: &crate::goal::standing::Candidate<'_>| Some(of.entry.whole()?.run.gpus_total);
    let parts = [
        gpus(own).zip(gpus(other)).and_then(|(mine, theirs)| more_gpus(mine, theirs)),
        declined(mine, theirs),
        last_end(mine, theirs),
        (kind != GoalKind::Cost).then(|| cost(mine, theirs)).flatten(),
        (is_comparable && kind != GoalKind::MeanCompletion)
            .then(|| time("mean completion", mine.avg_jct_s, theirs.avg_jct_s))
            .flatten(),
        is_comparable.then(|| time("p99 completion", mine.p99_jct_s, theirs.p99_jct_s)).flatten(),
        is_before.then(|| utilisation(mine, theirs)).flatten(),
    ];
    Some(parts.into_iter().flatten().collect())
}

fn more_gpus(mine: u32, theirs: u32) -> Option<Part> {
    let ratio = f64::from(mine) / f64::from(theirs.max(1));
    let words = format!("{} more GPUs", format::percent(ratio - 1.0));
    (mine > theirs).then_some(Part { words, ratio })
}

/// Jobs declined come before all else.
fn declined(mine: &Metrics, theirs: &Metrics) -> Option<Part> {
    let (here, there) = (mine.jobs_dropped, theirs.jobs_dropped);
    let jobs = words::counted(here, "job declined", "jobs declined");
    let words = if there == 0 { jobs } else { format!("{jobs} instead of {}", format::count(there)) };
    (here > there).then_some(Part { words, ratio: f64::INFINITY })
}

fn last_end(mine: &Metrics, theirs: &Metrics) -> Option<Part> {
    let (here_s, there_s) = (mine.makespan_s?, theirs.makespan_s?);
    // Where other jobs complete, the last end is of another job, and still the end of the work.
    let is_worse = here_s > there_s * SEEN && here_s - there_s > EQUAL_WITHIN_S;
    let words = format!("the last job ends {} later", format::duration(here_s - there_s));
    is_worse.then(|| Part { words, ratio: here_s / there_s.max(1.0) })
}

fn cost(mine: &Metrics, theirs: &Metrics) -> Option<Part> {
    let (here, there) = (mine.cost_dollars?, theirs.cost_dollars?);
    let texts = COST.told_apart(&[Some(here), Some(there)]);
    let [text, other] = texts.as_slice() else { return None };
    let is_worse = here > there * SEEN;
    let words = match change(here, there) {
        None => format!("{text} instead of {other}"),
        Some(change) => format!("{text} instead of {other} ({change})"),
    };
    is_worse.then(|| Part { words, ratio: here / there.max(f64::MIN_POSITIVE) })
}

/// A time that is longer. Where the two look the same, the difference is told instead.
fn time(label: &str, mine_s: Option<f64>, theirs_s: Option<f64>) -> Option<Part> {
    let (here_s, there_s) = (mine_s?, theirs_s?);
    let is_worse = here_s > there_s * SEEN && here_s - there_s > 1.0;
    let (text, other) = (format::duration(here_s), format::duration(there_s));
    let words = match text == other {
        true => format!("{label} {} longer", part_of_change(here_s, there_s).unwrap_or_default()),
        false => format!("{label} {text} instead of {other}"),
    };
    is_worse.then(|| Part { words, ratio: here_s / there_s.max(1.0) })
}

fn utilisation(mine: &Metrics, theirs: &Metrics) -> Option<Part> {
    let (here, there) = (mine.gpu_utilization?, theirs.gpu_utilization?);
    let (text, other) = (format::percent(here), format::percent(there));
    let words = format!("utilisation {other} to {text}");
    (here < there && text != other).then(|| Part { words, ratio: there / here.max(f64::MIN_POSITIVE) })
}

/// Deadlines met under both, where the goal is another; nothing if no job has one.
pub(super) fn deadlines(shown: &Shown<'_>, winner: usize, rival: usize) -> Vec<Phrase> {
    let summaries = shown.get(winner).and_then(|run| run.summary).zip(shown.get(rival).and_then(|run| run.summary));
    let Some((mine, theirs)) = summaries.filter(|(mine, _)| mine.deadlines_total > 0) else { return Vec::new() };
    if shown.goal.kind == GoalKind::Deadlines {
        return Vec::new();
    }
    let (met, total) = (format::count(mine.deadlines_met), format::count(mine.deadlines_total));
    let tone = if mine.deadlines_met < theirs.deadlines_met { Tone::Worse } else { Tone::Plain };
    let text = format!(
        "{met} of {total} deadlines met, {} under {}. ",
        format::count(theirs.deadlines_met),
        shown.name(rival)
    );
    vec![Phrase { text, tone }]
}

/// `Cheapest: equal-share, $355k and 80.7%`, where costs are known and it is not among those that are named.
pub(super) fn cheapest(shown: &Shown<'_>, named: &[usize]) -> Option<Phrase> {
    if shown.goal.kind == GoalKind::Cost {
        return None;
    }
    let costs: Option<Vec<(usize, f64)>> =
        shown.ranked().into_iter().map(|place| Some((place, shown.cost(place)?))).collect();
    let (place, cost) = costs?.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let mut named_costs = named.iter().filter_map(|place| shown.cost(*place));
    if named.contains(&place) || named_costs.any(|other| !COST.differ(cost, other)) {
        return None;
    }
    let value = shown.value(place).map(|value| format!(" and {value}")).unwrap_or_default();
    let declined = shown.get(place)?.metrics()?.jobs_dropped;
    let declined = match declined {
        0 => String::new(),
        jobs => format!(", {}", words::counted(jobs, "job declined", "jobs declined")),
    };
    Some(plain(format!("Cheapest: {}, {}{value}{declined}. ", shown.name(place), dollars(cost))))
}
