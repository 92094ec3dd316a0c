//! Files for the user: tables as CSV, trace events as JSON, figures as PNG.

use elastiplan_planner::tables::{self, Listed};
use elastiplan_planner::trace_events;
use elastiplan_present::charts::{Spread, distribution};
use elastiplan_present::runs::{RunEntry, shown};

use super::App;
use crate::chart::{self, Format};
use crate::dom;
use crate::state::message::Export;
use crate::state::published::{paper_of, provenance_of};
use crate::timeline::{FIGURE_RATIO, timelines_png};

impl App {
    /// Hands a file to the user.
    pub(super) fn export(&mut self, export: Export) {
        let Some(set) = self.page.planner.shown.as_ref() else { return };
        let workload = &set.bound.workload;
        let provenance = provenance_of(&set.inputs, &set.entries, &self.page.build_id);
        let runs: Vec<Listed<'_>> = shown(&set.entries).filter_map(listed).collect();
        // Those of `file_name` in the menu, after the name of the scenario.
        let (what, ending) = export.file_name().split_once('.').unwrap_or((export.file_name(), "csv"));
        let name = provenance.file_name(what, ending);
        match export {
            Export::Metrics => dom::download(&name, &tables::metrics(runs, workload)),
            Export::Jobs => dom::download(&name, &tables::jobs(runs, workload)),
            Export::Spans => dom::download(&name, &tables::spans(runs, workload)),
            Export::Series => dom::download(&name, &tables::series(runs)),
            Export::TraceEvents => dom::download(&name, &trace_events(runs, workload)),
            Export::Timelines => {
                if let Some(canvas) = timelines_png(&set.entries, workload, &provenance) {
                    let per_m = chart::pixels_per_m(FIGURE_RATIO);
                    chart::save_png(&canvas, name.clone(), "Timelines", &provenance, per_m);
                }
            }
            Export::Distribution => {
                let paper = paper_of(&self.page.presets, &set.inputs);
                let made = distribution(Spread::Completion, &set.entries, workload, &paper, None);
                chart::save(&made, &provenance, Format::Png);
            }
        }
        self.page.say(format!("{name} is in your downloads"));
    }
}

/// A run as a table lists it, once it has a record.
fn listed(entry: &RunEntry) -> Option<Listed<'_>> {
    let named = entry.label.iter().chain(&entry.differs).map(String::as_str);
    let differs = named.collect::<Vec<_>>().join(", ");
    Some(Listed { run: entry.result.as_deref()?, own_workload: entry.own_workload.as_deref(), differs })
}
