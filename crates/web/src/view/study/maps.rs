//! Two axes: a map a policy, the smallest value by the other axis, and cost against what is missed. More axes are sliders,
//! and lines across all of them.

use elastiplan_present::runs::RunEntry;
use elastiplan_present::study::{
    AxisView, MapScale, Measure, front_words, policy_name, second_axis, smallest_by, with_unit,
};
use yew::prelude::*;

use super::curve::metric_menu;
use super::figure::{Kind, figure};
use super::{Look, head, panel, worse};
use crate::elements::{badge, classes, typed};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The maps and the panel.
pub(super) fn maps(look: &Look<'_>) -> Html {
    let Some(second) = second_axis(look.view) else { return Html::default() };
    let shown = [look.view.find, second];
    let slice = look.slice(&shown);
    // Cost against quality at the values of the point that is looked at, as the words below it.
    let along = look.slice(&[look.view.find]);
    let others: Vec<usize> = (0..look.view.axes.len()).filter(|axis| !shown.contains(axis)).collect();
    let map = |(policy, entry): (usize, &RunEntry)| {
        let heading = html! {
            <span class="st-map-head">{ badge(entry.slot) }{ policy_name(look.view, policy) }</span>
        };
        let parts = look.parts(&look.metric, policy, slice);
        html! { <div class="st-map" key={policy}>{ figure(look, parts, Kind::Map, Some(heading), None, None) }</div> }
    };
    html! {
        <>
            <div class="st-centre">
                <div class="st-section-head">
                    <h3>{ metric_menu(look) }{ by_words(look, second) }</h3>{ scale(look, slice) }
                </div>
                if !others.is_empty() {
                    <div class="st-slices">{ for others.iter().filter_map(|axis| slider(look, *axis)) }</div>
                }
                <div class="st-maps">{ for look.entries.iter().enumerate().map(map) }</div>
                { smallest(look, slice) }
                { head::kept(look.page) }
                if !others.is_empty() {
                    <div class="st-more-axes">{ figure(look, look.parts(&look.metric, look.policy, slice), Kind::Parallel, None, None, None) }</div>
                }
            </div>
            <aside class="st-panel" aria-label="Point and front">
                <div class="st-front">{ figure(look, look.parts(&look.metric, look.policy, along), Kind::Front, None, None, None) }</div>
                if let Some(words) = front_words(look.view, &look.slots(), along) { <p class="dense ink-2">{ words }</p> }
                { panel::point(look) }
                <p class="caption">{ "Shift-click a second cell to open two side by side" }</p>
                { worse::worse(look) }
                { panel::copies(look) }
            </aside>
        </>
    }
}

/// `by arrival rate (up) and nodes (across)`.
fn by_words(look: &Look<'_>, second: usize) -> Html {
    let label = |axis: usize| look.view.axes.get(axis).map(|axis| axis.label.to_lowercase()).unwrap_or_default();
    let words = format!("by {} (up) and {} (across)", label(second), label(look.view.find));
    html! { <span class="caption">{ words }</span> }
}

/// The colours of the maps, from the worst value to the best, with a line at the goal.
fn scale(look: &Look<'_>, slice: usize) -> Html {
    let measure = Measure::of(look.view, &look.metric);
    let Some((scale, measure)) = MapScale::of(look.view, &look.metric, slice).zip(measure) else {
        return Html::default();
    };
    let goal = scale.goal.map(|goal| format!(", line: goal {}", measure.cell_text(goal))).unwrap_or_default();
    let share = scale.goal_share().unwrap_or(0.5) * 100.0;
    html! {
        <span class={classes("st-scale", scale.goal.is_some().then_some("st-with-goal"))}>
            { measure.cell_text(scale.worst) }<i style={format!("--goal: {share:.1}%")} aria-hidden="true"></i>
            { measure.cell_text(scale.best) }{ goal }
        </span>
    }
}

/// An axis that is neither across nor up: its value is chosen.
fn slider(look: &Look<'_>, axis: usize) -> Option<Html> {
    let of: &AxisView = look.view.axes.get(axis)?;
    let places = look.view.places(look.point);
    let place = places.get(axis).copied().unwrap_or_default();
    let (view, policy) = (look.view.clone(), look.policy as u32);
    let oninput = look.send.reform(move |event: InputEvent| {
        let mut places = places.clone();
        if let (Some(own), Ok(chosen)) = (places.get_mut(axis), typed(&event).parse()) {
            *own = chosen;
        }
        Msg::Study(StudyMsg::Select { policy, point: view.point(&places) as u32 })
    });
    let shown = with_unit(of, place);
    Some(html! {
        <label class="st-slice">
            <span>{ &of.label }</span>
            <input type="range" min="0" max={of.values.len().saturating_sub(1).to_string()} step="1"
                value={place.to_string()} aria-valuetext={shown.clone()} {oninput} />
            <output>{ shown }</output>
        </label>
    })
}

/// The smallest value for each value of the other axis.
fn smallest(look: &Look<'_>, slice: usize) -> Html {
    if look.view.goals.is_empty() {
        return Html::default();
    }
    super::table::section("Smallest that meets every goal", &smallest_by(look.view, &look.slots(), slice))
}
