//! The menus of the row: further axes, seeds, time, and the baseline.

use elastiplan_compare::Badge;
use elastiplan_study::{DAYS_MIN, Draws, Seeds, Spec, days};
use elastiplan_text::format;
use web_sys::Event;
use yew::prelude::*;

use super::change;
use crate::elements::{caption, link, tick_box, typed};
use crate::menu::{Menu, MenuButton};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study_axes::{AxisChoice, choices};
use crate::state::study_parts::{read_seeds, seeds_text};
use crate::view::fields::Field;

/// Time budgets to choose from, in seconds.
const BUDGETS_S: [f64; 4] = [10.0, 60.0, 300.0, 1800.0];

/// The button that adds an axis, with the list of all that can be varied.
pub(super) fn add_axis(page: &Page, spec: &Spec) -> Html {
    let is_there = |choice: &AxisChoice| spec.axes.iter().any(|(key, _)| *key == choice.key);
    let mut all = choices(&page.planner.inputs().study_policies());
    all.retain(|choice| !is_there(choice));
    let send = page.send.clone();
    let list = Callback::from(move |_: Menu| html! { <AxisList choices={all.clone()} send={send.clone()} /> });
    html! { <MenuButton words="+ axis" class="button" {list} /> }
}

#[derive(Properties, PartialEq)]
struct ListProps {
    choices: Vec<AxisChoice>,
    send: Callback<Msg>,
}

#[component]
fn AxisList(props: &ListProps) -> Html {
    let query = use_state(String::new);
    let oninput = {
        let query = query.clone();
        Callback::from(move |event: InputEvent| query.set(typed(&event).to_lowercase()))
    };
    let is_found = |choice: &&AxisChoice| {
        let all = format!("{} {} {}", choice.label, choice.about, choice.key).to_lowercase();
        query.split_whitespace().all(|word| all.contains(word))
    };
    let item = |choice: &AxisChoice| {
        let key = choice.key.clone();
        let onclick = props.send.reform(move |_: MouseEvent| Msg::Vary(key.clone()));
        html! { <button key={choice.key.clone()} {onclick}><span>{ &choice.label }<small>{ choice.about }</small></span></button> }
    };
    let found: Vec<Html> = props.choices.iter().filter(is_found).map(item).collect();
    let is_none = found.is_empty();
    html! {
        <div class="menu-list columns-menu editor-list" tabindex="-1" role="group" aria-label="What can be varied">
            <input type="search" aria-label="Search fields and parameters" placeholder="Search fields and parameters" {oninput} />
            <div>{ for found }</div>
            if is_none { { caption("Nothing has these words") } }
        </div>
    }
}

/// How often each point is run.
pub(super) fn seeds(page: &Page, spec: &Spec) -> Html {
    let text = seeds_text(&spec.seeds);
    let (send, spec) = (page.send.clone(), spec.clone());
    let are_days = spec.draws == Draws::Days;
    let words = if are_days { format!("Seeds {text}, days") } else { format!("Seeds {text}") };
    // Days of a recorded trace can be drawn; what is chosen can be taken back.
    let has_days = are_days || days(&page.planner.inputs().world().data.trace) >= DAYS_MIN;
    let now = text.clone();
    let list = Callback::from(move |_: Menu| {
        let fault = Callback::from(|text: String| read_seeds(&text).err().map(AttrValue::from));
        let on_text = {
            let (send, spec) = (send.clone(), spec.clone());
            Callback::from(move |text: String| {
                if let Ok(seeds) = read_seeds(&text) {
                    send.emit(Msg::Edit(Edit::TypeStudy(Spec { seeds, ..spec.clone() })));
                }
            })
        };
        let until = |half_width| Seeds::Until { at_least: 10, at_most: 40, half_width };
        let usual = [Seeds::Count(10), until(None), until(Some(0.05)), until(Some(0.01))];
        let item = |seeds: Seeds| {
            let words = seeds_text(&seeds);
            let spec = Spec { seeds, ..spec.clone() };
            link(words, send.reform(move |_: MouseEvent| Msg::Edit(Edit::Study(Some(spec.clone())))))
        };
        let draws = if are_days { Draws::Seeds } else { Draws::Days };
        let other = Spec { draws, ..spec.clone() };
        let on_days = send.reform(move |_: Event| Msg::Edit(Edit::Study(Some(other.clone()))));
        html! {
            <div class="menu-list editor-form" tabindex="-1" role="group" aria-label="Seeds">
                { for usual.into_iter().map(item) }
                <Field label="Seeds" text={now.clone()} {fault} {on_text} on_end={Callback::noop()} />
                { caption("All points have the same seeds. From 10 to 40: more where the question is open") }
                { tick_box("Resample days".into(), None, are_days, has_days, on_days) }
                { caption(if has_days {
                    "Each seed draws whole days of the trace, as many as it has".to_string()
                } else {
                    format!("The trace is shorter than {DAYS_MIN} days: too few to be drawn anew")
                }) }
            </div>
        }
    });
    html! { <MenuButton {words} class="button" {list} /> }
}

/// How long runs are made.
pub(super) fn budget(page: &Page, spec: &Spec) -> Html {
    let words = |budget_s: Option<f64>| budget_s.map_or("none".to_string(), format::duration);
    let items: Vec<(String, Callback<MouseEvent>)> = std::iter::once(None)
        .chain(BUDGETS_S.map(Some))
        .map(|time_budget_s| (words(time_budget_s), change(page, Spec { time_budget_s, ..spec.clone() })))
        .collect();
    let list = Callback::from(move |menu: Menu| {
        let item = |(words, onclick): &(String, Callback<MouseEvent>)| {
            let (menu, onclick) = (menu.clone(), onclick.clone());
            let choose = Callback::from(move |event: MouseEvent| {
                menu.close();
                onclick.emit(event);
            });
            html! { <button onclick={choose}>{ words }</button> }
        };
        html! {
            <div class="menu-list editor-menu" tabindex="-1" role="group" aria-label="Time budget">
                { for items.iter().map(item) }
                { caption("After it no more runs are started. What is there stays") }
            </div>
        }
    });
    html! { <MenuButton words={format!("Budget {}", words(spec.time_budget_s))} class="button" {list} /> }
}

/// The run that the others are compared with.
pub(super) fn baseline(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let name = |id: u32| {
        let at = inputs.runs().iter().position(|run| run.id == id)?;
        let badge = Badge::of_slot(at).map(Badge::letter).unwrap_or_default();
        Some(format!("{badge} {}", inputs.run(id)?.policy))
    };
    let runs: Vec<(u32, String)> = inputs.study_runs().iter().filter_map(|run| Some((run.id, name(run.id)?))).collect();
    let Some((_, first)) = runs.first().cloned() else { return html! {} };
    let send = page.send.clone();
    let list = Callback::from(move |menu: Menu| {
        let item = |(id, words): &(u32, String)| {
            let (menu, send, id) = (menu.clone(), send.clone(), *id);
            let choose = Callback::from(move |_: MouseEvent| {
                menu.close();
                send.emit(Msg::Edit(Edit::Move(id, 0)));
            });
            html! { <button onclick={choose}>{ words }</button> }
        };
        html! {
            <div class="menu-list editor-menu" tabindex="-1" role="group" aria-label="Baseline">{ for runs.iter().map(item) }</div>
        }
    });
    html! { <MenuButton words={format!("Baseline {first}")} class="button" {list} /> }
}
