//! `--figures`: the charts of the page as SVG files.

use std::path::{Path, PathBuf};

use clap::Args;
use elastiplan_compare::{GROUPED_WITHIN_S, Story};
use elastiplan_model::JobId;
use elastiplan_planner::PolicyRun;
use elastiplan_present::charts::{figures_of_job, figures_of_log, figures_of_runs, figures_of_scaling};
use elastiplan_present::drawing::svg::saved_svg;
use elastiplan_present::figure::Figure;
use elastiplan_present::paper::Paper;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;

use crate::output::Results;
use crate::{CommandError, files};

/// Where figures go.
#[derive(Args)]
pub struct Figures {
    /// Write every chart that the page shows of these runs to this folder, as SVG files; with --job those of the job
    /// too.
    #[arg(long = "figures", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

impl Results<'_> {
    /// Writes all figures to a folder, which is made if it is not there: those of the runs beside the results of a
    /// paper, and those of a job.
    pub fn write_figures(&self, folder: &Path, paper: &Paper, job: Option<JobId>) -> Result<(), CommandError> {
        let entry = |(slot, run): (usize, &PolicyRun)| RunEntry::finished(slot, run.clone());
        let entries: Vec<RunEntry> = self.runs.iter().enumerate().map(entry).collect();
        let software = concat!("Elastiplan ", env!("CARGO_PKG_VERSION"));
        let provenance = |entries: &[RunEntry]| Provenance::of(self.name, self.scenario, entries, software.into());
        let (of_runs, of_inputs) = (provenance(&entries), provenance(&[]));
        let mut figures = figures_of_runs(&entries, self.workload, paper);
        if let Some(job) = job {
            figures.extend(self.figures_of_job(&entries, job));
        }
        let log = self.scenario.conditions.availability.as_ref().map(|log| figures_of_log(log, true));
        let inputs =
            log.into_iter().flatten().chain(figures_of_scaling(&self.scenario.curves, &self.scenario.trace, None));
        let figures = figures.into_iter().map(|figure| (figure, &of_runs));
        let figures = figures.chain(inputs.map(|figure| (figure, &of_inputs)));
        let files: Vec<(String, Vec<u8>)> = figures
            .map(|(figure, provenance)| (format!("{}.svg", figure.name), saved_svg(&figure, provenance).into_bytes()))
            .collect();
        files::write_all(folder, &files)
    }

    fn figures_of_job(&self, entries: &[RunEntry], job: JobId) -> Vec<Figure> {
        let trace = self.workload.trace();
        let story = |entry: &RunEntry| {
            let run = &entry.result.as_ref()?.run;
            Some((entry.clone(), Story::of(run, self.workload, job, GROUPED_WITHIN_S)?))
        };
        let stories: Vec<(RunEntry, Story)> = entries.iter().filter_map(story).collect();
        let name = trace.jobs().get(job.index()).map_or("", |job| job.name.as_str());
        figures_of_job(&stories, name, trace.start_s())
    }
}
