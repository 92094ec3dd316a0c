//! The machines.

use elastiplan_metrics::IdleNodes;
use elastiplan_model::Cluster;
use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::state::data::Log;
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::view::fields::NumberField;
use crate::view::files::file_choice;

#[derive(Properties, PartialEq)]
pub(super) struct ClusterProps {
    pub cluster: Cluster,
    /// Nodes that are always there.
    pub nodes_always: u32,
    pub log: Option<Log>,
    pub send: Callback<Msg>,
}

/// With a log, what a GPU is may surprise: the log and curves that go with it know nodes only.
const ONE_GPU: &str = "The log counts nodes: with 1 a node is what curves and jobs call a GPU";

#[component]
pub(super) fn ClusterInputs(props: &ClusterProps) -> Html {
    let cluster = props.cluster;
    let end = props.send.reform(|()| Msg::Seal);
    let has_log = props.log.is_some();
    let (label, nodes_min) = if has_log { ("Always there", 0.0) } else { ("Nodes", 1.0) };
    let nodes_max = Cluster::NODES_MAX - (cluster.nodes() - props.nodes_always);
    let help = if has_log && cluster.gpus_per_node() == 1 { ONE_GPU } else { "" };
    let total = words::counted(cluster.gpus_total().into(), "GPU", "GPUs");
    html! {
        <section class="rail-section" aria-labelledby="rail-cluster">
            <div class="rail-head"><h2 id="rail-cluster">{ "Cluster" }</h2></div>
            if let Some(log) = &props.log { <LogCard log={log.clone()} send={props.send.clone()} /> }
            <NumberField {label} value={f64::from(props.nodes_always)} min={nodes_min} max={f64::from(nodes_max)}
                is_whole=true on_value={props.send.reform(|value: f64| Msg::Edit(Edit::Nodes(value as u32)))}
                on_end={end.clone()} />
            <NumberField label="GPUs per node" value={f64::from(cluster.gpus_per_node())} min=1.0
                max={f64::from(Cluster::GPUS_PER_NODE_MAX)} is_whole=true {help}
                on_value={props.send.reform(|value: f64| Msg::Edit(Edit::GpusPerNode(value as u32)))} on_end={end} />
            <p class="card-line caption"><span>{ "Total" }</span>
                <span>{ if has_log { format!("at most {total}") } else { total } }</span>
            </p>
            if !has_log {
                <div class="choices">{ file_choice("Availability log", false, &props.send) }</div>
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
                            <button class="link" aria-label="Report on the availability log" onclick={show_report}>
                                { "report" }
                            </button>{ " · " }
                        }
                        <button class="link" aria-label="Remove the availability log" onclick={remove}>
                            { "remove" }
                        </button>
                    </span>
                </p>
                if let Some(path) = path {
                    <p class="caption file-name" title={path.to_string()}>
                        { "from " }{ path.rsplit('/').next().unwrap_or(path) }
                    </p>
                }
                <p class="caption">
                    { format!("on average {}, over {over}", format::or_dash(facts.equivalent_nodes(), format::number)) }
                </p>
            </div>
        </div>
    }
}
