//! What is there after loading, and what was filled in for the person.

use elastiplan_formats::FileRole;
use elastiplan_scenario::sample;
use elastiplan_scene::format;
use yew::prelude::*;

use crate::app::App;
use crate::state::log_facts::LogFacts;
use crate::words;

fn fact(name: &str, value: String) -> Html {
    html! { <div><dt>{ name.to_string() }</dt><dd>{ value }</dd></div> }
}

/// What the log says of the nodes.
fn nodes(log: LogFacts, always: u32) -> Html {
    html! {
        <>
            <h3>{ "Nodes that come and go" }</h3>
            <dl>
                { fact("Nodes in the log", format::count(log.nodes.into())) }
                { fact("Intervals", format::count(log.intervals)) }
                { fact("Time covered", format::duration(log.span_s)) }
                { fact("Most at once", format::count(log.nodes_most)) }
                { fact("On average", format::number(log.nodes_mean)) }
                { fact("Besides, always there", format::count(always.into())) }
            </dl>
        </>
    }
}

pub(super) fn gains(app: &App) -> Html {
    let inputs = app.planner.inputs();
    let bound = &app.planner.bound;
    let jobs = bound.workload.trace().jobs();
    let with_deadline = jobs.iter().filter(|job| job.deadline_s.is_some()).count() as u64;
    let span_s = jobs.last().map_or(0.0, |job| job.submit_s) - jobs.first().map_or(0.0, |job| job.submit_s);
    let curves = &inputs.data.curves;
    let largest = curves.as_slice().iter().map(|curve| curve.gpus_largest()).max().unwrap_or(0);
    let files = inputs.data.readings();
    let assumed = files.iter().flat_map(|reading| reading.files_of(FileRole::Jobs)).flat_map(|file| &file.assumptions);
    let cluster = inputs.cluster;
    let log = inputs.data.log.as_ref().map(|log| LogFacts::of(&log.availability));
    html! {
        <aside class="gains" aria-label="What you get">
            <h3>{ "What you get" }</h3>
            <dl>
                { fact("Jobs", format::count(jobs.len() as u64)) }
                { fact("Jobs with a deadline", format::count(with_deadline)) }
                { fact("Arrivals over", format::duration(span_s)) }
                { fact("Models", format::count(curves.models().len() as u64)) }
                { fact("Throughput curves", format::count(curves.as_slice().len() as u64)) }
                { fact("Measured up to", words::counted(largest.into(), "GPU", "GPUs")) }
            </dl>
            if let Some(log) = log { { nodes(log, inputs.nodes_always()) } }
            <h3>{ "Filled in for you" }</h3>
            <dl>
                { for assumed.map(|assumed| fact(&format!("{}, no column", assumed.column), assumed.used.clone())) }
                if inputs.data.curves_origin.is_sample() {
                    { fact("Unit of the sample's curves", sample::ASSUMPTION.into()) }
                }
                { fact("Rescale cost", format::duration(inputs.what_if.rescale_cost_s)) }
                if log.is_some() {
                    { fact("GPUs per node, not in the log", format::count(cluster.gpus_per_node().into())) }
                    { fact("Begin of the log", "the first submission".into()) }
                } else {
                    { fact("Cluster, no file", format!("{} × {} GPUs", cluster.nodes(), cluster.gpus_per_node())) }
                }
            </dl>
        </aside>
    }
}
