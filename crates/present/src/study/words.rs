//! The answer of a study in sentences: a headline, and what it rests on, costs and saves.

mod goals;
#[cfg(test)]
mod tests;

use elastiplan_metrics::Metrics;
use elastiplan_text::{format, words as phrases};

use self::goals::{Subject, condition, subject};
use super::means::{self, SEEDS_LEAST};
use super::names::{fewer, point, policy_name, short, whole, with_unit};
use super::table::capital;
use super::undecided::undecided_sentence;
use super::values::Measure;
use super::{Against, AnswerView, AxisView, Cell, DrawsView, Ended, Progress, Stage, StudyView, Words, WorseView};

/// Policies in a headline at most.
const NAMED_MAX: usize = 3;
/// Shares of declined jobs from here on are said.
const DECLINED_LEAST: f64 = 0.0005;

/// The answer in words. With several axes, at the values of the others that are nearest to what is usual: a factor of 1,
/// or else the middle.
pub fn words(view: &StudyView) -> Words {
    let usual = |axis: &AxisView| {
        let middle = axis.values.len().saturating_sub(1) / 2;
        let is_factor = axis.values.iter().any(|value| value.shown.starts_with('×'));
        let one = axis.values.iter().position(|value| value.number == Some(1.0));
        one.filter(|_| is_factor).unwrap_or(middle)
    };
    let places: Vec<usize> = view.axes.iter().map(usual).collect();
    words_at(view, view.point(&places))
}

/// The answer in words, the other axes with their values at a point.
pub fn words_at(view: &StudyView, through: usize) -> Words {
    let Some(axis) = view.axes.get(view.find).filter(|axis| !axis.values.is_empty()) else { return Words::default() };
    if view.progress.runs == 0 {
        return Words { headline: "No run has finished yet".into(), rest: Vec::new() };
    }
    if let Some(headline) = nothing_known(view) {
        return Words { headline, rest: failures(view).into_iter().chain(ending(view)).collect() };
    }
    let claims: Vec<Claim> = (0..view.policies.len()).map(|policy| Claim::of(view, policy, through)).collect();
    let named = named(view, &claims);
    let mut rest: Vec<(String, bool)> = vec![(sureness(view), false)];
    let headline = match view.goals.is_empty() {
        true => {
            rest.insert(0, ("No goal is set: add one to ask which of them is enough.".into(), false));
            let policies = phrases::counted(view.policies.len() as u64, "policy", "policies");
            format!("{} under {policies}", capital(&extent(axis)))
        }
        false => {
            // Where a sentence is about all policies, it is about those that it does not name too.
            let easiest = State::Answer(if view.is_largest { axis.values.len() - 1 } else { 0 });
            let about =
                if claims.iter().all(|claim| claim.state == easiest) { claims.iter().collect() } else { named.clone() };
            rest.extend(declined(view, axis, &about));
            rest.extend(saving(view, axis, &claims, &named));
            headline(view, axis, through, &claims, &named)
        }
    };
    rest.extend(failures(view));
    rest.extend(without_values(view));
    rest.extend(ending(view));
    rest.extend(undecided_points(view));
    rest.retain(|(sentence, _)| !sentence.is_empty());
    Words { headline, rest }
}

/// When inputs have changed: how much of what is shown is kept.
pub fn kept_words(kept: u32, of: u32) -> String {
    match kept.min(of) {
        0 => "The inputs have changed since".into(),
        kept => format!(
            "The inputs have changed since: {} of {} runs are kept",
            format::count(kept.into()),
            format::count(of.into())
        ),
    }
}

/// A point that is worse than its left neighbour: `60 nodes: two more than 58, and it got worse. −0.8pt, in 8 of 10 seeds`.
/// The difference is that from the neighbour.
pub fn worse_words(view: &StudyView, worse: &WorseView, difference: &Against) -> String {
    let Some(axis) = view.axes.get(view.find) else { return String::new() };
    let place = |point: u32| view.places(point as usize).get(view.find).copied().unwrap_or_default();
    let (here, left) = (place(worse.point), place(worse.left));
    let more = fewer(axis, here, left).and_then(|fewer| fewer.split(' ').next().map(number_word));
    let start = match more {
        Some(more) => format!("{}: {more} more than {}, and it got worse", whole(axis, here), short(axis, left)),
        None => format!("{}: worse than at {}", capital(&whole(axis, here)), short(axis, left)),
    };
    let text = Measure::of(view, &worse.metric)
        .map(|measure| measure.difference_text(difference.mean, difference.is_ratio))
        .unwrap_or_default();
    format!("{start}. {text}, in {} of {} seeds", worse.seeds_worse, worse.seeds)
}

fn number_word(number: &str) -> String {
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = number.parse::<usize>().ok().and_then(|number| words.get(number.checked_sub(1)?));
    word.map_or(number.to_string(), |word| word.to_string())
}

/// What is known about one policy.
struct Claim {
    policy: usize,
    /// The points along the axis.
    line: Vec<usize>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The answer, by its place on the axis.
    Answer(usize),
    /// It lies between these places.
    Undecided(usize, usize),
    /// No value meets the goals.
    NotWithin,
    /// Nothing yet.
    Unknown,
}

impl Claim {
    fn of(view: &StudyView, policy: usize, through: usize) -> Self {
        let line = view.line(through, view.find);
        let by_means = || means::answer(view, policy, &line).filter(|_| means::are_few(view));
        let state = match view.answer_on(policy, &line) {
            Some(AnswerView { answer: Some(place), .. }) => State::Answer(*place as usize),
            Some(_) if let Some(found) = by_means() => found.map_or(State::NotWithin, State::Answer),
            Some(AnswerView { bracket: Some((from, to)), .. }) => State::Undecided(*from as usize, *to as usize),
            Some(AnswerView { is_settled: true, .. }) => State::NotWithin,
            _ => State::Unknown,
        };
        Self { policy, line, state }
    }

    fn place(&self) -> Option<usize> {
        match self.state {
            State::Answer(place) => Some(place),
            _ => None,
        }
    }
}

/// The policies of the headline: the two best, the baseline, then others, in the order of their answers; those without
/// an answer come last.
fn named<'c>(view: &StudyView, claims: &'c [Claim]) -> Vec<&'c Claim> {
    let rank = |claim: &&Claim| match claim.state {
        State::Answer(place) if view.is_largest => (0, usize::MAX - place),
        State::Answer(place) => (0, place),
        State::Undecided(from, _) => (1, from),
        State::NotWithin => (2, 0),
        State::Unknown => (3, 0),
    };
    let mut order: Vec<&Claim> = claims.iter().collect();
    elastiplan_model::order::sort_by_key(&mut order, |claim| rank(claim));
    let is_first = |claim: &&&Claim| claim.policy == 0;
    let (best, others) = order.split_at(order.len().min(NAMED_MAX - 1));
    let has_baseline = best.iter().any(|claim| claim.policy == 0);
    let last = others.iter().find(is_first).filter(|_| !has_baseline).or(others.first());
    best.iter().chain(last).copied().collect()
}

fn headline(view: &StudyView, axis: &AxisView, through: usize, claims: &[Claim], named: &[&Claim]) -> String {
    let subject = subject(view);
    let condition = condition(view, through);
    let last = axis.values.len() - 1;
    let are_all = |state: State| claims.iter().all(|claim| claim.state == state);
    let easiest = if view.is_largest { last } else { 0 };
    let so_far = match view.progress.stage {
        Stage::Coarse | Stage::Points | Stage::Seeds => "So far: ",
        _ => "",
    };
    let text = if are_all(State::Answer(easiest)) {
        all_meet(view, axis, &subject)
    } else if are_all(State::NotWithin) {
        let who = match claims {
            [only] => format!("{} does not meet", policy_name(view, only.policy)),
            _ => "No policy meets".into(),
        };
        format!("{who} {} {}", subject.text, within(view, axis))
    } else {
        mixed(view, axis, named, &subject)
    };
    let text = if condition.is_empty() { text } else { format!("{condition}, {text}") };
    // Names of policies are written as they are.
    let is_name = (0..view.policies.len()).any(|policy| text.starts_with(&policy_name(view, policy)));
    format!("{so_far}{}", if so_far.is_empty() && !is_name { capital(&text) } else { text })
}

/// Every value meets the goals under every policy.
fn all_meet(view: &StudyView, axis: &AxisView, subject: &Subject) -> String {
    let last = axis.values.len() - 1;
    let all = if axis.key == "cluster.nodes" { "all sizes meet it" } else { "all values meet it" };
    match view.is_largest {
        true => format!("{all}: {} {} up to {}", subject.text, subject.verb("holds", "hold"), whole(axis, last)),
        false => {
            let are = if axis.key == "cluster.nodes" && short(axis, 0) != "1" { "are" } else { "is" };
            format!("{all}: {} {are} enough for {}", whole(axis, 0), subject.text)
        }
    }
}

/// Policies with answers, then those without.
fn mixed(view: &StudyView, axis: &AxisView, named: &[&Claim], subject: &Subject) -> String {
    let answered = answered(view, axis, named);
    let has_answer = !answered.is_empty();
    let mut parts: Vec<String> = Vec::new();
    if has_answer {
        let verb = match view.is_largest {
            true => subject.verb("holds up to", "hold up to"),
            false => subject.verb("needs", "need"),
        };
        parts.push(format!("{} {verb} {}", subject.text, answered.join(", ")));
    }
    parts.extend(undecided(view, axis, named));
    let missed: Vec<String> = names(view, named, State::NotWithin);
    if !missed.is_empty() {
        let missed: Vec<&str> = missed.iter().map(String::as_str).collect();
        let does = if missed.len() == 1 { "does" } else { "do" };
        let it = if has_answer { "it" } else { &subject.text };
        parts.push(format!("{} {does} not meet {it} {}", phrases::list(&missed), within(view, axis)));
    }
    let unknown = names(view, named, State::Unknown);
    if parts.is_empty() {
        return format!("{}: {}", not_decided(view), extent(axis));
    }
    if !unknown.is_empty() {
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        parts.push(format!("{} under {}", not_decided(view), phrases::list(&unknown)));
    }
    parts.join("; ")
}

/// Where nothing more is run, more seeds would be needed.
fn not_decided(view: &StudyView) -> &'static str {
    match view.progress.stage {
        Stage::Over(_) => "not decided with these seeds",
        _ => "not decided yet",
    }
}

/// `not decided yet: 42 to 46 nodes under elasticflow`, `50 to 54 under fixed`: policies with the same range together.
fn undecided(view: &StudyView, axis: &AxisView, named: &[&Claim]) -> Option<String> {
    let mut groups: Vec<((usize, usize), Vec<String>)> = Vec::new();
    for claim in named {
        let State::Undecided(from, to) = claim.state else { continue };
        let name = policy_name(view, claim.policy);
        match groups.iter_mut().find(|(range, _)| *range == (from, to)) {
            Some((_, names)) => names.push(name),
            None => groups.push(((from, to), vec![name])),
        }
    }
    let text = |(nth, ((from, to), names)): (usize, ((usize, usize), Vec<String>))| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let range = match (nth, from == to) {
            (0, true) => whole(axis, from),
            (_, true) => short(axis, from),
            (0, false) => format!("{} to {}", short(axis, from), with_unit(axis, to)),
            (_, false) => format!("{} to {}", short(axis, from), short(axis, to)),
        };
        format!("{range} under {}", phrases::list(&names))
    };
    let texts: Vec<String> = groups.into_iter().enumerate().map(text).collect();
    (!texts.is_empty()).then(|| format!("{}: {}", not_decided(view), texts.join(", ")))
}

/// `46 nodes under elasticflow`, `56 under elastic-dp`: policies with the same answer together.
fn answered(view: &StudyView, axis: &AxisView, named: &[&Claim]) -> Vec<String> {
    let mut groups: Vec<(usize, Vec<String>)> = Vec::new();
    for (place, policy) in named.iter().filter_map(|claim| Some((claim.place()?, claim.policy))) {
        let name = policy_name(view, policy);
        match groups.iter_mut().find(|(other, _)| *other == place) {
            Some((_, names)) => names.push(name),
            None => groups.push((place, vec![name])),
        }
    }
    let easiest = if view.is_largest { axis.values.len() - 1 } else { 0 };
    let text = |(nth, (place, names)): (usize, (usize, Vec<String>))| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let value = if nth == 0 { whole(axis, place) } else { short(axis, place) };
        let bound = match (place == easiest, view.is_largest) {
            (true, true) => "at least ",
            (true, false) => "at most ",
            _ => "",
        };
        format!("{bound}{value} under {}", phrases::list(&names))
    };
    groups.into_iter().enumerate().map(text).collect()
}

fn names(view: &StudyView, named: &[&Claim], state: State) -> Vec<String> {
    named.iter().filter(|claim| claim.state == state).map(|claim| policy_name(view, claim.policy)).collect()
}

/// `within 80 nodes`, or for a largest value `even at × 0.7`.
fn within(view: &StudyView, axis: &AxisView) -> String {
    match view.is_largest {
        true => format!("even at {}", whole(axis, 0)),
        false => format!("within {}", whole(axis, axis.values.len() - 1)),
    }
}

/// `40 to 80 nodes`.
fn extent(axis: &AxisView) -> String {
    let last = axis.values.len().saturating_sub(1);
    match (last, with_unit(axis, last) == short(axis, last)) {
        (0, _) => whole(axis, 0),
        (_, true) => format!("{} {} to {}", axis.label, short(axis, 0), short(axis, last)),
        (_, false) => format!("{} to {}", short(axis, 0), with_unit(axis, last)),
    }
}

/// How sure the answer is, and how many draws it rests on.
fn sureness(view: &StudyView) -> String {
    let there = || view.seeds.iter().copied().filter(|seeds| *seeds > 0);
    let (Some(least), Some(most)) = (there().min(), there().max()) else { return String::new() };
    let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let draws = match view.draws {
        DrawsView::One => return "One draw: every seed gives the same run, so this holds for it alone.".into(),
        DrawsView::Seeds if most == 1 => "seed at each point",
        DrawsView::Seeds => "seeds at each point",
        DrawsView::Days if most == 1 => "draw of the days in your trace",
        DrawsView::Days => "draws of the days in your trace",
    };
    if most < SEEDS_LEAST {
        let first = if matches!(view.progress.stage, Stage::Over(_)) { "" } else { ", first pass" };
        let mean = if most == 1 { "Values of" } else { "Means of" };
        let seeds = if most == 1 { "seed" } else { "seeds" };
        return format!("{mean} {range} {seeds}{first}: no confidence is claimed below {SEEDS_LEAST} seeds.");
    }
    format!("With 95% confidence, {range} {draws}.")
}

/// The named policies that decline jobs at their answers, the worst two.
fn declined(view: &StudyView, axis: &AxisView, named: &[&Claim]) -> Vec<(String, bool)> {
    let Some(measure) = Measure::of(view, "job_drop_ratio") else { return Vec::new() };
    let of = |claim: &&Claim| {
        let place = claim.place()?;
        let point = *claim.line.get(place)?;
        let share = view.estimate("job_drop_ratio", claim.policy, point)?.mean;
        (share >= DECLINED_LEAST).then_some((claim.policy, place, share))
    };
    let mut found: Vec<(usize, usize, f64)> = named.iter().filter_map(of).collect();
    elastiplan_model::order::sort_by_number(&mut found, |(.., share)| -share);
    let sentence = |(policy, place, share): (usize, usize, f64)| {
        let name = policy_name(view, policy);
        (format!("{name} declines {} of jobs at {}.", measure.text(share), whole(axis, place)), true)
    };
    found.into_iter().take(2).map(sentence).collect()
}

/// How many nodes and dollars the best policy saves over the baseline, or over the worst of the named.
fn saving(view: &StudyView, axis: &AxisView, claims: &[Claim], named: &[&Claim]) -> Option<(String, bool)> {
    let best = named.iter().find(|claim| claim.place().is_some())?;
    let other = claims.iter().find(|claim| claim.policy == 0 && claim.place().is_some());
    let other = other.or(named.iter().rev().copied().find(|claim| claim.place().is_some()))?;
    let fewer = fewer(axis, other.place()?, best.place()?).filter(|_| !view.is_largest)?;
    let cost = |claim: &Claim| {
        let point = *claim.line.get(claim.place()?)?;
        Some(view.estimate("cost_dollars", claim.policy, point)?.mean)
    };
    let name = policy_name(view, other.policy);
    let dollars = |value: f64| crate::quantity::Quantity::of(elastiplan_metrics::Unit::Dollars).value(value);
    let saved = cost(other).zip(cost(best)).map(|(other, best)| other - best).filter(|saved| saved.is_finite());
    let save = if fewer.starts_with("1 ") { "saves" } else { "save" };
    let than = if other.policy == 0 { String::new() } else { format!(" than under {name}") };
    Some(match saved {
        Some(saved) if saved > 0.0 => (format!("{fewer}{than} {save} {}.", dollars(saved)), false),
        Some(saved) if saved < 0.0 => (format!("{fewer} than under {name}, and yet {} more.", dollars(-saved)), true),
        _ => (format!("{fewer} than under {name}."), false),
    })
}

/// A headline where every run failed, or a goal's metric has no value in any.
fn nothing_known(view: &StudyView) -> Option<String> {
    let known = || view.cells.iter().filter(|cell| **cell != Cell::Unknown);
    let are_all = |of: Cell| known().next().is_some() && known().all(|cell| *cell == of);
    if are_all(Cell::Failed) {
        let message = view.failed.first().map(|failed| failed.message.as_str()).unwrap_or_default();
        return Some(format!("Every run failed: {message}"));
    }
    let metric = Metrics::info(&view.no_value.first().filter(|_| are_all(Cell::NoValue))?.metric)?;
    Some(format!("{} has no value at any point: {}", metric.label, metric.reason_absent()))
}

/// How many points failed, and why the first did.
fn failures(view: &StudyView) -> Option<(String, bool)> {
    let first = view.failed.first()?;
    let is_whole = |failed: &&super::Failed| {
        view.seeds.get(view.at(failed.policy as usize, failed.point as usize)).is_none_or(|of| failed.runs >= *of)
    };
    let whole = view.failed.iter().filter(is_whole).count();
    let points = |count: usize| phrases::counted(count as u64, "point", "points");
    let partly = view.failed.len() - whole;
    let text = match (whole, partly) {
        (whole, 0) => format!("{} failed; the rest stands.", points(whole)),
        (0, partly) => format!("Some runs failed at {}, which stay open; the rest stands.", points(partly)),
        _ => format!("{} failed, at {} some runs; the rest stands.", points(whole), points(partly)),
    };
    let text = if partly == 1 { text.replace("which stay", "which stays") } else { text };
    let why = match first.message.as_str() {
        "" => String::new(),
        message => {
            let name = policy_name(view, first.policy as usize);
            format!(" {name} at {}: {}.", point(view, first.point as usize), message.trim_end_matches('.'))
        }
    };
    Some((text + &why, true))
}

/// At how many points a goal's metric has no value, and why.
fn without_values(view: &StudyView) -> Option<(String, bool)> {
    let metric = Metrics::info(&view.no_value.first()?.metric)?;
    let own = view.no_value.iter().filter(|found| found.metric == metric.key).count();
    let points = phrases::counted(own as u64, "point", "points");
    let stay = if own == 1 { "It stays open" } else { "They stay open" };
    Some((format!("{} has no value at {points}: {}. {stay}.", metric.label, metric.reason_absent()), true))
}

/// How many points these seeds have not decided, and how many seeds would, if that is known.
fn undecided_points(view: &StudyView) -> Option<(String, bool)> {
    let Progress { stage: Stage::Over(Ended::Complete), open, seeds_most, .. } = view.progress else { return None };
    if open == 0 || view.goals.is_empty() || seeds_most < SEEDS_LEAST {
        return None;
    }
    Some((undecided_sentence(open as usize, seeds_most, &view.seeds_to_decide), false))
}

/// Why it is over though something is open.
fn ending(view: &StudyView) -> Option<(String, bool)> {
    let progress = &view.progress;
    let open = match (progress.open, view.goals.is_empty()) {
        (0, _) => String::new(),
        (1, false) => ": 1 point stays open".into(),
        (open, false) => format!(": {} points stay open", format::count(open.into())),
        (open, true) => {
            format!(": {} without all seeds", phrases::counted(open.into(), "point is", "points are"))
        }
    };
    match progress.stage {
        Stage::Over(Ended::Stopped) => {
            let runs = format::count(progress.runs.into());
            let wanted = format::count(progress.runs_wanted.max(progress.runs).into());
            Some((format!("Stopped at {runs} of {wanted} runs{open}."), false))
        }
        Stage::Over(Ended::BudgetUsed) => Some((format!("The time budget is used up{open}."), false)),
        _ => None,
    }
}
