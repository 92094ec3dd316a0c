//! Writing tables as CSV: commas, `\n`, quotes where they are needed, numbers so that they read back the same.

use std::fmt::Display;

use elastiplan_model::{Availability, Curves, Job, Trace, Work, limits};

/// A table as CSV text.
pub fn write_table<C: AsRef<[u8]>>(
    header: &[&str],
    rows: impl IntoIterator<Item = impl IntoIterator<Item = C>>,
) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(header);
    for row in rows {
        let _ = writer.write_record(row);
    }
    writer.into_inner().unwrap_or_default()
}

/// A trace as a plain job trace. Optional columns that no job fills are left away.
pub fn write_jobs(trace: &Trace) -> Vec<u8> {
    let columns = || JOB_COLUMNS.iter().filter(|column| column.needed || column.is_filled(trace));
    let header: Vec<&str> = columns().map(|column| column.name).collect();
    let cells = |job| columns().map(move |column| (column.value)(trace, job).unwrap_or_default());
    write_table(&header, trace.jobs().iter().map(cells))
}

/// A column of the plain job trace.
struct JobColumn {
    name: &'static str,
    /// Whether it stands there even if it is empty.
    needed: bool,
    value: fn(&Trace, &Job) -> Option<String>,
}

impl JobColumn {
    const fn new(name: &'static str, needed: bool, value: fn(&Trace, &Job) -> Option<String>) -> Self {
        Self { name, needed, value }
    }

    fn is_filled(&self, trace: &Trace) -> bool {
        trace.jobs().iter().any(|job| (self.value)(trace, job).is_some())
    }
}

static JOB_COLUMNS: [JobColumn; 12] = [
    JobColumn::new("job_id", true, |_, job| Some(job.name.clone())),
    JobColumn::new("submit_s", true, |_, job| text(Some(job.submit_s))),
    JobColumn::new("model", true, |trace, job| Some(trace.model_name(job.model).into())),
    JobColumn::new("gpus", true, |_, job| text(Some(job.gpus_requested))),
    // The format needs a column of work, even without jobs.
    JobColumn::new("samples", true, |_, job| match job.work {
        Work::Samples(samples) => text(Some(samples)),
        _ => None,
    }),
    JobColumn::new("iterations", false, |_, job| match job.work {
        Work::Iterations(iterations) => text(Some(iterations)),
        _ => None,
    }),
    JobColumn::new("duration_s", false, |_, job| match job.work {
        Work::DurationOnRequested(seconds) => text(Some(seconds)),
        _ => None,
    }),
    JobColumn::new("batch_global", false, |_, job| text(job.batch_global)),
    JobColumn::new("gpus_min", false, |_, job| text(job.gpus_min)),
    JobColumn::new("gpus_max", false, |_, job| text(job.gpus_max)),
    JobColumn::new("deadline_s", false, |_, job| text(job.deadline_s)),
    JobColumn::new("user", false, |_, job| job.user.clone()),
];

/// Curves as plain throughput curves.
pub fn write_curves(curves: &Curves) -> Vec<u8> {
    let batches = curves.as_slice().iter().any(|curve| curve.key().batch_global.is_some());
    let mut header = vec!["model", "batch_global", "gpus", "samples_per_s"];
    if !batches {
        header.remove(1);
    }
    let mut rows = Vec::new();
    for curve in curves.as_slice() {
        // A curve that ends for good is closed by a point at which the model does not run.
        let end = curve.gpus_largest() + 1;
        let end = (!curve.runs_beyond() && end <= limits::GPUS_MAX).then_some((end, 0.0));
        let points = curve.points().iter().map(|point| (point.gpus, point.samples_per_s)).chain(end);
        rows.extend(points.map(|(gpus, speed)| {
            let mut row = vec![curve.key().model.clone()];
            row.extend(batches.then(|| text(curve.key().batch_global).unwrap_or_default()));
            row.extend([gpus.to_string(), speed.to_string()]);
            row
        }));
    }
    write_table(&header, rows)
}

/// An availability log as intervals in seconds, in order of time. A column `log_end_s` is there only where the log goes on
/// after its last change. Nodes that are never there are left away.
pub fn write_availability(log: &Availability) -> Vec<u8> {
    let goes_on = log.changes().last().is_some_and(|change| change.time_s < log.end_s());
    let mut header = vec!["node", "start_s", "end_s", "log_end_s"];
    header.truncate(if goes_on { 4 } else { 3 });
    let rows = log.intervals().into_iter().enumerate().map(|(index, interval)| {
        let name = log.name(interval.node).unwrap_or_default().to_string();
        let mut row = vec![name, interval.start_s.to_string(), text(interval.end_s).unwrap_or_default()];
        // Once is enough.
        row.extend(goes_on.then(|| text((index == 0).then_some(log.end_s())).unwrap_or_default()));
        row
    });
    write_table(&header, rows)
}

/// A number as text that reads back as the same number.
fn text(value: Option<impl Display>) -> Option<String> {
    value.map(|value| value.to_string())
}
