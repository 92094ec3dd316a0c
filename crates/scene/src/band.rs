//! Columns of many jobs at once: how much GPU-time each model has in each pixel column. Bands of rows and stacked
//! shares are drawn from it. A span costs the same however many columns it covers.

use std::ops::Range;

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};

use crate::columns::{columns_of, visible};
use crate::{ModelSlot, ModelSlots, TimeScale};

/// GPUs held, by model and pixel column, and jobs waiting.
pub(crate) struct Tally {
    columns: usize,
    /// A sum for each slot, and at `WAITING` one of jobs.
    sums: [Steps; ModelSlot::COUNT + 1],
}

const WAITING: usize = ModelSlot::COUNT;

/// A sum of intervals: what they take of each column. The columns between the ends of an interval are kept as a
/// difference to the column before until they are summed.
#[derive(Clone, Default)]
struct Steps {
    columns: Vec<Column>,
    /// The columns that anything was added to; there is nothing in all others.
    touched: Range<usize>,
}

/// What intervals that begin or end in a column take of it, and by how much those that cover it whole, and what
/// follows, rise or fall there.
#[derive(Clone, Copy, Default)]
struct Column {
    ends: f64,
    rise: f64,
}

impl Steps {
    fn clear(&mut self, columns: usize) {
        self.columns.resize(columns + 1, Column::default());
        if let Some(touched) = self.columns.get_mut(self.touched.clone()) {
            touched.fill(Column::default());
        }
        self.touched = 0..0;
    }

    /// Adds an interval. One that begins and ends in the same column is no special case: what it raises there, it
    /// lowers there.
    fn add(&mut self, from: f64, to: f64, height: f64) {
        let (first, last) = (from as usize, to as usize);
        self.touched = match self.touched.is_empty() {
            true => first..last + 1,
            false => self.touched.start.min(first)..self.touched.end.max(last + 1),
        };
        if let Some(begin) = self.columns.get_mut(first) {
            begin.ends -= (from - first as f64) * height;
            begin.rise += height;
        }
        if let Some(end) = self.columns.get_mut(last) {
            end.ends += (to - last as f64) * height;
            end.rise -= height;
        }
    }

    /// Turns ends and rises into what is taken of each column.
    fn sum(&mut self) {
        let mut height = 0.0;
        for column in self.columns.get_mut(self.touched.clone()).unwrap_or_default() {
            height += column.rise;
            column.ends += height;
        }
    }

    fn at(&self, column: usize) -> f64 {
        self.columns.get(column).map_or(0.0, |column| column.ends)
    }
}

impl Tally {
    pub(crate) fn new(scale: &TimeScale) -> Self {
        Self { columns: columns_of(scale), sums: Default::default() }
    }

    /// Forgets what it held, and sums these jobs.
    pub(crate) fn fill(&mut self, run: &Run, trace: &Trace, slots: &ModelSlots, jobs: &[JobId], scale: &TimeScale) {
        for steps in &mut self.sums {
            steps.clear(self.columns);
        }
        let spans = &run.spans;
        for &job in jobs {
            let slot = trace.jobs().get(job.index()).map_or(ModelSlot::OTHER, |job| slots.of(job.model));
            for (at, from, to) in visible(spans, spans.range_of(job), scale) {
                // A job holds GPUs, or waits for some.
                let gpus = spans.gpus.get(at).copied().unwrap_or(0);
                let (sum, height) = if gpus > 0 { (slot.index(), gpus) } else { (WAITING, 1) };
                if let Some(steps) = self.sums.get_mut(sum) {
                    steps.add(from, to, height.into());
                }
            }
        }
        for steps in &mut self.sums {
            steps.sum();
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// GPUs that a model holds in a column on average.
    pub(crate) fn gpus(&self, slot: ModelSlot, column: usize) -> f64 {
        self.sums.get(slot.index()).map_or(0.0, |steps| steps.at(column))
    }

    /// What each column mostly shows.
    fn dominant(&self) -> Vec<Shown> {
        // Differences of whole numbers cancel exactly; the ends of spans leave dust.
        const DUST: f64 = 1e-9;
        let mut most = vec![(DUST, Shown::Nothing); self.columns];
        let (waiting, models) = (self.sums.get(WAITING), (0..ModelSlot::COUNT).map(ModelSlot::new));
        for (slot, steps) in models.zip(&self.sums) {
            let touched = steps.touched.clone();
            for (most, column) in most.iter_mut().zip(&steps.columns).take(touched.end).skip(touched.start) {
                if column.ends > most.0 {
                    *most = (column.ends, Shown::Model(slot));
                }
            }
        }
        let is_waiting = |column: usize| waiting.is_some_and(|steps| steps.at(column) > DUST);
        let shown = most.into_iter().zip(0..).map(|((_, shown), column)| match shown {
            Shown::Nothing if is_waiting(column) => Shown::Waiting,
            shown => shown,
        });
        shown.collect()
    }

    /// Consecutive columns that show the same, left to right, without those that show nothing.
    pub(crate) fn regions(&self) -> Vec<(Range<usize>, Shown)> {
        let mut regions: Vec<(Range<usize>, Shown)> = Vec::new();
        for (shown, column) in self.dominant().into_iter().zip(0..) {
            match regions.last_mut() {
                Some((range, before)) if *before == shown && range.end == column => range.end = column + 1,
                _ if shown == Shown::Nothing => {}
                _ => regions.push((column..column + 1, shown)),
            }
        }
        regions
    }
}

/// What a column of a band shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// No job of the band is there.
    Nothing,
    /// Jobs, none of which holds GPUs.
    Waiting,
    /// Jobs that hold GPUs, most of them of this model.
    Model(ModelSlot),
}
