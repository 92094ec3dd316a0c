//! The row in which a study is edited: what is varied, what is asked, how often and how long, and what that takes.

mod axis;
mod goal;
mod menus;

use elastiplan_study::{Spec, Study, cut, size};
use yew::prelude::*;

use crate::elements::{caption, classes, icon_button, link};
use crate::menu::{Menu, MenuButton};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study_axes::label;
use crate::state::study_parts::{axis_fault, fault_words};
use crate::state::study_spec::{DECLINED_MAX, declined, lacks_declined, next_goal, with_goal};

/// The row, and below it what is wrong with the study, or what it takes.
pub(super) fn editor(page: &Page) -> Html {
    let spec = page.study_spec();
    let add_goal =
        change(page, with_goal(spec.clone(), spec.goals.len(), next_goal(&spec.goals, page.have_deadlines())));
    html! {
        <section class="editor" aria-label="What is varied and asked">
            <div class="editor-row">
                <span class="editor-word">{ "Vary" }</span>
                { for spec.axes.iter().map(|(key, values)| axis::chip(page, &spec, key, values)) }
                { menus::add_axis(page, &spec) }
                <span class="editor-word">{ "Goal" }</span>
                { for spec.goals.iter().enumerate().map(|(at, part)| html! {
                    <>
                        if at > 0 { <span class="editor-and">{ "and" }</span> }
                        { goal::chip(page, &spec, at, part) }
                    </>
                }) }
                <button class="button" onclick={add_goal}>{ if spec.goals.is_empty() { "+ goal" } else { "+ and" } }</button>
                <span class="editor-menus">
                    { menus::seeds(page, &spec) }
                    { menus::budget(page, &spec) }
                    { menus::baseline(page) }
                </span>
            </div>
            { notes(page, &spec) }
        </section>
    }
}

/// A callback that makes a study that of the inputs.
fn change(page: &Page, spec: Spec) -> Callback<MouseEvent> {
    page.send.reform(move |_| Msg::Edit(Edit::Study(Some(spec.clone()))))
}

/// A part of the study: a button that opens it in place, and one that takes it away.
fn chip(
    name: String,
    value: String,
    fault: Option<String>,
    remove: Callback<MouseEvent>,
    form: Callback<Menu, Html>,
) -> Html {
    let accessible = AttrValue::from(format!("{name} {value}"));
    let without = AttrValue::from(format!("Remove {name}"));
    html! {
        <span key={name.clone()} class={classes("editor-chip", fault.is_some().then_some("bad"))} title={fault.clone()}>
            <span class="editor-name" aria-hidden="true">{ name }</span>
            <MenuButton words={value} name={accessible} class="editor-value" list={form} />
            { icon_button(without.clone(), without, "✕".into(), remove) }
        </span>
    }
}

/// What is wrong, what is missing, what is too much; or else how many runs it takes.
fn notes(page: &Page, spec: &Spec) -> Html {
    let policies = page.planner.inputs().study_policies();
    let faults = spec.axes.iter().filter_map(|(key, values)| {
        let fault = axis_fault(key, values, &policies)?;
        Some(format!("{}: {fault}", label(key)))
    });
    let mut faults: Vec<String> = faults.collect();
    let times = page.study_times();
    let cut = if faults.is_empty() { cut(spec, &times, page.runs_at_once) } else { None };
    if policies.is_empty() {
        faults.push("A study compares runs that are shown and follow the inputs. Add a policy".into());
    } else if faults.is_empty() && cut.is_none() {
        let study = Study::new(spec, &policies, page.planner.inputs().conditions.seed);
        let fault = study.map_or_else(Some, |study| page.goal_fault(&study));
        faults.extend(fault.map(|error| fault_words(&error)));
    }
    let size = size(spec, &times, page.runs_at_once);
    let warned = size.as_ref().and_then(|size| size.warning());
    let with_declined = change(page, with_goal(spec.clone(), spec.goals.len(), declined()));
    let add_words = format!("Add Declined ≤ {}%", DECLINED_MAX * 100.0);
    html! {
        <div class="editor-notes" role="status">
            { for faults.iter().map(|fault| html! { <p class="caption bad">{ fault }</p> }) }
            if let Some(metric) = lacks_declined(&spec.goals) {
                <p class="caption warn">
                    { format!("{} is over completed jobs: a policy that declines jobs looks better than it is. ", metric.label) }
                    { link(add_words, with_declined) }
                </p>
            }
            if let Some(warning) = warned {
                <p class="caption warn">
                    { warning }{ ". " }
                    if let Some(cut) = cut { { link(cut.words, change(page, cut.spec)) } }
                </p>
            } else if faults.is_empty() {
                { size.map(|size| caption(size.words())).unwrap_or_default() }
            }
        </div>
    }
}
