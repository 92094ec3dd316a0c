//! GPUs in use of one run, stacked: who had how many when. Bands are models, users, sizes or outcomes; all runs that
//! stand beside each other share one order of bands and one vertical scale.

mod banding;
mod picture;
mod selected;
mod steps;

use elastiplan_engine::{Run, Spans};
use elastiplan_model::{JobId, Trace};

pub use banding::{Band, Banding, StackBy};
pub use picture::{StackHit, StackStrip};
use steps::{Change, GpuSteps};

/// The most bands: eight groups, and one for all others.
pub const BANDS_MAX: usize = 9;

/// GPUs in use of each band of one run over time, exact: any interval's mean costs a search, however many spans the run
/// has.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// In the order of the banding.
    bands: Vec<GpuSteps>,
}

impl Stack {
    /// Of the jobs of a run that are shown.
    pub fn of(run: &Run, trace: &Trace, banding: &Banding, jobs: &[JobId]) -> Self {
        let mut changes: Vec<Vec<Change>> = vec![Vec::new(); banding.bands().len()];
        for &job in jobs {
            let band = banding.band_of(job, run, trace);
            if let Some(changes) = band.and_then(|band| changes.get_mut(band)) {
                changes_of(&run.spans, job, changes);
            }
        }
        Self { bands: changes.into_iter().map(GpuSteps::of).collect() }
    }

    /// GPUs that a band holds from one time to another on average.
    pub fn mean_gpus(&self, band: usize, from_s: f64, to_s: f64) -> f64 {
        self.bands.get(band).map_or(0.0, |steps| steps.mean(from_s, to_s, &mut 0))
    }

    /// GPUs that some bands hold together from one time to another on average. `near` is a place in each: where the
    /// search begins, and is left.
    fn sum(bands: &[GpuSteps], (from_s, to_s): (f64, f64), near: &mut [usize]) -> f64 {
        bands.iter().zip(near).map(|(steps, near)| steps.mean(from_s, to_s, near)).sum()
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bands.iter().map(GpuSteps::bytes).sum()
    }
}

/// When the GPUs of a job change, and by how many. Spans of a job touch: a change between two is one entry.
fn changes_of(spans: &Spans, job: JobId, out: &mut Vec<Change>) {
    let range = spans.range_of(job);
    let (starts_s, ends_s) = (spans.start_s.get(range.clone()), spans.end_s.get(range.clone()));
    let (Some(starts_s), Some(ends_s), Some(gpus)) = (starts_s, ends_s, spans.gpus.get(range)) else { return };
    let (mut held, mut held_until_s) = (0, 0.0);
    let mut change = |time_s: f64, by: i64| {
        if by != 0 {
            out.push(Change { time_s, by: by as i32 });
        }
    };
    for ((&start_s, &end_s), &gpus) in starts_s.iter().zip(ends_s).zip(gpus) {
        let gpus = i64::from(gpus);
        if start_s == held_until_s {
            change(start_s, gpus - held);
        } else {
            change(held_until_s, -held);
            change(start_s, gpus);
        }
        (held, held_until_s) = (gpus, end_s);
    }
    change(held_until_s, -held);
}
