//! A study in parts: its runs as a list, every n-th of them made by one of n processes, and the answers of all.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use elastiplan_study::{Key, Results, Unit};
use serde::{Deserialize, Serialize};

use super::store::Store;
use super::work::Work;
use super::{ReportArguments, Subject, WorkArguments};
use crate::{CommandError, print};

/// Environment variables in which schedulers tell a process its number, counted from 0.
const NUMBERS: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

#[derive(Args)]
pub struct Plan {
    /// A scenario document with a study.
    #[arg(value_name = "FILE")]
    scenario: PathBuf,
    /// Write the runs to this file, a line each.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Runs that are there need not be listed.
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Keep every N-th value of each long axis.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
}

#[derive(Args)]
pub struct Run {
    /// The runs, as `study plan` wrote them.
    #[arg(value_name = "UNITS")]
    units: PathBuf,
    /// Which part: i/n, i from 0; or n alone, where the number is in SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX.
    #[arg(long, value_name = "i/n", default_value = "0/1")]
    shard: String,
    #[command(flatten)]
    work: WorkArguments,
}

#[derive(Args)]
pub struct Status {
    /// The runs, as `study plan` wrote them.
    #[arg(value_name = "UNITS")]
    units: PathBuf,
    /// Where they are kept.
    #[arg(long, value_name = "DIR")]
    store: PathBuf,
}

#[derive(Args)]
pub struct Merge {
    /// A scenario document with a study.
    #[arg(value_name = "FILE")]
    scenario: PathBuf,
    /// Where the runs are kept.
    #[arg(long, value_name = "DIR")]
    store: PathBuf,
    /// Keep every N-th value of each long axis, as they were when it was planned.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    #[command(flatten)]
    report: ReportArguments,
}

/// The first line of a list of runs.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The scenario document.
    scenario: PathBuf,
    /// Every which value of its long axes is kept.
    #[serde(default = "every_value")]
    every: usize,
    /// How many runs follow.
    runs: usize,
}

fn every_value() -> usize {
    1
}

/// Another line of it.
#[derive(Serialize, Deserialize)]
struct Line {
    key: Key,
    #[serde(flatten)]
    unit: Unit,
}

pub fn plan(arguments: &Plan) -> Result<(), CommandError> {
    let subject = Subject::read(&arguments.scenario, arguments.every)?;
    let store = arguments.store.as_deref().map(Store::open).transpose()?;
    let work = Work::new(&subject, store.as_ref(), None)?;
    let results = store.as_ref().map_or(Ok(Results::default()), |store| known(&subject, &work, store))?;
    let units = subject.study.next(&results);
    let scenario = fs::canonicalize(&arguments.scenario).unwrap_or_else(|_| arguments.scenario.clone());
    let mut text = line(&Head { scenario, every: arguments.every, runs: units.len() })?;
    for &unit in &units {
        if let Some(key) = subject.study.key(unit, |seed| work.with_seed(seed)) {
            text += &line(&Line { key, unit })?;
        }
    }
    let out = &arguments.out;
    fs::write(out, text).map_err(|error| CommandError::Output(format!("{}: {error}", out.display())))?;
    let then = "Plan again when they are made: open questions may want more";
    print(&format!("{} runs in {}. {then}\n", units.len(), out.display()))
}

pub fn run(arguments: &Run) -> Result<(), CommandError> {
    let (shard, shards) = shard(&arguments.shard)?;
    let folder = arguments.work.store.as_deref();
    let folder = folder.ok_or_else(|| CommandError::Usage("--store: say where the runs are to be kept".into()))?;
    let (subject, lines) = read(&arguments.units)?;
    let store = Store::open(folder)?;
    let work = Work::new(&subject, Some(&store), arguments.work.threads)?.keeping_all();
    let own: Vec<&Line> = lines.iter().skip(shard).step_by(shards).collect();
    if let Some(line) = own.first()
        && subject.study.key(line.unit, |seed| work.with_seed(seed)) != Some(line.key)
    {
        return Err(CommandError::Input(
            "The scenario is not what it was when its runs were listed: plan again".into(),
        ));
    }
    let units: Vec<Unit> = own.iter().map(|line| line.unit).collect();
    work.make(&units, units.len(), 0)?;
    tell(&store);
    print(&format!("{} of {} runs are in {}\n", units.len(), lines.len(), folder.display()))
}

pub fn status(arguments: &Status) -> Result<(), CommandError> {
    let (_, lines) = read(&arguments.units)?;
    let store = Store::open(&arguments.store)?;
    let mut there = 0;
    for line in &lines {
        there += usize::from(store.read(line.key)?.is_some());
    }
    tell(&store);
    print(&format!("{there} of {} runs are in {}\n", lines.len(), arguments.store.display()))
}

pub fn merge(arguments: &Merge) -> Result<(), CommandError> {
    let subject = Subject::read(&arguments.scenario, arguments.every)?;
    subject.tell(arguments.report.format);
    let store = Store::open(&arguments.store)?;
    let work = Work::new(&subject, Some(&store), None)?;
    let results = known(&subject, &work, &store)?;
    let missing = subject.study.next(&results).len();
    if missing > 0 {
        eprintln!("note: {missing} runs that are wanted are not in {}", arguments.store.display());
    }
    subject.present(&results, &store.notes(), &arguments.report)
}

/// Says what is worth knowing of a store.
fn tell(store: &Store) {
    store.notes().iter().for_each(|note| eprintln!("note: {note}"));
}

/// What the store has of a study, up to the first runs that are missing.
fn known(subject: &Subject, work: &Work<'_>, store: &Store) -> Result<Results, CommandError> {
    let mut results = Results::default();
    loop {
        let before = results.len();
        for unit in subject.study.next(&results) {
            let key = subject.study.key(unit, |seed| work.with_seed(seed));
            if let Some(outcome) = key.map(|key| store.read(key)).transpose()?.flatten() {
                // The units that are wanted are not there yet.
                let _ = results.add(unit, outcome);
            }
        }
        if results.len() == before {
            return Ok(results);
        }
    }
}

fn read(units: &Path) -> Result<(Subject, Vec<Line>), CommandError> {
    let unusable = |error: &dyn std::fmt::Display| CommandError::Input(format!("{}: {error}", units.display()));
    let text = fs::read_to_string(units).map_err(|error| unusable(&error))?;
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().ok_or_else(|| unusable(&"an empty file; study plan writes one"))?;
    let head: Head = serde_json::from_str(first).map_err(|error| unusable(&format!("line 1: {error}")))?;
    let mut found = Vec::new();
    for (line, number) in lines {
        found.push(serde_json::from_str(line).map_err(|error| unusable(&format!("line {number}: {error}")))?);
    }
    if found.len() != head.runs {
        return Err(unusable(&format!("{} runs, but the first line says {}: the file is cut", found.len(), head.runs)));
    }
    Ok((Subject::read(&head.scenario, head.every)?, found))
}

fn line(value: &impl Serialize) -> Result<String, CommandError> {
    let text = serde_json::to_string(value).map_err(|error| CommandError::Output(error.to_string()))?;
    Ok(text + "\n")
}

/// Reads `i/n`, or `n` with the number in the environment.
fn shard(text: &str) -> Result<(usize, usize), CommandError> {
    let of_scheduler = || NUMBERS.iter().find_map(|name| std::env::var(name).ok());
    let (number, count) = match text.split_once('/') {
        Some((number, count)) => (Some(number.to_string()), count),
        None => (of_scheduler(), text),
    };
    let number = number.and_then(|number| number.parse::<usize>().ok());
    let count = count.parse::<usize>().ok().filter(|&count| count > 0);
    match number.zip(count) {
        Some((number, count)) if number < count => Ok((number, count)),
        _ => Err(CommandError::Usage(format!("--shard: {text} is not i/n with i from 0 to n - 1"))),
    }
}
