//! `cargo xtask fuzz`: damages samples and gives them to parsers.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;
use elastiplan_fuzz::{TARGETS, fuzz};

/// Gives damaged samples to parsers; an input that fails is kept in crates/fuzz/corpus.
#[derive(Parser)]
struct Arguments {
    /// The parser; without it each in turn.
    target: Option<String>,
    /// How long, for each parser.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed of the damage.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<ExitCode> {
    let Arguments { target, seconds, seed } = Arguments::parse();
    let wanted: Vec<_> = TARGETS.iter().filter(|known| target.as_ref().is_none_or(|name| known.name == name)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("no such parser; there are {}", names.join(", "));
    }
    let mut is_good = true;
    for target in wanted {
        let outcome = fuzz(target, Duration::from_secs(seconds), seed)?;
        println!("{}: {outcome}", target.name);
        is_good &= outcome.failure.is_none();
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
