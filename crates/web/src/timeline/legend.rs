//! The legend of the patterns of rows.

use elastiplan_scene::{Banding, Paint};
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
    ("dropped", "declined by the policy"),
];
const OF_STACKS: [(&str, &str); 2] =
    [("running", "GPUs in use: a pixel is the mean of its time"), ("capacity", "GPUs there")];
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
    let patterns: &[(&str, &str)] = match show {
        Show::Stack => &OF_STACKS,
        Show::Jobs => &OF_JOBS,
        Show::Nodes | Show::Gpus => &OF_PLACES,
    };
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

/// The names and colours of bands, the lowest first.
pub fn bands(banding: &Banding) -> Html {
    let band = |name: &str, paint: Paint| {
        let swatch = match paint {
            Paint::Model(slot) => format!("tl-swatch tl-slot-{}", slot.index() + 1),
            Paint::Bad => "tl-swatch tl-slot-bad".into(),
            Paint::Ink2 | Paint::Ink3 => "tl-swatch tl-slot-ink".into(),
            _ => "tl-swatch".into(),
        };
        html! { <span class="tl-model"><span class={swatch} aria-hidden="true"></span>{ name.to_string() }</span> }
    };
    html! { <>{ for banding.bands().iter().map(|known| band(&known.name, known.paint)) }</> }
}
