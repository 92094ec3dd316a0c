//! Runs written by hand: the spans of each job, from its submission on.

use elastiplan_engine::{JobRecords, LossCause, Losses, Outcome, Run, Series, SpanState, Spans};
use elastiplan_model::{Curve, CurveKey, Curves, Job, ModelId, Trace, Work, Workload};

/// What one job does: (state, GPUs, seconds).
pub type Story = Vec<(SpanState, u32, f64)>;

#[derive(Clone, Debug)]
pub struct JobStory {
    pub submit_s: f64,
    pub deadline_s: Option<f64>,
    pub story: Story,
    pub outcome: Outcome,
}

pub fn job(submit_s: f64, deadline_s: Option<f64>, story: &[(SpanState, u32, f64)], outcome: Outcome) -> JobStory {
    JobStory { submit_s, deadline_s, story: story.to_vec(), outcome }
}

/// Speeds on 1, 2, 3, ... GPUs.
const SPEEDS: [f64; 8] = [10.0, 18.0, 24.0, 28.0, 31.0, 33.0, 34.0, 34.5];

fn speed((state, gpus, _): (SpanState, u32, f64)) -> f64 {
    if state == SpanState::Running { SPEEDS[gpus as usize - 1] } else { 0.0 }
}

impl JobStory {
    pub fn end_s(&self) -> f64 {
        self.submit_s + self.story.iter().map(|span| span.2).sum::<f64>()
    }

    /// The work that is done in the story.
    fn samples(&self) -> f64 {
        self.story.iter().map(|span| speed(*span) * span.2).sum()
    }

    /// All its work: a job that is not done has as much again to do.
    fn work(&self) -> f64 {
        let done = if self.samples() > 0.0 { self.samples() } else { 100.0 };
        if self.outcome == Outcome::Completed { done } else { 2.0 * done }
    }
}

/// The record that an engine would leave of these stories on `gpus_total` GPUs that are always there, in nodes of 4.
pub fn record(gpus_total: u32, jobs: &[JobStory]) -> (Run, Workload) {
    let mut spans = Spans { first: vec![0], ..Spans::default() };
    let mut records = JobRecords::default();
    for row in jobs {
        let mut time_s = row.submit_s;
        let sum = |of: &dyn Fn(&(SpanState, u32, f64)) -> f64| -> f64 { row.story.iter().map(of).sum() };
        let count = |state: SpanState| row.story.iter().filter(|span| span.0 == state).count() as u32;
        let gpu_seconds_in = |state| sum(&|span| if span.0 == state { f64::from(span.1) * span.2 } else { 0.0 });
        let mut start_s = None;
        for &span in &row.story {
            let (state, gpus, length_s) = span;
            spans.start_s.push(time_s);
            spans.end_s.push(time_s + length_s);
            spans.gpus.push(gpus);
            spans.state.push(state);
            spans.samples_per_s.push(speed(span));
            if gpus > 0 {
                start_s.get_or_insert(time_s);
            }
            time_s += length_s;
        }
        spans.first.push(spans.start_s.len() as u32);
        records.outcome.push(row.outcome);
        records.start_s.push(start_s);
        records.admitted_s.push(start_s);
        records.end_s.push((row.outcome != Outcome::Unfinished).then_some(time_s));
        records.queueing_s.push(sum(&|span| if span.1 == 0 { span.2 } else { 0.0 }));
        records.gpu_seconds.push(sum(&|span| f64::from(span.1) * span.2));
        records.rescale_gpu_seconds.push(gpu_seconds_in(SpanState::Rescaling));
        records.preemption_gpu_seconds.push(gpu_seconds_in(SpanState::Recovering));
        records.samples.push(row.samples());
        records.work_lost.push(0.0);
        records.work_left.push(row.work() - row.samples());
        records.rescales.push(count(SpanState::Rescaling));
        records.preemptions.push(count(SpanState::Preempted));
        records.evictions.push(count(SpanState::Recovering));
    }
    let start_s = jobs.iter().map(|row| row.submit_s).fold(f64::INFINITY, f64::min);
    let run = Run {
        gpus_total,
        gpus_per_node: 4,
        start_s: if jobs.is_empty() { 0.0 } else { start_s },
        end_s: jobs.iter().map(JobStory::end_s).fold(0.0, f64::max),
        finished: true,
        series: series(&spans, gpus_total),
        spans,
        jobs: records,
        ..Run::default()
    };
    (run, workload(jobs))
}

/// Counts at every moment at which anything changes.
fn series(spans: &Spans, gpus_present: u32) -> Series {
    let mut moments: Vec<f64> = spans.start_s.iter().chain(&spans.end_s).copied().collect();
    moments.sort_by(f64::total_cmp);
    moments.dedup();
    let mut series = Series::default();
    for time_s in moments {
        let now = (0..spans.len()).filter(|&at| spans.start_s[at] <= time_s && time_s < spans.end_s[at]);
        let held: Vec<u32> = now.map(|at| spans.gpus[at]).collect();
        let running = held.iter().filter(|gpus| **gpus > 0).count() as u32;
        series.time_s.push(time_s);
        series.gpus_present.push(gpus_present);
        series.gpus_in_use.push(held.iter().sum());
        series.jobs_running.push(running);
        series.jobs_waiting.push(held.len() as u32 - running);
    }
    series
}

fn workload(jobs: &[JobStory]) -> Workload {
    let key = CurveKey { model: "m".into(), batch_global: None };
    let curve = Curve::new(key, (1..).zip(SPEEDS)).unwrap();
    let job = |(number, row): (usize, &JobStory)| Job {
        name: format!("job-{number}"),
        source_row: 0,
        submit_s: row.submit_s,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(row.work()),
        deadline_s: row.deadline_s,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let trace = Trace::new(vec!["m".into()], jobs.iter().enumerate().map(job).collect()).unwrap();
    Workload::bind(&trace, &Curves::from_iter([curve])).0
}

use Outcome::{Completed, Dropped};
use SpanState::{Preempted, Recovering, Rescaling, Running, Waiting};

/// Three jobs on 4 GPUs:
///
/// ```text
/// time   0         10        20        30        40
/// job-0  1111111111 1111111111                        deadline 20, met
/// job-1  .......... 2222222222 ~~333333333            deadline 30, missed
/// job-2  (submitted at 10) dropped at once
/// ```
pub fn three_jobs() -> (Run, Workload) {
    record(
        4,
        &[
            job(0.0, Some(20.0), &[(Running, 1, 20.0)], Completed),
            job(
                0.0,
                Some(30.0),
                &[(Waiting, 0, 10.0), (Running, 2, 10.0), (Rescaling, 3, 2.0), (Running, 3, 9.0)],
                Completed,
            ),
            job(10.0, None, &[], Dropped),
        ],
    )
}

/// One job on two nodes of 4 GPUs, of which one is there from 10 to 30 and the other from 0 to 20. When that leaves,
/// the last 2 seconds of training are lost, and coming back takes 1 second.
///
/// ```text
/// time   0         10        20        30
/// node 0 4444444444 4444444444
/// node 1            4444       !^444444
/// ```
pub fn nodes_that_come_and_go() -> (Run, Workload) {
    let story = [
        (Running, 4, 10.0),
        (Rescaling, 8, 6.0),
        (Running, 8, 4.0),
        (Preempted, 0, 1.0),
        (Recovering, 4, 1.0),
        (Running, 4, 8.0),
    ];
    let row = JobStory { story: story.to_vec(), ..job(0.0, None, &[], Completed) };
    let (mut run, workload) = record(8, &[row]);
    run.series.gpus_present = vec![4, 8, 8, 4, 4, 4, 0];
    let work = 2.0 * SPEEDS[7];
    run.losses = Losses {
        time_s: vec![20.0],
        job: vec![0],
        gpu_seconds: vec![16.0],
        samples: vec![work],
        work: vec![work],
        cause: vec![LossCause::NodeLeft],
    };
    run.jobs.preemption_gpu_seconds[0] += 16.0;
    // The job has so much left to do.
    (run.jobs.work_lost[0], run.jobs.work_left[0]) = (work, work);
    run.jobs.outcome[0] = Outcome::Cancelled;
    (run, workload)
}
