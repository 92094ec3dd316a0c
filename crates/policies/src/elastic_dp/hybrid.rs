//! Decisions in rounds, and between them as soon as enough jobs have ended (section V-B).

use elastiplan_engine::{Action, View};
use elastiplan_model::JobId;

/// The time of the next decision.
#[derive(Clone)]
pub(super) struct Hybrid {
    ended_share: f64,
    /// Jobs that ran after the last decision.
    pub ran: Vec<JobId>,
    /// The round in which the events since then are handled at the latest.
    round_s: Option<f64>,
}

/// By how much of an interval an event may be late and still be handled in its round: times have only so many digits.
const ROUND_TOLERANCE: f64 = 1e-9;

impl Hybrid {
    pub fn new(ended_share: f64) -> Self {
        Self { ended_share, ran: Vec::new(), round_s: None }
    }

    /// Whether it is time to decide; if not, asks for a decision in the next round. Call at every event.
    pub fn is_due(&mut self, delta_s: f64, view: &View<'_>, actions: &mut Vec<Action>) -> bool {
        let round_s = *self.round_s.get_or_insert_with(|| next_round_s(view, delta_s));
        let ended = self.ran.iter().filter(|job| view.job(**job).is_none()).count();
        let is_due = view.time_s() >= round_s || ended > 0 && ended as f64 >= self.ended_share * self.ran.len() as f64;
        if is_due {
            self.round_s = None;
        } else {
            actions.push(Action::WakeAt { time_s: round_s });
        }
        is_due
    }
}

/// The first round from now on; they are counted from the first submission.
fn next_round_s(view: &View<'_>, delta_s: f64) -> f64 {
    let (now_s, start_s) = (view.time_s(), view.first_submit_s());
    let rounds = ((now_s - start_s) / delta_s - ROUND_TOLERANCE).ceil();
    (start_s + rounds * delta_s).max(now_s)
}
