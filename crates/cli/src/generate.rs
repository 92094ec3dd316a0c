//! `elastiplan generate` and `elastiplan curves`: workloads that are drawn, and curves that papers have measured.

use std::fmt::Write;

use clap::Args;
use elastiplan_documents::CurveSource;
use elastiplan_formats::export::write_jobs;
use elastiplan_workloads::generate::{GENERATORS, GeneratorSpec};
use elastiplan_workloads::published::{PUBLISHED, Published};

use crate::output::json;
use crate::{CommandError, print};

#[derive(Args)]
pub struct Generate {
    /// A generator, with its parameters in brackets: elasticflow[jobs=200,interarrival_s=900]. Without it, they are
    /// listed.
    #[arg(value_name = "GENERATOR")]
    generator: Option<String>,
    /// What the jobs are drawn with.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
pub struct CurvesOf {
    /// Print the curves of this name. Without it, they are listed.
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Prints the jobs as a plain job trace.
pub fn generate(arguments: &Generate) -> Result<(), CommandError> {
    let Some(text) = &arguments.generator else { return print(&generators()) };
    let spec: GeneratorSpec = text.parse().map_err(|error| CommandError::Usage(format!("{error}")))?;
    print(&String::from_utf8_lossy(&write_jobs(&spec.trace(arguments.seed))))
}

/// Prints the curves as plain throughput curves; those by formula as a document has them.
pub fn curves(arguments: &CurvesOf) -> Result<(), CommandError> {
    let Some(name) = &arguments.name else { return print(&tables()) };
    let known = || PUBLISHED.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
    let table = Published::named(name);
    let table = table
        .ok_or_else(|| CommandError::Usage(format!("{name} are not curves of this build. There are: {}", known())))?;
    match CurveSource::of(&table.curves()) {
        CurveSource::Inline(text) => print(&text),
        objects => print(&json(&objects)?),
    }
}

fn generators() -> String {
    let mut text = String::new();
    for generator in GENERATORS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n  {}\n  {}", generator.name, generator.summary, generator.source);
        let _ = writeln!(text, "  Its models have the curves {}", generator.curves);
        for parameter in generator.parameters {
            let _ =
                writeln!(text, "  {}={}  {}; {}", parameter.name, parameter.default, parameter.help, parameter.rule());
        }
    }
    text + "\nelastiplan generate NAME > jobs.csv generates jobs; parameters go in brackets: \
            elasticflow[jobs=200,interarrival_s=900]\n"
}

fn tables() -> String {
    let mut text = String::new();
    for table in PUBLISHED {
        let _ = writeln!(text, "{}\n  {}\n  {}", table.name, table.summary, table.source);
    }
    text + "\nelastiplan curves NAME > curves.csv writes them; those by formula are written as objects for a scenario\n"
}
