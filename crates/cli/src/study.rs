//! `elastiplan study`: what is varied, run on all processors, and the answer.

mod csv;
mod document;
mod report;
mod shards;
mod store;
mod table;
mod work;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use elastiplan_documents::{Document, Resolved};
use elastiplan_study::{Results, Study};

use crate::output::{Format, tell};
use crate::{CommandError, files, print, run};
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
            let subject = Subject::read(scenario)?;
            subject.tell(arguments.report.format);
            let store = arguments.work.store.as_deref().map(Store::open).transpose()?;
            let results = Work::new(&subject, store.as_ref(), arguments.work.threads)?.to_the_end()?;
            subject.present(&results, &arguments.report)
        }
        (None, None) => Err(CommandError::Usage("A study is in a scenario document: name its file".into())),
    }
}

/// A document with its data and its study.
struct Subject {
    document: Document,
    resolved: Resolved,
    study: Study,
}

impl Subject {
    fn read(scenario: &std::path::Path) -> Result<Self, CommandError> {
        let (document, resolved) = run::read(scenario)?;
        let study = document.study().ok_or_else(|| {
            let name = scenario.display();
            CommandError::Input(format!("{name} has no study: docs/studies.md says how one is written"))
        })?;
        let study = study.map_err(|error| CommandError::Input(format!("{}: {error}", scenario.display())))?;
        Ok(Self { document, resolved, study })
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
        self.study.notes().into_iter().chain(on_draws).collect()
    }

    fn present(&self, results: &Results, arguments: &ReportArguments) -> Result<(), CommandError> {
        let report = Report::of(self, results);
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
