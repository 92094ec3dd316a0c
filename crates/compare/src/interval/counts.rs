//! The counts of a run over any stretch of time.

use elastiplan_engine::{Run, Series};

/// Rows between two sums that are kept.
const BLOCK: usize = 64;

/// GPUs present, GPUs in use and jobs waiting, each times seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub present: f64,
    pub in_use: f64,
    pub waiting: f64,
}

/// Sums of the series of a run, block by block.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Until the first row of each block.
    until: Vec<Sums>,
    /// The most jobs waiting in each block.
    peaks: Vec<u32>,
}

impl Sums {
    fn add(&mut self, series: &Series, row: usize, length_s: f64) {
        let count = |column: &[u32]| column.get(row).map_or(0.0, |count| f64::from(*count));
        self.present += count(&series.gpus_present) * length_s;
        self.in_use += count(&series.gpus_in_use) * length_s;
        self.waiting += count(&series.jobs_waiting) * length_s;
    }

    /// Itself, and what comes between two other sums.
    fn plus_between(self, from: Self, to: Self) -> Self {
        Self {
            present: self.present + (to.present - from.present),
            in_use: self.in_use + (to.in_use - from.in_use),
            waiting: self.waiting + (to.waiting - from.waiting),
        }
    }
}

impl Counts {
    pub fn of(run: &Run) -> Self {
        let series = &run.series;
        let peaks = series.jobs_waiting.chunks(BLOCK).map(|rows| rows.iter().copied().max().unwrap_or(0)).collect();
        let mut until = Vec::with_capacity(series.time_s.len() / BLOCK + 1);
        let mut sums = Sums::default();
        for (row, time_s) in series.time_s.iter().enumerate() {
            if row % BLOCK == 0 {
                until.push(sums);
            }
            let next_s = series.time_s.get(row + 1).unwrap_or(time_s);
            sums.add(series, row, next_s - time_s);
        }
        Self { until, peaks }
    }

    /// From one time until another. What lies near them is added up row by row: a short stretch of a long run is as
    /// exact as a long one.
    pub fn between(&self, series: &Series, from_s: f64, to_s: f64) -> Sums {
        let (Some(first), Some(last)) = (series.row_at(from_s).or(Some(0)), series.row_at(to_s)) else {
            return Sums::default();
        };
        let mut sums = Sums::default();
        let mut add = |rows: std::ops::RangeInclusive<usize>| {
            for row in rows {
                let start_s = series.time_s.get(row).copied().unwrap_or(to_s).max(from_s);
                let next_s = series.time_s.get(row + 1).copied().unwrap_or(to_s).min(to_s);
                sums.add(series, row, (next_s - start_s).max(0.0));
            }
        };
        let (next_block, last_block) = (first / BLOCK + 1, last / BLOCK);
        if next_block > last_block {
            add(first..=last);
            return sums;
        }
        add(first..=next_block * BLOCK - 1);
        add(last_block * BLOCK..=last);
        let until = |block: usize| self.until.get(block).copied().unwrap_or_default();
        sums.plus_between(until(next_block), until(last_block))
    }

    /// The most jobs waiting at any time from `from_s` on and before `to_s`; 0 if there is no such time.
    pub fn peak_waiting(&self, series: &Series, from_s: f64, to_s: f64) -> u32 {
        let first = series.row_at(from_s).unwrap_or(0);
        let next = series.time_s.partition_point(|start_s| *start_s < to_s);
        let of_rows = |rows: std::ops::Range<usize>| {
            series.jobs_waiting.get(rows).and_then(|rows| rows.iter().copied().max()).unwrap_or(0)
        };
        let (first_block, next_block) = (first.div_ceil(BLOCK), next / BLOCK);
        if to_s <= from_s || first >= next {
            return 0;
        }
        if first_block >= next_block {
            return of_rows(first..next);
        }
        let whole = self.peaks.get(first_block..next_block).and_then(|peaks| peaks.iter().copied().max()).unwrap_or(0);
        whole.max(of_rows(first..first_block * BLOCK)).max(of_rows(next_block * BLOCK..next))
    }
}
