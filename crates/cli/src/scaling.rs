//! `elastiplan scaling`: what a job scalability analyzer tells of models, and which batch sizes finish in time.

use std::path::PathBuf;

use clap::Args;
use elastiplan_model::{BatchRange, BatchTimes, Curve, Curves, Estimate, Origin, ScalingRow, ScalingTimes, limits};
use elastiplan_text::format;
use elastiplan_workloads::published::Published;

use crate::output::tell;
use crate::table::headed;
use crate::{CommandError, files, print};

#[derive(Args)]
pub struct Arguments {
    /// Processing times of models and all-reduce times of the cluster; of a folder, everything in it.
    #[arg(required_unless_present = "published", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Models that are built in, instead of files.
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    published: Option<String>,
    /// This model only.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The smallest batch size, on all GPUs together. Without it, the fewest samples that were measured.
    #[arg(long, value_name = "SAMPLES", value_parser = batch)]
    batch_min: Option<u32>,
    /// The largest batch size. Without it, as many as fit on all GPUs.
    #[arg(long, value_name = "SAMPLES", value_parser = batch)]
    batch_max: Option<u32>,
    /// The most GPUs. Without it, as many as were measured.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=i64::from(limits::LAW_GPUS_MAX)))]
    gpus_max: Option<u32>,
    /// How many samples a training takes: with --within, tells which batch sizes finish in time.
    #[arg(long, value_name = "NUMBER", value_parser = samples, requires = "within")]
    samples: Option<f64>,
    /// How long a training may take: 90m, 2h, 1.5d, or a number of seconds.
    #[arg(long, value_name = "TIME", value_parser = time, requires = "samples")]
    within: Option<f64>,
}

/// The most columns of GPUs that a table has: beyond them, powers of two and the last.
const COLUMNS: u32 = 16;

pub fn scaling(arguments: &Arguments) -> Result<(), CommandError> {
    let published = published(arguments)?;
    let curves = read(arguments, published)?;
    let wanted = |curve: &&Curve| arguments.model.as_ref().is_none_or(|model| curve.key().model == *model);
    let mut parts = Vec::new();
    for curve in curves.as_slice().iter().filter(wanted) {
        if let Some(times) = curve.scaling_times() {
            parts.push(of_model(&curve.key().model, times, arguments, published)?);
        }
    }
    if parts.is_empty() {
        return Err(nothing(arguments, &curves));
    }
    print(&parts.join("\n"))
}

fn published(arguments: &Arguments) -> Result<Option<&'static Published>, CommandError> {
    let Some(name) = &arguments.published else { return Ok(None) };
    let unknown = || CommandError::Usage(format!("{name} are not curves of this build; see elastiplan curves"));
    Published::named(name).ok_or_else(unknown).map(Some)
}

fn read(arguments: &Arguments, published: Option<&Published>) -> Result<Curves, CommandError> {
    if let Some(table) = published {
        return Ok(table.curves());
    }
    let found = files::import(&arguments.files)?;
    tell(&found.diagnostics);
    Ok(found.curves)
}

/// Why nothing is printed.
fn nothing(arguments: &Arguments, curves: &Curves) -> CommandError {
    let known = curves.as_slice().iter().filter(|curve| curve.scaling_times().is_some());
    let known: Vec<&str> = known.map(|curve| curve.key().model.as_str()).collect();
    match (&arguments.model, known.as_slice()) {
        (Some(model), [_, ..]) => CommandError::Usage(format!("No times of {model}. There are: {}", known.join(", "))),
        _ => CommandError::Input("No model has processing times: docs/formats.md says how to give them".into()),
    }
}

/// Everything that there is to say of a model.
fn of_model(
    model: &str,
    times: &ScalingTimes,
    arguments: &Arguments,
    published: Option<&'static Published>,
) -> Result<String, CommandError> {
    let all = times.batch_range();
    let least = arguments.batch_min.unwrap_or_else(|| all.least.min(arguments.batch_max.unwrap_or(all.least)));
    let range = BatchRange { least, most: arguments.batch_max.unwrap_or(all.most.max(least)) };
    if range.least > range.most {
        return Err(CommandError::Usage("--batch-min is above --batch-max".into()));
    }
    let gpus_max = times.gpus_max().min(arguments.gpus_max.unwrap_or(u32::MAX));
    let (least, most) = (format::count(range.least.into()), format::count(range.most.into()));
    let head = format!("{model}, batch sizes {least} to {most}, up to {}\n", format::gpus(gpus_max));
    let source = published.map(|table| format!("From {}: told there, or worked out from it\n", table.source));
    let words = Words { published };
    let processing = words.processing(times);
    let mut parts = vec![head + &source.unwrap_or_default(), processing, words.by_gpus(times, range, gpus_max)];
    if let Some((samples, within_s)) = arguments.samples.zip(arguments.within) {
        parts.push(advice(&times.training_times(range, gpus_max, samples), samples, within_s));
    }
    Ok(parts.join("\n"))
}

/// How values are called: what a paper tells was not measured here.
struct Words {
    published: Option<&'static Published>,
}

impl Words {
    fn word(&self, origin: Origin) -> String {
        if origin == Origin::Measured && self.published.is_some() { "told".into() } else { origin.to_string() }
    }

    /// A row for each number of samples that was measured.
    fn processing(&self, times: &ScalingTimes) -> String {
        let row = |(samples, time_s): &(f64, f64)| {
            vec![format::number(*samples), seconds(*time_s), self.word(Origin::Measured)]
        };
        let held = "Fewer take as long as the fewest: assumed. More do not fit\n";
        headed(&["Samples per GPU", "Processing", ""], [], times.processing_s.iter().map(row), 0) + held
    }

    /// A row for each number of GPUs: what an all-reduce takes, and what the best batch size makes of it.
    fn by_gpus(&self, times: &ScalingTimes, range: BatchRange, gpus_max: u32) -> String {
        let heads =
            ["GPUs", "All-reduce", "", "Best batch", "Per GPU", "Iteration", "", "Samples/s", "Factor", "Efficiency"];
        let row = |gpus: u32| {
            let all_reduce = times.all_reduce(gpus).map(|time| self.in_words(time));
            let best = times.scaling_row(range, gpus).map(|row| self.best_cells(row));
            let cells = all_reduce.unwrap_or_else(dashes).into_iter().chain(best.unwrap_or_else(dashes));
            std::iter::once(gpus.to_string()).chain(cells).collect()
        };
        let baseline = format!(
            "Factor 1 is the largest batch on one GPU, {} samples: {}\n",
            format::count(times.batch_per_gpu_max().into()),
            format::samples_per_s(times.baseline_samples_per_s())
        );
        headed(&heads, [], (1..=gpus_max).map(row), 0) + &baseline
    }

    fn best_cells(&self, row: ScalingRow) -> [String; 7] {
        let [iteration, origin] = self.in_words(row.iteration);
        [
            format::count(row.batch_global.into()),
            format::count(row.batch_per_gpu.into()),
            iteration,
            origin,
            format::number(row.samples_per_s),
            format!("{:.2}", row.scaling_factor),
            format!("{:.2}", row.efficiency),
        ]
    }

    fn in_words(&self, estimate: Estimate) -> [String; 2] {
        [seconds(estimate.time_s), self.word(estimate.origin)]
    }
}

fn dashes<const CELLS: usize>() -> [String; CELLS] {
    [format::DASH; CELLS].map(String::from)
}

fn seconds(time_s: f64) -> String {
    format!("{} s", format::number(time_s))
}

/// A row for each batch size: how long the training takes on so many GPUs, and what follows.
fn advice(batches: &[BatchTimes], samples: f64, within_s: f64) -> String {
    let gpus_max = batches.first().map_or(0, |batch| batch.training.len() as u32);
    let columns: Vec<u32> = (1..=gpus_max).filter(|gpus| gpus_max <= COLUMNS || is_shown(*gpus, gpus_max)).collect();
    let row = |batch: &BatchTimes| {
        let cells =
            columns.iter().map(|gpus| cell(batch.training.get(*gpus as usize - 1).copied().flatten(), within_s));
        let verdict = batch.verdict(within_s).to_string();
        [format::count(batch.batch_global.into()), verdict].into_iter().chain(cells).collect()
    };
    let gpus = columns.iter().map(|gpus| format::gpus(*gpus));
    let table = headed(&["Batch", "In time"], gpus, batches.iter().map(row), 0);
    let (samples, within) = (format::number(samples), format::duration(within_s));
    format!(
        "Training with {samples} samples within {within}\n{table}\
         In brackets: too late. ~: from an assumed time. always: wherever it runs\n"
    )
}

fn is_shown(gpus: u32, gpus_max: u32) -> bool {
    gpus.is_power_of_two() || gpus == gpus_max
}

fn cell(time: Option<Estimate>, within_s: f64) -> String {
    let Some(Estimate { time_s, origin }) = time else { return format::DASH.into() };
    let mark = if origin == Origin::Assumed { "~" } else { "" };
    let text = format!("{mark}{}", format::duration(time_s));
    if time_s <= within_s { text } else { format!("({text})") }
}

fn batch(text: &str) -> Result<u32, String> {
    let batch = text.parse().ok().filter(|batch| (1..=limits::BATCH_MAX).contains(batch));
    batch.ok_or_else(|| format!("{text} is not a whole number from 1 to 1073741824"))
}

fn samples(text: &str) -> Result<f64, String> {
    let samples = text.parse().ok().filter(|samples: &f64| *samples > 0.0 && *samples <= limits::WORK_MAX);
    samples.ok_or_else(|| format!("{text} is not a number above 0, at most 1e18"))
}

/// A number with a unit of time, or of seconds.
fn time(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0)];
    let with_unit = units.iter().find_map(|(unit, unit_s)| Some((text.strip_suffix(unit)?, *unit_s)));
    let (number, unit_s) = with_unit.unwrap_or((text, 1.0));
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit_s);
    let seconds = seconds.filter(|seconds| *seconds > 0.0 && *seconds <= limits::TIME_MAX_S);
    seconds.ok_or_else(|| format!("{text} is not a time such as 90m, 2h or 7200"))
}
