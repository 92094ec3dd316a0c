//! A stretch of time, cut where the number of free GPUs changes.

use super::{FreeGpus, Level};

/// A stretch in which the number of free GPUs is the same.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub from_s: f64,
    pub until_s: f64,
    pub gpus: u32,
}

/// Spans that follow each other, to be taken off at either end.
#[derive(Clone, Copy)]
pub(super) struct Spans<'a> {
    /// One for each span; the first may begin before it.
    starts_s: &'a [f64],
    /// One for each span.
    gpus: &'a [u32],
    from_s: f64,
    until_s: f64,
}

impl<'a> Spans<'a> {
    /// Time from one moment to another.
    pub fn new(free: &'a FreeGpus, from_s: f64, until_s: f64) -> Self {
        let (starts_s, gpus) = free.columns();
        let first = starts_s.partition_point(|start_s| *start_s <= from_s).saturating_sub(1);
        let (starts_s, gpus) = (starts_s.get(first..).unwrap_or_default(), gpus.get(first..).unwrap_or_default());
        let from_s = starts_s.first().map_or(from_s, |first_s| first_s.max(from_s));
        let count = if from_s < until_s { starts_s.partition_point(|start_s| *start_s < until_s) } else { 0 };
        let (starts_s, later_s) = starts_s.split_at_checked(count).unwrap_or_default();
        let until_s = later_s.first().map_or(until_s, |later_s| later_s.min(until_s));
        Self { starts_s, gpus: gpus.get(..count).unwrap_or_default(), from_s, until_s }
    }

    pub fn len(&self) -> usize {
        self.starts_s.len()
    }

    /// The start of the first span.
    pub fn start_s(&self) -> f64 {
        self.from_s
    }

    /// Seconds of all spans together; infinite without an end.
    pub fn total_s(&self) -> f64 {
        self.until_s - self.from_s
    }

    /// Seconds from the start of a span to the end of the last one; 0 behind the last.
    pub fn seconds_from(&self, at: usize) -> f64 {
        match self.starts_s.get(at) {
            Some(_) if at == 0 => self.total_s(),
            Some(start_s) => self.until_s - start_s,
            None => 0.0,
        }
    }

    /// The span in which the last so many seconds begin; the first if there are not so many.
    pub fn last_seconds(&self, seconds: f64) -> usize {
        let from_s = self.until_s - seconds;
        self.starts_s.partition_point(|start_s| *start_s <= from_s).saturating_sub(1)
    }

    /// Whether so many GPUs are free in a span and all after it.
    pub fn are_free_from(&self, at: usize, gpus: u32) -> bool {
        self.gpus.get(at..).is_some_and(|free| free.iter().fold(u32::MAX, |least, free| least.min(*free)) >= gpus)
    }

    /// The span at a place; `None` behind the last.
    pub fn get(&self, at: usize) -> Option<Span> {
        let (start_s, gpus) = (*self.starts_s.get(at)?, *self.gpus.get(at)?);
        let from_s = if at == 0 { self.from_s } else { start_s };
        Some(Span { from_s, until_s: self.starts_s.get(at + 1).copied().unwrap_or(self.until_s), gpus })
    }

    pub fn pop_first(&mut self) -> Option<Span> {
        let ((_, starts_s), (first, gpus)) = self.starts_s.split_first().zip(self.gpus.split_first())?;
        let until_s = starts_s.first().map_or(self.until_s, |next_s| *next_s);
        let span = Span { from_s: self.from_s, until_s, gpus: *first };
        (self.starts_s, self.gpus, self.from_s) = (starts_s, gpus, until_s);
        Some(span)
    }

    /// Works on a level in the spans at the beginning that have GPUs for it, but not in the last one, as long as that
    /// leaves as much work as was done. Takes these spans off and returns the work left.
    pub fn work_off(&mut self, level: Level, work: f64) -> f64 {
        let (mut left, mut from_s, mut taken) = (work, self.from_s, 0);
        for (gpus, until_s) in self.gpus.iter().zip(self.starts_s.iter().skip(1)) {
            let can_do = (until_s - from_s) * level.work_per_s;
            if *gpus < level.gpus || can_do * 2.0 >= left {
                break;
            }
            (left, from_s, taken) = (left - can_do, *until_s, taken + 1);
        }
        *self = self.after(taken);
        left
    }

    pub fn pop_last(&mut self) -> Option<Span> {
        let ((last_s, starts_s), (last, gpus)) = self.starts_s.split_last().zip(self.gpus.split_last())?;
        let from_s = if starts_s.is_empty() { self.from_s } else { *last_s };
        let span = Span { from_s, until_s: self.until_s, gpus: *last };
        (self.starts_s, self.gpus, self.until_s) = (starts_s, gpus, from_s);
        Some(span)
    }

    /// GPUs that are free in the last span.
    pub fn last_gpus(&self) -> Option<u32> {
        self.gpus.last().copied()
    }

    /// Without so many at the beginning.
    pub fn after(mut self, count: usize) -> Self {
        if let (Some(starts_s), Some(gpus), true) = (self.starts_s.get(count..), self.gpus.get(count..), count > 0) {
            self.from_s = starts_s.first().map_or(self.until_s, |first_s| *first_s);
            (self.starts_s, self.gpus) = (starts_s, gpus);
        }
        self
    }

    /// Only so many from the beginning.
    pub fn before(mut self, count: usize) -> Self {
        let until_s = self.get(count).map(|next| next.from_s);
        if let (Some(starts_s), Some(gpus), Some(until_s)) =
            (self.starts_s.get(..count), self.gpus.get(..count), until_s)
        {
            (self.starts_s, self.gpus, self.until_s) = (starts_s, gpus, until_s);
        }
        self
    }
}
