//! Files for the user: tables as CSV, figures as PNG.

use elastiplan_planner::{PolicyRun, tables};
use elastiplan_present::charts::{Spread, distribution};
use yew::Callback;

use super::App;
use crate::chart::{self, Format};
use crate::dom;
use crate::paint::canvas::png_blob;
use crate::state::message::Export;
use crate::state::published::{paper_of, provenance_of};
use crate::timeline::timelines_png;

impl App {
    /// Hands a file to the user.
    pub(super) fn export(&mut self, export: Export) {
        let Some(set) = self.page.planner.shown.as_ref() else { return };
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
                let paper = paper_of(&self.page.presets, &set.inputs);
                let made = distribution(Spread::Completion, &set.entries, workload, &paper);
                let provenance = provenance_of(&set.inputs, &set.entries, &self.page.build_id);
                chart::save(&made, &provenance, Format::Png);
            }
        }
        self.page.say(format!("{name} is in your downloads"));
    }
}
