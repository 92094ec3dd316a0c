//! A study in sentences.

use super::{AnswerView, StudyView, Words};

/// The answer: `deadlines met ≥ 90% needs 46 nodes under elasticflow, 56 under fixed`.
pub fn words(view: &StudyView) -> Words {
    if view.goals.is_empty() {
        return Words::default();
    }
    let goals: Vec<&str> = view.goals.iter().map(|goal| goal.text.as_str()).collect();
    let policy = |answer: &AnswerView| view.policies.get(answer.policy as usize).map_or("", String::as_str);
    let parts: Vec<String> = view.answers.iter().map(|answer| format!("{} {}", policy(answer), answer.words)).collect();
    Words { headline: format!("{}: {}", goals.join(" and "), parts.join("; ")), rest: Vec::new() }
}

/// The answer for one policy: `46, settled`, `46, may be 42`, `not within 80`.
pub fn answer_words(view: &StudyView, answer: &AnswerView) -> String {
    let Some(axis) = view.axes.get(view.find) else { return String::new() };
    let value = |place: u32| axis.values.get(place as usize).map_or("", |value| value.shown.as_str());
    let last = (axis.values.len().saturating_sub(1)) as u32;
    match (answer.answer, answer.bracket) {
        (Some(found), _) if answer.is_settled => format!("{}, settled", value(found)),
        (Some(found), Some((first, _))) if first < found => format!("{}, may be {}", value(found), value(first)),
        (Some(found), _) => value(found).into(),
        (None, Some((first, end))) => format!("not decided yet: {} to {}", value(first), value(end)),
        (None, None) => format!("not within {}", value(last)),
    }
}
