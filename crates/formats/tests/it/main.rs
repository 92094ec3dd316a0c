//! Reading files: good ones, broken ones, several at once, and real ones.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

mod availability;
mod availability_properties;
mod bad_input;
mod bftrainer;
#[path = "../../../../tests/data_pack.rs"]
mod data_pack;
mod good_input;
mod guess;
mod known;
mod known_cases;
mod known_mapped;
mod kubernetes;
mod mapping;
mod mapping_properties;
mod own;
mod packed;
mod places;
mod pollux;
mod pollux_data;
mod properties;
mod real_data;
#[path = "../../../../tests/samples.rs"]
mod samples;
mod scalability;
mod scaling_tables;
mod several_files;
mod survey;
#[path = "../../../../tests/to_the_bit.rs"]
mod to_the_bit;
mod uses;
mod work;

use std::fmt::Write;

use elastiplan_formats::{Import, Options, Source, import, import_mapped};
use elastiplan_model::{
    BatchRange, CurvePoint, Detail, Efficiency, Gradients, Law, RescaleSeconds, ScalingTimes, Severity, Stage, Work,
};

/// Reads files given by path and content. What is read comes back from our own format.
fn read(files: &[(&str, &[u8])]) -> Import {
    let sources = files.iter().map(|(path, bytes)| Source::from_bytes(*path, bytes)).collect();
    let found = import(sources, &Options::default(), &mut |_| {});
    own::assert_comes_back(&found);
    found
}

/// Reads a table by a mapping.
fn read_mapped(path: &str, bytes: &[u8], mapping: &str) -> Import {
    let mappings = [(0, mapping.parse().unwrap())];
    let found = import_mapped(vec![Source::from_bytes(path, bytes)], &mappings, &Options::default(), &mut |_| {});
    own::assert_comes_back(&found);
    found
}

/// The result of reading: a line for each file, diagnostic, job and curve.
fn as_text(import: &Import) -> String {
    let mut text = String::new();
    for file in &import.files {
        writeln!(text, "{file}").unwrap();
    }
    for diagnostic in &import.diagnostics {
        let sign = match diagnostic.severity {
            Severity::Info => 'i',
            Severity::Warning => '!',
            Severity::Error => 'x',
        };
        writeln!(text, "{sign} {diagnostic}").unwrap();
    }
    text + &given(import)
}

/// The jobs, curves and nodes.
fn given(import: &Import) -> String {
    let mut text = String::new();
    for job in import.trace.iter().flat_map(|trace| trace.jobs()) {
        let trace = import.trace.as_ref().unwrap();
        let model = trace.model_name(job.model);
        write!(text, "= {} row {} at {} {model}", job.name, job.source_row, job.submit_s).unwrap();
        if let Some(batch) = job.batch_global {
            write!(text, "/{batch}").unwrap();
        }
        write!(text, " on {}", job.gpus_requested).unwrap();
        if job.gpus_min.is_some() || job.gpus_max.is_some() {
            write!(text, " ({:?} to {:?})", job.gpus_min, job.gpus_max).unwrap();
        }
        match job.work {
            Work::Samples(work) => write!(text, ", {work} samples").unwrap(),
            Work::Iterations(work) => write!(text, ", {work} iterations").unwrap(),
            Work::DurationOnRequested(work) => write!(text, ", {work} s").unwrap(),
            Work::GpuSeconds(work) => write!(text, ", {work} GPU-s").unwrap(),
            Work::Trainings(work) => write!(text, ", {work} trainings").unwrap(),
            Work::Epochs { epochs, samples_each } => write!(text, ", {epochs} epochs of {samples_each}").unwrap(),
        }
        if let Some(deadline_s) = job.deadline_s {
            write!(text, ", until {deadline_s}").unwrap();
        }
        if let Some(user) = &job.user {
            write!(text, ", by {user}").unwrap();
        }
        if let Some(RescaleSeconds { up_s, down_s }) = job.rescale {
            write!(text, ", rescale {up_s} up {down_s} down").unwrap();
        }
        if let Some(BatchRange { least, most }) = job.batch_range {
            write!(text, ", batches {least} to {most}").unwrap();
        }
        if let Some(priority) = job.priority {
            write!(text, ", priority {priority}").unwrap();
        }
        text.push('\n');
    }
    for curve in import.curves.as_slice() {
        let points = |points: &[CurvePoint]| {
            let words = points.iter().map(|point| format!("{}:{}", point.gpus, point.samples_per_s));
            words.collect::<Vec<_>>().join(" ")
        };
        let end = if curve.runs_beyond() { "" } else { " end" };
        write!(text, "~ {} {}{end}", curve.key(), points(curve.points())).unwrap();
        match curve.detail() {
            Detail::CountOnly => {}
            Detail::Spread(spread) => write!(text, ", spread {}", points(spread)).unwrap(),
            Detail::ByNodes(groups) => {
                for (nodes, group) in groups {
                    write!(text, ", nodes {nodes} {}", points(group)).unwrap();
                }
            }
            Detail::Profile(profile) => {
                let ((placements, counts), (least, most)) = (profile.extent(), profile.batch_per_gpu());
                write!(text, ", {placements} placements and {counts} counts, {least} to {most} on a GPU").unwrap();
                write!(text, ", alone in {}", profile.passes_alone()).unwrap();
            }
            Detail::Law(Law::Scaling(ScalingTimes { processing_s, all_reduce_s, .. })) => {
                write!(text, ", processing {processing_s:?}, all-reduce {all_reduce_s:?}").unwrap();
            }
            Detail::Law(_) => unreachable!("no format has other formulas"),
        }
        text.push('\n');
        if let Some(Efficiency { batch_base, batch_max, samples_total, stages }) = curve.efficiency() {
            writeln!(text, "  batches {batch_base} to {batch_max:?}, {samples_total:?} samples").unwrap();
            for Stage { until, gradients } in stages {
                let words = gradients.iter().map(|Gradients { batch, square, variance, steps }| {
                    format!(" {batch}: {square} {variance} {}", steps.map_or("-".into(), |steps| steps.to_string()))
                });
                writeln!(text, "  to {until}:{}", words.collect::<Vec<_>>().join(",")).unwrap();
            }
        }
    }
    if let Some(log) = &import.availability {
        for node in 0..log.nodes() {
            let own = log.intervals().into_iter().filter(|interval| interval.node == node);
            let words = own.map(|interval| match interval.end_s {
                Some(end_s) => format!(" {} to {end_s}", interval.start_s),
                None => format!(" from {}", interval.start_s),
            });
            writeln!(text, "# {}{}", log.name(node).unwrap(), words.collect::<Vec<_>>().join(",")).unwrap();
        }
        writeln!(text, "# until {}", log.end_s()).unwrap();
    }
    text
}

/// Every count of a report adds up with what was given.
fn assert_adds_up(import: &Import) {
    let (mut jobs, mut nodes) = (0, 0);
    for file in &import.files {
        assert!(file.rows_defaulted + file.rows_rejected <= file.rows_read, "{file:?}");
        if file.not_used.is_some() {
            assert_eq!((file.jobs, file.curves, file.points), (0, 0, 0), "{file:?}");
            assert_eq!((file.nodes, file.intervals), (0, 0), "{file:?}");
        } else if file.jobs > 0 {
            assert_eq!(file.jobs, file.rows_read - file.rows_rejected, "{file:?}");
        }
        jobs += file.jobs;
        nodes += file.nodes;
    }
    assert_eq!(nodes, import.availability.as_ref().map_or(0, |log| u64::from(log.nodes())));
    assert_eq!(jobs, import.trace.as_ref().map_or(0, |trace| trace.jobs().len() as u64));
}
