//! Statistics and charts of an availability log.

use std::rc::Rc;

use elastiplan_formats::FileKind;
use elastiplan_metrics::{FragmentLengths, IdleNodes};
use elastiplan_present::charts::{OfLog, of_log};
use elastiplan_present::provenance::Provenance;
use elastiplan_text::format;
use yew::prelude::*;

use super::gains::fact;
use crate::chart::FigureView;
use crate::state::data::Log;
use crate::view::charts::use_choice;

#[derive(Properties, PartialEq)]
pub(super) struct FactsProps {
    pub log: Log,
    /// Nodes besides those of the log.
    pub always: u32,
}

/// Statistics of the nodes in the log.
#[component]
pub(super) fn LogFacts(props: &FactsProps) -> Html {
    let found = use_memo(props.log.clone(), |log| {
        (IdleNodes::of(&log.availability), FragmentLengths::of(&log.availability).median_s())
    });
    let (found, median_s) = &*found;
    let per_hour = |count: u64| {
        let rate = format::or_dash(found.per_hour(count), |rate| format!("{}/h", format::number(rate)));
        format!("{} · {rate}", format::count(count))
    };
    html! {
        <>
            <h3>{ "Nodes that come and go" }</h3>
            <dl>
                { fact("Nodes in the log", format::count(found.nodes.into())) }
                { fact("Time covered", format::duration(found.span_s)) }
                { fact("Node-hours", format::number(found.node_hours())) }
                { fact("Equivalent nodes", format::or_dash(found.equivalent_nodes(), format::number)) }
                { fact("Share of the log's nodes", format::or_dash(found.ratio(), format::percent)) }
                { fact("Most at once", format::count(found.nodes_most.into())) }
                { fact("Events", per_hour(found.events)) }
                { fact("Some nodes come", per_hour(found.events_joining)) }
                { fact("Some nodes leave", per_hour(found.events_leaving)) }
                { fact("Fragments", format::count(found.fragments)) }
                { fact("Median length", format::or_dash(*median_s, format::duration)) }
                { fact("Mean length", format::or_dash(found.fragment_mean_s(), format::duration)) }
                { fact("There from the start", format::count(found.fragments_from_start)) }
                { fact("Still there at the end", format::count(found.fragments_open)) }
                { fact("Besides, always there", format::count(props.always.into())) }
            </dl>
        </>
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct ChartProps {
    pub log: Log,
    pub provenance: Rc<Provenance>,
    pub theme: AttrValue,
}

#[component]
pub(super) fn LogChart(props: &ChartProps) -> Html {
    let option = |of: &OfLog| (of.name().into(), of.title(&props.log.availability));
    let (place, heading) = use_choice("Chart of the log", OfLog::ALL.iter().map(option).collect());
    let figure = use_memo((props.log.clone(), place), |(log, place)| {
        let has_names = log.file().is_none_or(|file| file.kind != FileKind::AvailabilityCounts);
        of_log(OfLog::ALL.get(*place).copied().unwrap_or_default(), &log.availability, has_names)
    });
    html! {
        <div class="report-chart">
            <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading}
                if_empty="The log is too short for this" />
        </div>
    }
}
