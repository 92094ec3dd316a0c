//! The machines.

use elastiplan_model::Cluster;
use elastiplan_scene::format;
use yew::prelude::*;

use crate::app::Msg;
use crate::state::edit::Edit;
use crate::view::fields::NumberField;

#[derive(Properties, PartialEq)]
pub(super) struct ClusterProps {
    pub cluster: Cluster,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn ClusterInputs(props: &ClusterProps) -> Html {
    let cluster = props.cluster;
    let end = props.send.reform(|()| Msg::Seal);
    html! {
        <section class="rail-section" aria-labelledby="rail-cluster">
            <div class="rail-head"><h2 id="rail-cluster">{ "Cluster" }</h2></div>
            <NumberField label="Nodes" value={f64::from(cluster.nodes())} min=1.0 max={f64::from(Cluster::NODES_MAX)}
                is_whole=true on_value={props.send.reform(|value: f64| Msg::Edit(Edit::Nodes(value as u32)))}
                on_end={end.clone()} />
            <NumberField label="GPUs per node" value={f64::from(cluster.gpus_per_node())} min=1.0
                max={f64::from(Cluster::GPUS_PER_NODE_MAX)} is_whole=true
                on_value={props.send.reform(|value: f64| Msg::Edit(Edit::GpusPerNode(value as u32)))} on_end={end} />
            <p class="card-line caption"><span>{ "Total" }</span>
                <span>{ format!("{} GPUs", format::count(cluster.gpus_total().into())) }</span>
            </p>
        </section>
    }
}
