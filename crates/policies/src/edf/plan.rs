//! Plans of `edf`: when each job would end if all went on in order of their deadlines.

use std::collections::BTreeMap;

use crate::merged_events::whole_second;

/// A job in a plan.
pub(super) struct Planned {
    /// Infinite for a job that has none.
    pub deadline_s: f64,
    pub samples_left: f64,
    /// When the last change will have been paid for.
    pub ready_s: f64,
    /// Samples a second on each number of GPUs that it may get, rising; empty if it does not run on this cluster.
    pub speeds: Vec<(u32, f64)>,
}

impl Planned {
    fn widest(&self) -> u32 {
        self.speeds.last().map_or(0, |(gpus, _)| *gpus)
    }

    /// The most GPUs it can use of those that are free, and its speed on them.
    fn level(&self, free: u32) -> Option<(u32, f64)> {
        self.speeds.iter().copied().take_while(|(gpus, _)| *gpus <= free).last()
    }
}

/// Free GPUs from now on, while jobs are filled in, one after the other.
pub(super) struct Plan {
    /// From when on so many are free, in order of time; the last holds for ever.
    free: Vec<(f64, u32)>,
}

impl Plan {
    pub fn new(now_s: f64, gpus_total: u32) -> Self {
        Self { free: vec![(now_s, gpus_total)] }
    }

    /// Gives a job at every moment the most it can use of what is free then; says when it ends, infinite if never.
    pub fn end_s(&mut self, job: &Planned) -> f64 {
        let mut left = job.samples_left;
        for at in 0..self.free.len() {
            let Some((start_s, free)) = self.free.get(at).copied() else { break };
            let next_s = self.free.get(at + 1).map_or(f64::INFINITY, |(next_s, _)| *next_s);
            let Some((gpus, samples_per_s)) = job.level(free) else { continue };
            let from_s = start_s.max(job.ready_s);
            let end_s = from_s + left / samples_per_s;
            if let Some(interval) = self.free.get_mut(at) {
                interval.1 = free - gpus;
            }
            if end_s <= next_s {
                if end_s < next_s {
                    self.free.insert(at + 1, (end_s, free));
                }
                return end_s;
            }
            left -= (next_s - from_s).max(0.0) * samples_per_s;
        }
        f64::INFINITY
    }
}

/// The same as the published simulator does it: ends in whole seconds, GPUs given back at the next multiple of the
/// interval, and where that is a moment at which something else changes, what is free from then on is taken to be what
/// was free before it.
pub(super) struct ArtifactPlan {
    now_s: f64,
    interval_s: f64,
    gpus_total: u32,
    /// Free GPUs by the microseconds after now from which on they are.
    free: BTreeMap<Micros, u32>,
}

/// Times as keys: exact for whole seconds.
type Micros = i64;

impl ArtifactPlan {
    pub fn new(now_s: f64, interval_s: f64, gpus_total: u32) -> Self {
        Self { now_s, interval_s, gpus_total, free: BTreeMap::from([(0, gpus_total)]) }
    }

    /// Fills in a job; says whether its deadline is met. No deadline may pass before the job has its last GPUs.
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

/// Without the moments at which nothing changes.
fn merged(free: BTreeMap<Micros, u32>) -> BTreeMap<Micros, u32> {
    let mut last = None;
    free.into_iter().filter(|(_, gpus)| last.replace(*gpus) != Some(*gpus)).collect()
}
