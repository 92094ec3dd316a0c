//! Counts over time.

use crate::Series;
use crate::log::Log;

/// Counts at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Counts {
    pub time_s: f64,
    pub gpus_present: u32,
    pub gpus_in_use: u32,
    pub running: u32,
    pub waiting: u32,
}

/// Counts whenever they changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeriesLog {
    log: Log<Counts>,
}

impl SeriesLog {
    /// Adds a row if the counts differ from those before. A second row for the same time replaces the first.
    pub fn record(&mut self, counts: Counts) {
        if self.log.last().is_some_and(|last| last.time_s == counts.time_s) {
            self.log.pop();
        }
        if self.log.last().is_none_or(|last| (Counts { time_s: counts.time_s, ..*last }) != counts) {
            self.log.push(counts);
        }
    }

    /// The log as columns.
    pub fn columns(&self) -> Series {
        let mut series = Series::default();
        for counts in self.log.iter() {
            series.time_s.push(counts.time_s);
            series.gpus_present.push(counts.gpus_present);
            series.gpus_in_use.push(counts.gpus_in_use);
            series.jobs_running.push(counts.running);
            series.jobs_waiting.push(counts.waiting);
        }
        series
    }
}
