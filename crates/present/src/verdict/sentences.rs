//! Headlines about runs that have come to their end.

use elastiplan_metrics::{Better, Comparison, EQUAL_WITHIN_S};
use elastiplan_text::{format, words};

use super::names::instead_of;
use super::price::{COST, dollars};
use super::{Act, Judgement, Phrase, Shown, Tone, plain};
use crate::comparable::{bounds_for, complete_the_same, workload_of};
use crate::goal::GoalKind::{Cost, Deadlines, MeanCompletion, P95Waiting};
use crate::goal::value_text;
use crate::quantity::Quantity;
use crate::run_table::words::part_of_change;

/// Judges the runs that can be ranked.
pub(super) fn judge(shown: &Shown<'_>) -> Judgement {
    let ranked = shown.ranked();
    let order = shown.standing.order(&shown.goal);
    let (Some((first, _)), best) = (order.first(), shown.standing.best(&shown.goal)) else {
        return without_values(shown, &ranked);
    };
    if shown.goal.kind == Cost && ranked.iter().all(|place| shown.cost(*place) == Some(0.0)) {
        let first = vec![plain("Set a price per GPU-hour above 0, or choose another goal. ")];
        return Judgement { headline: "These runs cost nothing: the price is 0".into(), first, ..Judgement::default() };
    }
    if let [only] = ranked.as_slice() {
        return alone(shown, *only);
    }
    if let Some(judgement) = no_difference(shown, &ranked).or_else(|| before_and_after(shown, &ranked, &best)) {
        return judgement;
    }
    if shown.goal.limit.is_none() {
        return match best.as_slice() {
            [winner] => won(shown, *winner, ranked.len()),
            _ => tied(shown, &best, ranked.len()),
        };
    }
    let meeting: Vec<usize> = order
        .iter()
        .map(|(place, _)| *place)
        .filter(|place| shown.standing.meets(&shown.goal, *place) == Some(true))
        .collect();
    match meeting.as_slice() {
        [] => missed_by_all(shown, *first, ranked.len()),
        [winner] => {
            let headline =
                format!("{}, the only one of {} runs {}", subject(shown, *winner), ranked.len(), to_meet(shown));
            let price = shown.rival_of(*winner).map(|rival| (*winner, rival));
            Judgement { headline, named: vec![*winner], price, ..Judgement::default() }
        }
        _ => tied(shown, &meeting, ranked.len()),
    }
}

/// `elasticflow meets 99.5% of deadlines`.
fn subject(shown: &Shown<'_>, place: usize) -> String {
    let (name, value) = (shown.name(place), shown.value(place).unwrap_or_default());
    match shown.goal.kind {
        Deadlines => format!("{name} meets {value} of deadlines"),
        MeanCompletion => format!("{name} finishes the average job in {value}"),
        P95Waiting => format!("Under {name} 95% of jobs wait at most {value}"),
        Cost => format!("{name} costs {value}"),
    }
}

fn limit(shown: &Shown<'_>) -> String {
    shown.goal.limit.map(|limit| shown.goal.kind.limit_text(limit)).unwrap_or_default()
}

/// `to reach 99%`.
fn to_meet(shown: &Shown<'_>) -> String {
    let limit = limit(shown);
    match shown.goal.kind {
        Deadlines => format!("to reach {limit}"),
        MeanCompletion | P95Waiting => format!("to stay within {limit}"),
        Cost => format!("to cost at most {limit}"),
    }
}

/// What several runs do alike: `meet 98% of deadlines`.
fn alike(shown: &Shown<'_>, places: &[usize]) -> String {
    let value = || places.first().and_then(|place| shown.value(*place)).unwrap_or_default();
    let (has_limit, limit) = (shown.goal.limit.is_some(), limit(shown));
    match (shown.goal.kind, has_limit) {
        (Deadlines, true) => format!("meet {limit} of deadlines"),
        (Deadlines, false) => format!("meet {} of deadlines", value()),
        (MeanCompletion, true) => format!("finish the average job within {limit}"),
        (MeanCompletion, false) => format!("finish the average job in {}", value()),
        (P95Waiting, true) => format!("let 95% of jobs wait at most {limit}"),
        (P95Waiting, false) => format!("let 95% of jobs wait at most {}", value()),
        (Cost, true) => format!("cost at most {limit}"),
        (Cost, false) => format!("cost {}", value()),
    }
}

/// The best run where there is no limit, beside the run that it is compared with.
fn won(shown: &Shown<'_>, winner: usize, runs: usize) -> Judgement {
    let rival = shown.rival_of(winner);
    let comparison = rival.and_then(|rival| beside(shown, winner, rival, runs));
    let comparison = comparison.unwrap_or_else(|| format!(", the best of {runs} runs"));
    let headline = format!("{}{comparison}", subject(shown, winner));
    Judgement { headline, named: vec![winner], price: rival.map(|rival| (winner, rival)), ..Judgement::default() }
}

/// `, 36% sooner than fixed`.
fn beside(shown: &Shown<'_>, winner: usize, rival: usize, runs: usize) -> Option<String> {
    let (own, other) = (shown.get(winner)?, shown.get(rival)?);
    let name = shown.name(rival);
    let order = shown.standing.order(&shown.goal);
    if !order.iter().any(|(place, _)| *place == rival) {
        let (here, total) = (format::count(own.completed()), format::count(own.metrics()?.jobs_total));
        let there = format::count(other.completed());
        return (here != there).then(|| format!(" and completes {here} of {total} jobs, {name} {there}"));
    }
    let (value, from) = (own.value_of(shown.goal.kind)?, other.value_of(shown.goal.kind)?);
    Some(match shown.goal.kind {
        Deadlines if runs > 2 => format!(", the most of {runs} runs"),
        Deadlines => format!(", {name} {}", shown.value(rival).unwrap_or_default()),
        MeanCompletion | Cost => match (part_of_change(value, from), shown.goal.kind) {
            (None, _) => format!(", no different from {name}"),
            (Some(saved), Cost) => format!(", {saved} less than {name}"),
            (Some(saved), _) => format!(", {saved} sooner than {name}"),
        },
        P95Waiting => format!(", {} under {name}", shown.value(rival).unwrap_or_default()),
    })
}

/// Several runs that meet the goal, or are best together: the cheapest is named.
fn tied(shown: &Shown<'_>, places: &[usize], runs: usize) -> Judgement {
    let names: Vec<String> = places.iter().map(|place| shown.name(*place)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let alike = alike(shown, places);
    let subject = match names.as_slice() {
        [one, other] => format!("{one} and {other} both {alike}"),
        [_, _, _] => format!("{} all {alike}", words::list(&names)),
        _ => format!("{} of {runs} runs {alike}", names.len()),
    };
    let cheapest = cheapest_of(shown, places);
    let (winner, more) = match cheapest {
        Some((place, more)) => (Some(place), more),
        None => (None, best_of(shown, places)),
    };
    let winner = winner.or_else(|| places.first().copied());
    let price = winner.and_then(|winner| {
        // Two that meet the goal are compared with each other.
        let other = places.iter().copied().find(|place| *place != winner).filter(|_| places.len() == 2);
        Some((winner, other.or_else(|| shown.rival_of(winner))?))
    });
    Judgement { headline: format!("{subject}{more}"), named: places.to_vec(), price, ..Judgement::default() }
}

/// The one of several that costs least, with the words for it; `None` where costs are unknown or look the same.
fn cheapest_of(shown: &Shown<'_>, places: &[usize]) -> Option<(usize, String)> {
    let costs: Option<Vec<(usize, f64)>> = places.iter().map(|place| Some((*place, shown.cost(*place)?))).collect();
    let mut costs = costs?;
    elastiplan_model::order::sort_by_number(&mut costs, |(_, cost)| *cost);
    let ((place, least), (_, next)) = (costs.first()?, costs.get(1)?);
    let name = shown.name(*place);
    // Where the goal is the cost itself, the tie is one of costs.
    if !COST.differ(*least, *next) {
        return None;
    }
    Some((
        *place,
        match costs.len() {
            2 => format!("; {name} is cheaper by {}", dollars(next - least)),
            _ => format!("; {name} is the cheapest at {}", dollars(*least)),
        },
    ))
}

/// `; elasticflow has 99.5%`: the best of several that meet a limit.
fn best_of(shown: &Shown<'_>, places: &[usize]) -> String {
    let best = shown.standing.best(&shown.goal);
    let ([only], true) = (best.as_slice(), places.len() > 1) else { return String::new() };
    let value = shown.value(*only).unwrap_or_default();
    let name = shown.name(*only);
    match shown.goal.kind.better() {
        Better::Higher => format!("; {name} has the most, {value}"),
        _ => format!("; {name} has the least, {value}"),
    }
}

/// No run meets the limit: the nearest, and what is possible at all.
fn missed_by_all(shown: &Shown<'_>, nearest: usize, runs: usize) -> Judgement {
    let limit = limit(shown);
    let none = match shown.goal.kind {
        Deadlines => format!("No run reaches {limit} of deadlines"),
        MeanCompletion => format!("No run finishes the average job within {limit}"),
        P95Waiting => format!("Under no run do 95% of jobs wait at most {limit}"),
        Cost => format!("No run costs at most {limit}"),
    };
    let (name, value) = (shown.name(nearest), shown.value(nearest).unwrap_or_default());
    let headline = format!("{none}; {name} comes nearest with {value}");
    let first = bound(shown, nearest).into_iter().map(plain).collect();
    let price = shown.rival_of(nearest).filter(|_| runs > 1).map(|rival| (nearest, rival));
    Judgement { headline, first, price, ..Judgement::default() }
}

/// What any policy can reach at most on the nodes of this run, or on more nodes of another one.
fn bound(shown: &Shown<'_>, nearest: usize) -> Option<String> {
    // The largest cluster: what is out of reach there is out of reach on fewer nodes.
    let run_of = |place: usize| Some(&shown.get(place)?.entry.whole()?.run);
    let gpus = |place: usize| run_of(place).map_or(0, |run| run.gpus_total);
    let largest = shown.ranked().into_iter().max_by_key(|place| (gpus(*place), *place == nearest))?;
    let (candidate, run) = (shown.get(largest)?, run_of(largest)?);
    let nodes = words::counted(u64::from(run.gpus_total / run.gpus_per_node.max(1)), "node", "nodes");
    let bounds = || {
        let entries: Vec<_> = shown.standing.shown.iter().map(|candidate| candidate.entry.clone()).collect();
        bounds_for(&entries, workload_of(candidate.entry, shown.workload), run.gpus_total)
    };
    let value = match shown.goal.kind {
        Deadlines => candidate.metrics()?.deadline_ratio_bound?,
        MeanCompletion => bounds()?.avg_jct_s,
        Cost => {
            let price =
                run.list_price_per_gpu_hour.filter(|_| run.prices.is_none() && run.absences.start_s.is_empty())?;
            f64::from(run.gpus_total) * bounds()?.makespan_s / 3600.0 * price
        }
        P95Waiting => return None,
    };
    let text = value_text(&shown.goal, value);
    Some(match shown.goal.is_met_by(value) {
        Some(false) => format!("The bound for any policy on {nodes} is {text}: out of reach for every policy. "),
        _ => format!("The bound for any policy on {nodes} is {text}. "),
    })
}

/// One run: facts, and how far they are from the goal.
fn alone(shown: &Shown<'_>, only: usize) -> Judgement {
    let is_met = shown.standing.meets(&shown.goal, only);
    let limit = limit(shown);
    let of_goal = match (is_met, shown.goal.kind.better()) {
        (None, _) => String::new(),
        (Some(true), _) => format!(", within the goal of {limit}"),
        (Some(false), Better::Higher) => format!(", short of {limit}"),
        (Some(false), _) => format!(", above {limit}"),
    };
    let mut first: Vec<Phrase> = Vec::new();
    if is_met == Some(false) {
        first.extend(bound(shown, only).map(plain));
    }
    first.extend(facts(shown, only));
    // A single run among others that failed or do not compare is no winner.
    Judgement {
        headline: format!("{}{of_goal}", subject(shown, only)),
        named: vec![only],
        first,
        ..Judgement::default()
    }
}

fn facts(shown: &Shown<'_>, only: usize) -> Vec<Phrase> {
    let Some(candidate) = shown.get(only) else { return Vec::new() };
    let (Some(summary), Some(metrics)) = (candidate.summary, candidate.metrics()) else { return Vec::new() };
    let mut facts = Vec::new();
    let of_total = |part: u64, total: u64| format!("{} of {}", format::count(part), format::count(total));
    if summary.deadlines_total > 0 {
        let met = of_total(summary.deadlines_met, summary.deadlines_total);
        facts.extend([Phrase { text: met, tone: Tone::Strong }, plain(" deadlines met. ")]);
    }
    if let (Some(p50_s), Some(p99_s)) = (metrics.p50_jct_s, metrics.p99_jct_s) {
        let (p50, p99) = (format::duration(p50_s), format::duration(p99_s));
        facts.push(plain(format!("Half of the jobs take at most {p50}, 99% at most {p99}. ")));
    }
    if metrics.jobs_dropped > 0 {
        let declined = of_total(metrics.jobs_dropped, metrics.jobs_total);
        facts.push(super::worse(format!("{declined} jobs declined. ")));
    }
    if let Some(cost) = metrics.cost_dollars.filter(|cost| shown.goal.kind != Cost && *cost > 0.0) {
        facts.push(plain(format!("Cost: {}. ", dollars(cost))));
    }
    facts
}

/// No run has a value: the goal has no data, or nothing completed.
fn without_values(shown: &Shown<'_>, ranked: &[usize]) -> Judgement {
    let only = |headline: &str, second: &str| Judgement {
        headline: headline.into(),
        first: vec![plain(second)],
        ..Judgement::default()
    };
    let completed: Vec<u64> = ranked.iter().filter_map(|place| Some(shown.get(*place)?.completed())).collect();
    let most = completed.iter().copied().max().unwrap_or(0);
    match shown.goal.kind {
        Deadlines => Judgement {
            acts: vec![Act::JudgeBy(MeanCompletion)],
            ..only("No job has a deadline", "Choose another goal, such as mean completion. ")
        },
        Cost => only("What these runs cost is not known", "Set a price per GPU-hour, or choose another goal. "),
        MeanCompletion | P95Waiting if most == 0 => {
            only("No run completes a job", "Look at the declined jobs for the reasons. ")
        }
        MeanCompletion | P95Waiting => {
            let places = ranked.iter().filter(|place| shown.get(**place).is_some_and(|run| run.completed() == most));
            let names: Vec<String> = places.map(|place| shown.name(*place)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let count = words::counted(most, "job", "jobs");
            let headline = format!("{} complete {count} each, not the same ones", words::list(&names));
            only(&headline, "Their times are over different jobs and are not compared. ")
        }
    }
}

fn is_alike(quantity: Quantity, one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => !quantity.differ(one, other),
        (one, other) => one == other,
    }
}

/// Runs under which no job ends noticeably sooner or later than under the first of them, at the same cost.
fn no_difference(shown: &Shown<'_>, ranked: &[usize]) -> Option<Judgement> {
    let (first, rest) = ranked.split_first()?;
    let base = shown.get(*first)?;
    let run = &base.entry.whole()?.run;
    for place in rest {
        let candidate = shown.get(*place)?;
        let other = &candidate.entry.whole()?.run;
        let goal = Quantity::of_goal(shown.goal);
        let value = |place: usize| shown.get(place)?.value_of(shown.goal.kind);
        let is_same = is_alike(goal, value(*place), value(*first))
            && is_alike(COST, shown.cost(*place), shown.cost(*first))
            && candidate.entry.own_workload.is_none()
            && base.entry.own_workload.is_none()
            && complete_the_same(run, other);
        let compared = is_same.then(|| Comparison::between(other, run, shown.workload, EQUAL_WITHIN_S))?;
        if compared.sooner + compared.later + compared.deadlines_gained + compared.deadlines_lost > 0 {
            return None;
        }
    }
    let names: Vec<String> = ranked.iter().map(|place| shown.name(*place)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let names = if names.len() > 3 { format!("All {} runs", names.len()) } else { words::list(&names) };
    let headline = format!("{names}: no job ends more than 1m sooner or later");
    let waits = |place: &usize| shown.get(*place)?.metrics()?.avg_queueing_s.map(|wait_s| wait_s > 0.0);
    let nodes = words::counted(u64::from(run.gpus_total / run.gpus_per_node.max(1)), "node", "nodes");
    let second = match ranked.iter().any(|place| waits(place) == Some(true)) {
        false => format!("No job ever waits on {nodes}, so the order does not matter. "),
        true => {
            let value = shown.value(*first).unwrap_or_default();
            format!("Each is no different from {}: {} {value}. ", shown.name(*first), shown.goal.kind.label())
        }
    };
    Some(Judgement { headline, first: vec![plain(second)], ..Judgement::default() })
}

/// Two runs of one policy that differ in a field: what the field changes.
fn before_and_after(shown: &Shown<'_>, ranked: &[usize], best: &[usize]) -> Option<Judgement> {
    let [first, second] = ranked else { return None };
    let (before, after) = match shown.standing.baseline {
        Some(baseline) if baseline == *second => (*second, *first),
        _ => (*first, *second),
    };
    let (old, new) = (shown.get(before)?, shown.get(after)?);
    if old.entry.policy != new.entry.policy || old.entry.differs == new.entry.differs {
        return None;
    }
    let (with, instead) = instead_of(&new.entry.differs, &old.entry.differs)?;
    let instead = instead.map(|instead| format!(" instead of {instead}")).unwrap_or_default();
    let name = super::names::in_sentence(new.entry.label.as_deref().unwrap_or(new.entry.policy.name()));
    let (value, from) = (new.value_of(shown.goal.kind)?, old.value_of(shown.goal.kind)?);
    let (text, old_text) = (shown.value(after)?, shown.value(before)?);
    let change = match shown.goal.kind {
        MeanCompletion => match part_of_change(value, from) {
            None => ", no different from before".to_string(),
            Some(change) if value < from => format!(", {change} sooner"),
            Some(change) => format!(", {change} later"),
        },
        _ => format!(", {old_text} before"),
    };
    let what = match shown.goal.kind {
        Deadlines => format!("{name} meets {text} of deadlines"),
        MeanCompletion => format!("{name} finishes the average job in {text}"),
        P95Waiting => format!("95% of jobs wait at most {text} under {name}"),
        Cost => format!("{name} costs {text}"),
    };
    let first = match (shown.standing.meets(&shown.goal, before), shown.standing.meets(&shown.goal, after)) {
        (Some(before), Some(after)) if before != after => {
            let meets = if after { "Only this meets the goal" } else { "This misses the goal" };
            vec![plain(format!("{meets}, {}. ", shown.goal))]
        }
        (Some(false), Some(false)) => vec![plain(format!("Neither meets the goal, {}. ", shown.goal))],
        _ => Vec::new(),
    };
    let headline = format!("With {with}{instead}, {what}{change}");
    let named = if best.len() == 1 { best.to_vec() } else { Vec::new() };
    Some(Judgement { headline, named, first, price: Some((after, before)), ..Judgement::default() })
}
