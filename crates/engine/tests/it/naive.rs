//! A second engine, written down as plainly as can be: no heap, no sets, no foreseen times. It moves every job forward
//! from each instant to the next and looks at all of them each time. Both engines are given a policy that plays random
//! answers; everything they leave behind must be equal.
//!
//! Times, speeds and amounts of work are such that all arithmetic is exact, so that equal means equal.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_engine::{Action, Cadence, Outcome, Policy, Run, Settings, Simulation, Span, SpanState, View};
use elastiplan_model::{Cluster, Curve, CurveKey, Curves, Job, JobId, ModelId, Trace, Work, Workload};
use proptest::prelude::*;

/// What a policy sees of a job, in order of submission.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    job: u32,
    gpus: u32,
    gpus_min: u32,
    started: bool,
    samples_left: f64,
}

/// When it was asked, and what it saw.
type Asked = Vec<(f64, Vec<Seen>)>;

/// Random answers that are always possible: each number decides for one job.
#[derive(Clone, Debug)]
struct Dice {
    numbers: Vec<u32>,
    next: usize,
}

impl Dice {
    fn answer(&mut self, jobs: &[Seen], gpus_total: u32) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut free = gpus_total - jobs.iter().map(|job| job.gpus).sum::<u32>();
        for seen in jobs {
            let number = self.numbers[self.next % self.numbers.len()];
            self.next += 1;
            let job = JobId(seen.job);
            let most = free + seen.gpus;
            match number % 8 {
                0 if !seen.started => actions.push(Action::Drop { job }),
                0 | 1 => {
                    actions.push(Action::Allocate { job, gpus: 0 });
                    free = most;
                }
                2..=6 if most >= seen.gpus_min => {
                    let gpus = seen.gpus_min + number / 8 % (most - seen.gpus_min + 1);
                    actions.push(Action::Allocate { job, gpus });
                    free = most - gpus;
                }
                _ => {}
            }
        }
        actions
    }
}

#[derive(Clone)]
struct Gambler {
    cadence: Cadence,
    dice: Dice,
    asked: Rc<RefCell<Asked>>,
}

impl Policy for Gambler {
    fn cadence(&self) -> Cadence {
        self.cadence
    }

    fn decide(&mut self, view: &View<'_>, actions: &mut Vec<Action>) {
        let mut jobs: Vec<Seen> = view
            .running()
            .chain(view.waiting())
            .map(|job| Seen {
                job: job.id.0,
                gpus: job.gpus,
                gpus_min: job.bound.gpus_min,
                started: job.started,
                samples_left: job.samples_left,
            })
            .collect();
        jobs.sort_by_key(|seen| seen.job);
        let held: u32 = jobs.iter().map(|seen| seen.gpus).sum();
        assert_eq!(view.gpus_free() + held, view.gpus_total());
        actions.extend(self.dice.answer(&jobs, view.gpus_total()));
        self.asked.borrow_mut().push((view.time_s(), jobs));
    }
}

#[derive(Clone, Debug, Default)]
struct NaiveJob {
    present: bool,
    outcome: Option<Outcome>,
    gpus: u32,
    started_s: Option<f64>,
    ended_s: Option<f64>,
    samples_left: f64,
    /// Seconds of rescaling still to pay.
    to_pay_s: f64,
    rescales: u32,
    preemptions: u32,
    spans: Vec<Span>,
}

impl NaiveJob {
    /// Adds a span, or makes the last one longer if nothing changed.
    fn add_span(&mut self, span: Span) {
        if span.start_s == span.end_s {
            return;
        }
        match self.spans.last_mut() {
            Some(last) if (last.gpus, last.state) == (span.gpus, span.state) => last.end_s = span.end_s,
            _ => self.spans.push(span),
        }
    }
}

struct Naive<'a> {
    workload: &'a Workload,
    time_s: f64,
    jobs: Vec<NaiveJob>,
    asked: Asked,
    decisions_s: Vec<f64>,
    /// Time, GPUs in use, jobs running, jobs waiting.
    series: Vec<(f64, u32, u32, u32)>,
}

impl Naive<'_> {
    fn speed(&self, job: usize) -> f64 {
        self.workload.curve_of(JobId(job as u32)).unwrap().samples_per_s(self.jobs[job].gpus)
    }

    fn completion_s(&self, job: usize) -> Option<f64> {
        let state = &self.jobs[job];
        (state.present && state.gpus > 0).then(|| self.time_s + state.to_pay_s + state.samples_left / self.speed(job))
    }

    /// Moves every job forward to `time_s`.
    fn pass(&mut self, time_s: f64) {
        for job in 0..self.jobs.len() {
            let speed = if self.jobs[job].gpus > 0 { self.speed(job) } else { 0.0 };
            let from_s = self.time_s;
            let state = &mut self.jobs[job];
            if !state.present {
                continue;
            }
            let passes_s = time_s - from_s;
            let paid_s = if state.gpus > 0 { state.to_pay_s.min(passes_s) } else { 0.0 };
            let gpus = state.gpus;
            let idle = if state.started_s.is_some() { SpanState::Preempted } else { SpanState::Waiting };
            let what = if gpus > 0 { SpanState::Running } else { idle };
            state.to_pay_s -= paid_s;
            state.samples_left -= speed * (passes_s - paid_s);
            state.add_span(Span { start_s: from_s, end_s: from_s + paid_s, gpus, state: SpanState::Rescaling });
            state.add_span(Span { start_s: from_s + paid_s, end_s: time_s, gpus, state: what });
        }
        self.time_s = time_s;
    }

    fn end(&mut self, job: usize, outcome: Outcome) {
        let time_s = self.time_s;
        let state = &mut self.jobs[job];
        (state.present, state.gpus, state.outcome, state.ended_s) = (false, 0, Some(outcome), Some(time_s));
    }

    fn carry_out(&mut self, action: Action, cost_s: f64) -> bool {
        let (Action::Allocate { job, .. } | Action::Drop { job }) = action;
        let time_s = self.time_s;
        let state = &mut self.jobs[job.index()];
        match action {
            Action::Drop { .. } => self.end(job.index(), Outcome::Dropped),
            Action::Allocate { gpus, .. } if gpus == state.gpus => return false,
            Action::Allocate { gpus, .. } => {
                state.gpus = gpus;
                if gpus == 0 {
                    state.preemptions += 1;
                } else if state.started_s.is_some() {
                    state.rescales += 1;
                    state.to_pay_s = cost_s;
                } else {
                    state.started_s = Some(time_s);
                }
            }
        }
        true
    }
}

/// The whole run, in one loop.
fn naive<'a>(case: &Case, workload: &'a Workload) -> (Naive<'a>, f64) {
    let jobs = workload.jobs().iter().map(|job| NaiveJob { samples_left: job.samples, ..NaiveJob::default() });
    let submit_s: Vec<f64> = workload.trace().jobs().iter().map(|job| job.submit_s).collect();
    let start_s = submit_s.first().copied().unwrap_or(0.0);
    let jobs = jobs.collect();
    let mut naive =
        Naive { workload, time_s: start_s, jobs, asked: Vec::new(), decisions_s: Vec::new(), series: Vec::new() };
    let mut dice = case.dice.clone();
    let mut round_s: Option<f64> = None;
    let mut submitted = 0;
    loop {
        let completions = (0..naive.jobs.len()).filter_map(|job| naive.completion_s(job));
        let next_s = completions.chain(submit_s.get(submitted).copied()).chain(round_s).min_by(f64::total_cmp);
        let Some(next_s) = next_s else {
            let end_s = naive.time_s;
            return (naive, end_s);
        };
        if let Some(until_s) = case.until_s.filter(|until_s| next_s > *until_s) {
            let end_s = until_s.max(start_s);
            naive.pass(end_s);
            return (naive, end_s);
        }
        let done: Vec<usize> = (0..naive.jobs.len()).filter(|job| naive.completion_s(*job) == Some(next_s)).collect();
        naive.pass(next_s);
        let mut happened = !done.is_empty();
        for job in done {
            naive.end(job, Outcome::Completed);
        }
        while submit_s.get(submitted).is_some_and(|submit_s| *submit_s == next_s) {
            naive.jobs[submitted].present = true;
            submitted += 1;
            happened = true;
        }
        let ask = match case.interval_s {
            None => happened,
            Some(interval_s) => {
                if naive.jobs.iter().all(|job| !job.present) {
                    round_s = None;
                } else if happened && round_s.is_none() {
                    let mut round = 0.0;
                    while start_s + round * interval_s < next_s {
                        round += 1.0;
                    }
                    round_s = Some(start_s + round * interval_s);
                }
                round_s == Some(next_s)
            }
        };
        if ask {
            round_s = None;
            let jobs: Vec<Seen> =
                (0..).zip(&naive.jobs).filter(|(_, state)| state.present).map(seen(workload)).collect();
            let actions = dice.answer(&jobs, case.gpus_total);
            naive.asked.push((next_s, jobs));
            let changes = actions.into_iter().filter(|action| naive.carry_out(*action, case.rescale_cost_s)).count();
            if changes > 0 {
                naive.decisions_s.push(next_s);
            }
        }
        let present = || naive.jobs.iter().filter(|job| job.present);
        let running = present().filter(|job| job.gpus > 0).count() as u32;
        let waiting = present().count() as u32 - running;
        let row = (next_s, present().map(|job| job.gpus).sum(), running, waiting);
        if naive.series.last().is_none_or(|last| (last.1, last.2, last.3) != (row.1, row.2, row.3)) {
            naive.series.push(row);
        }
    }
}

fn seen(workload: &Workload) -> impl Fn((u32, &NaiveJob)) -> Seen {
    |(job, state)| Seen {
        job,
        gpus: state.gpus,
        gpus_min: workload.jobs()[job as usize].gpus_min,
        started: state.started_s.is_some(),
        samples_left: state.samples_left,
    }
}

#[derive(Clone, Debug)]
struct Case {
    gpus_total: u32,
    /// The fewest GPUs the model runs on, and its speed on each number from there.
    curve: (u32, Vec<f64>),
    /// Submission, samples, the least number of GPUs.
    jobs: Vec<(u32, u32, u32)>,
    rescale_cost_s: f64,
    until_s: Option<f64>,
    interval_s: Option<f64>,
    dice: Dice,
}

impl Case {
    fn workload(&self) -> Workload {
        let job = |(index, &(submit_s, samples, gpus_min)): (usize, &(u32, u32, u32))| Job {
            name: index.to_string(),
            source_row: 0,
            submit_s: f64::from(submit_s),
            model: ModelId(0),
            batch_global: None,
            gpus_requested: gpus_min,
            gpus_min: Some(gpus_min),
            gpus_max: None,
            work: Work::Samples(f64::from(samples)),
            deadline_s: None,
            user: None,
        };
        let trace = Trace::new(vec!["m".into()], self.jobs.iter().enumerate().map(job).collect()).unwrap();
        let key = CurveKey { model: "m".into(), batch_global: None };
        let curve = Curve::new(key, (self.curve.0..).zip(self.curve.1.iter().copied())).unwrap();
        Workload::bind(&trace, &Curves::from_iter([curve])).0
    }
}

fn case() -> impl Strategy<Value = Case> {
    let speed = prop::sample::select(vec![0.5, 1.0, 2.0, 4.0]);
    let curve = (1..=2u32, prop::collection::vec(speed, 6));
    let jobs = prop::collection::vec((0..24u32, 1..60u32, 1..=3u32), 0..7);
    let rescale_cost_s = prop::sample::select(vec![0.0, 1.0, 3.0, 16.0]);
    let until_s = prop::option::weighted(0.3, (0..80u32).prop_map(f64::from));
    let interval_s = prop::option::of(prop::sample::select(vec![0.5, 1.0, 4.0, 16.0]));
    let dice = prop::collection::vec(any::<u32>(), 1..40).prop_map(|numbers| Dice { numbers, next: 0 });
    (1..=6u32, curve, jobs, rescale_cost_s, until_s, interval_s, dice).prop_map(
        |(gpus_total, curve, jobs, rescale_cost_s, until_s, interval_s, dice)| Case {
            gpus_total,
            curve,
            jobs,
            rescale_cost_s,
            until_s,
            interval_s,
            dice,
        },
    )
}

fn check(case: &Case) {
    let workload = case.workload();
    let (expected, end_s) = naive(case, &workload);

    let asked = Rc::new(RefCell::new(Asked::new()));
    let cadence = case.interval_s.map_or(Cadence::OnEvents, |interval_s| Cadence::Every { interval_s });
    let gambler = Gambler { cadence, dice: case.dice.clone(), asked: Rc::clone(&asked) };
    let cluster = Cluster::new(1, case.gpus_total).unwrap();
    let settings = Settings { rescale_cost_s: case.rescale_cost_s, seed: 0, until_s: case.until_s };
    let run =
        Simulation::new(&workload, cluster, settings, "gambler", Box::new(gambler)).unwrap().run_to_end().unwrap();

    assert_eq!(*asked.borrow(), expected.asked);
    assert_eq!(run.decisions_s, expected.decisions_s);
    assert_eq!((run.end_s, run.finished), (end_s, true));
    assert_eq!(rows(&run), expected.series);
    for (index, job) in expected.jobs.iter().enumerate() {
        assert_eq!(run.spans.of(JobId(index as u32)).collect::<Vec<_>>(), job.spans, "job {index}");
        assert_eq!(run.jobs.outcome[index], job.outcome.unwrap_or(Outcome::Unfinished));
        assert_eq!((run.jobs.start_s[index], run.jobs.end_s[index]), (job.started_s, job.ended_s));
        assert_eq!((run.jobs.rescales[index], run.jobs.preemptions[index]), (job.rescales, job.preemptions));
        let seconds = |keep: fn(&Span) -> bool, weight: fn(&Span) -> f64| -> f64 {
            job.spans.iter().filter(|span| keep(span)).map(|span| (span.end_s - span.start_s) * weight(span)).sum()
        };
        assert_eq!(run.jobs.queueing_s[index], seconds(|span| span.gpus == 0, |_| 1.0));
        assert_eq!(run.jobs.gpu_seconds[index], seconds(|_| true, |span| f64::from(span.gpus)));
        let rescaling = seconds(|span| span.state == SpanState::Rescaling, |span| f64::from(span.gpus));
        assert_eq!(run.jobs.rescale_gpu_seconds[index], rescaling);
    }
}

fn rows(run: &Run) -> Vec<(f64, u32, u32, u32)> {
    let series = &run.series;
    (0..series.time_s.len())
        .map(|at| (series.time_s[at], series.gpus_in_use[at], series.jobs_running[at], series.jobs_waiting[at]))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn both_engines_leave_the_same_behind(case in case()) {
        check(&case);
    }
}
