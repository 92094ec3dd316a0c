//! A stretch of time, cut where the number of free GPUs changes.

use super::{FreeGpus, Step};

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
        let from_s = steps.first().map_or(from_s, |first| first.from_s.max(from_s));
        let count = if from_s < until_s { steps.partition_point(|step| step.from_s < until_s) } else { 0 };
        let (steps, later) = steps.split_at_checked(count).unwrap_or_default();
        let until_s = later.first().map_or(until_s, |later| later.from_s.min(until_s));
        Self { steps, from_s, until_s }
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn pop_first(&mut self) -> Option<Span> {
        let (first, rest) = self.steps.split_first()?;
        let until_s = rest.first().map_or(self.until_s, |next| next.from_s);
        let span = Span { from_s: self.from_s, until_s, gpus: first.gpus };
        (self.steps, self.from_s) = (rest, until_s);
        Some(span)
    }

    pub fn pop_last(&mut self) -> Option<Span> {
        let (last, rest) = self.steps.split_last()?;
        let from_s = if rest.is_empty() { self.from_s } else { last.from_s };
        let span = Span { from_s, until_s: self.until_s, gpus: last.gpus };
        (self.steps, self.until_s) = (rest, from_s);
        Some(span)
    }

    /// GPUs that are free in the last span.
    pub fn last_gpus(&self) -> Option<u32> {
        self.steps.last().map(|step| step.gpus)
    }

    /// Without so many at the beginning.
    pub fn after(mut self, count: usize) -> Self {
        if let (Some(steps), true) = (self.steps.get(count..), count > 0) {
            self.from_s = steps.first().map_or(self.until_s, |first| first.from_s);
            self.steps = steps;
        }
        self
    }
}
