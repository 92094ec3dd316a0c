//! A story in words.

use elastiplan_engine::Outcome;
use elastiplan_model::SAME_TIME_S;
use elastiplan_text::format;

use super::{Happening, Paid, StoryEvent, WaitReason};

impl StoryEvent {
    /// The event in a few words: `Grows 2, 4, 8 GPUs`.
    pub fn heading(&self) -> String {
        match &self.what {
            Happening::Submitted { .. } => "Submitted".into(),
            Happening::Admitted => "Admitted".into(),
            Happening::Started { gpus, .. } => format!("Starts on {}", format::gpus(*gpus)),
            Happening::Resized { gpus, .. } => resized(gpus),
            Happening::Moved { gpus, .. } => format!("Moves to other {}", format::gpus(*gpus)),
            Happening::Batch { batch_global } => format!("Batch size {}", format::count((*batch_global).into())),
            Happening::Preempted { node_left: true, .. } => "Preempted, a node left".into(),
            Happening::Preempted { .. } => "Preempted".into(),
            Happening::Resumed { gpus, .. } => format!("Resumes on {}", format::gpus(*gpus)),
            Happening::NodeLeft { from, to, .. } if from == to => "A node left".into(),
            Happening::NodeLeft { from, to, .. } => format!("A node left, {from} to {}", format::gpus(*to)),
            Happening::WorkLost { .. } => "Work lost".into(),
            Happening::Remarked { .. } => "The policy notes".into(),
            Happening::DeadlinePassed { .. } => "Deadline passes".into(),
            Happening::Ended { outcome, .. } => ended(*outcome).into(),
        }
    }

    /// Its details in a few words: `rescale 3 × 30s`. Empty where there is nothing to add.
    pub fn detail(&self) -> String {
        match &self.what {
            Happening::Submitted { starts: true, waits_s: 0.0, .. } => "starts at once".into(),
            Happening::Submitted { waits_s: 0.0, .. } => String::new(),
            Happening::Submitted { waits_s, reason, .. } => waits(*waits_s, *reason),
            Happening::Started { samples_per_s, paid, .. } => {
                joined([samples_per_s.map(format::samples_per_s), cost("start", paid)])
            }
            Happening::Resized { samples_per_s, paid, .. } => {
                joined([costs("rescale", paid), samples_per_s.map(format::samples_per_s)])
            }
            Happening::Moved { paid, .. } => joined([cost("rescale", paid), None]),
            Happening::Preempted { away_s, .. } => format!("{} off", format::duration(*away_s)),
            Happening::Resumed { samples_per_s, paid, .. } => {
                joined([cost("rescale", paid), samples_per_s.map(format::samples_per_s)])
            }
            Happening::NodeLeft { paid, .. } => joined([cost("recovery", paid), None]),
            Happening::WorkLost { gpu_seconds } => format::gpu_hours(*gpu_seconds),
            Happening::Remarked { text } => text.clone(),
            Happening::DeadlinePassed { gpus: 0 } => "without GPUs".into(),
            Happening::DeadlinePassed { gpus } => format!("on {}", format::gpus(*gpus)),
            Happening::Ended { late_s, .. } => late_s.map(lateness).unwrap_or_default(),
            Happening::Admitted | Happening::Batch { .. } => String::new(),
        }
    }
}

/// An outcome as people call it: a job that a policy drops is declined. Files have [`Outcome::word`].
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Dropped => "declined",
        other => other.word(),
    }
}

/// Completion beside a deadline: `9m late`, `14m early`.
pub fn lateness(late_s: f64) -> String {
    match late_s {
        late_s if late_s > SAME_TIME_S => format!("{} late", format::duration(late_s)),
        late_s if late_s < -SAME_TIME_S => format!("{} early", format::duration(-late_s)),
        _ => "just in time".into(),
    }
}

fn resized(gpus: &[u32]) -> String {
    let verb = if gpus.first() < gpus.last() { "Grows" } else { "Shrinks" };
    let words: Vec<String> = gpus.iter().map(u32::to_string).collect();
    match words.as_slice() {
        [from, _] => format!("{verb} from {from} to {}", format::gpus(gpus.last().copied().unwrap_or(0))),
        words => format!("{verb} {} GPUs", words.join(", ")),
    }
}

fn waits(waits_s: f64, reason: Option<WaitReason>) -> String {
    let waits = format!("waits {}", format::duration(waits_s));
    match reason {
        None => waits,
        Some(WaitReason::NoNodes) => format!("{waits}, no nodes"),
        Some(WaitReason::TooFewFree { free: 0 }) => format!("{waits}, no free GPUs"),
        Some(WaitReason::TooFewFree { free }) => format!("{waits}, {} free", format::gpus(free)),
        Some(WaitReason::HeldBack { free }) => format!("{waits}, though {} were free", format::gpus(free)),
    }
}

fn cost(what: &str, paid: &Paid) -> Option<String> {
    (paid.seconds > 0.0).then(|| format!("{what} {}", format::duration(paid.seconds)))
}

/// Each, where they cost the same; otherwise all together.
fn costs(what: &str, paid: &[Paid]) -> Option<String> {
    let each: Vec<String> = paid.iter().map(|paid| format::duration(paid.seconds)).collect();
    let sum_s: f64 = paid.iter().map(|paid| paid.seconds).sum();
    match each.as_slice() {
        _ if sum_s <= 0.0 => None,
        [first, _, ..] if each.iter().all(|other| other == first) => Some(format!("{what} {} × {first}", each.len())),
        _ => Some(format!("{what} {}", format::duration(sum_s))),
    }
}

fn joined(parts: [Option<String>; 2]) -> String {
    parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

fn ended(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "Completed",
        Outcome::Dropped => "Declined by the policy",
        Outcome::Unfinished => "Unfinished when the run ended",
        Outcome::Failed => "Failed",
        Outcome::Cancelled => "Cancelled by its user",
    }
}
