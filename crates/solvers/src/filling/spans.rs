//! A stretch of time, cut where the number of free GPUs changes.

use super::{FreeGpus, Step};

/// A stretch in which the number of free GPUs is the same.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub from_s: f64,
    pub until_s: f64,
    pub gpus: u32,
}

/// Spans that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Spans<'a> {
    /// One for each span; the first may begin before it.
    steps: &'a [Step],
    from_s: f64,
    until_s: f64,
}

impl<'a> Spans<'a> {
    /// Time from one moment to another.
    pub fn new(free: &'a FreeGpus, from_s: f64, until_s: f64) -> Self {
        let steps = free.steps();
        let first = steps.partition_point(|step| step.from_s <= from_s).saturating_sub(1);
        let steps = steps.get(first..).unwrap_or_default();
        let count = steps.partition_point(|step| step.from_s.max(from_s) < until_s);
        let (steps, later) = steps.split_at_checked(count).unwrap_or_default();
        let until_s = later.first().map_or(until_s, |later| later.from_s.min(until_s));
        Self { steps, from_s, until_s }
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Takes the last span off.
    pub fn pop(&mut self) -> Option<Span> {
        let (last, steps) = self.steps.split_last()?;
        let span = Span { from_s: last.from_s.max(self.from_s), until_s: self.until_s, gpus: last.gpus };
        (self.steps, self.until_s) = (steps, span.from_s);
        Some(span)
    }

    /// GPUs that are free in the last span.
    pub fn last_gpus(&self) -> Option<u32> {
        self.steps.last().map(|step| step.gpus)
    }

    /// The first span alone.
    pub fn first(self) -> Self {
        let until_s = self.steps.get(1).map_or(self.until_s, |second| second.from_s);
        Self { steps: self.steps.get(..1).unwrap_or_default(), until_s, ..self }
    }

    /// Without so many at the beginning.
    pub fn from(self, count: usize) -> Self {
        Self { steps: self.steps.get(count..).unwrap_or_default(), ..self }
    }

    pub fn iter(self) -> impl Iterator<Item = Span> {
        let ends = self.steps.iter().skip(1).map(|step| step.from_s).chain([self.until_s]);
        let span = move |(step, until_s): (&Step, f64)| Span {
            from_s: step.from_s.max(self.from_s),
            until_s,
            gpus: step.gpus,
        };
        self.steps.iter().zip(ends).map(span)
    }
}
