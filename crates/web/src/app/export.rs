//! Files for the person: tables as CSV, figures as PNG.

use elastiplan_planner::{PolicyRun, tables};
use yew::Callback;

use super::App;
use crate::chart::{self, Format, Paper, Provenance, Spread};
use crate::dom;
use crate::timeline::{png_blob, timelines_png};

/// What can be had as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// A row a policy.
    Metrics,
    /// A row a job.
    Jobs,
    /// A row for each stretch of a job.
    Spans,
    /// Counts over time.
    Series,
    /// The timelines.
    Timelines,
    /// The distribution of completion times.
    Distribution,
}

impl Export {
    /// Everything, in the order of the menu.
    pub const ALL: [Export; 6] =
        [Export::Metrics, Export::Jobs, Export::Spans, Export::Series, Export::Timelines, Export::Distribution];

    /// What the menu calls it.
    pub fn label(self) -> &'static str {
        match self {
            Export::Metrics => "Metrics",
            Export::Jobs => "Jobs",
            Export::Spans => "Spans",
            Export::Series => "Counts over time",
            Export::Timelines => "Timelines",
            Export::Distribution => "Completion times",
        }
    }

    /// The name of the file.
    pub fn file_name(self) -> &'static str {
        match self {
            Export::Metrics => "elastiplan-metrics.csv",
            Export::Jobs => "elastiplan-jobs.csv",
            Export::Spans => "elastiplan-spans.csv",
            Export::Series => "elastiplan-series.csv",
            Export::Timelines => "elastiplan-timelines.png",
            Export::Distribution => "elastiplan-completion-times.png",
        }
    }
}

impl App {
    /// Hands a file to the person.
    pub(super) fn export(&mut self, export: Export) {
        let Some(set) = self.planner.shown.as_ref() else { return };
        let workload = &set.bound.workload;
        let runs = || set.entries.iter().filter_map(|entry| entry.result.as_deref());
        let name = export.file_name();
        let table = |table: fn(Vec<&PolicyRun>) -> Vec<u8>| dom::download(name, &table(runs().collect()));
        let figure = |canvas: Option<web_sys::HtmlCanvasElement>| {
            if let Some(canvas) = canvas {
                png_blob(&canvas, Callback::from(move |blob| dom::download_blob(name, &blob)));
            }
        };
        match export {
            Export::Metrics => table(|runs| tables::metrics(runs)),
            Export::Jobs => dom::download(name, &tables::jobs(runs(), workload)),
            Export::Spans => dom::download(name, &tables::spans(runs(), workload)),
            Export::Series => table(|runs| tables::series(runs)),
            Export::Timelines => figure(timelines_png(&set.entries, workload)),
            Export::Distribution => {
                let paper = Paper::of(&set.inputs);
                let made = chart::distribution(Spread::Completion, &set.entries, workload, &paper);
                let provenance = Provenance::of(&set.inputs, &set.entries, &self.build_id);
                chart::save(&made, &provenance, Format::Png);
            }
        }
        self.say(format!("{name} is in your downloads"));
    }
}
