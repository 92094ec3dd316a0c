//! As much progress as possible for a budget an hour.

use elastiplan_engine::{Action, JobView, View};
use elastiplan_model::{JobId, KnownPrices};
use elastiplan_solvers::{Bidder, allocate};

use super::{can_run, most_of};
use crate::shared::actions::{allocate_if_changed, take};
use crate::shared::words::gpus as gpus_in_words;

#[derive(Clone)]
pub(super) struct Budget {
    dollars_per_h: f64,
    gpus_max: u32,
    /// Jobs that another policy had started; `None` before the first decision.
    started_before: Option<Vec<JobId>>,
}

impl Budget {
    pub fn new(dollars_per_h: f64, gpus_max: u32) -> Self {
        Self { dollars_per_h, gpus_max, started_before: None }
    }

    /// Call at every decision.
    pub fn observe(&mut self, view: &View<'_>) {
        let started = || view.running().chain(view.waiting()).filter(|job| job.started).map(|job| job.id).collect();
        self.started_before.get_or_insert_with(started);
    }

    /// GPUs that the budget buys.
    fn affordable(&self, price: f64) -> u32 {
        let gpus = (self.dollars_per_h / price).floor();
        let is_too_much = gpus * price > self.dollars_per_h;
        // A price of 0 buys any number.
        if is_too_much { gpus as u32 - 1 } else { gpus as u32 }
    }

    pub fn decide(&self, view: &View<'_>, prices: &KnownPrices<'_>, actions: &mut Vec<Action>) {
        let affordable = self.affordable(prices.now());
        if prices.next_change_s().is_none() {
            let never =
                view.waiting().filter(|job| !job.started && can_run(view, job) && job.bound.gpus_min > affordable);
            actions.extend(never.map(|job| Action::Drop { job: job.id }));
        }
        let capacity = affordable.min(view.gpus_total());
        let (chosen, suspended) = self.choose(view, capacity);
        actions.extend(suspended.iter().map(|job| Action::Allocate { job: job.id, gpus: 0 }));
        if chosen.is_empty() && prices.next_change_s().is_none() {
            self.finish_started(view, actions);
            return;
        }
        self.divide(&chosen, capacity, actions);
    }

    /// Returns the jobs that share the GPUs, and the running jobs that are suspended. Running jobs come first, then
    /// waiting ones up to the first that does not fit, in order of submission. A job that would not fit alone is passed
    /// over until the price falls.
    fn choose<'a>(&self, view: &View<'a>, capacity: u32) -> (Vec<JobView<'a>>, Vec<JobView<'a>>) {
        let mut left = capacity;
        let (mut chosen, mut suspended) = (Vec::new(), Vec::new());
        for job in view.running() {
            let fits = take(&mut left, job.bound.gpus_min);
            if fits { chosen.push(job) } else { suspended.push(job) }
        }
        let waiting = view.waiting().filter(|job| can_run(view, job) && job.bound.gpus_min <= capacity);
        chosen.extend(waiting.take_while(|job| take(&mut left, job.bound.gpus_min)));
        (chosen, suspended)
    }

    /// The division with the greatest sum of throughput scaling factors (IBM elastic scaling, eq. 1 and 3 to 5).
    fn divide(&self, chosen: &[JobView<'_>], capacity: u32, actions: &mut Vec<Action>) {
        let factors = |job: &JobView<'_>| -> Vec<f64> {
            let single = job.curve.samples_per_s_single();
            let counts = job.bound.gpus_min..=most_of(job, self.gpus_max);
            let priority = job.job.priority.unwrap_or(1.0);
            counts.map(|gpus| priority * job.curve.samples_per_s(gpus) / single).collect()
        };
        let factors: Vec<Vec<f64>> = chosen.iter().map(factors).collect();
        let bidders: Vec<Bidder<'_>> = chosen
            .iter()
            .zip(&factors)
            .map(|(job, factors)| Bidder { minimum: job.bound.gpus_min, values: factors })
            .collect();
        let Some(best) = allocate(&bidders, capacity) else { return };
        for (job, gpus) in chosen.iter().zip(best.units) {
            allocate_if_changed(job, gpus, actions);
        }
    }

    /// Runs the first job that another policy started on more than this budget will ever buy, on the fewest GPUs that
    /// it runs on. Without this such jobs would wait for ever when no other job runs.
    fn finish_started(&self, view: &View<'_>, actions: &mut Vec<Action>) {
        let started_before = self.started_before.as_deref().unwrap_or_default().iter().filter_map(|job| view.job(*job));
        let Some(job) = started_before.into_iter().find(|job| job.bound.gpus_min <= view.gpus_total()) else { return };
        actions.retain(|action| !matches!(action, Action::Allocate { job: other, .. } if *other == job.id));
        allocate_if_changed(&job, job.bound.gpus_min, actions);
    }

    pub fn explain(&self, job: &JobView<'_>, price: f64) -> String {
        if price == 0.0 {
            return "GPUs cost nothing now".into();
        }
        let bought = gpus_in_words(self.affordable(price));
        let budget = format!("{} $ an hour buy {bought} at {price:.2} $", self.dollars_per_h);
        match job.gpus {
            0 => format!("Waits: needs {}, and {budget}", job.bound.gpus_min),
            _ => budget,
        }
    }
}
