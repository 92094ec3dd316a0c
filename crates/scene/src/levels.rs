//! What a line looks like at every power of two of time, so that a picture of a million spans costs no more than its
//! pixels. The finest level has 4,096 to 8,192 buckets for the whole run; a picture that shows less time than they can
//! tell has few enough spans in view to be drawn from the spans themselves. Pictures of a whole run need no more than a
//! quarter of that, which is made much sooner.

use crate::band::{Patch, Tally};
use crate::columns::{Item, Ruler, Segment, segments};

/// How fine the finest level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fineness {
    /// As pictures of the whole run want it.
    Coarse,
    /// As fine as is kept.
    Fine,
}

impl Fineness {
    /// The most buckets of the finest level.
    fn buckets_max(self) -> f64 {
        match self {
            Fineness::Coarse => 2_048.0,
            Fineness::Fine => 8_192.0,
        }
    }

    /// What a picture of this resolution wants; `None` where levels are of no use. In the picture a bucket is less than
    /// two pixels wide: finer levels would not be looked at.
    pub(crate) fn wanted(start_s: f64, end_s: f64, s_per_px: f64) -> Option<Self> {
        [Fineness::Coarse, Fineness::Fine]
            .into_iter()
            .find(|fineness| finest(start_s, end_s, *fineness).0 < 2.0 * s_per_px)
    }
}

/// Consecutive columns that look alike.
pub(crate) trait Stretch: Copy {
    /// First column and one past the last.
    fn columns(&self) -> (usize, usize);
    /// The same over other columns.
    fn over(self, from: usize, to: usize) -> Self;
}

impl Stretch for Segment {
    fn columns(&self) -> (usize, usize) {
        (self.from, self.to)
    }

    fn over(self, from: usize, to: usize) -> Self {
        Self { from, to, ..self }
    }
}

impl Stretch for Patch {
    fn columns(&self) -> (usize, usize) {
        (self.from, self.to)
    }

    fn over(self, from: usize, to: usize) -> Self {
        Self { from, to, ..self }
    }
}

/// One line at one resolution.
#[derive(Clone, Debug)]
struct Level<T> {
    bucket_s: f64,
    parts: Vec<T>,
}

/// One line at every resolution, finest first.
#[derive(Clone, Debug)]
pub(crate) struct Levels<T> {
    start_s: f64,
    levels: Vec<Level<T>>,
}

/// The buckets of the finest level for a run of this length: a power of two of seconds each, so that levels of a run
/// that is still on its way keep their buckets.
fn finest(start_s: f64, end_s: f64, fineness: Fineness) -> (f64, usize) {
    let length_s = (end_s - start_s).max(1e-3);
    let mut bucket_s = 1.0;
    while length_s / bucket_s > fineness.buckets_max() {
        bucket_s *= 2.0;
    }
    while length_s / (bucket_s / 2.0) <= fineness.buckets_max() {
        bucket_s /= 2.0;
    }
    (bucket_s, (length_s / bucket_s).ceil() as usize)
}

impl Levels<Segment> {
    /// Of a row, from its parts on any ruler.
    pub(crate) fn of_row<I: Iterator<Item = Item>>(
        (start_s, end_s): (f64, f64),
        fineness: Fineness,
        parts_on: impl Fn(Ruler) -> I,
    ) -> Self {
        let (mut bucket_s, mut buckets) = finest(start_s, end_s, fineness);
        let mut levels = Vec::new();
        loop {
            let mut parts = Vec::new();
            segments(parts_on(Ruler::buckets(start_s, bucket_s, buckets)), &mut parts);
            parts.shrink_to_fit();
            levels.push(Level { bucket_s, parts });
            if buckets <= 1 {
                return Self { start_s, levels };
            }
            (bucket_s, buckets) = (bucket_s * 2.0, buckets.div_ceil(2));
        }
    }
}

impl Levels<Patch> {
    /// Of many rows at once. `fill` sums them on a ruler, `read` says what the sums look like.
    pub(crate) fn of_many(
        (start_s, end_s): (f64, f64),
        fineness: Fineness,
        tally: &mut Tally,
        fill: impl FnOnce(&mut Tally, Ruler),
        read: impl Fn(&Tally) -> Vec<Patch>,
    ) -> Self {
        let (mut bucket_s, buckets) = finest(start_s, end_s, fineness);
        fill(tally, Ruler::buckets(start_s, bucket_s, buckets));
        let mut levels = Vec::new();
        loop {
            let mut parts = read(tally);
            parts.shrink_to_fit();
            levels.push(Level { bucket_s, parts });
            if tally.columns() <= 1 {
                return Self { start_s, levels };
            }
            tally.halve();
            bucket_s *= 2.0;
        }
    }
}

impl<T: Stretch> Levels<T> {
    /// The parts in view, on the columns of a ruler: from the level whose buckets are one to two pixels wide, or the
    /// nearest that there is. Edges are off by at most two pixels.
    pub(crate) fn on(&self, ruler: Ruler, out: &mut Vec<T>) {
        out.clear();
        let px_s = (ruler.end_s - ruler.start_s) / ruler.columns.max(1) as f64;
        let Some(level) = self.levels.iter().find(|level| level.bucket_s >= px_s * 0.999).or(self.levels.last()) else {
            return;
        };
        let time_s = |bucket: usize| self.start_s + bucket as f64 * level.bucket_s;
        let first = level.parts.partition_point(|part| time_s(part.columns().1) <= ruler.start_s);
        for part in level.parts.get(first..).unwrap_or_default() {
            let (from, to) = part.columns();
            if time_s(from) >= ruler.end_s {
                return;
            }
            let (from, to) = (ruler.px(time_s(from)).round() as usize, ruler.px(time_s(to)).round() as usize);
            if to > from {
                out.push(part.over(from, to));
            }
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.parts.capacity() * size_of::<T>()).sum()
    }
}
