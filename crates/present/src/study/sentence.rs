//! The answer as a sentence.

use elastiplan_metrics::MetricInfo;
use elastiplan_statistics::VALUES_MIN;
use elastiplan_statistics::feasibility::Limit;
use elastiplan_study::{Axis, Confirmation, Gap, PolicyAnswer, Results, Study};
use elastiplan_text::words;

use crate::quantity::Quantity;

/// What is known about the question, as [`Study::answers`] has it: `deadlines met ≥ 90%, with 95% confidence: fixed not up
/// to 20 nodes; equal-share from 10 nodes on.` `None` without a question.
pub fn sentence(study: &Study, results: &Results, answers: &[PolicyAnswer]) -> Option<String> {
    let axis = study.axes.get(study.find?)?;
    let goals: Vec<String> = study.goals.iter().map(|goal| goal_text(goal.metric, goal.limit)).collect();
    let goals = words::list(&goals.iter().map(String::as_str).collect::<Vec<_>>());
    let is_bare = study.seeds.most() < VALUES_MIN;
    let is_one_draw = answers.iter().all(|answer| {
        let point = answer.line.first().copied().unwrap_or_default();
        !study.draws_differ(results, point as u32, answer.policy as u32)
    });
    let mut parts: Vec<String> = Vec::new();
    for answer in answers {
        let name = name(study, answer);
        let known = match study.policies.get(answer.policy).is_some_and(|policy| axis.concerns(policy)) {
            true => part(axis, answer, study.is_largest),
            false => part_without_axis(answer).into(),
        };
        parts.push(format!("{name} {known}{}", gaps(study, results, axis, answer)));
    }
    let so_far = if study.next(results).is_empty() { "" } else { "So far: " };
    let how_sure = match (is_one_draw, is_bare) {
        (true, _) => "on this one draw".into(),
        (false, true) => format!("with nothing claimed below {VALUES_MIN} seeds"),
        (false, false) => "with 95% confidence".into(),
    };
    Some(format!("{so_far}{goals}, {how_sure}: {}.", parts.join("; ")))
}

/// What is known of a policy that the axis changes nothing for.
fn part_without_axis(answer: &PolicyAnswer) -> &'static str {
    match (answer.answer.smallest, answer.answer.open.is_empty()) {
        (Some(_), _) => "at every value",
        (None, true) => "at no value",
        (None, false) => "open",
    }
}

/// Where runs failed or a goal's metric has no value: ` (failed at 4; no value at 8 and 16: no job completed)`.
fn gaps(study: &Study, results: &Results, axis: &Axis, answer: &PolicyAnswer) -> String {
    let (mut failed, mut without, mut reason) = (Vec::new(), Vec::new(), "");
    for (place, &point) in answer.line.iter().enumerate() {
        match study.gap(results, point as u32, answer.policy as u32) {
            Some(Gap::Failed { .. }) => failed.push(place),
            Some(Gap::NoValue { metric, .. }) => {
                reason = metric.reason_absent();
                without.push(place);
            }
            None => {}
        }
    }
    let at =
        |words: &str, places: &[usize]| (!places.is_empty()).then(|| format!("{words} at {}", listed(axis, places)));
    let without = at("no value", &without).map(|words| format!("{words}: {reason}"));
    let parts: Vec<String> = at("runs failed", &failed).into_iter().chain(without).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// What is known of one policy: `from 11 nodes on`.
fn part(axis: &Axis, answer: &PolicyAnswer, is_largest: bool) -> String {
    if is_largest {
        return part_of_largest(axis, answer);
    }
    let value = |place: usize| axis.values.get(place).map_or("", |value| value.text.as_str());
    let largest = value(answer.line.len().saturating_sub(1));
    let mut text = match answer.answer.smallest {
        Some(0) if answer.line.len() > 1 => format!("from {} on, the least that was tried", axis.at(value(0))),
        Some(place) => format!("from {} on", axis.at(value(place))),
        None => match (answer.answer.largest_missed, open_above(answer).as_slice()) {
            (Some(missed), open @ [_, ..]) if missed + 1 < answer.line.len() => {
                format!("not up to {}, open at {}", axis.at(value(missed)), listed(axis, open))
            }
            (None, open @ [_, ..]) => format!("open at {}", listed(axis, open)),
            _ => format!("not up to {}", axis.at(largest)),
        },
    };
    if !answer.answer.isolated.is_empty() {
        text += &format!(" (also at {}, but not at all above)", listed(axis, &answer.answer.isolated));
    }
    if let (Confirmation::Wanted { .. }, Some(_)) = (&answer.confirmation, answer.answer.smallest) {
        text += " (to be confirmed)";
    }
    text
}

/// The same of a largest value: `up to arrival rate 1.4`.
fn part_of_largest(axis: &Axis, answer: &PolicyAnswer) -> String {
    let value = |place: usize| axis.values.get(place).map_or("", |value| value.text.as_str());
    let missed = answer.answer.largest_missed;
    let open: Vec<usize> =
        answer.answer.open.iter().copied().filter(|&place| missed.is_none_or(|missed| place < missed)).collect();
    let mut text = match (answer.answer.smallest, missed, open.as_slice()) {
        (Some(place), ..) if place + 1 == answer.line.len() && place > 0 => {
            format!("up to {}, the most that was tried", axis.at(value(place)))
        }
        (Some(place), ..) => format!("up to {}", axis.at(value(place))),
        (None, Some(missed), [_, ..]) if missed > 0 => {
            format!("not from {} on, open at {}", axis.at(value(missed)), listed(axis, &open))
        }
        (None, None, [_, ..]) => format!("open at {}", listed(axis, &open)),
        _ => format!("not even at {}", axis.at(value(0))),
    };
    if !answer.answer.isolated.is_empty() {
        text += &format!(" (also at {}, but not at all below)", listed(axis, &answer.answer.isolated));
    }
    if let (Confirmation::Wanted { .. }, Some(_)) = (&answer.confirmation, answer.answer.smallest) {
        text += " (to be confirmed)";
    }
    text
}

/// The sizes above all that miss the goals which more seeds could decide.
fn open_above(answer: &PolicyAnswer) -> Vec<usize> {
    let missed = answer.answer.largest_missed;
    answer.answer.open.iter().copied().filter(|&place| missed.is_none_or(|missed| place > missed)).collect()
}

/// Values, neighbours as a range: `8, 9 and 12 to 20`.
fn listed(axis: &Axis, places: &[usize]) -> String {
    let value = |place: &usize| axis.values.get(*place).map_or("", |value| value.text.as_str());
    let words = |neighbours: &[usize]| match neighbours {
        [first, _, .., last] => vec![format!("{} to {}", value(first), value(last))],
        few => few.iter().map(|place| value(place).to_string()).collect(),
    };
    let parts: Vec<String> = places.chunk_by(|one, next| one + 1 == *next).flat_map(words).collect();
    words::list(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The policy, with the values of the other axes that concern it.
fn name(study: &Study, answer: &PolicyAnswer) -> String {
    let policy = study.policies.get(answer.policy).map(ToString::to_string).unwrap_or_default();
    let point = answer.line.first().copied().unwrap_or_default() as u32;
    let others = study.values(point).zip(0..).filter(|((axis, _), place)| {
        let concerns = study.policies.get(answer.policy).is_some_and(|policy| axis.concerns(policy));
        Some(*place) != study.find && concerns
    });
    let others: Vec<String> = others.map(|((axis, value), _)| format!("{} {value}", axis.label)).collect();
    if others.is_empty() { policy } else { format!("{policy} with {}", others.join(", ")) }
}

fn goal_text(metric: &MetricInfo, limit: Limit) -> String {
    let (sign, number) = match limit {
        Limit::AtLeast(number) => ('≥', number),
        Limit::AtMost(number) => ('≤', number),
    };
    let number = Quantity::of(metric.unit).with_unit(number);
    format!("{} {sign} {number}", metric.label.to_lowercase())
}
