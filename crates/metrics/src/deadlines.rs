//! Upper bound on the deadlines that any policy could meet: the distance from the best policy to it is the most there
//! is to gain.

use std::collections::BTreeMap;
use std::rc::Rc;

use elastiplan_engine::Run;
use elastiplan_model::{JobId, SAME_TIME_S, Workload, order};
use elastiplan_solvers::{Claim, meet};

use crate::bounds::{batch_choices, best_speeds, some_formula_takes_any_batch};
use crate::work::{batch_as_submitted, samples_to_process};

/// Upper bound on the deadlines that any policy could meet on the nodes that were present. It need not be reachable.
///
/// To meet its deadline a job needs some GPU time between submission and deadline: the least that suffices if it may
/// change its GPUs at will and at no cost, with the best placement. If even its greatest speed is too slow, the
/// deadline cannot be met. GPU time is then divided among the jobs continuously, each job counting as the share of its
/// need that it gets. The greatest sum of shares, rounded down, is the bound.
///
/// Nodes are present as in the run until its end, and all of them afterwards; all of them always, if the policy sizes
/// the cluster. Jobs train at the batch size they were submitted with unless the run chose others: then each at the
/// best of those measured. `None` if no job has a deadline, or if batch sizes are chosen and a formula gives the speed
/// at any.
pub fn deadlines_possible(run: &Run, workload: &Workload) -> Option<u64> {
    let chooses_batch = !run.batch_sizes.job.is_empty();
    if chooses_batch && some_formula_takes_any_batch(workload) {
        return None;
    }
    let with_deadline = workload.trace().iter().filter_map(|(id, job)| Some((id, job.submit_s, job.deadline_s?)));
    let mut with_deadline = with_deadline.peekable();
    with_deadline.peek()?;
    let mut needs = Needs { workload, gpus_most: run.gpus_total, chooses_batch, trade_offs: BTreeMap::new() };
    let claim = |(job, submit_s, deadline_s): (JobId, f64, f64)| {
        // As late as still counts as in time; and a completion may be recorded a rounding error early.
        let until = deadline_s + SAME_TIME_S + 4.0 * f64::EPSILON * deadline_s.abs();
        let amount = needs.least_gpu_seconds(job, until - submit_s)?;
        Some(Claim { from: submit_s, until, amount })
    };
    let claims: Vec<Claim> = with_deadline.filter_map(claim).collect();
    let present = Present::of(run);
    let shares: f64 = meet(&claims, |time_s| present.gpu_seconds_until(time_s)).iter().sum();
    Some((shares + 1e-6).floor() as u64)
}

/// Speeds of a job with the fewest GPUs for each, mixtures included: the corners of the lower hull from speed 0 to the
/// greatest speed, as speed and GPUs.
type TradeOff = Rc<[(f64, f64)]>;

/// The least GPU time that jobs need.
struct Needs<'a> {
    workload: &'a Workload,
    gpus_most: u32,
    chooses_batch: bool,
    /// Trade-offs by curve, fewest GPUs and batch size, which many jobs share.
    trade_offs: BTreeMap<(u32, u32, Option<u32>), TradeOff>,
}

impl Needs<'_> {
    /// The least GPU time in which a job can do its work within `length_s`; `None` if it cannot.
    fn least_gpu_seconds(&mut self, job: JobId, length_s: f64) -> Option<f64> {
        let work = match self.chooses_batch {
            true => self.workload.jobs().get(job.index())?.samples,
            false => samples_to_process(self.workload, job),
        };
        let trade_off = self.trade_off(job)?;
        let (fastest, _) = *trade_off.last()?;
        let mean_speed = work / length_s;
        if !(length_s > 0.0 && mean_speed <= fastest * (1.0 + 1e-9)) {
            return None;
        }
        // The first corner is at no speed, so that there is one on either side.
        let above = trade_off.partition_point(|(speed, _)| *speed < mean_speed).clamp(1, trade_off.len() - 1);
        let ((slow, few), (fast, many)) = (trade_off.get(above - 1)?, trade_off.get(above)?);
        let part = ((mean_speed - slow) / (fast - slow)).min(1.0);
        Some(length_s * (few + part * (many - few)))
    }

    fn trade_off(&mut self, job: JobId) -> Option<TradeOff> {
        let bound = self.workload.jobs().get(job.index())?;
        let batch = batch_as_submitted(self.workload, job).filter(|_| self.chooses_batch);
        let key = (bound.curve, bound.gpus_min, batch);
        if let Some(known) = self.trade_offs.get(&key) {
            return Some(Rc::clone(known));
        }
        let choices = match self.chooses_batch {
            true => batch_choices(self.workload, job),
            false => vec![(self.workload.curve_of(job)?, 1.0)],
        };
        let possible = bound.gpus_min..=self.gpus_most;
        let speeds = choices.into_iter().flat_map(|(curve, worth)| {
            best_speeds(curve, possible.clone()).map(move |(gpus, speed)| (speed * worth, f64::from(gpus)))
        });
        let trade_off: TradeOff = lower_hull(speeds.collect()).into();
        self.trade_offs.insert(key, Rc::clone(&trade_off));
        Some(trade_off)
    }
}

/// The corners of the lower convex hull of the points, from speed 0 on 0 GPUs to the greatest speed.
fn lower_hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.retain(|(speed, _)| *speed > 0.0);
    order::sort_by_wide_rank(&mut points, |(speed, gpus)| order::wide_rank(*speed, order::rising_bits(*gpus)));
    points.dedup_by(|next, kept| next.0 == kept.0);
    let mut corners = vec![(0.0, 0.0)];
    for point in points {
        // A corner on or above the line from the one before it to the new point is not part of the hull.
        while let [.., before, last] = corners[..]
            && (last.1 - before.1) * (point.0 - before.0) >= (point.1 - before.1) * (last.0 - before.0)
        {
            corners.pop();
        }
        corners.push(point);
    }
    corners
}

/// GPU time of the nodes that are present, over time.
struct Present {
    gpus_total: f64,
    /// Times at which nodes join or leave, GPUs that are absent from then on, and GPU-seconds missed until then.
    away: Vec<(f64, f64, f64)>,
}

impl Present {
    fn of(run: &Run) -> Self {
        let gpus_total = f64::from(run.gpus_total);
        // If the policy sizes the cluster, absences are its choice.
        let absences = (run.price_per_gpu_hour.is_none()).then_some(&run.absences);
        let absences = absences.into_iter().flat_map(|absences| absences.start_s.iter().zip(&absences.end_s));
        let gpus = f64::from(run.gpus_per_node);
        let mut changes: Vec<(f64, f64)> = absences.flat_map(|(from, to)| [(*from, gpus), (*to, -gpus)]).collect();
        order::sort_by_number(&mut changes, |(time_s, _)| *time_s);
        let mut away: Vec<(f64, f64, f64)> = Vec::with_capacity(changes.len());
        for (time_s, change) in changes {
            let (before_s, gpus, missed) = away.last().copied().unwrap_or((time_s, 0.0, 0.0));
            away.push((time_s, gpus + change, missed + gpus * (time_s - before_s)));
        }
        Self { gpus_total, away }
    }

    fn gpu_seconds_until(&self, time_s: f64) -> f64 {
        let after = self.away.partition_point(|(from_s, _, _)| *from_s <= time_s);
        let last = after.checked_sub(1).and_then(|at| self.away.get(at));
        let missed = last.map_or(0.0, |(from_s, gpus, missed)| missed + gpus * (time_s - from_s));
        self.gpus_total * time_s - missed
    }
}
