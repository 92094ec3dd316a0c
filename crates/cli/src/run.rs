//! `elastiplan run`: a scenario document, with all its policies and seeds.

use std::path::{Path, PathBuf};

use clap::Args;
use elastiplan_documents::{Document, JobSource, KnownResult, Resolved};
use elastiplan_metrics::Bounds;
use elastiplan_model::Diagnostic;
use elastiplan_planner::{PaperComparison, PolicyResult, advice, tables};
use elastiplan_policies::PolicySpec;
use elastiplan_present::paper::Paper;
use elastiplan_text::words::counted;
use serde::Serialize;

use crate::figures::Figures;
use crate::given::Given;
use crate::output::{DocumentRun, Format, Results, in_file, tell};
use crate::table::{self, Column};
use crate::{CommandError, output, print};

#[derive(Args)]
pub struct Arguments {
    /// A scenario document, a bundle, or a link in quotes; or the name of a preset, as `elastiplan presets` lists them.
    #[arg(value_name = "FILE|LINK|NAME")]
    scenario: PathBuf,
    /// How to print the metrics.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write tables and runs.elastiplan to this folder; of several seeds, to a folder for each in it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    figures: Figures,
}

pub fn run(arguments: &Arguments) -> Result<(), CommandError> {
    let given = Given::read(&arguments.scenario)?;
    let Given { document, resolved, known, .. } = &given;
    let mut seeds = Vec::new();
    for &seed in &resolved.seeds {
        // What is said of the data is the same for all seeds; once is enough.
        let tells = seeds.is_empty();
        seeds.push(run_seed(arguments, document, resolved, seed, tells)?);
    }
    tell_agreement(&arguments.scenario.to_string_lossy(), known, &seeds);
    let outcome = Outcome { document, policies: &resolved.policies, seeds: &seeds };
    print(&match arguments.format {
        Format::Table => outcome.table(),
        Format::Csv => outcome.csv(),
        Format::Json => outcome.json()?,
    })
}

/// What came out with one seed.
struct Seed {
    seed: u64,
    results: Vec<PolicyResult>,
    bounds: Option<Bounds>,
    diagnostics: Vec<Diagnostic>,
}

/// Says whether runs have the digests that came with the scenario.
fn tell_agreement(name: &str, known: &[KnownResult], seeds: &[Seed]) {
    let of_seed = |seed: u64| seeds.iter().find(|known| known.seed == seed).into_iter().flat_map(|seed| &seed.results);
    let digest = |known: &KnownResult| {
        let mut results = of_seed(known.seed);
        results.find(|result| result.policy.to_string() == known.policy).map(|result| &result.digest)
    };
    let compared: Vec<_> = known.iter().filter_map(|known| Some((known, digest(known)?))).collect();
    let runs = counted(compared.len() as u64, "run", "runs");
    let mut differ = compared.iter().filter(|(known, digest)| known.digest != **digest).peekable();
    if compared.is_empty() {
        return;
    }
    if differ.peek().is_none() {
        eprintln!("note: the results of {runs} agree with those in {name}");
    }
    for (KnownResult { policy, seed, digest: before }, digest) in differ {
        eprintln!("warning: {policy} with seed {seed} differs from {name}: digest {digest}, was {before}");
    }
}

fn run_seed(
    arguments: &Arguments,
    document: &Document,
    resolved: &Resolved,
    seed: u64,
    tells: bool,
) -> Result<Seed, CommandError> {
    let scenario = resolved.with_seed(seed);
    let (workload, found) = scenario.workload();
    let mut diagnostics = resolved.diagnostics.clone();
    diagnostics.extend(advice(&scenario, &resolved.policies));
    let jobs = document.jobs.name();
    diagnostics.extend(found.into_iter().map(|finding| in_file(finding, jobs)));
    if tells && arguments.format != Format::Json {
        tell(&diagnostics);
    }
    let runs = output::run_all(&scenario, &workload, &resolved.policies)?;
    let (name, scenario, workload) = (&document.title, &scenario, &workload);
    let results = Results { name, scenario, runs: &runs, workload, diagnostics: &diagnostics };
    let of_seed = |folder: &Path| match resolved.seeds.as_slice() {
        [_] => folder.to_path_buf(),
        _ => folder.join(format!("seed-{seed}")),
    };
    if let Some(folder) = &arguments.out {
        results.write(&of_seed(folder))?;
    }
    if let Some(folder) = &arguments.figures.folder {
        let is_drawn = matches!(document.jobs, JobSource::Sample(_) | JobSource::Generated(_));
        let paper = Paper::new(document.source.clone(), document.paper.clone(), is_drawn.then_some(seed));
        results.write_figures(&of_seed(folder), &paper, None)?;
    }
    let bounds = Bounds::of(workload, output::gpus_most(scenario, &runs));
    Ok(Seed { seed, results: runs.iter().map(PolicyResult::from).collect(), bounds, diagnostics })
}

/// Everything that came out.
struct Outcome<'a> {
    document: &'a Document,
    policies: &'a [PolicySpec],
    seeds: &'a [Seed],
}

/// The document that `--format json` prints.
#[derive(Serialize)]
struct OutcomeDocument<'a> {
    version: u32,
    title: &'a str,
    seeds: Vec<SeedDocument<'a>>,
    paper: Vec<PaperDocument<'a>>,
    diagnostics: &'a [Diagnostic],
}

#[derive(Serialize)]
struct SeedDocument<'a> {
    seed: u64,
    runs: Vec<DocumentRun<'a>>,
}

/// A value of a paper beside ours; ours is the mean over the seeds.
#[derive(Serialize)]
struct PaperDocument<'a> {
    policy: &'a PolicySpec,
    metric: &'a str,
    relative_to: Option<&'a PolicySpec>,
    source: &'a str,
    paper: f64,
    ours: Option<f64>,
    difference: Option<f64>,
    relative_difference: Option<f64>,
}

impl<'a> From<&PaperComparison<'a>> for PaperDocument<'a> {
    fn from(comparison: &PaperComparison<'a>) -> Self {
        Self {
            policy: &comparison.paper.policy,
            metric: &comparison.paper.metric,
            relative_to: comparison.paper.relative_to.as_ref(),
            source: &comparison.paper.source,
            paper: comparison.paper.value,
            ours: comparison.mean(),
            difference: comparison.difference(),
            relative_difference: comparison.relative_difference(),
        }
    }
}

impl<'a> Outcome<'a> {
    fn paper(&self) -> Vec<PaperComparison<'_>> {
        let results: Vec<Vec<PolicyResult>> = self.seeds.iter().map(|seed| seed.results.clone()).collect();
        PaperComparison::of(&self.document.paper, &results)
    }

    fn table(&self) -> String {
        let column = |(at, policy): (usize, &PolicySpec)| {
            let summaries = self.seeds.iter().filter_map(|seed| Some(&seed.results.get(at)?.summary));
            Column::new(policy.to_string(), summaries)
        };
        let columns: Vec<Column<'_>> = self.policies.iter().enumerate().map(column).collect();
        let mut text = match self.document.title.as_str() {
            "" => String::new(),
            title => format!("{title}\n\n"),
        };
        text += &table::comparison(&columns, table::terminal_width());
        match self.seeds {
            [Seed { bounds: Some(bounds), .. }] => text += &table::bounds(bounds),
            [_] => {}
            seeds => {
                let seeds: Vec<String> = seeds.iter().map(|seed| seed.seed.to_string()).collect();
                text += &format!("Mean over the seeds {}; in brackets, from the least to the most\n", seeds.join(", "));
            }
        }
        text + &table::paper(&self.paper(), table::terminal_width())
    }

    fn csv(&self) -> String {
        let rows = self.seeds.iter().flat_map(|seed| seed.results.iter().map(|result| (seed.seed, result)));
        String::from_utf8_lossy(&tables::metrics_by_seed(rows)).into_owned()
    }

    fn json(&self) -> Result<String, CommandError> {
        let of_seed = |Seed { seed, results, .. }: &'a Seed| SeedDocument {
            seed: *seed,
            runs: results.iter().map(DocumentRun::from).collect(),
        };
        output::json(&OutcomeDocument {
            version: 1,
            title: &self.document.title,
            seeds: self.seeds.iter().map(of_seed).collect(),
            paper: self.paper().iter().map(PaperDocument::from).collect(),
            diagnostics: self.seeds.first().map(|seed| seed.diagnostics.as_slice()).unwrap_or_default(),
        })
    }
}
