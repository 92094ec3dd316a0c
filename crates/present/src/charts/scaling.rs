//! How a model scales by what was measured of it and of the cluster (Saxena et al., section III-B): its scaling factor
//! by GPUs with the best batch size, and its processing times. Every point says by its shape, and every row of the
//! table in words, whether it was measured, interpolated or assumed.

use std::collections::BTreeSet;

use elastiplan_model::{BatchRange, Curves, Estimate, Origin, ScalingRow, ScalingTimes, Trace};
use elastiplan_text::format;

use crate::figure::axis::{Axis, Scale};
use crate::figure::table::{Cell, Table};
use crate::figure::{Figure, OriginMark, Series, Shape, Tone};

/// Beyond so many numbers of GPUs only powers of two and the last are marked; the line and the table have all.
const MARKED: u32 = 64;

/// A chart of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfScaling {
    /// Its scaling factor by GPUs.
    #[default]
    Factor,
    /// Its processing time by samples on a GPU.
    Processing,
}

impl OfScaling {
    /// All of them, in the order of the menu.
    pub const ALL: [OfScaling; 2] = [OfScaling::Factor, OfScaling::Processing];

    /// In a menu.
    pub fn label(self) -> &'static str {
        match self {
            OfScaling::Factor => "Scaling factor",
            OfScaling::Processing => "Processing time, ms",
        }
    }

    /// The quantity with its unit.
    pub fn title(self) -> &'static str {
        match self {
            OfScaling::Factor => "Throughput scaling factor by GPUs",
            OfScaling::Processing => "Processing time by samples on a GPU, ms",
        }
    }

    /// The name of its files and of its option in the menu.
    pub fn name(self) -> &'static str {
        match self {
            OfScaling::Factor => "scaling-factor",
            OfScaling::Processing => "processing-time",
        }
    }
}

/// A model whose times are known.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingModel {
    /// Its name.
    pub name: String,
    /// Its times.
    pub times: ScalingTimes,
    /// The batch sizes that its jobs may have; without jobs that say so, those of the measurements.
    pub batches: BatchRange,
}

impl Default for ScalingModel {
    fn default() -> Self {
        Self { name: String::new(), times: ScalingTimes::default(), batches: BatchRange { least: 1, most: 1 } }
    }
}

/// The models whose times are known: those that jobs train first, each in order of the curves.
pub fn scaling_models(curves: &Curves, trace: &Trace) -> Vec<ScalingModel> {
    let known = curves.as_slice().iter().filter_map(|curve| Some((&curve.key().model, curve.scaling_times()?)));
    let model = |(name, times): (&String, &ScalingTimes)| {
        let jobs = trace.jobs().iter().filter(|job| trace.model_name(job.model) == name);
        let own = |batch: u32| BatchRange { least: batch, most: batch };
        let ranges = jobs.clone().filter_map(|job| job.batch_range.or(job.batch_global.map(own)));
        let batches = ranges
            .reduce(|a, b| BatchRange { least: a.least.min(b.least), most: a.most.max(b.most) })
            .unwrap_or_else(|| times.batch_range());
        (jobs.count() > 0, ScalingModel { name: name.clone(), times: times.clone(), batches })
    };
    let (trained, others): (Vec<_>, Vec<_>) = known.map(model).partition(|(is_trained, _)| *is_trained);
    trained.into_iter().chain(others).map(|(_, model)| model).collect()
}

/// The figure of a model. `source`: the publication of the times, which are then called reported instead of measured.
pub fn of_scaling(shown: OfScaling, model: &ScalingModel, source: Option<&str>) -> Figure {
    let words = Words { measured: if source.is_some() { "reported" } else { Origin::Measured.word() } };
    let mut figure = match shown {
        OfScaling::Factor => words.factors(model),
        OfScaling::Processing => words.processing(&model.name, &model.times),
    };
    figure.notes.extend(source.map(|source| format!("From {source}: reported there, or derived from it")));
    figure
}

/// The words for origins.
struct Words {
    measured: &'static str,
}

impl Words {
    fn word(&self, origin: Origin) -> &'static str {
        if origin == Origin::Measured { self.measured } else { origin.word() }
    }

    fn factors(&self, model: &ScalingModel) -> Figure {
        let ScalingModel { name: model, times, batches: range } = model;
        let (range, gpus_max) = (*range, times.gpus_max());
        let rows: Vec<ScalingRow> = (1..=gpus_max).filter_map(|gpus| times.scaling_row(range, gpus)).collect();
        let is_marked = |gpus: u32| gpus_max <= MARKED || gpus.is_power_of_two() || gpus == gpus_max;
        let point = |row: &ScalingRow| {
            let mark = OriginMark { x: row.gpus.into(), y: row.scaling_factor, origin: row.iteration.origin };
            (mark, is_marked(row.gpus))
        };
        let single = format::samples_per_s(times.baseline_samples_per_s());
        let note = format!("With the best batch size of {}; 1 is the largest on one GPU, {single}", written(range));
        let last = rows.last();
        Figure {
            summary: last.map_or_else(|| "Nothing was measured".into(), |row| self.summary_of(model, row)),
            x: Axis::from_zero(Scale::Count, f64::from(gpus_max)).captioned("GPUs"),
            table: self.table_of_factors(&rows),
            ..self.figure(OfScaling::Factor, model, rows.iter().map(point).collect(), note)
        }
    }

    /// What the figures of a model have in common: a line through points, some of which are marked.
    fn figure(&self, shown: OfScaling, model: &str, points: Vec<(OriginMark, bool)>, note: String) -> Figure {
        let corners = points.iter().map(|(mark, _)| (mark.x, mark.y)).collect();
        let marks = points.iter().filter(|(_, is_marked)| *is_marked).map(|(mark, _)| *mark).collect();
        let most = points.iter().map(|(mark, _)| mark.y).fold(0.0, f64::max);
        let series = |tone: Tone, shape: Shape| Series { label: String::new(), tone, shape };
        Figure {
            name: shown.name().into(),
            title: format!("{model}: {}", shown.title()),
            y: Axis::from_zero(Scale::Number, most),
            series: vec![series(Tone::First, Shape::Origins(marks)), series(Tone::Equal, Shape::Line(vec![corners]))],
            notes: vec![self.of_shapes(), note],
            ..Figure::default()
        }
    }

    fn summary_of(&self, model: &str, last: &ScalingRow) -> String {
        let (factor, gpus) = (format::number(last.scaling_factor), format::gpus(last.gpus));
        let batch = format::count(last.batch_global.into());
        format!(
            "{model} is {factor} times as fast on {gpus}, with a batch of {batch}: {}",
            self.word(last.iteration.origin)
        )
    }

    fn table_of_factors(&self, rows: &[ScalingRow]) -> Table {
        let columns = [
            ("GPUs", "gpus"),
            ("All-reduce", "all_reduce_s"),
            ("which is", "all_reduce_origin"),
            ("Best batch", "batch_global"),
            ("on each GPU", "batch_per_gpu"),
            ("Iteration", "iteration_s"),
            ("which is", "iteration_origin"),
            ("Samples/s", "samples_per_s"),
            ("Factor", "scaling_factor"),
            ("Efficiency", "efficiency_percent"),
        ];
        let count = |count: u32| Cell::Written(count.into(), format::count(count.into()));
        let row = |row: &ScalingRow| {
            let [all_reduce, all_reduce_origin] = self.cells(row.all_reduce);
            let [iteration, iteration_origin] = self.cells(row.iteration);
            vec![
                count(row.gpus),
                all_reduce,
                all_reduce_origin,
                count(row.batch_global),
                count(row.batch_per_gpu),
                iteration,
                iteration_origin,
                Cell::Number(row.samples_per_s),
                Cell::Number(row.scaling_factor),
                Cell::Percent(row.efficiency * 100.0),
            ]
        };
        Table::new(columns, rows.iter().map(row))
    }

    fn processing(&self, model: &str, times: &ScalingTimes) -> Figure {
        let most = times.batch_per_gpu_max();
        let measured = times.processing_s.iter().filter(|(samples, _)| samples.fract() == 0.0);
        let batches: BTreeSet<u32> = measured
            .map(|(samples, _)| *samples as u32)
            .chain(BatchRange { least: 1, most: most.max(1) }.ladder())
            .collect();
        let known: Vec<(u32, Estimate)> =
            batches.into_iter().filter_map(|batch| Some((batch, times.processing(batch)?))).collect();
        let mark = |(batch, Estimate { time_s, origin }): &(u32, Estimate)| {
            (OriginMark { x: f64::from(*batch), y: time_s * 1e3, origin: *origin }, true)
        };
        let most_ms = known.iter().map(|(_, estimate)| estimate.time_s * 1e3).fold(0.0, f64::max);
        let note = format!("More than {} samples do not fit on a GPU", format::count(most.into()));
        Figure {
            summary: format!("{model} takes up to {} ms for up to {most} samples", format::number(most_ms)),
            x: Axis::from_zero(Scale::Count, f64::from(most)).captioned("samples"),
            table: self.table_of_processing(&known),
            ..self.figure(OfScaling::Processing, model, known.iter().map(mark).collect(), note)
        }
    }

    fn table_of_processing(&self, known: &[(u32, Estimate)]) -> Table {
        let row = |(batch, estimate): &(u32, Estimate)| {
            let [time, origin] = self.cells(*estimate);
            vec![Cell::Written(f64::from(*batch), format::count(u64::from(*batch))), time, origin]
        };
        let columns =
            [("Samples on a GPU", "batch_per_gpu"), ("Processing", "processing_s"), ("which is", "processing_origin")];
        Table::new(columns, known.iter().map(row))
    }

    /// The legend of the shapes of points.
    fn of_shapes(&self) -> String {
        let shape = |origin: Origin| match origin {
            Origin::Measured => "Dots",
            Origin::Interpolated => "rings",
            Origin::Assumed => "crosses",
        };
        Origin::ALL.map(|origin| format!("{} are {}", shape(origin), self.word(origin))).join(", ")
    }

    fn cells(&self, estimate: Estimate) -> [Cell; 2] {
        let time_s = estimate.time_s;
        [Cell::Written(time_s, format!("{} s", format::number(time_s))), Cell::Text(self.word(estimate.origin).into())]
    }
}

fn written(range: BatchRange) -> String {
    format!("{} to {}", format::count(range.least.into()), format::count(range.most.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::table::Copied;

    fn times() -> ScalingTimes {
        ScalingTimes {
            processing_s: vec![(32.0, 0.1), (128.0, 0.4)],
            all_reduce_s: vec![(2, 0.1), (4, 0.3)],
            all_reduce_estimated: vec![(4, Origin::Assumed)],
        }
    }

    fn vgg(times: ScalingTimes) -> ScalingModel {
        ScalingModel { name: "vgg".into(), batches: times.batch_range(), times }
    }

    /// Category 1 of IBM's benchmark trains resnet50 with 32 to 256 samples (Table I).
    #[test]
    fn models_that_jobs_train_come_first_with_the_batch_sizes_of_their_jobs() {
        let preset = elastiplan_documents::Preset::named("ibm-5a").unwrap();
        let scenario = preset.document().unwrap().resolve(&|_| None).unwrap().scenario;
        let models = scaling_models(&scenario.curves, &scenario.trace);
        assert_eq!((models[0].name.as_str(), models[0].batches), ("resnet50", BatchRange { least: 32, most: 256 }));
        assert_eq!(models.len(), 4);
        let alone = scaling_models(&scenario.curves, &Trace::default());
        assert_eq!((alone[0].name.as_str(), alone[0].batches), ("alexnet", alone[0].times.batch_range()));
    }

    fn origins(figure: &Figure) -> Vec<(f64, f64, Origin)> {
        let marks = figure.series.iter().find_map(|series| match &series.shape {
            Shape::Origins(marks) => Some(marks),
            _ => None,
        });
        marks.unwrap().iter().map(|mark| (mark.x, mark.y, mark.origin)).collect()
    }

    #[test]
    fn factors_say_where_they_come_from() {
        let figure = of_scaling(OfScaling::Factor, &vgg(times()), None);
        let found = origins(&figure);
        assert_eq!(found[..2], [(1.0, 1.0, Origin::Measured), (2.0, 1.6, Origin::Measured)]);
        // Between two and four GPUs it is no more certain than on four.
        assert_eq!(found[2..].iter().map(|mark| mark.2).collect::<Vec<_>>(), [Origin::Assumed; 2]);
        let csv = figure.table.copied(Copied::Csv);
        let rows: Vec<&str> = csv.lines().collect();
        assert_eq!(rows[2], "2,0.1,measured,256,128,0.5,measured,512,1.6,80");
        assert!(rows[4].starts_with("4,0.3,assumed,512,128,0.7,assumed,"), "{}", rows[4]);
        assert_eq!(figure.notes[0], "Dots are measured, rings are interpolated, crosses are assumed");
        assert_eq!(
            figure.notes[1],
            "With the best batch size of 32 to 512; 1 is the largest on one GPU, 320 samples/s"
        );
        assert_eq!(figure.summary, "vgg is 2.29 times as fast on 4 GPUs, with a batch of 512: assumed");
    }

    #[test]
    fn processing_times_are_shown_at_powers_of_two_and_where_they_were_measured() {
        let figure = of_scaling(OfScaling::Processing, &vgg(times()), None);
        let found: Vec<(f64, Origin)> = origins(&figure).into_iter().map(|(x, _, origin)| (x, origin)).collect();
        let assumed = [1.0, 2.0, 4.0, 8.0, 16.0].map(|samples| (samples, Origin::Assumed));
        assert_eq!(found[..5], assumed);
        let between = [(32.0, Origin::Measured), (64.0, Origin::Interpolated), (128.0, Origin::Measured)];
        assert_eq!(found[5..], between);
        assert!(figure.table.copied(Copied::Csv).ends_with("64,0.2,interpolated\n128,0.4,measured\n"));
    }

    #[test]
    fn what_a_paper_reports_is_not_called_measured() {
        let figure = of_scaling(OfScaling::Processing, &vgg(times()), Some("Table I"));
        assert_eq!(figure.notes[0], "Dots are reported, rings are interpolated, crosses are assumed");
        assert_eq!(figure.notes[2], "From Table I: reported there, or derived from it");
        assert!(figure.table.copied(Copied::Csv).ends_with("128,0.4,reported\n"));
    }

    #[test]
    fn many_gpus_are_marked_at_powers_of_two() {
        let many = ScalingTimes { all_reduce_s: vec![(2, 0.1), (200, 0.3)], ..times() };
        let figure = of_scaling(OfScaling::Factor, &vgg(many), None);
        let marked: Vec<f64> = origins(&figure).iter().map(|mark| mark.0).collect();
        assert_eq!(marked, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 200.0]);
        assert_eq!(figure.table.rows.len(), 200);
    }
}
