//! Statistics of the loaded data, and the values that were filled in.

use elastiplan_formats::FileRole;
use elastiplan_scenario::sample;
use elastiplan_text::format;
use yew::prelude::*;

use super::idle_nodes::LogFacts;
use crate::state::page::Page;

pub(super) fn fact(name: &str, value: String) -> Html {
    html! { <div><dt>{ name.to_string() }</dt><dd>{ value }</dd></div> }
}

pub(super) fn gains(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let bound = &page.planner.bound;
    let jobs = bound.workload.trace().jobs();
    let with_deadline = jobs.iter().filter(|job| job.deadline_s.is_some()).count() as u64;
    let span_s = jobs.last().map_or(0.0, |job| job.submit_s) - jobs.first().map_or(0.0, |job| job.submit_s);
    let curves = &inputs.data.curves;
    let largest = curves.as_slice().iter().map(|curve| curve.gpus_largest()).max().unwrap_or(0);
    let files = inputs.data.readings();
    let assumed = files.iter().flat_map(|reading| reading.files_of(FileRole::Jobs)).flat_map(|file| &file.assumptions);
    let cluster = inputs.cluster;
    let log = inputs.data.log.clone();
    html! {
        <aside class="gains" aria-label="What you get">
            <h3>{ "What you get" }</h3>
            <dl>
                { fact("Jobs", format::count(jobs.len() as u64)) }
                { fact("Jobs with a deadline", format::count(with_deadline)) }
                { fact("Arrivals over", format::duration(span_s)) }
                { fact("Models", format::count(curves.models().len() as u64)) }
                { fact("Throughput curves", format::count(curves.as_slice().len() as u64)) }
                { fact("Measured up to", format::gpus(largest)) }
            </dl>
            if let Some(log) = log.clone() { <LogFacts {log} always={inputs.nodes_always()} /> }
            <h3>{ "Filled in for you" }</h3>
            <dl>
                { for assumed.map(|assumed| fact(&format!("{}, no column", assumed.column), assumed.used.clone())) }
                if inputs.data.curves_origin.is_sample() {
                    { fact("Unit of the sample's curves", sample::ASSUMPTION.into()) }
                }
                { fact("Rescale cost", format::duration(inputs.conditions.rescale_cost_s)) }
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
