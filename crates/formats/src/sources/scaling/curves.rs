//! From the rows of scaling tables to curves. Whether a batch size is part of a curve's key shows only when all rows of
//! its model are known: where each number of GPUs has a batch size of its own, they are one curve.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::{Curve, CurveKey};

use super::columns::{BatchOf, Columns};
use crate::curves::draft::{self, Draft, Location, NOT_RUNNABLE};
use crate::report::Assumption;
use crate::text::findings::{Effect, Finding, Findings, UsedRow};

const SAME_POINT: Finding = Finding::new(
    Effect::Doubted,
    "One throughput for a model, batch size and number of GPUs",
    "The first is used",
    "Remove one of them",
);
const OTHER_TABLE: Finding = Finding::new(
    Effect::Doubted,
    "The points of a model from one table: the first",
    "Not used",
    "Take the other table out, or give it a column Model",
);
const AS_GLOBAL: &str = "Batch sizes are those of all GPUs together";

/// Where a point stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The number of its table in the document.
    pub table: u32,
    pub row: UsedRow,
}

/// A measured point.
pub(super) struct Measured {
    pub model: String,
    pub batch: Option<(u32, BatchOf)>,
    pub gpus: u32,
    /// `None` where the model does not run.
    pub samples_per_s: Option<f64>,
}

/// The points of a document, by model.
#[derive(Default)]
pub(super) struct Points {
    by_model: BTreeMap<String, Vec<(Measured, Place)>>,
    /// Models that no column names, with their source, and the number of their rows.
    named: BTreeMap<(String, &'static str), u64>,
    /// Columns of throughput, with the number of rows.
    speeds: BTreeMap<String, u64>,
    /// Rows whose batch size may be of a GPU or of all.
    batches_unsaid: u64,
}

impl Points {
    /// Counts a row for what is assumed of it.
    pub fn note(&mut self, model: &str, source: &'static str, columns: &Columns) {
        if !source.is_empty() {
            *self.named.entry((model.into(), source)).or_default() += 1;
        }
        for speed in &columns.speeds {
            *self.speeds.entry(speed.name.clone()).or_default() += 1;
        }
        self.batches_unsaid += u64::from(columns.batch.is_some_and(|(_, of)| of == BatchOf::Unsaid));
    }

    /// Adds the points of a row.
    pub fn add(&mut self, row: Vec<Measured>, place: Place) {
        for point in row {
            self.by_model.entry(point.model.clone()).or_default().push((point, place));
        }
    }

    /// The curves, with what is assumed.
    pub fn finish(self, findings: &mut Findings) -> Vec<Curve> {
        let mut assume = |column: &str, used: String, rows: u64| {
            findings.assumptions.push(Assumption { column: column.into(), used, rows });
        };
        let rows = self.named.values().sum();
        match self.named.keys().next() {
            Some((model, source)) if self.named.len() == 1 => assume("model", format!("{model}, {source}"), rows),
            Some((model, _)) => {
                let more = self.named.len() - 1;
                assume("model", format!("{model} and {more} more, by headings, title and the file's name"), rows);
            }
            None => {}
        }
        for (name, rows) in &self.speeds {
            assume("samples_per_s", format!("A sample is what the column {name} counts, per second"), *rows);
        }
        if self.batches_unsaid > 0 {
            assume("batch_global", AS_GLOBAL.into(), self.batches_unsaid);
        }
        let mut drafts: BTreeMap<CurveKey, Draft> = BTreeMap::new();
        let (mut same, mut other, mut stops) = (Vec::new(), Vec::new(), Vec::new());
        for (model, mut points) in self.by_model {
            let first = points.first().map_or(0, |(_, place)| place.table);
            let shown = |(point, place): &(Measured, Place)| (place.row, point.model.clone());
            other.extend(points.iter().filter(|(_, place)| place.table != first).map(shown));
            points.retain(|(_, place)| place.table == first);
            let keyed = Keyed::of(&points);
            for both @ (point, place) in &points {
                let key = keyed.key(&model, point.batch);
                if point.samples_per_s.is_none() {
                    stops.push((place.row, "OOM".into()));
                }
                if !drafts.entry(key).or_default().add(point.gpus, Location::Packed, point.samples_per_s) {
                    same.push(shown(both));
                }
            }
        }
        findings.deferred(OTHER_TABLE, &other);
        findings.deferred(SAME_POINT, &same);
        findings.deferred(NOT_RUNNABLE, &stops);
        draft::finish(drafts, findings)
    }
}

/// How batch sizes are part of the keys of a model's curves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyed {
    /// Not: there are none, or each number of GPUs has one of its own.
    No,
    /// The batch size of all GPUs together.
    Global,
    /// The batch size of a GPU, in the model's name, as in Gavel's.
    ByGpu,
}

impl Keyed {
    fn of(points: &[(Measured, Place)]) -> Self {
        let Some(of) = points.iter().find_map(|(point, _)| Some(point.batch?.1)) else { return Self::No };
        let mut of_gpus: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        let mut of_batch: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (gpus, (batch, _)) in points.iter().filter_map(|(point, _)| Some((point.gpus, point.batch?))) {
            of_gpus.entry(gpus).or_default().insert(batch);
            of_batch.entry(batch).or_default().insert(gpus);
        }
        let one_each = of_gpus.values().all(|batches| batches.len() == 1);
        let none_again = of_batch.values().all(|gpus| gpus.len() == 1);
        match of {
            BatchOf::Gpu if one_each => Self::No,
            BatchOf::Gpu => Self::ByGpu,
            BatchOf::AllGpus | BatchOf::Unsaid if one_each && none_again && of_gpus.len() > 1 => Self::No,
            BatchOf::AllGpus | BatchOf::Unsaid => Self::Global,
        }
    }

    fn key(self, model: &str, batch: Option<(u32, BatchOf)>) -> CurveKey {
        match (self, batch) {
            (Self::ByGpu, Some((batch, _))) => {
                CurveKey { model: format!("{model} (batch size {batch})"), batch_global: None }
            }
            (Self::Global, Some((batch, _))) => CurveKey { model: model.into(), batch_global: Some(batch) },
            _ => CurveKey { model: model.into(), batch_global: None },
        }
    }
}
