//! The times at which the policy is asked.

use crate::Cadence;

/// Tolerance for events after their round, in intervals. A completion that falls on a round by the numbers of a trace
/// may miss it by a rounding error, and would wait for a whole interval.
const ROUND_TOLERANCE: f64 = 1e-9;

/// Pending decision times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    /// Round in which events that have happened are answered.
    answer_s: Option<f64>,
    /// Next round that takes place whether something happens or not.
    tick_s: Option<f64>,
    /// Wake-up that the policy requested.
    wake_s: Option<f64>,
    /// Last decision.
    asked_s: Option<f64>,
}

impl Timing {
    /// A decision at `time_s`, for a policy that takes over.
    pub fn at_once(time_s: f64) -> Self {
        Self { answer_s: Some(time_s), ..Self::default() }
    }

    /// The next decision if nothing happens before.
    pub fn next_s(&self) -> Option<f64> {
        [self.answer_s, self.tick_s, self.wake_s].into_iter().flatten().min_by(f64::total_cmp)
    }

    /// Requests a wake-up; the earliest of several counts.
    pub fn wake_at(&mut self, time_s: f64) {
        self.wake_s = Some(self.wake_s.map_or(time_s, |wake_s| wake_s.min(time_s)));
    }

    /// Whether the policy is to be asked now. `happened`: there is an event at `time_s`; `busy`: a job is present.
    /// Rounds are counted from `start_s`.
    pub fn is_due(&mut self, cadence: Cadence, happened: bool, busy: bool, time_s: f64, start_s: f64) -> bool {
        let woken = self.wake_s.take_if(|wake_s| *wake_s <= time_s).is_some();
        let by_cadence = match cadence {
            Cadence::OnEvents => happened,
            Cadence::Every { interval_s } => {
                self.collect(happened, busy, || next_round_s(time_s, start_s, interval_s));
                false
            }
            Cadence::AtMostEvery { interval_s } => {
                let soonest_s = self.asked_s.map_or(time_s, |asked_s| asked_s + interval_s).max(time_s);
                self.collect(happened, busy, || soonest_s);
                false
            }
            Cadence::Ticks { interval_s } => {
                self.tick(busy, time_s, start_s, interval_s) || (happened && !is_interval(interval_s))
            }
            Cadence::OnEventsAndTicks { interval_s } => self.tick(busy, time_s, start_s, interval_s) || happened,
        };
        let answered = self.answer_s.take_if(|answer_s| *answer_s <= time_s).is_some();
        let due = woken || by_cadence || answered;
        if due {
            self.asked_s = Some(time_s);
        }
        due
    }

    /// Defers the answer to an event until `answer_s`.
    fn collect(&mut self, happened: bool, busy: bool, answer_s: impl FnOnce() -> f64) {
        if !busy {
            self.answer_s = None;
        } else if happened && self.answer_s.is_none() {
            self.answer_s = Some(answer_s());
        }
    }

    /// Whether a round is due that takes place in any case.
    fn tick(&mut self, busy: bool, time_s: f64, start_s: f64, interval_s: f64) -> bool {
        if !(busy && is_interval(interval_s)) {
            self.tick_s = None;
            return false;
        }
        let round_s = self.tick_s.unwrap_or_else(|| next_round_s(time_s, start_s, interval_s));
        let due = round_s <= time_s;
        let rounds = ((time_s - start_s) / interval_s + ROUND_TOLERANCE).floor() + 1.0;
        // An interval may be too short for the digits of a time: time advances all the same.
        let following_s = (start_s + rounds * interval_s).max(time_s.next_up());
        self.tick_s = Some(if due { following_s } else { round_s });
        due
    }
}

fn is_interval(interval_s: f64) -> bool {
    interval_s > 0.0 && interval_s.is_finite()
}

/// The round in which an event at `time_s` is answered: at once, or the next one.
fn next_round_s(time_s: f64, start_s: f64, interval_s: f64) -> f64 {
    let rounds = ((time_s - start_s) / interval_s - ROUND_TOLERANCE).ceil();
    (start_s + rounds * interval_s).max(time_s)
}
