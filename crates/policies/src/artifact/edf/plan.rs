//! Plans of the published simulator under `admission=true`.

use std::collections::BTreeMap;

use crate::artifact::merged_events::whole_second;
use crate::edf::plan::Planned;

/// Free GPUs from now on, while jobs are planned. Ends are in whole seconds, and GPUs are released at the next multiple
/// of the interval. If the number of free GPUs changes at the same moment, it is taken to be the one before.
pub(super) struct ArtifactPlan {
    now_s: f64,
    interval_s: f64,
    gpus_total: u32,
    /// Free GPUs from so many microseconds after now on.
    free: BTreeMap<Micros, u32>,
}

/// Times as keys: exact for whole seconds.
type Micros = i64;

impl ArtifactPlan {
    pub fn new(now_s: f64, interval_s: f64, gpus_total: u32) -> Self {
        Self { now_s, interval_s, gpus_total, free: BTreeMap::from([(0, gpus_total)]) }
    }

    /// Plans a job. Returns whether its deadline is met; it must not pass before the job has its last GPUs.
    pub fn meets_deadline(&mut self, job: &Planned) -> bool {
        let widest = job.widest();
        let Some((_, fastest)) = job.speeds.last().copied() else { return false };
        let mut new = self.free.clone();
        let mut left = job.samples_left;
        let mut is_met = true;
        let mut start = 0;
        let later: Vec<Micros> = self.free.keys().copied().skip(1).collect();
        for next in later {
            let free = new.get(&start).copied().unwrap_or(0);
            if let Some((gpus, samples_per_s)) = job.level(free) {
                let end = self.end(start, left, samples_per_s);
                new.insert(start, free - gpus);
                if next >= end {
                    if !self.free.contains_key(&end) {
                        new.insert(self.aligned(end), free);
                    }
                    self.free = merged(new);
                    return is_met && self.seconds(end) <= job.deadline_s;
                }
                left -= (next - start) as f64 / 1e6 * samples_per_s;
            }
            start = next;
            is_met &= self.seconds(start) <= job.deadline_s;
        }
        let end = self.end(start, left, fastest);
        new.insert(start, self.gpus_total - widest.min(self.gpus_total));
        new.insert(self.aligned(end), self.gpus_total);
        self.free = merged(new);
        is_met && self.seconds(end) <= job.deadline_s
    }

    fn seconds(&self, micros: Micros) -> f64 {
        self.now_s + micros as f64 / 1e6
    }

    fn end(&self, start: Micros, samples_left: f64, samples_per_s: f64) -> Micros {
        micros(whole_second(self.seconds(start) + samples_left / samples_per_s) - self.now_s)
    }

    /// The next multiple of the interval after now; with none, the time itself.
    fn aligned(&self, time: Micros) -> Micros {
        let interval = micros(self.interval_s);
        if interval > 0 {
            time.div_euclid(interval).saturating_add(i64::from(time % interval > 0)).saturating_mul(interval)
        } else {
            time
        }
    }
}

fn micros(seconds: f64) -> Micros {
    (seconds * 1e6).round() as Micros
}

/// Removes the moments at which nothing changes.
fn merged(free: BTreeMap<Micros, u32>) -> BTreeMap<Micros, u32> {
    let mut last = None;
    free.into_iter().filter(|(_, gpus)| last.replace(*gpus) != Some(*gpus)).collect()
}
