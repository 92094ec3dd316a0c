//! `elastiplan bundle`: a scenario with all its data, and the digests of its runs, as one file.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::{Bundle, KnownResult};
use elastiplan_text::words::counted;

use crate::given::Given;
use crate::{CommandError, output, print};

#[derive(Args)]
pub struct Arguments {
    /// A scenario document, a bundle, a link, or the name of a preset.
    #[arg(value_name = "FILE|LINK|NAME")]
    scenario: PathBuf,
    /// The file to write: mine.elastiplan
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn bundle(arguments: &Arguments) -> Result<(), CommandError> {
    let given = Given::read(&arguments.scenario)?;
    let build = concat!("elastiplan ", env!("CARGO_PKG_VERSION"));
    let mut bundle = Bundle::of(&given.document, &|name| given.file(name), given.view.clone(), build);
    bundle.results = results(&given)?;
    let too_large = || CommandError::Output("More than 4 GB: a bundle cannot hold it".into());
    let bytes = bundle.write().ok_or_else(too_large)?;
    let path = arguments.out.display();
    std::fs::write(&arguments.out, &bytes).map_err(|error| CommandError::Output(format!("{path}: {error}")))?;
    let files = counted(bundle.files.len() as u64, "data file", "data files");
    let digests = counted(bundle.results.len() as u64, "digest", "digests");
    print(&format!("{files} and {digests} written\n"))
}

/// The digests of all policies with all seeds.
fn results(given: &Given) -> Result<Vec<KnownResult>, CommandError> {
    let mut results = Vec::new();
    for &seed in &given.resolved.seeds {
        let scenario = given.resolved.with_seed(seed);
        let runs = output::run_all(&scenario, &scenario.workload().0, &given.resolved.policies)?;
        results.extend(runs.into_iter().map(|run| KnownResult {
            policy: run.policy.to_string(),
            seed,
            digest: run.digest,
        }));
    }
    Ok(results)
}
