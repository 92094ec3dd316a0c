//! Times in buckets of equal length: what lies before a time is a look-up and a short scan away. Nothing is sorted:
//! making them costs a few passes over the data.

/// Buckets of equal length over a run. What lies outside falls into the first or the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buckets {
    start_s: f64,
    width_s: f64,
    count: usize,
}

impl Buckets {
    pub fn new(start_s: f64, end_s: f64, count: usize) -> Self {
        let count = count.max(1);
        Self { start_s, width_s: (end_s - start_s) / count as f64, count }
    }

    /// Rises with the time, to the bit.
    fn of(self, time_s: f64) -> usize {
        if self.width_s > 0.0 { (((time_s - self.start_s) / self.width_s) as usize).min(self.count - 1) } else { 0 }
    }

    fn edge_s(self, bucket: usize) -> f64 {
        self.start_s + self.width_s * bucket as f64
    }

    /// Puts things into buckets, in the order in which they come: where each bucket begins, one longer than there are
    /// buckets, and the things.
    fn sorted<T: Copy>(self, things: Vec<T>, time_s: impl Fn(&T) -> f64) -> (Vec<u32>, Vec<T>) {
        let mut firsts = vec![0_u32; self.count + 1];
        for thing in &things {
            if let Some(first) = firsts.get_mut(self.of(time_s(thing)) + 1) {
                *first += 1;
            }
        }
        let mut sum = 0;
        for first in &mut firsts {
            sum += *first;
            *first = sum;
        }
        let mut next = firsts.clone();
        let mut placed = things.clone();
        for thing in &things {
            let Some(place) = next.get_mut(self.of(time_s(thing))) else { continue };
            if let Some(slot) = placed.get_mut(*place as usize) {
                *slot = *thing;
            }
            *place += 1;
        }
        (firsts, placed)
    }
}

/// Things that happen at once.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    buckets: Buckets,
    firsts: Vec<u32>,
    times_s: Vec<f64>,
}

impl Moments {
    pub fn new(buckets: Buckets, times_s: Vec<f64>) -> Self {
        let (firsts, times_s) = buckets.sorted(times_s, |time_s| *time_s);
        Self { buckets, firsts, times_s }
    }

    /// How many happen before a time.
    pub fn before(&self, time_s: f64) -> u64 {
        let bucket = self.buckets.of(time_s);
        let Some((&first, &next)) = self.firsts.get(bucket).zip(self.firsts.get(bucket + 1)) else { return 0 };
        let within = self.times_s.get(first as usize..next as usize).unwrap_or_default();
        u64::from(first) + within.iter().filter(|other_s| **other_s < time_s).count() as u64
    }
}

/// A level rises or falls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rise {
    pub time_s: f64,
    /// Which level.
    pub channel: u32,
    pub by: i32,
}

/// Integrals over time of levels that rise and fall.
#[derive(Clone, Debug)]
pub(super) struct Integrals {
    buckets: Buckets,
    firsts: Vec<u32>,
    rises: Vec<Rise>,
    channels: usize,
    /// At the beginning of each bucket, channel by channel: the integral until then, and the level.
    at_edges: Vec<(f64, f64)>,
}

impl Integrals {
    pub fn new(buckets: Buckets, channels: usize, rises: Vec<Rise>) -> Self {
        let (firsts, rises) = buckets.sorted(rises, |rise| rise.time_s);
        let mut integrals = Self { buckets, firsts, rises, channels, at_edges: Vec::new() };
        let mut now = vec![(0.0, 0.0); channels];
        for bucket in 0..buckets.count {
            integrals.at_edges.extend(&now);
            let (edge_s, next_s) = (buckets.edge_s(bucket), buckets.edge_s(bucket + 1));
            for (integral, level) in &mut now {
                *integral += *level * (next_s - edge_s);
            }
            for rise in integrals.within(bucket) {
                if let Some((integral, level)) = now.get_mut(rise.channel as usize) {
                    *integral += f64::from(rise.by) * (next_s - rise.time_s);
                    *level += f64::from(rise.by);
                }
            }
        }
        integrals
    }

    fn within(&self, bucket: usize) -> &[Rise] {
        let range = self.firsts.get(bucket).zip(self.firsts.get(bucket + 1));
        range.and_then(|(first, next)| self.rises.get(*first as usize..*next as usize)).unwrap_or_default()
    }

    /// The integral of every channel until a time.
    pub fn until(&self, time_s: f64) -> Vec<f64> {
        let bucket = self.buckets.of(time_s);
        let since_s = time_s - self.buckets.edge_s(bucket);
        let first = bucket * self.channels;
        let edges = self.at_edges.get(first..first + self.channels).unwrap_or_default();
        let mut sums: Vec<f64> = edges.iter().map(|(integral, level)| integral + level * since_s).collect();
        for rise in self.within(bucket).iter().filter(|rise| rise.time_s < time_s) {
            if let Some(sum) = sums.get_mut(rise.channel as usize) {
                *sum += f64::from(rise.by) * (time_s - rise.time_s);
            }
        }
        sums
    }
}
