//! The legend of the patterns of rows.

use yew::prelude::*;

use crate::state::order::Show;

/// A pattern with its class in the style sheet, and what it stands for.
const OF_JOBS: [(&str, &str); 9] = [
    ("running", "running"),
    ("rescaling", "rescaling: held, nothing gets done"),
    ("recovering", "recovering: a node left"),
    ("waiting", "waiting for its first GPUs"),
    ("preempted", "preempted: lost its GPUs"),
    ("merged", "many spans in one place: as high as the share of time on GPUs"),
    ("overdue", "past its deadline"),
    ("missed", "missed its deadline"),
    ("dropped", "dropped or declined"),
];
const OF_PLACES: [(&str, &str); 6] = [
    ("running", "in use, by the model that has most"),
    ("share", "a node: as high as the share of its GPUs in use"),
    ("rescaling", "held, but its job is rescaling"),
    ("recovering", "held, but its job is recovering"),
    ("free", "free"),
    ("away", "the node is away"),
];

/// A button that opens the list of patterns.
pub fn legend(show: Show) -> Html {
    let patterns: &[(&str, &str)] = if show == Show::Jobs { &OF_JOBS } else { &OF_PLACES };
    let pattern = |(class, words): &(&str, &str)| {
        html! {
            <li><span class={format!("tl-mark tl-mark-{class}")} aria-hidden="true"></span>{ *words }</li>
        }
    };
    html! {
        <details class="tl-legend">
            <summary title="What the patterns mean">{ "Key" }</summary>
            <ul>{ for patterns.iter().map(pattern) }</ul>
        </details>
    }
}
