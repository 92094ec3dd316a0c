//! The planner on the command line: the same crates as the page, natively.
//!
//! Results go to stdout, what is worth knowing about the data to stderr. Exit code 0, 2 for wrong usage, 3 for data
//! that cannot be used.

mod breakdown;
mod bundle;
mod convert;
mod figures;
mod files;
mod generate;
mod given;
mod idle_nodes;
mod inputs;
mod inspect;
mod link;
mod mapping;
mod options;
mod output;
mod policies;
mod presets;
mod program;
mod questions;
mod report;
mod run;
mod sample;
mod scaling;
mod schema;
mod show;
mod simulate;
mod study;
mod survey;
mod table;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use thiserror::Error;

#[derive(Parser)]
#[command(name = "elastiplan", version, about = "A what-if planner for elastic deep-learning training clusters")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run scheduling policies on a job trace and compare them.
    Simulate(Box<simulate::Arguments>),
    /// Run a scenario document, a bundle, a link or a preset, with all its policies and seeds.
    Run(run::Arguments),
    /// Vary something, run each point with several seeds, and answer with confidence; or do so in parts.
    Study(Box<study::Arguments>),
    /// Print what was recorded before, without simulating.
    Show(show::Arguments),
    /// Print a scenario as a link to the page.
    Link(link::Arguments),
    /// Write a scenario with all its data and the digests of its runs as one file.
    Bundle(bundle::Arguments),
    /// Write what came out of a scenario as one HTML file to print or send.
    Report(Box<report::Arguments>),
    /// List the scenarios that are built in, or print one.
    Presets(presets::Arguments),
    /// Print the JSON Schema of scenario documents, by which editors help to write them.
    Schema,
    /// Print a decision of bftrainer as the mixed-integer program that it solves, in LP format.
    Program(Box<program::Arguments>),
    /// Say what each file was taken for, and what was read of it.
    Inspect(inspect::Arguments),
    /// Write whatever was read as jobs.csv, curves.csv and log.csv in Elastiplan's own formats.
    Convert(convert::Arguments),
    /// Say how models scale by what a job scalability analyzer measured, and which batch sizes finish in time.
    Scaling(scaling::Arguments),
    /// List the policies and their parameters.
    Policies,
    /// Write the sample that the page starts with as files.
    Sample(sample::Arguments),
    /// Draw a job trace, or list what can be drawn.
    Generate(generate::Generate),
    /// Print throughput curves that papers have measured, or list them.
    Curves(generate::CurvesOf),
}

/// Why a command ends without a result.
#[derive(Debug, Error)]
enum CommandError {
    /// What was asked for cannot be.
    #[error("{0}")]
    Usage(String),
    /// The data cannot be used.
    #[error("{0}")]
    Input(String),
    /// The result cannot be written.
    #[error("{0}")]
    Output(String),
}

impl CommandError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            CommandError::Usage(_) => 2,
            CommandError::Input(_) => 3,
            CommandError::Output(_) => 1,
        })
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Simulate(arguments) => simulate::simulate(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Study(arguments) => study::study(&arguments),
        Command::Show(arguments) => show::show(&arguments),
        Command::Link(arguments) => link::link(&arguments),
        Command::Bundle(arguments) => bundle::bundle(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Presets(arguments) => presets::presets(&arguments),
        Command::Schema => schema::schema(),
        Command::Program(arguments) => program::program(&arguments),
        Command::Inspect(arguments) => inspect::inspect(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Scaling(arguments) => scaling::scaling(&arguments),
        Command::Policies => print(&policies::list()),
        Command::Sample(arguments) => sample::write(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Curves(arguments) => generate::curves(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("elastiplan: {error}");
            error.exit_code()
        }
    }
}

/// Writes to stdout. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CommandError::Output(format!("The result cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}
