//! Decision times of ElasticFlow's published simulator, which merges the events within an interval after a decision.
//!
//! Its times are whole seconds, rounded up. After a decision at `t` all events until `t + interval_s` are handled
//! together at `t + interval_s`; later events are handled in their own second. That is nearly
//! [`elastiplan_engine::Cadence::AtMostEvery`]; only the whole seconds make a difference.
//!
//! ```text
//! interval 60, decided at 0      events at 10.2 and 59   decided at 60      event at 200.3   decided at 201
//! ```

use elastiplan_engine::{Action, View};
use elastiplan_model::JobId;

/// By how much a time may exceed a whole second and still count as in it: rounding errors of sums are smaller.
const WHOLE_S: f64 = 1e-6;

/// Events since the last decision, and the time of the next one.
#[derive(Clone, Default)]
pub(crate) struct MergedEvents {
    interval_s: f64,
    /// Seconds from the first submission to the last, which the simulator knows.
    last_submit_s: f64,
    /// Whether the end of a job is an event of its own.
    ends_count: bool,
    /// Whether submissions have a list of their own, of which the last is not delayed.
    submissions_apart: bool,
    start_s: Option<f64>,
    decided_s: Option<f64>,
    due_s: Option<f64>,
    /// Whether only one event is left, which is not delayed.
    is_last: bool,
    /// The state after the last decision: an event has happened if it is another.
    jobs_submitted: u32,
    gpus_total: u32,
    running: Vec<JobId>,
}

impl MergedEvents {
    pub fn new(interval_s: f64, last_submit_s: f64) -> Self {
        Self { interval_s, last_submit_s, ends_count: true, ..Self::default() }
    }

    /// Events with a list of submissions and another of ends.
    pub fn with_ends_apart(interval_s: f64, last_submit_s: f64) -> Self {
        Self { submissions_apart: true, ..Self::new(interval_s, last_submit_s) }
    }

    /// Submissions only: ends of jobs are found at other events.
    pub fn of_submissions(interval_s: f64, last_submit_s: f64) -> Self {
        Self { ends_count: false, submissions_apart: true, ..Self::new(interval_s, last_submit_s) }
    }

    /// Whether all jobs have been submitted.
    pub fn is_past_last_submission(&self, view: &View<'_>) -> bool {
        view.time_s() >= self.last_submission_s(view)
    }

    /// When the last job is submitted.
    pub fn last_submission_s(&self, view: &View<'_>) -> f64 {
        self.start_s.unwrap_or(view.time_s()) + self.last_submit_s
    }

    /// Whether to decide now; if not, asks for a decision when it is time. `alarm_s` is when the policy decides even
    /// without an event.
    pub fn is_due(&mut self, view: &View<'_>, alarm_s: Option<f64>, actions: &mut Vec<Action>) -> bool {
        let now_s = view.time_s();
        self.start_s.get_or_insert(now_s);
        let alarm_s = alarm_s.map(|alarm_s| self.no_sooner_than_allowed(alarm_s));
        let is_last = match self.submissions_apart {
            true => self.due_s.is_none() && now_s == self.last_submission_s(view),
            false => self.is_last,
        };
        let event_s = || if is_last { whole_second(now_s) } else { self.no_sooner_than_allowed(whole_second(now_s)) };
        let event_s = self.has_something_happened(view).then(event_s);
        self.due_s = [self.due_s, event_s].into_iter().flatten().min_by(f64::total_cmp);
        let Some(due_s) = [self.due_s, alarm_s].into_iter().flatten().min_by(f64::total_cmp) else { return false };
        if due_s > now_s {
            actions.push(Action::WakeAt { time_s: due_s });
            return false;
        }
        self.decided_s = Some(now_s);
        self.due_s = None;
        true
    }

    /// Call after every decision, with all jobs that run from now on. `ends_to_come` is the number of ends in the
    /// simulator's list: those of all jobs that have ever run.
    pub fn decided(&mut self, view: &View<'_>, running: Vec<JobId>, ends_to_come: usize) {
        self.is_last = ends_to_come == 1 && self.is_past_last_submission(view);
        self.jobs_submitted = view.jobs_submitted();
        self.gpus_total = view.gpus_total();
        self.running = running;
    }

    /// The first time, not before `time_s`, at which a decision is allowed.
    pub fn no_sooner_than_allowed(&self, time_s: f64) -> f64 {
        self.decided_s.map_or(time_s, |decided_s| time_s.max(decided_s + self.interval_s))
    }

    fn has_something_happened(&self, view: &View<'_>) -> bool {
        self.jobs_submitted != view.jobs_submitted()
            || self.gpus_total != view.gpus_total()
            || !view.lost().is_empty()
            || (self.ends_count && self.running.iter().any(|job| view.job(*job).is_none()))
    }
}

/// The first whole second that is not before a time.
pub(crate) fn whole_second(time_s: f64) -> f64 {
    (time_s - WHOLE_S).ceil()
}
