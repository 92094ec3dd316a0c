//! When the policy is asked.

use crate::Cadence;

/// How much too late an event may come, in intervals, and still be answered in its round. A completion that falls on
/// a round by the numbers of a trace may miss it by a rounding error, and would wait for a whole interval.
const ROUND_TOLERANCE: f64 = 1e-9;

/// What is to come of questions to the policy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    /// Events wait for this time to be answered.
    answer_s: Option<f64>,
    /// The next round that comes whether something happens or not.
    tick_s: Option<f64>,
    /// The policy wants to be asked then.
    wake_s: Option<f64>,
    /// When it was last asked.
    asked_s: Option<f64>,
}

impl Timing {
    /// A policy that has just taken over is asked at once.
    pub fn at_once(time_s: f64) -> Self {
        Self { answer_s: Some(time_s), ..Self::default() }
    }

    /// When the policy is to be asked next if nothing happens until then.
    pub fn next_s(&self) -> Option<f64> {
        [self.answer_s, self.tick_s, self.wake_s].into_iter().flatten().min_by(f64::total_cmp)
    }

    /// Ask again at this time; the earliest wish counts.
    pub fn wake_at(&mut self, time_s: f64) {
        self.wake_s = Some(self.wake_s.map_or(time_s, |wake_s| wake_s.min(time_s)));
    }

    /// Whether the policy is to be asked now. `happened`: there is an event at `time_s`; `busy`: a job is there. Rounds
    /// are counted from `start_s`.
    pub fn is_due(&mut self, cadence: Cadence, happened: bool, busy: bool, time_s: f64, start_s: f64) -> bool {
        let woken = self.wake_s.take_if(|wake_s| *wake_s <= time_s).is_some();
        let (events, interval_s) = match cadence {
            Cadence::OnEvents => (happened, None),
            Cadence::Every { interval_s } => {
                let round_s = || next_round_s(time_s, start_s, interval_s);
                (self.collect(happened, busy, round_s), None)
            }
            Cadence::AtMostEvery { interval_s } => {
                let soonest_s = self.asked_s.map_or(time_s, |asked_s| asked_s + interval_s).max(time_s);
                (self.collect(happened, busy, || soonest_s), None)
            }
            Cadence::Ticks { interval_s } => (happened && !is_interval(interval_s), Some(interval_s)),
            Cadence::OnEventsAndTicks { interval_s } => (happened, Some(interval_s)),
        };
        let answered = self.answer_s.take_if(|answer_s| *answer_s <= time_s).is_some();
        let ticked = interval_s.is_some_and(|interval_s| self.tick(busy, time_s, start_s, interval_s));
        let due = woken || events || answered || ticked;
        if due {
            self.asked_s = Some(time_s);
        }
        due
    }

    /// Notes that an event waits for its answer; true if that is now.
    fn collect(&mut self, happened: bool, busy: bool, answer_s: impl FnOnce() -> f64) -> bool {
        if !busy {
            self.answer_s = None;
        } else if happened && self.answer_s.is_none() {
            self.answer_s = Some(answer_s());
        }
        false
    }

    /// Whether a round is due that comes in any case.
    fn tick(&mut self, busy: bool, time_s: f64, start_s: f64, interval_s: f64) -> bool {
        if !(busy && is_interval(interval_s)) {
            self.tick_s = None;
            return false;
        }
        let round_s = self.tick_s.unwrap_or_else(|| next_round_s(time_s, start_s, interval_s));
        let due = round_s <= time_s;
        let rounds = ((time_s - start_s) / interval_s + ROUND_TOLERANCE).floor() + 1.0;
        // Where an interval is too short for the digits of a time, time goes on all the same.
        let following_s = (start_s + rounds * interval_s).max(time_s.next_up());
        self.tick_s = Some(if due { following_s } else { round_s });
        due
    }
}

fn is_interval(interval_s: f64) -> bool {
    interval_s > 0.0 && interval_s.is_finite()
}

/// The round in which something that happens now is answered: now, or the next one.
fn next_round_s(time_s: f64, start_s: f64, interval_s: f64) -> f64 {
    let rounds = ((time_s - start_s) / interval_s - ROUND_TOLERANCE).ceil();
    (start_s + rounds * interval_s).max(time_s)
}
