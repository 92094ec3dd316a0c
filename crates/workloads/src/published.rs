//! Throughput that papers have published, as tables. A new one is a table in a file here and one line in
//! [`PUBLISHED`].

mod bftrainer;
mod elasticflow;
mod formula;
mod ibm;
mod modelarts;
mod pollux;
mod power;
mod scaling;

use elastiplan_model::{Curve, CurveKey, Curves};

pub use bftrainer::SUMMIT;
pub use elasticflow::{A100, T4};
pub use formula::{BestBatch, PublishedModel};
pub use ibm::IBM;
pub use modelarts::MODELARTS;
pub use pollux::POLLUX;
pub use power::PublishedPower;
pub use scaling::PublishedScaling;

/// All tables, in the order in which a person meets them.
pub const PUBLISHED: &[&Published] = &[&A100, &T4, &POLLUX, &SUMMIT, &MODELARTS, &IBM];

/// A table of throughput.
#[derive(Debug)]
pub struct Published {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it holds, in one phrase.
    pub summary: &'static str,
    /// Who measured it.
    pub source: &'static str,
    /// Speeds that were measured: a row for each model and batch size.
    pub rows: &'static [PublishedRow],
    /// Models by formula.
    pub formulas: &'static [PublishedModel],
    /// Models by power law.
    pub powers: &'static [PublishedPower],
    /// Models by processing and all-reduce times.
    pub scalings: &'static [PublishedScaling],
}

const GPUS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Measured speeds of one model with one batch size.
#[derive(Debug)]
pub struct PublishedRow {
    /// The model.
    pub model: &'static str,
    /// Global batch size in samples; 0 where it grows with the number of GPUs.
    pub batch_global: u32,
    /// Iterations per second on each of [`GPUS`], samples per second where the batch grows; 0 where it does not run.
    iterations_per_s: [f64; GPUS.len()],
}

impl Published {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Published> {
        PUBLISHED.iter().copied().find(|table| table.name == name)
    }

    /// The models, each once, in the order of the table.
    pub fn models(&self) -> Vec<&'static str> {
        let of_rows = self.rows.iter().map(|row| row.model);
        let of_formulas = self.formulas.iter().map(|model| model.model);
        let of_powers = self.powers.iter().map(|power| power.model);
        let of_times = self.scalings.iter().map(|scaling| scaling.model);
        let mut models: Vec<&str> = of_rows.chain(of_formulas).chain(of_powers).chain(of_times).collect();
        models.dedup();
        models
    }

    /// As curves, in samples per second.
    pub fn curves(&self) -> Curves {
        let of_rows = self.rows.iter().filter_map(PublishedRow::curve);
        let of_formulas = self.formulas.iter().filter_map(PublishedModel::curve);
        let of_powers = self.powers.iter().filter_map(PublishedPower::curve);
        let of_times = self.scalings.iter().filter_map(PublishedScaling::curve);
        of_rows.chain(of_formulas).chain(of_powers).chain(of_times).collect()
    }
}

impl PublishedRow {
    fn curve(&self) -> Option<Curve> {
        let key =
            CurveKey { model: self.model.into(), batch_global: Some(self.batch_global).filter(|batch| *batch > 0) };
        let samples = f64::from(self.batch_global.max(1));
        let points = GPUS.into_iter().zip(self.iterations_per_s).filter(|(_, speed)| *speed > 0.0);
        let curve = Curve::new(key, points.map(|(gpus, speed)| (gpus, speed * samples))).ok()?;
        // Where the last numbers of GPUs do not work, neither do more.
        let ends = self.iterations_per_s.last().is_some_and(|speed| *speed == 0.0);
        Some(if ends { curve.ending_at_last_point() } else { curve })
    }
}
