//! Rounds on the clock of the trace: at every multiple of an interval while a job is there.
//!
//! ```text
//! interval 60, a job from 107 to 310      asked at 107, which is no round; decided at 120, 180, 240, 300
//! ```

use elastiplan_engine::{Action, View};

use crate::parameters::{Parameter, YEAR_S};

/// The interval between rounds.
pub(crate) const INTERVAL: Parameter = Parameter::number(
    "interval_s",
    "Seconds from round to round, on the clock of the trace; 0: at every event",
    60.0,
    0.0..=YEAR_S,
);

/// By how much of an interval a time may miss a round and still count as in it: times have only so many digits.
const TOLERANCE: f64 = 1e-9;

/// Fixed rounds, for a policy that is asked on events. It is not woken in rounds without jobs.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    interval_s: f64,
}

impl Rounds {
    pub fn new(interval_s: f64) -> Self {
        Self { interval_s }
    }

    /// Whether it is time to decide; always with an interval of 0. While there are jobs, asks for a decision in the
    /// next round.
    pub fn is_due(&self, view: &View<'_>, actions: &mut Vec<Action>) -> bool {
        let now_s = view.time_s();
        if self.interval_s <= 0.0 {
            return true;
        }
        let rounds = (now_s / self.interval_s + TOLERANCE).floor();
        if view.running().next().is_some() || view.waiting().next().is_some() {
            // The next round is later than now even if the interval is too short for the digits of the time.
            let time_s = ((rounds + 1.0) * self.interval_s).max(now_s.next_up());
            actions.push(Action::WakeAt { time_s });
        }
        now_s - rounds * self.interval_s <= TOLERANCE * self.interval_s.max(now_s)
    }
}
