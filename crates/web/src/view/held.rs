//! What a job held over time under each policy, in one small plot: GPUs, speed or batch size.

use std::rc::Rc;

use elastiplan_compare::Story;
use elastiplan_metrics::Steps;
use elastiplan_scene::{TimeScale, TimeWindow, axis, format};
use yew::prelude::*;

use crate::runs::RunEntry;

/// The plot in units of its own; it is as wide as the panel.
const WIDTH: f64 = 392.0;
const HEIGHT: f64 = 112.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 94.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 12.0;

#[derive(Properties)]
pub(super) struct HeldProps {
    pub stories: Rc<Vec<(RunEntry, Story)>>,
    /// Times are written from here.
    pub zero_s: f64,
}

impl PartialEq for HeldProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.stories, &other.stories) && self.zero_s == other.zero_s
    }
}

/// What is plotted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Gpus,
    Speed,
    Batch,
}

impl Quantity {
    const ALL: [Quantity; 3] = [Quantity::Gpus, Quantity::Speed, Quantity::Batch];

    fn label(self) -> &'static str {
        match self {
            Quantity::Gpus => "GPUs held",
            Quantity::Speed => "Samples/s",
            Quantity::Batch => "Batch size",
        }
    }

    /// (time, value) at each change; nothing held is 0.
    fn steps(self, story: &Story) -> Vec<(f64, f64)> {
        fn pairs<T: Copy>(steps: &Steps<T>, value: impl Fn(T) -> f64) -> Vec<(f64, f64)> {
            steps.time_s.iter().zip(&steps.value).map(|(time_s, of)| (*time_s, value(*of))).collect()
        }
        match self {
            Quantity::Gpus => pairs(&story.gpus, f64::from),
            Quantity::Speed => pairs(&story.samples_per_s, |speed| speed.unwrap_or(0.0)),
            Quantity::Batch => pairs(&story.batch_global, |batch| batch.map_or(0.0, f64::from)),
        }
    }
}

#[component]
pub(super) fn Held(props: &HeldProps) -> Html {
    let quantity = use_state(|| Quantity::Gpus);
    let lines: Vec<(usize, Vec<(f64, f64)>)> =
        props.stories.iter().map(|(entry, story)| (entry.slot, quantity.steps(story))).collect();
    let button = |of: Quantity| {
        let quantity = quantity.clone();
        let is_shown = *quantity == of;
        let onclick = Callback::from(move |_| quantity.set(of));
        html! { <button aria-pressed={is_shown.to_string()} {onclick}>{ of.label() }</button> }
    };
    html! {
        <div class="held">
            <div class="story-head">
                <h3>{ quantity.label() }</h3>
                <span class="segments" role="group" aria-label="Plotted">{ for Quantity::ALL.into_iter().map(button) }</span>
            </div>
            { plot(&lines, quantity.label(), props) }
        </div>
    }
}

fn plot(lines: &[(usize, Vec<(f64, f64)>)], label: &str, props: &HeldProps) -> Html {
    let stories = &props.stories;
    let times = || lines.iter().flat_map(|(_, steps)| steps.iter().map(|(time_s, _)| *time_s));
    let ends = stories.iter().filter_map(|(_, story)| story.events.last().map(|event| event.time_s));
    let (first_s, last_s) = (times().fold(f64::INFINITY, f64::min), times().chain(ends).fold(0.0, f64::max));
    let top = lines.iter().flat_map(|(_, steps)| steps.iter().map(|(_, value)| *value)).fold(0.0, f64::max);
    if !(first_s < last_s && top > 0.0) {
        return html! { <p class="caption">{ "It never held a GPU" }</p> };
    }
    let scale = TimeScale::new(TimeWindow::new(first_s, last_s), LEFT, WIDTH - LEFT - RIGHT);
    let y = |value: f64| BOTTOM - value / top * (BOTTOM - TOP);
    let line = |(slot, steps): &(usize, Vec<(f64, f64)>)| {
        let class = format!("held-line policy-{}", ['a', 'b', 'c', 'd'].get(*slot).unwrap_or(&'a'));
        html! { <path {class} d={path(steps, last_s, &scale, y)} /> }
    };
    let tick = |tick: axis::Tick| {
        html! { <text x={scale.x_of(tick.time_s).to_string()} y={(BOTTOM + 14.0).to_string()} text-anchor="middle">{ tick.label }</text> }
    };
    let peaks: Vec<String> = lines
        .iter()
        .zip(stories.iter())
        .map(|((_, steps), (entry, _))| {
            let peak = steps.iter().map(|(_, value)| *value).fold(0.0, f64::max);
            format!("{} at most {}", entry.policy.name(), format::number(peak))
        })
        .collect();
    html! {
        <svg class="held-plot" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img"
            aria-label={format!("{label} over time: {}", peaks.join(", "))}>
            <line class="held-base" x1={LEFT.to_string()} x2={(WIDTH - RIGHT).to_string()} y1={BOTTOM.to_string()} y2={BOTTOM.to_string()} />
            <text x={(LEFT - 5.0).to_string()} y={(TOP + 4.0).to_string()} text-anchor="end">{ format::number(top) }</text>
            <text x={(LEFT - 5.0).to_string()} y={(BOTTOM + 2.0).to_string()} text-anchor="end">{ "0" }</text>
            { for axis::ticks(&scale, props.zero_s, 62.0).into_iter().map(tick) }
            { for lines.iter().rev().map(line) }
        </svg>
    }
}

/// Steps as the path of an SVG.
fn path(steps: &[(f64, f64)], last_s: f64, scale: &TimeScale, y: impl Fn(f64) -> f64) -> String {
    let mut path = String::new();
    for (at, (time_s, value)) in steps.iter().enumerate() {
        let (x, y) = (scale.x_of(*time_s), y(*value));
        let next = if at == 0 { format!("M{x:.1} {y:.1}") } else { format!("H{x:.1}V{y:.1}") };
        path.push_str(&next);
    }
    if !path.is_empty() && steps.last().is_some_and(|(_, value)| *value > 0.0) {
        path.push_str(&format!("H{:.1}", scale.x_of(last_s)));
    }
    path
}
