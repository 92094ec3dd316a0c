//! The same by the letter: all spans laid out, each plan followed from the beginning, each time looked at by itself.

use elastiplan_solvers::{Clock, Demand, FreeGpus, Level, Plan, Step};

fn aligned(clock: Clock, from_s: f64, time_s: f64) -> f64 {
    match clock {
        Clock::Slots { slot_s } if time_s.is_finite() => from_s + ((time_s - from_s) / slot_s).ceil() * slot_s,
        _ => time_s,
    }
}

/// When a job ends that goes on for `seconds` from a time on.
fn end_s(clock: Clock, from_s: f64, seconds: f64) -> f64 {
    match clock {
        Clock::Slots { .. } => from_s + seconds.ceil(),
        Clock::Exact { .. } => from_s + seconds,
    }
}

/// When its GPUs are released.
fn release_s(clock: Clock, from_s: f64, end_s: f64) -> f64 {
    match clock {
        Clock::Slots { .. } => aligned(clock, from_s, end_s),
        Clock::Exact { spare_s } => end_s + spare_s,
    }
}

/// What is left free by plans; with `gives` what they hold is added.
pub fn without(free: &[Step], plan: &Plan, gives: bool) -> Option<Vec<Step>> {
    let changes = plan.steps.iter().map(|step| step.from_s).chain([plan.release_s]);
    let mut times: Vec<f64> = free.iter().map(|step| step.from_s).chain(changes).collect();
    #[allow(clippy::disallowed_methods)]
    times.sort_by(f64::total_cmp);
    times.dedup();
    let at = |time_s: &f64| {
        let free = free.iter().rfind(|step| step.from_s <= *time_s).map(|step| step.gpus)?;
        let held = plan.gpus_at(*time_s);
        let gpus = if gives { Some(free + held) } else { free.checked_sub(held) };
        Some(gpus.map(|gpus| Step { from_s: *time_s, gpus }))
    };
    let mut left: Vec<Step> = times.iter().filter_map(at).collect::<Option<_>>()?;
    left.dedup_by_key(|step| step.gpus);
    Some(left)
}

/// The plan with the fewest GPUs that meets the deadline. If none does, the one that is done soonest: as many GPUs as
/// help, at all times.
pub fn minimum_share(free: &FreeGpus, from_s: f64, demand: &Demand<'_>, clock: Clock) -> Plan {
    let ready_s = from_s + demand.unpaid_s;
    Filling { free, demand, clock, from_s }.fill(Progress::new(demand.gpus_now, ready_s, demand.work))
}

/// The plan that is done soonest.
pub fn soonest(free: &FreeGpus, from_s: f64, demand: &Demand<'_>, clock: Clock) -> Plan {
    let ready_s = from_s + demand.unpaid_s;
    Filling { free, demand, clock, from_s }.hurry(Progress::new(demand.gpus_now, ready_s, demand.work))
}

/// The plan that holds one level until the number of free GPUs changes next, and then as few as meet the deadline.
pub fn minimum_share_after(free: &FreeGpus, from_s: f64, first: Level, demand: &Demand<'_>, clock: Clock) -> Plan {
    let filling = Filling { free, demand, clock, from_s };
    let until_s = free.next_after(from_s).unwrap_or_else(|| aligned(clock, from_s, demand.deadline_s)).max(from_s);
    let ready_s = from_s + demand.unpaid_s;
    let mut progress = Progress::new(demand.gpus_now, ready_s, demand.work);
    // What a plan holds between a deadline and the end of its slot does not help to meet it.
    let counted_until_s =
        if until_s == aligned(clock, from_s, demand.deadline_s) { demand.deadline_s } else { until_s };
    progress.hold(Some(first), from_s, demand.pay_s);
    match progress.work_until(first, from_s, counted_until_s) {
        Some(seconds) => {
            let end_s = end_s(clock, from_s, seconds);
            Plan { steps: progress.steps, end_s, release_s: release_s(clock, from_s, end_s) }
        }
        None => Filling { from_s: until_s, ..filling }.fill(progress),
    }
}

/// A stretch of time in which the number of free GPUs is the same.
#[derive(Clone, Copy)]
struct Span {
    from_s: f64,
    until_s: f64,
    /// How many of the job's levels fit.
    fit: usize,
}

/// How far a job is, while a plan is followed.
#[derive(Clone)]
struct Progress {
    steps: Vec<Step>,
    held: Option<u32>,
    /// When what changed last is paid for.
    ready_s: f64,
    work: f64,
}

impl Progress {
    fn new(held: Option<u32>, ready_s: f64, work: f64) -> Self {
        Self { steps: Vec::new(), held, ready_s, work }
    }

    /// Holds a level, or nothing, from a time on.
    fn hold(&mut self, level: Option<Level>, from_s: f64, pay_s: &dyn Fn(Option<u32>, u32) -> f64) {
        let gpus = level.map_or(0, |level| level.gpus);
        if gpus > 0 && self.held != Some(gpus) {
            self.ready_s = from_s + pay_s(self.held, gpus);
        }
        if self.steps.last().is_none_or(|last| last.gpus != gpus) {
            self.steps.push(Step { from_s, gpus });
        }
        if gpus > 0 || self.held.is_some() {
            self.held = Some(gpus);
        }
    }

    /// Works on a level until a time; the seconds it takes, waiting included, if the work is done before.
    fn work_until(&mut self, level: Level, from_s: f64, until_s: f64) -> Option<f64> {
        let start_s = self.ready_s.max(from_s);
        let seconds = self.work / level.work_per_s;
        let there_is_s = (until_s - start_s).max(0.0);
        // Sums from the end and from the beginning differ in their last digits.
        if seconds <= there_is_s * (1.0 + 1e-12) {
            self.work = 0.0;
            return Some(start_s - from_s + seconds);
        }
        self.work -= there_is_s * level.work_per_s;
        None
    }
}

struct Filling<'a> {
    free: &'a FreeGpus,
    demand: &'a Demand<'a>,
    clock: Clock,
    from_s: f64,
}

impl Filling<'_> {
    fn fill(&self, progress: Progress) -> Plan {
        let spans = self.spans(self.from_s, self.demand.deadline_s);
        let levels = self.demand.levels;
        for level in 1..=levels.len() {
            let mut work = 0.0;
            for point in (0..spans.len()).rev() {
                work += self.work_in(&spans, point, level, &progress);
                if work * (1.0 + 1e-12) < progress.work {
                    continue;
                }
                let level_at = |at: usize| if at < point { level - 1 } else { level };
                if let Some(plan) = self.follow(&spans, level_at, progress.clone()) {
                    return plan;
                }
            }
        }
        self.hurry(progress)
    }

    /// What a level does in one span, if the level is held before it too. Less may come of it in a plan where a change
    /// takes longer than a span to pay for, so that plans are followed before they are taken.
    fn work_in(&self, spans: &[Span], at: usize, level: usize, progress: &Progress) -> f64 {
        let Some(span) = spans.get(at) else { return 0.0 };
        let Some(now) = self.level(level.min(span.fit)) else { return 0.0 };
        let before = match at.checked_sub(1).and_then(|before| spans.get(before)) {
            Some(span) => self.level(level.min(span.fit)).map(|level| level.gpus).or(progress.held.map(|_| 0)),
            None => progress.held,
        };
        let pays_s = match (before == Some(now.gpus), at) {
            (true, 0) => (progress.ready_s - span.from_s).max(0.0),
            (true, _) => 0.0,
            (false, _) => (self.demand.pay_s)(before, now.gpus),
        };
        now.work_per_s * (span.until_s - span.from_s - pays_s).max(0.0)
    }

    /// As many GPUs as help, at all times.
    fn hurry(&self, progress: Progress) -> Plan {
        let all = self.demand.levels.len();
        let late_s = aligned(self.clock, self.from_s, self.demand.deadline_s).max(self.from_s);
        let mut spans = self.spans(self.from_s, self.demand.deadline_s);
        spans.extend(self.spans(late_s, f64::INFINITY));
        let never = Plan { steps: Vec::new(), end_s: f64::INFINITY, release_s: f64::INFINITY };
        self.follow(&spans, |_| all, progress).unwrap_or(never)
    }

    /// The plan that holds in every span the level given for it, or as much as is free; `None` if the job is not done
    /// at the end of the last.
    fn follow(&self, spans: &[Span], level_at: impl Fn(usize) -> usize, mut progress: Progress) -> Option<Plan> {
        for (at, span) in spans.iter().enumerate() {
            let level = self.level(level_at(at).min(span.fit));
            progress.hold(level, span.from_s, self.demand.pay_s);
            let Some(level) = level else { continue };
            if let Some(seconds) = progress.work_until(level, span.from_s, span.until_s) {
                let end_s = end_s(self.clock, span.from_s, seconds);
                let release_s = release_s(self.clock, self.from_s, end_s);
                return Some(Plan { steps: progress.steps, end_s, release_s });
            }
        }
        None
    }

    /// The `count`-th level, counted from 1; `None` for 0.
    fn level(&self, count: usize) -> Option<Level> {
        self.demand.levels.get(count.checked_sub(1)?).copied()
    }

    /// Time from one moment to another, cut where the number of free GPUs changes.
    fn spans(&self, from_s: f64, until_s: f64) -> Vec<Span> {
        let steps = self.free.steps();
        let first = steps.partition_point(|step| step.from_s <= from_s).saturating_sub(1);
        let steps = steps.get(first..).unwrap_or_default();
        let ends = steps.iter().skip(1).map(|step| step.from_s).chain([f64::INFINITY]);
        let span = |(step, end_s): (&Step, f64)| Span {
            from_s: step.from_s.max(from_s),
            until_s: end_s.min(until_s),
            fit: self.demand.levels.partition_point(|level| level.gpus <= step.gpus),
        };
        steps.iter().zip(ends).map(span).take_while(|span| span.from_s < span.until_s).collect()
    }
}
