//! Every job by its deadline at the least expected cost.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::KnownPrices;
use elastiplan_model::order::sort_by;
use elastiplan_solvers::purchase::Period;

use super::market::{Holding, Market, Request, fastest_within};
use super::{can_run, most_of};
use crate::shared::actions::allocate_if_changed;
use crate::shared::words::{duration, gpus as gpus_in_words};

/// The shortest time to the next planned change: a plan is exact to the last digit, a deadline is not.
const SHORTEST_S: f64 = 1.0;

#[derive(Clone)]
pub(super) struct Deadlines {
    pub foresight_s: f64,
    pub patience_s: f64,
    pub gpus_max: u32,
}

impl Deadlines {
    pub fn decide(&self, view: &View<'_>, prices: &KnownPrices<'_>, actions: &mut Vec<Action>) {
        let mut jobs: Vec<JobView<'_>> =
            view.running().chain(view.waiting()).filter(|job| can_run(view, job)).collect();
        sort_by(&mut jobs, |a, b| self.due_s(a).total_cmp(&self.due_s(b)).then(a.id.cmp(&b.id)));
        let mut free = view.gpus_total();
        let mut soonest_s = f64::INFINITY;
        for job in jobs {
            let speeds = self.speeds(view, &job);
            let request = self.request(view, &job, prices, &speeds);
            let gpus = fastest_within(&speeds, request.gpus.min(free));
            free -= gpus;
            soonest_s = soonest_s.min(request.for_s.unwrap_or(f64::INFINITY));
            allocate_if_changed(&job, gpus, actions);
        }
        if soonest_s.is_finite() {
            actions.push(Action::WakeAt { time_s: view.time_s() + soonest_s.max(SHORTEST_S) });
        }
    }

    /// When a job is due.
    fn due_s(&self, job: &JobView<'_>) -> f64 {
        job.job.deadline_s.unwrap_or(job.job.submit_s + self.patience_s)
    }

    /// Speeds by the number of GPUs, up to all present ones; 0 where the job does not run.
    fn speeds(&self, view: &View<'_>, job: &JobView<'_>) -> Vec<f64> {
        let most = most_of(job, self.gpus_max).min(view.gpus_total());
        let speed = |gpus: u32| if gpus < job.bound.gpus_min { 0.0 } else { job.curve.samples_per_s(gpus) };
        (0..=most).map(speed).collect()
    }

    /// The cheapest purchase for a job alone; the GPUs that it holds where nothing is cheaper.
    fn request(&self, view: &View<'_>, job: &JobView<'_>, prices: &KnownPrices<'_>, speeds: &[f64]) -> Request {
        let fastest = fastest_within(speeds, u32::MAX);
        let held = job.started.then_some(job.gpus);
        let periods = prices.until(self.due_s(job)).into_iter();
        let market = Market { periods: periods.map(|(length, price)| Period { length, price }).collect(), speeds };
        let holding = Holding {
            gpus: job.gpus,
            unpaid_s: job.rescale_left_s(),
            first_change_s: view.change_s(job, held, if job.gpus == fastest { 1 } else { fastest }),
            change_s: view.change_s(job, Some(0), fastest),
        };
        // An estimate of no work left still needs some time.
        market.cheapest(holding, job.samples_left.max(1e-9)).unwrap_or(Request {
            gpus: fastest,
            for_s: None,
            is_late: true,
        })
    }

    pub fn explain(&self, view: &View<'_>, job: &JobView<'_>, prices: &KnownPrices<'_>) -> String {
        let left = duration((self.due_s(job) - view.time_s()).max(0.0));
        let (now, mean) = (prices.now(), prices.mean());
        let request = self.request(view, job, prices, &self.speeds(view, job));
        match (request.is_late, request.gpus, job.gpus) {
            (true, _, 0) => "Waits, and cannot be in time any more: those due before it take the GPUs".into(),
            (true, ..) => "Cannot be in time any more: runs as fast as it can".into(),
            (false, 0, 0) => {
                format!("Waits for cheaper GPUs: {now:.2} $ an hour now, {mean:.2} $ on average; {left} left")
            }
            (false, _, 0) => "Waits: those due before it take the GPUs".into(),
            (false, ..) => {
                format!("{} at {now:.2} $ an hour: the least cost with {left} left", gpus_in_words(job.gpus))
            }
        }
    }
}
