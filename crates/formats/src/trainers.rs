//! Trainers that train the same model.
//!
//! BFTrainer's tables give every Trainer its own speeds, and its name includes the model: `J00001-vgg16`. Where all
//! Trainers whose names end alike are equally fast, they share one model of that name; otherwise each Trainer is a
//! model of its own.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::{Curve, CurveKey, Curves, Job, Trace};

use crate::text::header::{Column, Header};
use crate::text::names::Names;

/// The model of Trainers whose names include none.
const UNNAMED: &str = "trainer";

/// The column with the names of Trainers: `job`, or the first one if it has no name, as data frames are written.
pub(crate) fn name_column(header: &Header) -> Option<Column> {
    header.find("job").or_else(|| header.column(0).filter(|column| column.name.is_empty()))
}

/// The model in a Trainer's name: the text after the first hyphen.
fn model_of(trainer: &str) -> &str {
    trainer.split_once('-').map(|(_, model)| model).filter(|model| !model.is_empty()).unwrap_or(UNNAMED)
}

/// Gives Trainers that are equally fast and whose names end alike one model. The trace is of Trainers, each a model of
/// its own so far.
pub(crate) fn join(trace: &Trace, curves: &Curves) -> Option<(Trace, Curves)> {
    let trainers: BTreeSet<&str> = trace.models().iter().map(String::as_str).collect();
    let of_trainers = || curves.as_slice().iter().filter(|curve| trainers.contains(curve.key().model.as_str()));
    // For each ending the speeds of the first Trainer; none if others differ, or another file has a curve of that name.
    let mut shared: BTreeMap<&str, Option<Curve>> = BTreeMap::new();
    for curve in curves.as_slice().iter().filter(|curve| !trainers.contains(curve.key().model.as_str())) {
        shared.insert(&curve.key().model, None);
    }
    for curve in of_trainers() {
        let model = model_of(&curve.key().model);
        let curve = renamed(curve, model)?;
        shared.entry(model).or_insert_with(|| Some(curve.clone())).take_if(|known| *known != curve);
    }
    let own = |curve: &Curve| shared.get(model_of(&curve.key().model)).cloned().flatten();
    let models: BTreeMap<&str, Curve> =
        of_trainers().filter_map(|curve| Some((curve.key().model.as_str(), own(curve)?))).collect();
    let mut names = Names::default();
    let mut model = |job: &Job| {
        let trainer = trace.model_name(job.model);
        names.model(models.get(trainer).map_or(trainer, |curve| &curve.key().model))
    };
    let jobs = trace.jobs().iter().map(|job| Job { model: model(job), ..job.clone() }).collect();
    let trace = Trace::new(names.into_list(), jobs).ok()?;
    let curve = |curve: &Curve| models.get(curve.key().model.as_str()).unwrap_or(curve).clone();
    Some((trace, curves.as_slice().iter().map(curve).collect()))
}

fn renamed(curve: &Curve, model: &str) -> Option<Curve> {
    let key = CurveKey { model: model.into(), batch_global: None };
    let points = curve.points().iter().map(|point| (point.gpus, point.samples_per_s));
    Some(Curve::new(key, points).ok()?.ending_at_last_point())
}
