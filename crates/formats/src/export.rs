//! Writing tables as CSV: commas, `\n`, quotes where they are needed, numbers so that they read back the same.

use std::fmt::Display;

use elastiplan_model::{Availability, Curve, CurvePoint, Curves, Detail, Job, Trace, Work, limits};

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

/// A trace as a plain job trace. Optional columns that no job fills are left out.
pub fn write_jobs(trace: &Trace) -> Vec<u8> {
    write_job_columns(&JOB_COLUMNS, trace)
}

/// The columns that are needed, and those of the others that a job fills: whether one does is looked up once for a
/// column, since it may take every job.
fn write_job_columns(columns: &[JobColumn], trace: &Trace) -> Vec<u8> {
    let written: Vec<&JobColumn> = columns.iter().filter(|column| column.needed || column.is_filled(trace)).collect();
    let header: Vec<&str> = written.iter().map(|column| column.name).collect();
    let cells = |job| written.iter().map(move |column| (column.value)(trace, job).unwrap_or_default());
    write_table(&header, trace.jobs().iter().map(cells))
}

/// A column of the plain job trace.
struct JobColumn {
    name: &'static str,
    /// Whether it is written even if it is empty.
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

static JOB_COLUMNS: [JobColumn; 21] = [
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
    JobColumn::new("gpu_seconds", false, |_, job| match job.work {
        Work::GpuSeconds(gpu_seconds) => text(Some(gpu_seconds)),
        _ => None,
    }),
    JobColumn::new("epochs", false, |_, job| match job.work {
        Work::Epochs { epochs, .. } => text(Some(epochs)),
        _ => None,
    }),
    JobColumn::new("samples_per_epoch", false, |_, job| match job.work {
        Work::Epochs { samples_each, .. } => text(Some(samples_each)),
        _ => None,
    }),
    JobColumn::new("trainings", false, |_, job| match job.work {
        Work::Trainings(trainings) => text(Some(trainings)),
        _ => None,
    }),
    JobColumn::new("batch_global", false, |_, job| text(job.batch_global)),
    JobColumn::new("gpus_min", false, |_, job| text(job.gpus_min)),
    JobColumn::new("gpus_max", false, |_, job| text(job.gpus_max)),
    JobColumn::new("deadline_s", false, |_, job| text(job.deadline_s)),
    JobColumn::new("user", false, |_, job| job.user.clone()),
    JobColumn::new("rescale_up_s", false, |_, job| text(job.rescale.map(|rescale| rescale.up_s))),
    JobColumn::new("rescale_down_s", false, |_, job| text(job.rescale.map(|rescale| rescale.down_s))),
    JobColumn::new("batch_min", false, |_, job| text(job.batch_range.map(|range| range.least))),
    JobColumn::new("batch_max", false, |_, job| text(job.batch_range.map(|range| range.most))),
    JobColumn::new("priority", false, |_, job| text(job.priority)),
];

/// Curves as plain throughput curves. Optional columns that no curve fills are left out.
///
/// The format holds measured points and nothing else: of a formula the points are written that it gives for packed
/// GPUs, and the efficiency of larger batches is not.
pub fn write_curves(curves: &Curves) -> Vec<u8> {
    let any = |holds: fn(&Curve) -> bool| curves.as_slice().iter().any(holds);
    let columns = [
        ("model", true),
        ("batch_global", any(|curve| curve.key().batch_global.is_some())),
        ("gpus", true),
        ("nodes", any(|curve| matches!(curve.detail(), Detail::ByNodes(_)))),
        ("placement", any(|curve| matches!(curve.detail(), Detail::Spread(_)))),
        ("samples_per_s", true),
    ];
    let header: Vec<&str> = columns.iter().filter(|(_, needed)| *needed).map(|(name, _)| *name).collect();
    let rows = curves.as_slice().iter().flat_map(|curve| {
        curve_rows(curve).into_iter().map(|(nodes, placement, point)| {
            let model = Some(curve.key().model.clone());
            let (batch, gpus, speed) =
                (text(curve.key().batch_global), text(Some(point.gpus)), text(Some(point.samples_per_s)));
            let cells = [model, batch, gpus, text(nodes), text(placement), speed].into_iter().zip(columns);
            cells.filter(|(_, (_, needed))| *needed).map(|(cell, _)| cell.unwrap_or_default())
        })
    });
    write_table(&header, rows)
}

/// A row of the plain throughput curves: nodes or a placement, where the curve has them, and the point.
type PlainPoint = (Option<u32>, Option<&'static str>, CurvePoint);

fn curve_rows(curve: &Curve) -> Vec<PlainPoint> {
    let placed = |placement: Option<&'static str>| move |point: &CurvePoint| (None, placement, *point);
    // A curve that ends for good is closed by a point at which the model does not run.
    let gpus = curve.gpus_largest() + 1;
    let end = (!curve.runs_beyond() && gpus <= limits::GPUS_MAX).then_some(CurvePoint { gpus, samples_per_s: 0.0 });
    match curve.detail() {
        Detail::CountOnly | Detail::Law(_) | Detail::Profile(_) => {
            curve.points().iter().chain(&end).map(placed(None)).collect()
        }
        Detail::Spread(spread) => {
            let packed = curve.points().iter().chain(&end).map(placed(Some("packed")));
            packed.chain(spread.iter().map(placed(Some("spread")))).collect()
        }
        Detail::ByNodes(groups) => {
            let on = |(nodes, points): &(u32, Vec<CurvePoint>)| {
                points.iter().map(|point| (Some(*nodes), None, *point)).collect::<Vec<_>>()
            };
            groups.iter().flat_map(on).chain(end.iter().map(placed(None))).collect()
        }
    }
}

/// An availability log as intervals in seconds, in order of time. There is a column `log_end_s` only if the log
/// ends after its last change. Nodes that are never available are left out.
pub fn write_availability(log: &Availability) -> Vec<u8> {
    let ends_later = log.changes().last().is_some_and(|change| change.time_s < log.end_s());
    let mut header = vec!["node", "start_s", "end_s", "log_end_s"];
    header.truncate(if ends_later { 4 } else { 3 });
    let rows = log.intervals().into_iter().enumerate().map(|(index, interval)| {
        let name = log.name(interval.node).unwrap_or_default().to_string();
        let mut row = vec![name, interval.start_s.to_string(), text(interval.end_s).unwrap_or_default()];
        // Once is enough.
        row.extend(ends_later.then(|| text((index == 0).then_some(log.end_s())).unwrap_or_default()));
        row
    });
    write_table(&header, rows)
}

/// A number as text that reads back as the same number.
fn text(value: Option<impl Display>) -> Option<String> {
    value.map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use elastiplan_model::ModelId;

    use super::*;

    thread_local! {
        static ASKED: Cell<usize> = const { Cell::new(0) };
    }

    fn trace_of(jobs: u32) -> Trace {
        let job = |at: u32| Job {
            name: format!("j{at}"),
            source_row: 0,
            submit_s: f64::from(at),
            model: ModelId(0),
            batch_global: None,
            batch_range: None,
            gpus_requested: 1,
            gpus_min: None,
            gpus_max: None,
            work: Work::Samples(1.0),
            deadline_s: None,
            user: None,
            rescale: None,
            priority: None,
        };
        Trace::new(vec!["m".into()], (0..jobs).map(job).collect()).unwrap()
    }

    /// The cells of a column that are computed for a table of so many jobs, and the table.
    fn check(jobs: u32, value: fn(&Trace, &Job) -> Option<String>, asked: usize, table: &str) {
        ASKED.set(0);
        let columns =
            [JobColumn::new("job_id", true, |_, job| Some(job.name.clone())), JobColumn::new("x", false, value)];
        assert_eq!(String::from_utf8_lossy(&write_job_columns(&columns, &trace_of(jobs))), table);
        assert_eq!(ASKED.get(), asked, "{jobs} jobs");
    }

    #[test]
    fn a_column_asks_each_job_once_whether_it_is_filled() {
        fn empty(_: &Trace, _: &Job) -> Option<String> {
            ASKED.set(ASKED.get() + 1);
            None
        }
        fn last_only(_: &Trace, job: &Job) -> Option<String> {
            ASKED.set(ASKED.get() + 1);
            (job.name == "j3").then(|| "y".into())
        }
        check(0, empty, 0, "job_id\n");
        check(4, empty, 4, "job_id\nj0\nj1\nj2\nj3\n");
        check(4, last_only, 8, "job_id,x\nj0,\nj1,\nj2,\nj3,y\n");
    }
}
