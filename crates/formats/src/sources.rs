//! Logs and traces of known systems, which need no mapping by hand: recognised by their columns, by the shape of their
//! first row where they have no header, or by how they begin. Most are tables, so that a source is data: what it is
//! known by, a mapping as text, and conditions on its rows with a reason each. Files that cannot serve as jobs, curves
//! or availability are recognised as well, and refused with the reason and a way out.
//!
//! A new source is a file in this folder and a line in [`SOURCES`].

mod acme;
mod alibaba_2020;
mod alibaba_2023;
mod alibaba_2025;
mod alibaba_2026;
mod bftrainer;
mod chronus;
mod configuration;
mod fold;
mod gavel;
mod gavel_throughputs;
mod helios;
mod job_rows;
mod kubernetes;
mod lucid;
mod mlperf;
mod philly;
mod philly_log;
mod results;
pub(crate) mod sacct;
pub(crate) mod sacct_json;
mod scaling;
mod slurm;
pub(crate) mod swf;
mod synergy;
mod tiresias;

pub(crate) use fold::{EARLIER_RUN, Fold, PART, fold, is_step};
pub(crate) use slurm::STEP;

use elastiplan_model::{Diagnostic, Severity};

use crate::format::Rows;
use crate::mapping::Mapping;
use crate::report::FileKind;
use crate::text::findings::{Effect, Finding, Findings, ROW_OUT};
use crate::text::header::Header;
use crate::text::records::Records;
use crate::text::refusal::Refusal;
use crate::text::table::Table;

/// Bytes by which a text that is no table is recognised.
pub(crate) const START: usize = 1 << 12;

/// All known sources; of those that recognise a file the first counts.
static SOURCES: &[&Known] = &[
    &sacct::TABLE,
    &sacct::FIXED_WIDTH,
    &sacct_json::LIST,
    &philly_log::LOG,
    &swf::LOG,
    &gavel_throughputs::THROUGHPUTS,
    &scaling::TABLES,
    &configuration::GAVEL_CLUSTER,
    &configuration::SHOCKWAVE_SETTINGS,
    &configuration::CHRONUS_SPEEDS,
    &configuration::SYNERGY_CLUSTER,
    &configuration::KUBERNETES_NODES,
    &kubernetes::JSON,
    &kubernetes::YAML,
    &mlperf::RESULTS,
    &philly::TABLE,
    &helios::JOBS,
    &helios::GPUS_BY_DAY,
    &helios::SERIES,
    &helios::SUMMARY,
    &helios::CAPACITY,
    &philly::NODES,
    &acme::SEREN,
    &acme::KALOS,
    &acme::CONVERTED,
    &acme::SUMMARY,
    &alibaba_2026::JOBS,
    &alibaba_2026::NODES,
    &alibaba_2023::PODS,
    &alibaba_2023::PODS_WITHOUT_TIMES,
    &alibaba_2023::NODES,
    &alibaba_2020::SIMULATOR,
    &alibaba_2020::TASKS,
    &alibaba_2020::TASKS_WITH_HEADER,
    &alibaba_2020::JOBS,
    &alibaba_2020::JOBS_WITH_HEADER,
    &alibaba_2020::INSTANCES,
    &alibaba_2020::INSTANCES_WITH_HEADER,
    &alibaba_2020::TAGS,
    &alibaba_2020::TAGS_WITH_HEADER,
    &alibaba_2020::MACHINES,
    &alibaba_2020::MACHINES_WITH_HEADER,
    &alibaba_2020::METRICS,
    &alibaba_2020::SENSORS,
    &alibaba_2020::BATCH_TIMES,
    &alibaba_2025::SERVICES,
    &gavel::SHOCKWAVE,
    &gavel::PHYSICAL,
    &gavel::PHILLY,
    &chronus::JOBS,
    &tiresias::JOBS,
    &tiresias::CLUSTER,
    &tiresias::DURATIONS,
    &synergy::JOBS,
    &lucid::SERIES,
    &lucid::COLOCATED,
    &lucid::SINGLE,
    &lucid::CAPACITY,
    &bftrainer::CURVES,
    &results::FRAGMENTS,
    &results::REPLAYED_RUNS,
    &results::REPLAYED_DECISIONS,
    &results::REPLAYED_STEPS,
    &results::REPLAYED_JOBS,
    &results::SLURM_STATES,
    &results::SLURM_QUEUE,
    &results::SLURM_PRIORITIES,
    &results::SLURM_SHARES,
    &results::SLURM_RESULTS,
    &results::KUEUE_CASES,
    &results::OF_POLICIES,
];

/// A known source: what it is, how it is known, and what is done with it.
pub(crate) struct Known {
    /// What it is: `Helios job log`.
    pub name: &'static str,
    /// Where it is to be had.
    pub origin: &'static str,
    pub tell: Tell,
    pub treatment: Treatment,
}

/// How a source is known.
pub(crate) enum Tell {
    /// By its header: all of some columns, none of others, by their plain names.
    Columns { all: &'static [&'static str], none: &'static [&'static str] },
    /// By its header: these columns and no others.
    Exactly(&'static [&'static str]),
    /// By its header, as a whole.
    Header(fn(&Header) -> bool),
    /// A table without a header: by its delimiter and the shape of its first row. These are the names of its columns.
    FirstRow { delimiter: u8, names: &'static [&'static str], fits: fn(&[&str]) -> bool },
    /// By its first kilobytes, where it need not be a table.
    Start(fn(&str) -> bool),
}

/// What is done with a source.
pub(crate) enum Treatment {
    /// Its rows are jobs by a mapping.
    Jobs(JobTable),
    /// It is a table with a reader of its own.
    Table(TableReader),
    /// It is no table, and has a reader of its own.
    Text(TextReader),
    /// It cannot serve: the reason, and the way out.
    Refused { reason: &'static str, repair: &'static str },
}

/// What is assumed for all rows: a field with what is used for it, and why or how to say otherwise.
pub(crate) type Assumed = (&'static str, &'static str, &'static str);

/// The reader of a table.
pub(crate) struct TableReader {
    pub kind: FileKind,
    /// Why a table with this header cannot be read, if so.
    pub refuse: fn(&Header) -> Option<Refusal>,
    pub read: fn(&mut Table<'_, '_>) -> Rows,
    /// The column of free text, which may hold the delimiter: a row with more cells than the header is joined there, and
    /// quotes are letters. Empty where there is none.
    pub text_column: &'static str,
    /// What becomes of several rows with one name, where it is read by a mapping instead.
    pub fold: Fold,
    pub lacks: &'static str,
    pub next: &'static str,
    pub assumed: &'static [Assumed],
}

/// The reader of a text that is no table.
pub(crate) struct TextReader {
    pub kind: FileKind,
    pub read: fn(&mut Records<'_, '_>, &mut Findings) -> Rows,
    pub lacks: &'static str,
    pub next: &'static str,
    pub assumed: &'static [Assumed],
}

/// What to do next with jobs that say how long they took.
pub(crate) const GIVE_LAW: &str = "Jobs without curves need a law of speedup, such as --law amdahl:0.05";

/// A table whose rows are jobs.
pub(crate) struct JobTable {
    /// The mapping, without conditions.
    pub mapping: &'static str,
    /// Conditions of the mapping, each with what is said of rows that it leaves out.
    pub conditions: &'static [(&'static str, Finding)],
    /// What becomes of several rows with one name.
    pub fold: Fold,
    /// What planning needs and the source does not have, in words.
    pub lacks: &'static str,
    /// What to do next, once it is read.
    pub next: &'static str,
    pub assumed: &'static [Assumed],
}

impl JobTable {
    /// A table with one row for each job and no conditions.
    pub const fn of(mapping: &'static str, lacks: &'static str) -> Self {
        Self { mapping, conditions: &[], fold: Fold::None, lacks, next: GIVE_LAW, assumed: &[] }
    }

    /// The mapping with its conditions.
    pub fn full_mapping(&self) -> Option<Mapping> {
        let mut text = self.mapping.to_string();
        let mut word = " where ";
        for (condition, _) in self.conditions {
            text += word;
            text += condition;
            word = " and ";
        }
        text.parse().ok()
    }
}

/// Why a row is left out, as is meant.
pub(crate) const fn left_out(rule: &'static str, repair: &'static str) -> Finding {
    Finding::new(Effect::Excluded, rule, ROW_OUT, repair)
}

impl Known {
    /// Whether this is the source of a table with this header, or of one without a header whose first row this is.
    fn recognises(&self, header: &Header) -> bool {
        match self.tell {
            Tell::Columns { all, none } => {
                let has = |name: &&str| header.find(name).is_some();
                all.iter().all(has) && !none.iter().any(has)
            }
            Tell::Exactly(names) => {
                let count = header.named() as usize;
                names.len() == count && names.iter().all(|name| header.find(name).is_some())
            }
            Tell::Header(fits) => fits(header),
            Tell::Start(_) => false,
            Tell::FirstRow { delimiter, names, fits } => {
                let cells: Vec<&str> = header.names.iter().map(String::as_str).collect();
                header.delimiter == delimiter && cells.len() == names.len() && fits(&cells)
            }
        }
    }

    /// The header of the table where it has none itself: that of a line before the first.
    pub fn own_header(&self, first: &Header) -> Option<Header> {
        let Tell::FirstRow { delimiter, names, .. } = self.tell else { return None };
        Some(Header::new(first.line, delimiter, names.iter().map(|name| name.as_bytes())))
    }

    /// What becomes of several rows of one job.
    pub fn fold(&self) -> Fold {
        match &self.treatment {
            Treatment::Jobs(table) => table.fold,
            Treatment::Table(reader) => reader.fold,
            Treatment::Text(_) | Treatment::Refused { .. } => Fold::None,
        }
    }

    /// The column of free text that may hold the delimiter.
    pub fn text_column(&self) -> Option<&'static str> {
        match &self.treatment {
            Treatment::Table(reader) if !reader.text_column.is_empty() => Some(reader.text_column),
            _ => None,
        }
    }

    /// What is known of the whole file, for its reader.
    pub fn introduce(&self, lacks: &str, next: &str, findings: &mut Findings) {
        let rule = format!("{}, from {}", self.name, self.origin);
        findings.file(Diagnostic::new(Severity::Info, rule, format!("Read so; it has no {lacks}"), next));
    }
}

/// The source that a table with this header comes from.
pub(crate) fn recognise(header: &Header) -> Option<&'static Known> {
    SOURCES.iter().copied().find(|known| known.recognises(header))
}

/// The source that a text comes from, by its start.
pub(crate) fn recognise_start(start: &[u8]) -> Option<&'static Known> {
    let start = String::from_utf8_lossy(start);
    let start = start.trim_start_matches('\u{feff}');
    SOURCES.iter().copied().find(|known| matches!(known.tell, Tell::Start(fits) if fits(start)))
}

/// Why a text cannot be read by a mapping, if it is of a known source and no table.
pub(crate) fn refuse_mapping(start: &[u8]) -> Option<Refusal> {
    let known = recognise_start(start).filter(|known| matches!(known.treatment, Treatment::Text(_)))?;
    let reason = format!("{}: no table, so that no mapping fits it", known.name);
    Some(Refusal::new(reason, "Read it without a mapping"))
}

/// Whether a cell is a number.
pub(crate) fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether a cell is a hash: many digits and letters from a to f.
pub(crate) fn is_hash(cell: &str) -> bool {
    cell.len() >= 12 && cell.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::registry::FORMATS;
    use crate::samples::samples;
    use crate::{Options, Source, import};

    /// A new format or source needs a sample, with which other tests check it.
    #[test]
    fn every_format_and_source_has_a_sample() {
        let mut samples_of: BTreeMap<String, usize> = BTreeMap::new();
        for sample in samples() {
            let files = sample.iter().map(|(path, bytes)| Source::from_bytes(path, bytes)).collect();
            let found = import(files, &Options::default(), &mut |_| {});
            for file in found.files.iter().filter(|file| file.not_used.is_none()) {
                *samples_of.entry(file.words().into()).or_default() += 1;
            }
        }
        let is_read = |known: &&&Known| !matches!(known.treatment, Treatment::Refused { .. });
        let sources = SOURCES.iter().filter(is_read).map(|known| known.name);
        let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
        for words in sources.chain(FORMATS.iter().map(|format| format.kind.words())) {
            *entries.entry(words).or_default() += 1;
        }
        // Sources that are known by several signs have one name, and a sample for each sign.
        for (words, count) in entries {
            let samples = samples_of.get(words).copied().unwrap_or_default();
            assert!(samples >= count, "{words}: {samples} of {count} samples in crates/formats/tests/samples");
        }
    }

    #[test]
    fn mappings_of_sources_are_whole() {
        for known in SOURCES {
            let Treatment::Jobs(table) = &known.treatment else { continue };
            let mapping = table.full_mapping().unwrap_or_else(|| panic!("{}: {}", known.name, table.mapping));
            assert_eq!(mapping.missing(), Vec::<&str>::new(), "{}", known.name);
            assert_eq!(mapping.filters().len(), table.conditions.len(), "{}", known.name);
        }
    }
}
