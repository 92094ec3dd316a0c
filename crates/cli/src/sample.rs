//! `elastiplan sample`: the sample that the page starts with, as files.

use std::path::PathBuf;

use clap::Args;
use elastiplan_formats::export::{write_curves, write_jobs};
use elastiplan_scenario::sample;

use crate::files::write_all;
use crate::{CommandError, print};

#[derive(Args)]
pub struct Arguments {
    /// The folder for jobs.csv and curves.csv.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What the jobs are drawn with.
    #[arg(long, default_value_t = sample::SEED)]
    seed: u64,
}

pub fn write(arguments: &Arguments) -> Result<(), CommandError> {
    let (jobs, curves) = (write_jobs(&sample::trace(arguments.seed)), write_curves(&sample::curves()));
    write_all(&arguments.folder, &[("jobs.csv", jobs), ("curves.csv", curves)])?;
    let folder = arguments.folder.display();
    print(&format!(
        "Wrote {folder}/jobs.csv and {folder}/curves.csv. To compare two policies on them:\n\
         elastiplan simulate --jobs {folder}/jobs.csv --curves {folder}/curves.csv --nodes 16 --gpus-per-node 8 \
         --policy fixed --policy elastic-dp\n"
    ))
}
