//! Runs other programs, and prints what takes how long.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::tally::Tally;

/// The steps so far, and how long each took.
static STEPS: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// Prints what a step does and how long it usually takes, does it, and prints how long it took.
pub fn step<T>(what: &str, usually: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("==> {what} (usually {usually})");
    let start = Instant::now();
    let result = work();
    let took = start.elapsed();
    let outcome = if result.is_ok() { "done in" } else { "failed after" };
    println!("    {outcome} {:.1} s", took.as_secs_f64());
    if let Ok(mut steps) = STEPS.lock() {
        steps.push((what.to_owned(), took));
    }
    result
}

/// Prints where the time went: all steps so far, the longest first.
pub fn print_steps() {
    let Ok(mut steps) = STEPS.lock().map(|steps| steps.clone()) else { return };
    steps.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
    let total: Duration = steps.iter().map(|(_, took)| took).sum();
    println!("==> Where the time went");
    for (what, took) in steps.iter().map(|(what, took)| (what.as_str(), took)).chain([("in all", &total)]) {
        println!("{:9.1} s  {what}", took.as_secs_f64());
    }
}

/// Runs a program with its output passed through; a failure of the program is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs a program silently; what it printed is shown only if it failed.
pub fn run_quietly(command: &mut Command) -> Result<Output> {
    let output = command.output().with_context(|| format!("cannot run {}", shown(command)))?;
    if !output.status.success() {
        let printed = [output.stdout, output.stderr].concat();
        bail!("{} failed ({})\n{}", shown(command), output.status, String::from_utf8_lossy(&printed).trim_end());
    }
    Ok(output)
}

/// Runs a test program: passes its output through and counts tests from it, line by line.
/// A program that fails without naming a failed test counts as one failure.
pub fn run_counting(command: &mut Command, count: fn(&str) -> Tally) -> Result<Tally> {
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot run {}", shown(command)))?;
    let mut tally = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            tally += count(&line);
        }
    }
    let status = child.wait()?;
    if !status.success() && tally.failed == 0 {
        println!("    {} failed ({status}) before any test did", shown(command));
        tally.failed = 1;
    }
    Ok(tally)
}

/// The first of these programs that is on PATH.
pub fn find_on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.flat_map(with_suffix).find(|file| file.is_file())
}

fn with_suffix(program: PathBuf) -> [PathBuf; 2] {
    let exe = program.with_extension(std::env::consts::EXE_EXTENSION);
    [program, exe]
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
