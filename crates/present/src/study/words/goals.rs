//! What is asked, as the subject of a sentence, and under which condition.

use elastiplan_metrics::Metrics;
use elastiplan_text::{format, words as phrases};

use crate::study::{AxisView, GoalView, StudyView};

/// Goals that only keep a policy from doing well by declining: they are not named where others are.
const GUARDS: [&str; 3] = ["job_drop_ratio", "jobs_dropped", "jobs_completed"];

/// The subject of a sentence.
pub struct Subject {
    /// `95% of deadlines`.
    pub text: String,
    is_plural: bool,
}

impl Subject {
    /// The form of a verb that goes with it.
    pub fn verb(&self, one: &'static str, many: &'static str) -> &'static str {
        if self.is_plural { many } else { one }
    }
}

/// What is asked: one or two goals in words, or how many there are.
pub fn subject(view: &StudyView) -> Subject {
    let is_guard = |goal: &&GoalView| GUARDS.contains(&goal.metric.as_str());
    let mut asked: Vec<&GoalView> = view.goals.iter().filter(|goal| !is_guard(goal)).collect();
    if asked.is_empty() {
        asked = view.goals.iter().collect();
    }
    let texts: Vec<String> = asked.iter().map(|goal| goal_text(goal)).collect();
    match texts.as_slice() {
        [only] => Subject { text: only.clone(), is_plural: asked.iter().any(|goal| is_of_deadlines(goal)) },
        [first, second] => Subject { text: format!("{first} and {second}"), is_plural: true },
        all => Subject { text: format!("all {} goals", all.len()), is_plural: true },
    }
}

fn is_of_deadlines(goal: &GoalView) -> bool {
    goal.metric == "deadline_satisfactory_ratio" && goal.is_least
}

fn goal_text(goal: &GoalView) -> String {
    let limit = goal.limit_text();
    if is_of_deadlines(goal) {
        return format!("{limit} of deadlines");
    }
    let label = Metrics::info(&goal.metric).map_or(goal.metric.as_str(), |info| info.label);
    let least = if goal.is_least { "least" } else { "most" };
    format!("{} of at {least} {limit}", uncapital(label))
}

/// A label inside a sentence: `Mean completion` is `mean completion`, `SJS efficiency` stays.
fn uncapital(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(letters).collect(),
        _ => label.into(),
    }
}

/// The values of the other axes at a point: `with 20% more load`; empty with one axis.
pub fn condition(view: &StudyView, through: usize) -> String {
    let places = view.places(through);
    let others = view.axes.iter().zip(places).enumerate().filter(|(at, _)| *at != view.find);
    let texts: Vec<String> = others.map(|(_, (axis, place))| value_text(axis, place)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    if texts.is_empty() { String::new() } else { format!("with {}", phrases::list(&texts)) }
}

fn value_text(axis: &AxisView, place: usize) -> String {
    let Some(value) = axis.values.get(place) else { return String::new() };
    let factor = value.number.filter(|number| axis.key == "what_if.arrival_rate" && number.is_finite());
    match factor.map(|factor| ((factor - 1.0) * 1_000.0).round() / 10.0) {
        Some(0.0) => "the load as it is".into(),
        Some(percent) => {
            let more = if percent > 0.0 { "more" } else { "less" };
            format!("{}% {more} load", format::number(percent.abs()))
        }
        None => super::whole(axis, place),
    }
}
