//! The plain throughput curves of this project, as docs/formats.md specifies them: a row for each measured point.
//!
//! ```csv
//! model,batch_global,gpus,samples_per_s
//! resnet50,256,1,472
//! resnet50,256,2,883
//! ```

use elastiplan_model::Curve;

use crate::curves::long::{self, LongColumns, SpeedUnit};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::header::{Fit, Header, Spec};
use crate::text::table::Table;

/// The columns, by their names.
pub(crate) static SPEC: Spec = Spec {
    required: &[&["model"], &["gpus"], &["samples_per_s", "iterations_per_s"]],
    optional: &["batch_global", "gpu_type", "nodes", "placement"],
};

pub(crate) static FORMAT: Format =
    Format { fit, ..Format::of(FileKind::CurvesPlain, &SPEC, |table, _| Rows::Curves(read(table))) };

fn fit(spec: &Spec, header: &Header) -> Fit {
    let mut fit = spec.fit(header);
    let has = |name| header.find(name).is_some();
    // Iterations per second mean nothing without the size of an iteration.
    if has("iterations_per_s") && !has("samples_per_s") && !has("batch_global") {
        fit.missing.push(&["batch_global"]);
    }
    fit
}

fn read(table: &mut Table<'_, '_>) -> Vec<Curve> {
    let Some(columns) = columns(&table.header) else { return Vec::new() };
    let curves = long::read(table, &columns);
    if !curves.is_empty() && columns.batch.is_none() {
        let used = "The curves serve every batch size";
        table.findings.assume("batch_global", used, "Add the column to tell batch sizes apart");
    }
    curves
}

fn columns(header: &Header) -> Option<LongColumns> {
    let units = [("samples_per_s", SpeedUnit::SamplesPerSecond), ("iterations_per_s", SpeedUnit::IterationsPerSecond)];
    Some(LongColumns {
        model: header.find("model")?,
        gpus: header.find("gpus")?,
        speed: units.into_iter().filter_map(|(name, unit)| Some((header.find(name)?, unit))).collect(),
        batch: header.find("batch_global"),
        gpu_type: header.find("gpu_type"),
        nodes: header.find("nodes"),
        placement: header.find("placement"),
    })
}
