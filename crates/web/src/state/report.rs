//! The report on what was loaded: findings of all files and of binding jobs to curves, and advice before the runs, in
//! one list.

use std::rc::Rc;

use elastiplan_formats::FileRole;
use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Diagnostic, Severity};

use super::data::{Bound, Reading};
use super::inputs::Inputs;

/// One finding, and the reading whose file it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The number of the reading; missing where no file is concerned.
    pub reading: Option<u32>,
    /// The finding.
    pub diagnostic: Diagnostic,
}

impl Found {
    /// Where it can be shown in its file.
    pub fn place(&self) -> Option<(u32, String, u64)> {
        let place = &self.diagnostic.place;
        Some((self.reading?, place.file.clone()?, place.row?))
    }
}

/// The report.
#[derive(Clone, Debug)]
pub struct Report {
    /// The readings, the latest first.
    pub readings: Vec<Rc<Reading>>,
    /// All findings: what was left out first.
    pub found: Vec<Found>,
    /// Rows of the trace's file, or jobs where there is no file.
    pub jobs_read: u64,
    /// Jobs that can run.
    pub jobs_loaded: u64,
    /// Whether the files changed nothing.
    pub is_unused: bool,
}

/// Findings by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Rows that were left out.
    LeftOut,
    /// Repairs, assumptions, and warnings before a run.
    Warnings,
    /// Values that were filled in.
    Defaults,
}

impl Filter {
    /// All filters, in their order.
    pub const ALL: [Filter; 4] = [Filter::All, Filter::LeftOut, Filter::Warnings, Filter::Defaults];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Filter::All => "All",
            Filter::LeftOut => "Left out",
            Filter::Warnings => "Warnings",
            Filter::Defaults => "Defaults",
        }
    }

    /// Whether it shows a finding.
    pub fn shows(self, severity: Severity) -> bool {
        match self {
            Filter::All => true,
            Filter::LeftOut => severity == Severity::Error,
            Filter::Warnings => severity == Severity::Warning,
            Filter::Defaults => severity == Severity::Info,
        }
    }
}

impl Report {
    /// The report on the data in use; or, with `unused`, on files that brought nothing.
    pub fn of(inputs: &Inputs, bound: &Bound, unused: Option<&Rc<Reading>>) -> Self {
        let data = &inputs.data;
        let mut readings = unused.map_or_else(|| data.readings(), |reading| vec![Rc::clone(reading)]);
        sort_by_key(&mut readings, |reading| std::cmp::Reverse(reading.number));
        let of_reading = |reading: &Rc<Reading>| {
            let number = Some(reading.number);
            let found = |diagnostic: &Diagnostic| Found { reading: number, diagnostic: diagnostic.clone() };
            reading.diagnostics.iter().map(found).collect::<Vec<_>>()
        };
        let mut found: Vec<Found> = readings.iter().flat_map(of_reading).collect();
        if unused.is_none() {
            let reading = data.trace_origin.reading().map(|reading| reading.number);
            found.extend(bound.diagnostics.iter().cloned().map(|diagnostic| Found { reading, diagnostic }));
            found.extend(inputs.advice().into_iter().map(|diagnostic| Found { reading: None, diagnostic }));
        }
        sort_by_key(&mut found, |found| std::cmp::Reverse(found.diagnostic.severity));
        let loaded = bound.jobs_loaded as u64;
        // Jobs of an earlier file may be beside them.
        let jobs_read =
            data.trace_file().map_or(loaded, |file| file.rows_read.max(file.jobs) + loaded.saturating_sub(file.jobs));
        let jobs_loaded = bound.jobs_bound() as u64;
        Self { readings, found, jobs_read, jobs_loaded, is_unused: unused.is_some() }
    }

    /// Whether a file of a role is in use.
    pub fn has(&self, role: FileRole) -> bool {
        self.readings.iter().any(|reading| reading.files_of(role).next().is_some())
    }

    /// Rows left out and rows repaired or filled in, of the files of a role.
    pub fn rows(&self, role: FileRole) -> (u64, u64) {
        let files = self.readings.iter().flat_map(|reading| reading.files_of(role));
        files.fold((0, 0), |(rejected, defaulted), file| {
            (rejected + file.rows_rejected, defaulted + file.rows_defaulted)
        })
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::{Options, Source, import};

    use super::*;

    /// The sample's inputs with files loaded: how they are bound, and the reading.
    fn loaded(files: &[(&str, &[u8])]) -> (Inputs, Bound, Rc<Reading>) {
        let sources = files.iter().map(|&(name, bytes)| Source::from_bytes(name, bytes)).collect();
        let (data, reading) = Inputs::sample().data.with(import(sources, &Options::default(), &mut |_| {}), 7, 1.0);
        let mut inputs = Inputs::sample();
        inputs.load(data.unwrap());
        inputs.set_cluster(1, 4);
        let bound = inputs.bind();
        (inputs, bound, reading)
    }

    #[test]
    fn findings_of_files_and_of_binding_stand_in_one_list() {
        let jobs = b"job_id,submit_s,model,gpus,samples\na,0,bert,2,9\nb,9,bert,two,9\nc,9,gpt,1,5\nd,9,bert,9,9\n";
        let curves = b"model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n";
        let (inputs, bound, reading) = loaded(&[("jobs.csv", jobs), ("curves.csv", curves)]);
        let report = Report::of(&inputs, &bound, None);
        assert_eq!((report.jobs_read, report.jobs_loaded), (4, 2));
        assert_eq!(report.rows(FileRole::Jobs).0, 1);
        assert!(report.has(FileRole::Jobs) && !report.has(FileRole::Availability));
        let left_out: Vec<u64> = report.found.iter().filter_map(|found| Some(found.place()?.2)).take(2).collect();
        assert_eq!(left_out, [3, 4], "the row that cannot be read, then the job without a curve");
        assert!(report.found.iter().any(|found| found.diagnostic.rule.contains("At most the cluster's 4 GPUs")));
        assert!(Report::of(&inputs, &bound, Some(&reading)).is_unused);
    }

    /// A finding about the log before the runs names its file and is an assumption; memory is a warning.
    #[test]
    fn advice_stands_beside_what_was_found() {
        let listed = |report: &Report| -> Vec<(Severity, Option<String>, String)> {
            let own =
                |found: &&Found| found.diagnostic.rule.contains("log with") || found.diagnostic.rule.contains("GB");
            let listed = |found: &Found| {
                let Diagnostic { severity, place, outcome, .. } = found.diagnostic.clone();
                (severity, place.file, outcome)
            };
            report.found.iter().filter(own).map(listed).collect()
        };
        let (inputs, bound, reading) = loaded(&[("idle.csv", b"node,start_s,end_s\na,100,150\nb,120,\n")]);
        let moved = "It is moved by -100 s to begin with the jobs, at 0 s, and lasts 50 s".to_string();
        let log = (Severity::Info, Some("idle.csv".to_string()), moved);
        assert_eq!(listed(&Report::of(&inputs, &bound, None)), [log]);
        assert_eq!(listed(&Report::of(&inputs, &bound, Some(&reading))), []);
        let rows: String = (0..60_000).map(|row| format!("{row},0,AlexNet,1,9\n")).collect();
        let jobs = format!("job_id,submit_s,model,gpus,samples\n{rows}");
        let (inputs, bound, _) = loaded(&[("jobs.csv", jobs.as_bytes())]);
        let memory = (Severity::Warning, None, "A browser tab may have less".to_string());
        assert_eq!(listed(&Report::of(&inputs, &bound, None)), [memory]);
    }
}
