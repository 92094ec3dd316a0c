//! The planner on the command line.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use elastiplan_formats::{Options, Source, import};

#[derive(Parser)]
#[command(name = "elastiplan", version, about = "A what-if planner for elastic deep-learning training clusters")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what each file was taken for, and what was read of it.
    Inspect {
        /// Job traces and throughput curves.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let Command::Inspect { files } = Arguments::parse().command;
    let mut sources = Vec::new();
    for path in files {
        let name = path.display().to_string();
        match File::open(&path) {
            Ok(file) => {
                let bytes_total = file.metadata().ok().map(|metadata| metadata.len());
                sources.push(Source { path: name, bytes_total, reader: Box::new(file) });
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(3);
            }
        }
    }
    let found = import(sources, &Options { bytes_max: None }, &mut |_| {});
    for file in &found.files {
        println!("{file}");
    }
    for diagnostic in &found.diagnostics {
        println!("{diagnostic}");
    }
    ExitCode::SUCCESS
}
