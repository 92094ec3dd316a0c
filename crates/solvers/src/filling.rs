//! The fewest GPUs over time with which a job meets its deadline, given the reservations of other jobs.
//!
//! This is progressive filling, Algorithm 1 of ElasticFlow (Gu et al., ASPLOS 2023), over the times at which the number
//! of free GPUs changes instead of over time slots: for one level of GPUs after the other, go back from the deadline
//! until what can be done from there on is enough. The job holds that level from there on, wherever so many are free,
//! and the level below before. It costs as many steps as there are changes, for each level tried.
//!
//! Changes of the GPUs of a job may cost it time without progress ([`Demand::pay_s`]); a plan counts with that.
//!
//! ```
//! use elastiplan_solvers::{Clock, Demand, FreeGpus, Level, Step, minimum_share};
//!
//! // Figure 4 of the paper: speeds 1, 1.5 and 2 on 1, 2 and 4 GPUs; 3 of 4 GPUs are taken until 1.
//! let free = FreeGpus::from_steps(vec![Step { from_s: 0.0, gpus: 1 }, Step { from_s: 1.0, gpus: 4 }]).expect("in order");
//! let levels = [(1, 1.0), (2, 1.5), (4, 2.0)].map(|(gpus, work_per_s)| Level { gpus, work_per_s });
//! let demand = Demand { levels: &levels, work: 3.0, deadline_s: 2.0, gpus_now: None, unpaid_s: 0.0, pay_s: &|_, _| 0.0 };
//! let plan = minimum_share(&free, 0.0, &demand, Clock::Exact { spare_s: 0.0 });
//! assert_eq!(plan.steps, [Step { from_s: 0.0, gpus: 1 }, Step { from_s: 1.0, gpus: 4 }]);
//! assert_eq!(plan.end_s, 2.0);
//! ```

mod free;
mod grounds;
mod plan;
mod reach;
mod spans;

pub use free::FreeGpus;
pub use grounds::{Grounds, Stretch};
pub use plan::{Plan, Step};
use reach::Reach;
use spans::{Span, Spans};

/// A number of GPUs that a job can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// GPUs.
    pub gpus: u32,
    /// Speed, in units of work a second.
    pub work_per_s: f64,
}

/// The demand of a job.
#[derive(Clone, Copy)]
pub struct Demand<'a> {
    /// What it can hold, fewest first, each faster than those before.
    pub levels: &'a [Level],
    /// Work left, in the unit of the levels.
    pub work: f64,
    /// When it should be done, in seconds; infinite if that does not matter.
    pub deadline_s: f64,
    /// What it holds now; `None` if it has never held any.
    pub gpus_now: Option<u32>,
    /// Seconds without progress still to come if it keeps that.
    pub unpaid_s: f64,
    /// Seconds without progress after a change from so many GPUs to so many, which are not 0; from `None` it is the
    /// first start.
    pub pay_s: &'a dyn Fn(Option<u32>, u32) -> f64,
}

/// The resolution of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clock {
    /// To the digit; GPUs are reserved for so much longer than the job needs them.
    Exact {
        /// Seconds from a job's end to the release of its GPUs.
        spare_s: f64,
    },
    /// Ends are whole seconds, and GPUs are released at the end of a slot, counted from the start of the plan.
    Slots {
        /// Length of a slot in seconds.
        slot_s: f64,
    },
}

impl Clock {
    /// The first time not before this one at which GPUs can be released.
    pub fn aligned(self, from_s: f64, time_s: f64) -> f64 {
        match self {
            Clock::Slots { slot_s } if time_s.is_finite() => from_s + ((time_s - from_s) / slot_s).ceil() * slot_s,
            _ => time_s,
        }
    }

    /// The end of a job that runs for `seconds` from a time on.
    fn end_s(self, from_s: f64, seconds: f64) -> f64 {
        match self {
            Clock::Slots { .. } => from_s + seconds.ceil(),
            Clock::Exact { .. } => from_s + seconds,
        }
    }

    /// When its GPUs are released.
    fn release_s(self, from_s: f64, end_s: f64) -> f64 {
        match self {
            Clock::Slots { .. } => self.aligned(from_s, end_s),
            Clock::Exact { spare_s } => end_s + spare_s,
        }
    }
}

/// The plan with the fewest GPUs that meets the deadline. If none does, the one that is done soonest: as many GPUs as
/// help, at all times.
pub fn minimum_share(free: &FreeGpus, from_s: f64, demand: &Demand<'_>, clock: Clock) -> Plan {
    Filling { free, demand, clock, from_s }.fill(Vec::new(), Progress::new(from_s, demand)).0
}

/// The plan that is done soonest.
pub fn soonest(free: &FreeGpus, from_s: f64, demand: &Demand<'_>, clock: Clock) -> Plan {
    Filling { free, demand, clock, from_s }.hurry(Vec::new(), Progress::new(from_s, demand))
}

/// When a job is done that holds what a plan says; `None` if that is not enough.
pub fn completion_s(plan: &Plan, from_s: f64, demand: &Demand<'_>) -> Option<f64> {
    let mut progress = Progress::new(from_s, demand);
    let ends = plan.steps.iter().skip(1).map(|step| step.from_s).chain([plan.release_s]);
    for (step, end_s) in plan.steps.iter().zip(ends) {
        if end_s <= from_s {
            continue;
        }
        let start_s = step.from_s.max(from_s);
        let level = demand.levels.iter().copied().find(|level| level.gpus == step.gpus);
        progress.hold(level, start_s, demand.pay_s);
        if let Some(seconds) = level.and_then(|level| progress.work_until(level, start_s, end_s)) {
            return Some(start_s + seconds);
        }
    }
    None
}

/// The plan that holds one level until the number of free GPUs changes next, and then as few as meet the deadline; and
/// what it depends on.
pub fn minimum_share_after(
    free: &FreeGpus,
    from_s: f64,
    first: Level,
    demand: &Demand<'_>,
    clock: Clock,
) -> (Plan, Grounds) {
    let first_change_s = free.next_after(from_s);
    let deadline_slot_s = clock.aligned(from_s, demand.deadline_s);
    let until_s = first_change_s.unwrap_or(deadline_slot_s).max(from_s);
    // What a plan holds between a deadline and the end of its slot does not help to meet it.
    let counted_until_s = if until_s == deadline_slot_s { demand.deadline_s } else { until_s };
    let mut progress = Progress::new(from_s, demand);
    // Few plans have more steps.
    let mut steps = Vec::with_capacity(4);
    // Until a deadline that is now nothing is held, and nothing is to be paid for it.
    if until_s > from_s {
        progress.hold(Some(first), from_s, demand.pay_s);
        steps.push(Step { from_s, gpus: first.gpus });
    }
    let (plan, looked_at) = match progress.work_until(first, from_s, counted_until_s) {
        Some(seconds) => {
            let end_s = clock.end_s(from_s, seconds);
            (Plan { steps, end_s, release_s: clock.release_s(from_s, end_s) }, grounds::NEVER)
        }
        None => Filling { free, demand, clock, from_s: until_s }.fill(steps, progress),
    };
    (plan, Grounds { now_s: from_s, first_change_s, looked_at })
}

/// The progress of a job while its plan is followed.
#[derive(Clone, Copy)]
struct Progress {
    held: Option<u32>,
    /// When what changed last is paid for.
    ready_s: f64,
    work: f64,
}

impl Progress {
    fn new(from_s: f64, demand: &Demand<'_>) -> Self {
        Self { held: demand.gpus_now, ready_s: from_s + demand.unpaid_s, work: demand.work }
    }

    /// Holds a level, or nothing, from a time on.
    fn hold(&mut self, level: Option<Level>, from_s: f64, pay_s: &dyn Fn(Option<u32>, u32) -> f64) {
        let gpus = level.map_or(0, |level| level.gpus);
        if gpus > 0 && self.held != Some(gpus) {
            self.ready_s = from_s + pay_s(self.held, gpus);
        }
        if gpus > 0 || self.held.is_some() {
            self.held = Some(gpus);
        }
    }

    /// Works on a level until a time; the seconds it takes, waiting included, if the work is done before.
    fn work_until(&mut self, level: Level, from_s: f64, until_s: f64) -> Option<f64> {
        let start_s = if self.ready_s > from_s { self.ready_s } else { from_s };
        let there_is_s = (until_s - start_s).max(0.0);
        let can_do = there_is_s * level.work_per_s;
        // Twice as far from done as rounding could hide: a division that need not be made.
        if can_do * 2.0 < self.work {
            self.work -= can_do;
            return None;
        }
        let seconds = self.work / level.work_per_s;
        // Sums from the end and from the beginning differ in their last digits.
        if seconds <= there_is_s * (1.0 + 1e-12) {
            self.work = 0.0;
            return Some(start_s - from_s + seconds);
        }
        self.work -= can_do;
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
    /// Continues after the given steps with the work left after them. Also returns the stretch of time in which it read
    /// the number of free GPUs.
    fn fill(&self, mut steps: Vec<Step>, progress: Progress) -> (Plan, Stretch) {
        let spans = Spans::new(self.free, self.from_s, self.demand.deadline_s);
        let known = steps.len();
        for (below, level) in self.demand.levels.iter().enumerate() {
            match self.reach(&spans, below, &progress) {
                Reach::Never => continue,
                Reach::From(last, at) => {
                    if let Some(found) = self.follow_from(spans, at, last, below, &mut steps, progress) {
                        return found;
                    }
                    steps.truncate(known);
                }
                Reach::Unclear => {}
            }
            let mut work = 0.0;
            let mut rest = spans;
            while let Some(last) = rest.pop_last() {
                let before = rest.last_gpus();
                let goes_on = before.is_some_and(|before| before.min(last.gpus) >= level.gpus);
                work += match goes_on {
                    true => level.work_per_s * (last.until_s - last.from_s),
                    false => self.work_in(last, before, below + 1, &progress),
                };
                if work * (1.0 + 1e-12) < progress.work {
                    continue;
                }
                if let Some(found) = self.follow_from(spans, rest.len(), last, below, &mut steps, progress) {
                    return found;
                }
                steps.truncate(known);
            }
        }
        (self.hurry(steps, progress), Stretch { from_s: self.from_s, until_s: f64::INFINITY })
    }

    /// The plan that holds a level from the span `last` on, the one at `at`, and the level below before; also the stretch
    /// of time in which it read the number of free GPUs. `None` if the job is not done by it: less may come of it where
    /// a change takes longer than a span to pay for.
    fn follow_from(
        &self,
        spans: Spans<'_>,
        at: usize,
        last: Span,
        below: usize,
        steps: &mut Vec<Step>,
        progress: Progress,
    ) -> Option<(Plan, Stretch)> {
        let parts = [(spans.before(at), below), (spans.after(at), below + 1)];
        let plan = self.follow(parts, steps, progress)?;
        let is_late_part = below == 0 && at > 0;
        let from_s = if is_late_part { last.from_s.next_down() } else { self.from_s };
        Some((plan, Stretch { from_s, until_s: self.demand.deadline_s }))
    }

    /// What a level does in one span, if the level is held in the span before it too, of which the free GPUs are given.
    fn work_in(&self, span: Span, gpus_before: Option<u32>, level: usize, progress: &Progress) -> f64 {
        let Some(now) = self.at_most(level, span.gpus) else { return 0.0 };
        let pays_s = match gpus_before {
            None if progress.held == Some(now.gpus) => (progress.ready_s - span.from_s).max(0.0),
            None => (self.demand.pay_s)(progress.held, now.gpus),
            Some(gpus_before) => {
                let before = self.at_most(level, gpus_before).map(|level| level.gpus);
                let before = before.or(progress.held.map(|_| 0));
                if before == Some(now.gpus) { 0.0 } else { (self.demand.pay_s)(before, now.gpus) }
            }
        };
        now.work_per_s * (span.until_s - span.from_s - pays_s).max(0.0)
    }

    /// As many GPUs as help, at all times.
    fn hurry(&self, mut steps: Vec<Step>, progress: Progress) -> Plan {
        let all = self.demand.levels.len();
        let late_s = self.clock.aligned(self.from_s, self.demand.deadline_s).max(self.from_s);
        let in_time = Spans::new(self.free, self.from_s, self.demand.deadline_s);
        let late = Spans::new(self.free, late_s, f64::INFINITY);
        let never = Plan { steps: Vec::new(), end_s: f64::INFINITY, release_s: f64::INFINITY };
        self.follow([(in_time, all), (late, all)], &mut steps, progress).unwrap_or(never)
    }

    /// The plan that holds in each part the level given for it, or as much as is free, and takes the steps before it
    /// along; `None` if the job is not done at the end.
    fn follow(&self, parts: [(Spans<'_>, usize); 2], steps: &mut Vec<Step>, mut progress: Progress) -> Option<Plan> {
        for (spans, level) in parts {
            let end_s = self.hold_at_most(level, spans, steps, &mut progress);
            if let Some(end_s) = end_s {
                let release_s = self.clock.release_s(self.from_s, end_s);
                return Some(Plan { steps: std::mem::take(steps), end_s, release_s });
            }
        }
        None
    }

    /// Holds a level, or as much of it as is free; when the job is done, if it is within these spans.
    fn hold_at_most(
        &self,
        levels: usize,
        mut spans: Spans<'_>,
        steps: &mut Vec<Step>,
        progress: &mut Progress,
    ) -> Option<f64> {
        let mut held = None;
        let most = levels.checked_sub(1).and_then(|most| self.demand.levels.get(most)).copied();
        loop {
            if let Some(most) = most.filter(|most| held == Some(most.gpus) && progress.ready_s <= spans.start_s()) {
                progress.work = spans.work_off(most, progress.work);
            }
            let Some(span) = spans.pop_first() else { break };
            let level = self.at_most(levels, span.gpus);
            let gpus = level.map_or(0, |level| level.gpus);
            if held != Some(gpus) {
                held = Some(gpus);
                if steps.last().is_none_or(|last| last.gpus != gpus) {
                    steps.push(Step { from_s: span.from_s, gpus });
                }
                progress.hold(level, span.from_s, self.demand.pay_s);
            }
            match level.map(|level| progress.work_until(level, span.from_s, span.until_s)) {
                Some(Some(seconds)) => return Some(self.clock.end_s(span.from_s, seconds)),
                // To hold nothing is the same in one span or in many.
                None if levels == 0 => break,
                _ => {}
            }
        }
        None
    }

    /// The fastest of so many levels that fits.
    #[inline]
    fn at_most(&self, levels: usize, gpus: u32) -> Option<Level> {
        self.demand.levels.get(..levels)?.iter().rev().find(|level| level.gpus <= gpus).copied()
    }
}
