//! A set of files to one trace, one set of curves and one availability log.

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Availability, Diagnostic, Trace};
use serde::{Deserialize, Serialize};

use crate::curves::set::CurveSet;
use crate::file::{self, EarlierFiles};
use crate::format::Rows;
use crate::jobs::trace;
use crate::mapping::Mapping;
use crate::packed::{self, Archive, Opened, Tally};
use crate::profiles::join::Profiles;
use crate::report::{FileKind, FileReport, Import};
use crate::scalability::join::Measurements;
use crate::text::source::{Meter, Source};
use crate::trainers;

/// Options of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The largest file to read; `None` for no limit.
    pub bytes_max: Option<u64>,
}

impl Default for Options {
    /// 2 GB: more than a browser can hold the jobs of.
    fn default() -> Self {
        Self { bytes_max: Some(2_000_000_000) }
    }
}

/// Reads files, in their order. The first trace with a job in it is used, and so is the first availability log; further
/// ones are reported and not read. Curves of all files are collected; where two files have the same curve, that of the
/// later one is used. Files that make a curve only together are joined at the end.
///
/// `progress` is called about every megabyte and at the end.
pub fn import(sources: Vec<Source<'_>>, options: &Options, progress: &mut dyn FnMut(crate::Progress)) -> Import {
    import_mapped(sources, &[], options, progress)
}

/// The same, with mappings for some of the files by their place in the list. Such a file is read as a job trace by its
/// mapping, whatever it could be taken for.
pub fn import_mapped(
    sources: Vec<Source<'_>>,
    mappings: &[(u32, Mapping)],
    options: &Options,
    progress: &mut dyn FnMut(crate::Progress),
) -> Import {
    let bytes_total = sources.iter().map(|source| source.bytes_total).sum();
    let mut meter = Meter::new(bytes_total, progress);
    let mut collected = Collected::default();
    for (index, source) in (0..).zip(sources) {
        meter.progress.file = index;
        let mapping = mappings.iter().find(|(at, _)| *at == index).map(|(_, mapping)| mapping);
        collected.read(source, mapping, options.bytes_max, &mut meter);
    }
    meter.report();
    collected.finish()
}

/// The data of the files so far.
#[derive(Default)]
struct Collected {
    files: Vec<FileReport>,
    trace: Option<(String, Trace)>,
    availability: Option<(String, Availability)>,
    curves: CurveSet,
    profiles: Profiles,
    measurements: Measurements,
    diagnostics: Vec<Diagnostic>,
}

impl Collected {
    /// Reads a file, or all files of an archive.
    fn read(&mut self, source: Source<'_>, mapping: Option<&Mapping>, bytes_max: Option<u64>, meter: &mut Meter<'_>) {
        let path = source.path.clone();
        match packed::open(source) {
            Ok(Opened::File(source)) => {
                let outcome = file::read(source, mapping, bytes_max, self.earlier(), meter);
                self.add(outcome);
            }
            Ok(Opened::Archive(archive)) => self.read_archive(archive, mapping, bytes_max, meter),
            Err(refusal) => self.add(file::refused(&path, refusal)),
        }
    }

    fn read_archive(
        &mut self,
        mut archive: Archive<'_>,
        mapping: Option<&Mapping>,
        bytes_max: Option<u64>,
        meter: &mut Meter<'_>,
    ) {
        let mut tally = Tally::default();
        while !tally.is_full()
            && let Some((path, source)) = archive.next()
        {
            let outcome = match source {
                Ok(source) => file::read(source, mapping, bytes_max, self.earlier(), meter),
                Err(refusal) => file::refused(&path, refusal),
            };
            if tally.add(outcome.report.kind != FileKind::Unrecognised || outcome.report.mapping.is_some()) {
                self.add(outcome);
            }
        }
        if archive.files() == 0 {
            return self.add(file::refused(archive.path(), packed::no_files()));
        }
        self.diagnostics.extend(tally.findings(archive.path(), archive.files()));
    }

    fn earlier(&self) -> EarlierFiles<'_> {
        let trace = self.trace.as_ref().map(|(path, _)| path.as_str());
        let availability = self.availability.as_ref().map(|(path, _)| path.as_str());
        EarlierFiles { trace, availability }
    }

    fn add(&mut self, outcome: file::Outcome) {
        let file::Outcome { mut report, rows, diagnostics } = outcome;
        let mut found = diagnostics;
        match rows {
            Some(Rows::Jobs(rows)) => {
                let merged = trace::trace(&report.path, rows);
                report.rows_defaulted += merged.rows_defaulted;
                if merged.trace.is_none() {
                    report.not_used = merged.diagnostic.as_ref().map(|diagnostic| diagnostic.rule.clone());
                    report.jobs = 0;
                }
                self.trace = merged.trace.map(|trace| (report.path.clone(), trace));
                found.extend(merged.diagnostic);
            }
            Some(Rows::Curves(curves)) => found.extend(self.curves.add(&report.path, curves)),
            Some(Rows::Part(part)) => found.extend(self.profiles.add(&mut self.files, &report.path, part)),
            Some(Rows::Scalability(part)) => {
                found.extend(self.measurements.add(&mut self.files, &report.path, part));
            }
            Some(Rows::Availability(log)) => self.availability = log.ok().map(|log| (report.path.clone(), log)),
            None | Some(Rows::None(_)) => {}
        }
        sort_by_key(&mut found, |diagnostic| std::cmp::Reverse(diagnostic.severity));
        self.diagnostics.extend(found);
        self.files.push(report);
    }

    fn finish(mut self) -> Import {
        self.diagnostics.extend(self.profiles.finish(&mut self.files, &mut self.curves));
        self.diagnostics.extend(self.measurements.finish(&mut self.files, &mut self.curves));
        self.diagnostics.extend(self.curves.folders());
        let mut trace = self.trace.map(|(_, trace)| trace);
        let mut curves = self.curves.finish();
        if self.files.iter().any(|file| file.kind == FileKind::JobsBfTrainer && file.jobs > 0)
            && let Some(joined) = trace.as_ref().and_then(|trace| trainers::join(trace, &curves))
        {
            (trace, curves) = (Some(joined.0), joined.1);
        }
        Import {
            files: self.files,
            trace,
            curves,
            availability: self.availability.map(|(_, log)| log),
            diagnostics: self.diagnostics,
        }
    }
}
