//! The screen before there is anything to see: what can be varied, and a study whose first runs are on their way.

use elastiplan_study::{Spec, size};
use elastiplan_text::words;
use yew::prelude::*;

use super::{editor, head};
use crate::elements::link;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study::StudyMsg;
use crate::state::study_axes::{AxisChoice, NODES, choices};
use crate::state::study_parts::{Scale, limit_words, values_words};

use crate::state::study_spec::metric_label;

/// The head, the editor, and the list of what can be varied.
pub(super) fn empty(page: &Page) -> Html {
    let study = page.planner.inputs().study.as_ref();
    let (headline, second) = sentences(page, study);
    let has_axes = study.is_some_and(|spec| !spec.axes.is_empty());
    html! {
        <>
            <section class="st-head" aria-label="Answer">
                <div class="st-answer"><h2>{ headline }</h2><p>{ second }</p></div>
                if has_axes { { head::progress(page, None) } }
            </section>
            if has_axes { { editor::editor(page) } } else { { offers(page) } }
        </>
    }
}

/// What stands in the place of the answer, and below it.
fn sentences(page: &Page, study: Option<&Spec>) -> (String, String) {
    let policies = page.planner.inputs().study_policies().len() as u64;
    if policies == 0 {
        return (
            "Add a policy first".into(),
            "A study compares the visible runs of the list that are not pinned".into(),
        );
    }
    if page.study.is_running {
        let headline = "The first runs are on their way";
        return (headline.into(), "The first curves have five sizes, with three seeds each".into());
    }
    let Some(spec) = study.filter(|spec| !spec.axes.is_empty()) else {
        let second = "A study runs each policy at many sizes, with several seeds each, and says which is enough.";
        return ("How many nodes are enough?".into(), second.into());
    };
    let headline = match spec.goals.is_empty() {
        true => "Ready to run. Without a goal there are curves, but no answer",
        false => "Ready to run",
    };
    let size = size(spec, &page.study_times(), page.runs_at_once);
    let policies = || words::counted(policies, "policy", "policies");
    (headline.into(), size.map_or_else(policies, |size| size.words()))
}

/// What can be varied, nodes first.
fn offers(page: &Page) -> Html {
    let policies = page.planner.inputs().study_policies();
    if policies.is_empty() {
        return Html::default();
    }
    let vary = |choice: &AxisChoice| {
        let spec = page.vary(&choice.key);
        let onclick = page.send.reform(move |_: MouseEvent| Msg::Edit(Edit::Study(Some(spec.clone()))));
        html! { <li class="st-offer">{ link(choice.label.clone(), onclick) }<span>{ choice.about }</span></li> }
    };
    let all = choices(&policies);
    html! {
        <div class="st-offers">
            { nodes(page) }
            <h3>{ "Or vary something else" }</h3>
            <ul aria-label="What can be varied">{ for all.iter().filter(|choice| choice.key != NODES).map(vary) }</ul>
        </div>
    }
}

/// The study that most users want, in one click.
fn nodes(page: &Page) -> Html {
    let spec = page.vary(NODES);
    let start_s = page.planner.inputs().data.trace.start_s();
    let values = spec.axes.first().map(|(key, values)| values_words(values, Scale::of(key, start_s)));
    let goals = spec.goals.iter().map(|goal| format!("{} {}", metric_label(&goal.metric), limit_words(goal)));
    let goals: Vec<String> = goals.collect();
    let size = size(&spec, &page.study_times(), page.runs_at_once).map(|size| size.words());
    let send = page.send.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        send.emit(Msg::Edit(Edit::Study(Some(spec.clone()))));
        send.emit(Msg::Study(StudyMsg::Run));
    });
    html! {
        <div class="st-offer-first">
            <button class="button primary" {onclick}>{ format!("Vary nodes {}", values.unwrap_or_default()) }</button>
            <p>
                if !goals.is_empty() { <b>{ format!("Goal: {}. ", goals.join(" and ")) }</b> }
                <span class="ink-2">{ size }</span>
            </p>
        </div>
    }
}
