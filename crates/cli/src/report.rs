//! `elastiplan report`: what came out of a scenario, as one HTML file to print or send.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::{AvailabilitySource, CurveSource, Document, FileHash, JobSource, Link};
use elastiplan_planner::{PolicyRun, advice};
use elastiplan_present::goal::Goal;
use elastiplan_present::paper::Paper;
use elastiplan_present::report::{Origin, Parts, Report};
use elastiplan_present::runs::RunEntry;
use elastiplan_scenario::sample;
use elastiplan_text::words::counted;

use crate::given::Given;
use crate::output::{in_file, run_all};
use crate::{CommandError, print};

#[derive(Args)]
pub struct Arguments {
    /// A scenario document, a bundle, a link in quotes, or the name of a preset.
    #[arg(value_name = "FILE|LINK|NAME")]
    scenario: PathBuf,
    /// The file to write: report.html
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What runs are judged by: "mean completion", "deadlines ≥ 95%". Without it, deadlines if any job has one, else
    /// mean completion.
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,
    /// The seed, of those of the scenario; without it the first.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// List so many jobs with their completion times.
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    jobs: usize,
    /// The address of the page, for the link: https://example.org/elastiplan/
    #[arg(long, value_name = "ADDRESS", default_value = "")]
    base: String,
    /// The day, printed below the title.
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
}

pub fn report(arguments: &Arguments) -> Result<(), CommandError> {
    let given = Given::read(&arguments.scenario)?;
    let Given { document, resolved, .. } = &given;
    let seed = arguments.seed.or(resolved.seeds.first().copied()).unwrap_or_default();
    if !resolved.seeds.contains(&seed) {
        let seeds: Vec<String> = resolved.seeds.iter().map(u64::to_string).collect();
        return Err(CommandError::Usage(format!("The scenario has no seed {seed}; it has {}", seeds.join(", "))));
    }
    let scenario = resolved.with_seed(seed);
    let (workload, found) = scenario.workload();
    let mut findings = resolved.diagnostics.clone();
    findings.extend(advice(&scenario, &resolved.policies));
    findings.extend(found.into_iter().map(|finding| in_file(finding, document.jobs.name())));
    let runs = run_all(&scenario, &workload, &resolved.policies)?;
    let entry = |(slot, run): (usize, PolicyRun)| RunEntry::finished(slot, run);
    let runs: Vec<RunEntry> = runs.into_iter().enumerate().map(entry).collect();
    let is_drawn = matches!(document.jobs, JobSource::Sample(_) | JobSource::Generated(_));
    let paper = Paper::new(document.source.clone(), document.paper.clone(), is_drawn.then_some(seed));
    let mut assumed = Vec::new();
    if matches!(document.curves, CurveSource::Sample {}) {
        assumed.push(format!("Curves of the sample: {}", sample::ASSUMPTION));
    }
    if resolved.seeds.len() > 1 {
        let seeds = counted(resolved.seeds.len() as u64, "seed", "seeds");
        assumed.push(format!("The runs are those with seed {seed}, one of {seeds} of the scenario"));
    }
    let name = arguments.scenario.file_stem().unwrap_or_default().to_string_lossy();
    let title = [document.title.as_str(), given.preset.map_or(&*name, |_| "Scenario")];
    let report = Report {
        title: title.into_iter().find(|title| !title.is_empty()).unwrap_or("Scenario"),
        scenario: &scenario,
        runs: &runs,
        workload: &workload,
        goal: arguments.goal.unwrap_or_else(|| Goal::guess(&workload)),
        columns: None,
        paper: &paper,
        sources: &sources(document, seed, &|name| given.file(name)),
        findings: &findings,
        assumed: &assumed,
        study: None,
        origin: origin(arguments, &given),
        software: concat!("Elastiplan ", env!("CARGO_PKG_VERSION")),
        date: arguments.date.as_deref(),
        parts: Parts { jobs: arguments.jobs, ..Parts::default() },
    };
    let html = report.html();
    let path = arguments.out.display();
    std::fs::write(&arguments.out, &html).map_err(|error| CommandError::Output(format!("{path}: {error}")))?;
    print(&format!("{} of {} written\n", counted(runs.len() as u64, "run", "runs"), report.title))
}

/// Where jobs, curves and the log come from, with the hashes of files.
fn sources(document: &Document, seed: u64, files: &dyn Fn(&str) -> Option<Vec<u8>>) -> Vec<String> {
    let file = |name: &String| match files(name) {
        Some(bytes) => format!("{name} ({})", FileHash::of(&bytes)),
        None => name.clone(),
    };
    let jobs = match &document.jobs {
        JobSource::Sample(jobs) => {
            format!("those of the built-in sample, drawn with seed {}", jobs.seed.unwrap_or(seed))
        }
        JobSource::Generated(jobs) => format!("drawn by {}", jobs.spec),
        JobSource::File(name) => file(name),
        JobSource::Inline(_) => "written in the scenario".into(),
        JobSource::Mapped(elastiplan_documents::TableSource::File(name), map) => {
            format!("{}, read by the mapping {map}", file(name))
        }
        JobSource::Mapped(_, map) => format!("a table in the scenario, read by the mapping {map}"),
    };
    let curves = match &document.curves {
        CurveSource::Sample {} => "those of the built-in sample".into(),
        CurveSource::Published(name) => format!("published, {}", name.0.name),
        CurveSource::Files(names) => names.iter().map(file).collect::<Vec<_>>().join(", "),
        CurveSource::Inline(_) | CurveSource::Given(_) => "written in the scenario".into(),
        CurveSource::None {} => "none: jobs are as fast as the law of the settings says".into(),
    };
    let log = document.availability.as_ref().map(|log| match log {
        AvailabilitySource::File(name) => file(name),
        AvailabilitySource::Inline(_) => "written in the scenario".into(),
        AvailabilitySource::IdleNodes(_) => "idle nodes of a supercomputer, drawn".into(),
    });
    let named = [("Jobs", Some(jobs)), ("Throughput curves", Some(curves)), ("Log of nodes", log)];
    let sources = named.into_iter().filter_map(|(what, words)| Some(format!("{what}: {}", words?)));
    let source = (!document.source.is_empty()).then(|| format!("Source: {}", document.source));
    sources.chain(source).collect()
}

/// The link and the command that lead back to the scenario.
fn origin(arguments: &Arguments, given: &Given) -> Origin {
    let link = match given.preset {
        Some(preset) => Ok(Link::of_preset(&arguments.base, preset, &given.view)),
        None => Link::of(&arguments.base, &given.document, &given.view, &|name| given.file(name)),
    };
    let name = arguments.scenario.to_string_lossy();
    let is_link = elastiplan_documents::is_link(&name);
    let command = match (&link, is_link) {
        (Ok(link), true) => Some(format!("elastiplan run '{}'", link.text)),
        (Err(_), true) => None,
        // No path of a machine goes into a file that is sent.
        (_, false) => {
            let file = arguments.scenario.file_name().unwrap_or_default().to_string_lossy();
            Some(format!("elastiplan run {}", if file.contains(' ') { format!("'{file}'") } else { file.into() }))
        }
    };
    match link {
        Ok(link) => {
            let needs =
                link.needs.iter().map(|file| (file.name.clone(), file.hash.to_string(), file.bytes.len() as u64));
            Origin { needs: needs.collect(), link: Some(link.text), note: None, command }
        }
        Err(error) => {
            let needs = given.document.named_files().into_iter().filter_map(|(_, name)| {
                let bytes = given.file(name)?;
                Some((name.to_string(), FileHash::of(&bytes).to_string(), bytes.len() as u64))
            });
            Origin { link: None, note: Some(format!("None: {error}")), needs: needs.collect(), command }
        }
    }
}
