//! `elastiplan study`: what is varied, run on all processors, and the answer.

mod csv;
mod document;
mod report;
mod shards;
mod store;
mod table;
mod work;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use elastiplan_documents::{Document, Resolved};
use elastiplan_policies::PolicySpec;
use elastiplan_study::{Axis, Results, Size, Spec, Study, Unit, ValuePart, ValuesPart, cut, size, thinned};

use crate::given::Given;
use crate::output::{Format, tell};
use crate::{CommandError, files, print};
use report::Report;
use store::Store;
use work::Work;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// A scenario document with a study; or the name of a preset, as `elastiplan presets` lists them.
    #[arg(value_name = "FILE|NAME", required = true)]
    scenario: Option<PathBuf>,
    /// Keep every N-th value of each long axis.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Make all runs, however many there are.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    work: WorkArguments,
    #[command(flatten)]
    report: ReportArguments,
}

#[derive(Args)]
struct WorkArguments {
    /// Runs at the same time: as many as there are processors, if it is left out.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Keep every run here, and make none that is there.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

#[derive(Args)]
struct ReportArguments {
    /// How to print the answers.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write study.json, points.csv and runs.csv to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// For what outgrows one machine.
#[derive(Subcommand)]
enum Part {
    /// List the runs of a study, a line each.
    Plan(shards::Plan),
    /// Make every n-th of those runs.
    Run(shards::Run),
    /// Say how many of those runs are in the store.
    Status(shards::Status),
    /// Print the answers of the runs in the store.
    Merge(shards::Merge),
}

pub fn study(arguments: &Arguments) -> Result<(), CommandError> {
    match (&arguments.part, &arguments.scenario) {
        (Some(Part::Plan(arguments)), _) => shards::plan(arguments),
        (Some(Part::Run(arguments)), _) => shards::run(arguments),
        (Some(Part::Status(arguments)), _) => shards::status(arguments),
        (Some(Part::Merge(arguments)), _) => shards::merge(arguments),
        (None, Some(scenario)) => {
            let subject = Subject::read_smaller(scenario, arguments.every, arguments.all)?;
            subject.tell(arguments.report.format);
            let store = arguments.work.store.as_deref().map(Store::open).transpose()?;
            let results = Work::new(&subject, store.as_ref(), arguments.work.threads)?.to_the_end()?;
            let notes = store.map(|store| store.notes()).unwrap_or_default();
            subject.present(&results, &notes, &arguments.report)
        }
        (None, None) => Err(CommandError::Usage("A study is in a scenario document: name its file".into())),
    }
}

/// Estimates of a shorter time, in seconds, are not told.
const TOLD_FROM_S: f64 = 60.0;

/// The policies of a study, each with the same milliseconds for a run.
fn timed(document: &Document, run_ms: f64) -> Vec<(PolicySpec, f64)> {
    document.policies.iter().map(|policy| (policy.clone(), run_ms)).collect()
}

/// That a study has too many runs, how long they would take, and how it could be made smaller.
fn too_many(document: &Document, resolved: &Resolved) -> Option<String> {
    let spec = document.study.as_ref()?;
    size(spec, &timed(document, 0.0), 1).filter(Size::is_too_many)?;
    // One run of each policy in the middle of the axes tells about how long.
    let axes = spec.axes.iter().map(|(key, values)| {
        let axis = Axis::new(key, values, &document.policies).ok()?;
        let middle = axis.values.get(axis.values.len() / 2)?;
        let value = middle.number.map_or_else(|| ValuePart::Word(middle.text.clone()), ValuePart::Number);
        Some((key.clone(), ValuesPart::List(vec![value])))
    });
    let single = Spec { axes: axes.collect::<Option<_>>()?, goals: Vec::new(), find: None, ..spec.clone() };
    let study = Study::new(&single, &document.policies, 0).ok()?;
    let began = Instant::now();
    let runs = 0..document.policies.len() as u32;
    runs.clone()
        .for_each(|policy| drop(study.run(Unit { point: 0, policy, seed: 0 }, |seed| resolved.with_seed(seed))));
    let run_ms = began.elapsed().as_secs_f64() * 1000.0 / runs.len().max(1) as f64;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let policies = timed(document, run_ms);
    let size = size(spec, &policies, threads)?;
    let smaller = cut(spec, &policies, threads).map(|cut| format!("{}: --every {}. ", cut.words, cut.every));
    Some(format!("{}. {}All of them: --all", size.words(), smaller.unwrap_or_default()))
}

/// A document with its data and its study.
struct Subject {
    document: Document,
    resolved: Resolved,
    study: Study,
}

impl Subject {
    /// Reads a study, with every so many-th value of its long axes.
    fn read(scenario: &Path, every: usize) -> Result<Self, CommandError> {
        Self::read_smaller(scenario, every, true)
    }

    /// The same. One with too many runs is an error, unless all are wanted.
    fn read_smaller(scenario: &Path, every: usize, all: bool) -> Result<Self, CommandError> {
        if every == 0 {
            return Err(CommandError::Usage("--every: 0 is not a number from 1".into()));
        }
        let Given { mut document, resolved, .. } = Given::read(scenario)?;
        let named = |error: &dyn std::fmt::Display| CommandError::Input(format!("{}: {error}", scenario.display()));
        let Some(spec) = document.study.clone() else {
            let name = scenario.display();
            let message = format!("{name} has no study: docs/studies.md says how one is written");
            return Err(CommandError::Input(message));
        };
        document.study = thinned(&spec, &document.policies, every).or(Some(spec));
        if !all && let Some(words) = too_many(&document, &resolved) {
            return Err(CommandError::Usage(format!("{}: {words}", scenario.display())));
        }
        let study = document.study().transpose().map_err(|error| named(&error))?;
        let study = study.ok_or_else(|| named(&"no study"))?;
        study.check_goals(|seed| resolved.with_seed(seed)).map_err(|error| named(&error))?;
        Ok(Self { document, resolved, study })
    }

    /// How long a study takes whose runs take so many milliseconds each, all processors at work, and how it could be made
    /// smaller; `None` for a short one.
    fn estimate_words(&self, run_ms: f64) -> Option<String> {
        let spec = self.document.study.as_ref()?;
        let policies = timed(&self.document, run_ms);
        let size = size(spec, &policies, 1).filter(|size| size.time_s > TOLD_FROM_S)?;
        let smaller = cut(spec, &policies, 1).map(|cut| format!(". {}: --every {}", cut.words, cut.every));
        Some(size.words() + &smaller.unwrap_or_default())
    }

    /// Says what is worth knowing before it runs.
    fn tell(&self, format: Format) {
        if format != Format::Json {
            tell(&self.resolved.diagnostics);
            self.notes().iter().for_each(|note| eprintln!("note: {note}"));
        }
    }

    /// What is worth knowing before it runs, in sentences.
    fn notes(&self) -> Vec<String> {
        let Resolved { scenario, .. } = &self.resolved;
        let are_drawn = self.resolved.draws_jobs();
        let on_draws = self.study.note_on_draws(scenario, are_drawn).map(|note| {
            let could = self.study.could_draw_days(scenario, are_drawn);
            if could { format!("{note}. \"draws\": \"days\" draws whole days of the trace anew") } else { note }
        });
        self.study.note_on_declined().into_iter().chain(self.study.notes()).chain(on_draws).collect()
    }

    /// Prints what outcomes say; `notes` is what is worth knowing of how they were kept.
    fn present(&self, results: &Results, notes: &[String], arguments: &ReportArguments) -> Result<(), CommandError> {
        let report = Report::of(self, results, notes);
        notes.iter().for_each(|note| eprintln!("note: {note}"));
        if let Some(folder) = &arguments.out {
            let files = [
                ("study.json", document::text(&report)?.into_bytes()),
                ("points.csv", csv::points(self, results)?),
                ("runs.csv", csv::runs(self, results)?),
            ];
            files::write_all(folder, &files)?;
        }
        print(&match arguments.format {
            Format::Table => table::text(&report),
            Format::Csv => String::from_utf8_lossy(&csv::points(self, results)?).into_owned(),
            Format::Json => document::text(&report)?,
        })
    }
}
