//! When each thing that a summary counts happened.

use elastiplan_engine::{Outcome, Run, Span, SpanState};
use elastiplan_metrics::{completion_s, meets_deadline};
use elastiplan_model::{JobId, Workload};

/// Times of everything that is counted, in no order.
#[derive(Default)]
pub(super) struct Times {
    pub arrived: Vec<f64>,
    pub started: Vec<f64>,
    pub completed: Vec<f64>,
    pub missed: Vec<f64>,
    pub rescaled: Vec<f64>,
    pub preempted: Vec<f64>,
}

impl Times {
    pub fn of(run: &Run, workload: &Workload) -> Self {
        let mut times = Self::default();
        let (mut rescales, mut preemptions) = (Found::default(), Found::default());
        for (id, job) in workload.trace().iter() {
            times.arrived.extend(Some(job.submit_s).filter(|submit_s| *submit_s <= run.end_s));
            times.started.extend(run.jobs.start_s.get(id.index()).copied().flatten());
            times.completed.extend(completion_s(run, id));
            times.missed.extend(missed_s(run, workload, id));
            find(run, id, &mut rescales, &mut preemptions);
            let counted = |column: &[u32]| column.get(id.index()).map_or(0, |times| *times as usize);
            let last_s = run.spans.range_of(id).last().and_then(|last| run.spans.end_s.get(last));
            let last_s = last_s.copied().unwrap_or(run.end_s);
            rescales.take(counted(&run.jobs.rescales), last_s, &mut times.rescaled);
            preemptions.take(counted(&run.jobs.preemptions), last_s, &mut times.preempted);
        }
        times
    }
}

/// When it was certain that a job misses its deadline: when that passed, or when the job ended otherwise.
pub(super) fn missed_s(run: &Run, workload: &Workload, job: JobId) -> Option<f64> {
    let deadline_s = workload.trace().jobs().get(job.index())?.deadline_s?;
    let is_open = !run.finished && run.jobs.outcome.get(job.index()) == Some(&Outcome::Unfinished);
    let is_missed = meets_deadline(run, workload, job) == Some(false) && !(is_open && deadline_s > run.end_s);
    let end_s = run.jobs.end_s.get(job.index()).copied().flatten().unwrap_or(run.end_s);
    is_missed.then(|| deadline_s.min(end_s).max(run.start_s))
}

/// Times at which something happened to one job, and times at which it may have: what begins and ends at one time
/// leaves no span behind.
#[derive(Default)]
struct Found {
    certain: Vec<f64>,
    possible: Vec<f64>,
}

impl Found {
    /// As many as were counted: first the certain ones, then the possible ones, then the end of the job.
    fn take(&mut self, counted: usize, last_s: f64, times: &mut Vec<f64>) {
        let found = self.certain.drain(..).chain(self.possible.drain(..));
        times.extend(found.chain(std::iter::repeat(last_s)).take(counted));
    }
}

/// Looks through the spans of a job for changes of its GPUs.
fn find(run: &Run, job: JobId, rescales: &mut Found, preemptions: &mut Found) {
    let mut before: Option<Span> = None;
    let mut has_held = false;
    for span in run.spans.of(job) {
        let held = before.map_or(0, |before| before.gpus);
        let was = before.map(|before| before.state);
        let recovers = span.state == SpanState::Recovering;
        match (held, span.gpus) {
            (0, 0) => {}
            (0, _) if !has_held => {}
            (0, _) if recovers => rescales.possible.push(span.start_s),
            (0, _) => rescales.certain.push(span.start_s),
            (_, 0) => preemptions.certain.push(span.start_s),
            (from, to) => {
                let is_paid = span.state == SpanState::Rescaling && was != Some(SpanState::Recovering);
                let is_rescale = !recovers && (from != to || is_paid);
                if is_rescale { &mut rescales.certain } else { &mut rescales.possible }.push(span.start_s);
                preemptions.possible.extend(recovers.then_some(span.start_s));
            }
        }
        has_held |= span.gpus > 0;
        before = Some(span);
    }
}
