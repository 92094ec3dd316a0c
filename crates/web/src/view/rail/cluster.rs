//! The machines.

use elastiplan_metrics::IdleNodes;
use elastiplan_model::Cluster;
use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::elements::{caption, named_link};
use crate::state::data::Log;
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::{Msg, Screen};
use crate::view::fields::NumberField;
use crate::view::files::file_choice;

/// With a log, what a GPU is may surprise: the log and curves that go with it know nodes only.
const ONE_GPU: &str = "The log counts nodes: with 1 a node is what curves and jobs call a GPU";

pub(super) fn cluster(inputs: &Inputs, send: &Callback<Msg>) -> Html {
    let (cluster, nodes_always) = (inputs.cluster, inputs.nodes_always());
    let end = send.reform(|()| Msg::Seal);
    let log = inputs.data.log.as_ref();
    let has_log = log.is_some();
    let (label, nodes_min) = if has_log { ("Permanent nodes", 0.0) } else { ("Nodes", 1.0) };
    let nodes_max = Cluster::NODES_MAX - (cluster.nodes() - nodes_always);
    let help = if has_log && cluster.gpus_per_node() == 1 { ONE_GPU } else { "" };
    let total = words::counted(cluster.gpus_total().into(), "GPU", "GPUs");
    let nodes = NumberField {
        label,
        value: nodes_always.into(),
        min: nodes_min,
        max: nodes_max.into(),
        is_whole: true,
        help: "",
    };
    let gpus_per_node = NumberField {
        label: "GPUs per node",
        value: cluster.gpus_per_node().into(),
        min: 1.0,
        max: Cluster::GPUS_PER_NODE_MAX.into(),
        is_whole: true,
        help,
    };
    html! {
        <section class="rail-section" aria-labelledby="rail-cluster">
            <div class="rail-head"><h2 id="rail-cluster">{ "Cluster" }</h2></div>
            if let Some(log) = log { <LogCard log={log.clone()} send={send} /> }
            { nodes.html(send.reform(|value: f64| Msg::Edit(Edit::Nodes(value as u32))), end.clone()) }
            { gpus_per_node.html(send.reform(|value: f64| Msg::Edit(Edit::GpusPerNode(value as u32))), end) }
            <p class="card-line caption"><span>{ "Total" }</span>
                <span>{ if has_log { format!("at most {total}") } else { total } }</span>
            </p>
            if !has_log {
                <div class="choices">{ file_choice("Availability log", false, send) }</div>
            }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct LogProps {
    log: Log,
    send: Callback<Msg>,
}

/// The nodes of the log, and the ways to look at it and to do without.
#[component]
fn LogCard(props: &LogProps) -> Html {
    let facts = use_memo(props.log.clone(), |log| IdleNodes::of(&log.availability));
    let path = props.log.file().map(|file| file.path.as_str());
    let show_report = props.send.reform(|_| Msg::Show(Screen::Report));
    let remove = props.send.reform(|_| Msg::Edit(Edit::RemoveLog));
    let over = format::duration(facts.span_s);
    html! {
        <div class="card log-card">
            <div class="card-row">
                <p class="card-line"><span>{ "Nodes" }</span>
                    <span class="ink-2">
                        { format::count(facts.nodes.into()) }{ " · " }
                        if path.is_some() {
                            { named_link(Some("Report on the availability log"), "report".into(), show_report) }{ " · " }
                        }
                        { named_link(Some("Remove the availability log"), "remove".into(), remove) }
                    </span>
                </p>
                if let Some(path) = path {
                    <p class="caption file-name" title={path.to_string()}>
                        { "from " }{ path.rsplit('/').next().unwrap_or(path) }
                    </p>
                }
                { caption(format!("on average {}, over {over}", format::or_dash(facts.equivalent_nodes(), format::number))) }
            </div>
        </div>
    }
}
