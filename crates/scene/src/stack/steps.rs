//! A count of GPUs over time as steps, with running sums, so that the mean of any interval is exact and costs a search.

use elastiplan_model::order;

/// Every so many steps the sum until there is kept.
const STRIDE: usize = 16;
/// Up to so many steps are summed one by one: the difference of two sums over a whole run would lose digits where an
/// interval is short.
const ONE_BY_ONE: usize = 256;
/// Changes that share a bucket while they are put in order, on average.
const PER_BUCKET: usize = 4;

/// A change of GPUs held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// When, in seconds on the clock of the trace.
    pub time_s: f64,
    /// By how many GPUs.
    pub by: i32,
}

/// GPUs held over time.
#[derive(Clone, Debug, Default)]
pub(super) struct GpuSteps {
    /// When each step begins; before the first, nothing is held.
    times_s: Vec<f64>,
    /// GPUs held from there on.
    gpus: Vec<u32>,
    /// GPU-seconds from the first step to every [`STRIDE`]th.
    sums: Vec<f64>,
}

impl GpuSteps {
    /// From changes in any order.
    pub(super) fn of(changes: Vec<Change>) -> Self {
        let mut steps = Self::default();
        let mut held = 0i64;
        for at_once in in_order(changes).chunk_by(|a, b| a.time_s == b.time_s) {
            let Some(first) = at_once.first() else { continue };
            let before = held;
            held += at_once.iter().map(|change| i64::from(change.by)).sum::<i64>();
            if held != before {
                steps.times_s.push(first.time_s);
                steps.gpus.push(held.max(0) as u32);
            }
        }
        steps.times_s.shrink_to_fit();
        steps.gpus.shrink_to_fit();
        let mut sum = 0.0;
        for at in 0..steps.times_s.len() {
            if at % STRIDE == 0 {
                steps.sums.push(sum);
            }
            sum += steps.sum_one_by_one(at, at + 1);
        }
        steps
    }

    /// The mean from one time to a later one. `near` is where the search begins and is left where it ended: intervals
    /// in order are found at once.
    pub(super) fn mean(&self, from_s: f64, to_s: f64, near: &mut usize) -> f64 {
        let first = self.steps_until(from_s, *near);
        let last = self.steps_until(to_s, first);
        *near = first;
        let value = |steps: usize| steps.checked_sub(1).map_or(0.0, |at| self.gpus_at(at));
        if first == last || to_s <= from_s {
            return value(first);
        }
        let (next_s, last_s) = (self.time_at(first), self.time_at(last - 1));
        let ends = value(first) * (next_s - from_s) + value(last) * (to_s - last_s);
        (ends + self.sum(first, last - 1)) / (to_s - from_s)
    }

    pub(super) fn bytes(&self) -> usize {
        self.times_s.capacity() * size_of::<f64>()
            + self.gpus.capacity() * size_of::<u32>()
            + self.sums.capacity() * size_of::<f64>()
    }

    fn gpus_at(&self, at: usize) -> f64 {
        self.gpus.get(at).copied().map_or(0.0, f64::from)
    }

    fn time_at(&self, at: usize) -> f64 {
        self.times_s.get(at).copied().unwrap_or(f64::INFINITY)
    }

    /// How many steps have begun by a time: from `near` on in doubled strides, and from the start if it lies before.
    fn steps_until(&self, time_s: f64, near: usize) -> usize {
        let near = if near > 0 && self.time_at(near - 1) > time_s { 0 } else { near.min(self.times_s.len()) };
        let (mut from, mut stride) = (near, 1);
        while self.times_s.get(from + stride).is_some_and(|&begin_s| begin_s <= time_s) {
            from += stride;
            stride *= 2;
        }
        let to = (from + stride).min(self.times_s.len());
        from + self.times_s.get(from..to).unwrap_or_default().partition_point(|&begin_s| begin_s <= time_s)
    }

    /// GPU-seconds from the begin of one step to that of a later one.
    fn sum(&self, from: usize, to: usize) -> f64 {
        let (kept_from, kept_to) = (from.div_ceil(STRIDE), to / STRIDE);
        let kept = self.sums.get(kept_from).zip(self.sums.get(kept_to));
        match kept.filter(|_| to - from > ONE_BY_ONE) {
            Some((before, until)) => {
                let ends = self.sum_one_by_one(from, kept_from * STRIDE) + self.sum_one_by_one(kept_to * STRIDE, to);
                ends + (until - before)
            }
            None => self.sum_one_by_one(from, to),
        }
    }

    fn sum_one_by_one(&self, from: usize, to: usize) -> f64 {
        let times_s = self.times_s.get(from..(to + 1).min(self.times_s.len())).unwrap_or_default();
        let gpus = self.gpus.get(from..).unwrap_or_default();
        times_s.windows(2).zip(gpus).map(|(ends_s, &gpus)| f64::from(gpus) * length_s(ends_s)).sum()
    }
}

fn length_s(ends_s: &[f64]) -> f64 {
    if let [from_s, to_s] = ends_s { to_s - from_s } else { 0.0 }
}

/// Changes in order of time. They are dealt to buckets of time first: a sort by comparison would take four times as
/// long for a million.
fn in_order(changes: Vec<Change>) -> Vec<Change> {
    let first_s = changes.iter().map(|change| change.time_s).fold(f64::INFINITY, f64::min);
    let last_s = changes.iter().map(|change| change.time_s).fold(f64::NEG_INFINITY, f64::max);
    let buckets = changes.len() / PER_BUCKET + 1;
    let per_s = buckets as f64 / (last_s - first_s).max(1e-9);
    let bucket_of = |change: &Change| (((change.time_s - first_s) * per_s) as usize).min(buckets - 1);
    let mut dealt = order::by_index(changes, buckets, bucket_of);
    for bucket in dealt.chunk_by_mut(|a, b| bucket_of(a) == bucket_of(b)) {
        order::sort_by_number(bucket, |change| change.time_s);
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(changes: &[(f64, i32)]) -> GpuSteps {
        GpuSteps::of(changes.iter().map(|&(time_s, by)| Change { time_s, by }).collect())
    }

    #[test]
    fn the_mean_of_an_interval_is_its_area_by_its_length() {
        let steps = steps(&[(30.0, -2), (10.0, 4), (20.0, -2), (20.0, 3), (20.0, -3), (40.0, 0)]);
        let check = |from_s: f64, to_s: f64, expected: f64| {
            for mut near in 0..4 {
                assert_eq!(steps.mean(from_s, to_s, &mut near), expected, "{from_s} to {to_s}");
            }
        };
        check(0.0, 5.0, 0.0);
        check(0.0, 20.0, 2.0);
        check(10.0, 20.0, 4.0);
        check(12.0, 13.0, 4.0);
        check(15.0, 25.0, 3.0);
        check(0.0, 40.0, 1.5);
        check(30.0, 40.0, 0.0);
        check(20.0, 20.0, 2.0);
        assert_eq!(GpuSteps::default().mean(0.0, 1.0, &mut 0), 0.0);
    }
}
