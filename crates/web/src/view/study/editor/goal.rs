//! A goal of a study: a chip, and the form in which it is typed.

use elastiplan_metrics::{Better, METRICS, Metrics, Unit};
use elastiplan_study::{GoalPart, Spec};
use web_sys::Event;
use yew::prelude::*;

use super::change;
use crate::elements::{chosen, option};
use crate::menu::Menu;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study_parts::{goal_part, limit_of, limit_text, limit_words, read_limit};
use crate::state::study_spec::{metric_label, with_goal, without_goal};
use crate::view::fields::Field;

/// `Deadlines met ≥ 95%`.
pub(super) fn chip(page: &Page, spec: &Spec, at: usize, part: &GoalPart) -> Html {
    let fault = Metrics::info(&part.metric).is_none().then(|| format!("{} is not a metric", part.metric));
    let remove = change(page, without_goal(spec.clone(), at));
    let (send, spec, goal) = (page.send.clone(), spec.clone(), part.clone());
    let form = Callback::from(move |_: Menu| form(&spec, at, &goal, &send));
    super::chip(metric_label(&part.metric), limit_words(part), fault, remove, form)
}

fn form(spec: &Spec, at: usize, goal: &GoalPart, send: &Callback<Msg>) -> Html {
    let (is_least, limit) = limit_of(goal);
    let metric = goal.metric.clone();
    let set = |edit: fn(Spec) -> Edit| {
        let (spec, send) = (spec.clone(), send.clone());
        move |goal: GoalPart| send.emit(Msg::Edit(edit(with_goal(spec.clone(), at, goal))))
    };
    let (choose, type_limit) = (set(|spec| Edit::Study(Some(spec))), set(Edit::TypeStudy));
    let on_metric = {
        let choose = choose.clone();
        Callback::from(move |event: Event| choose(usual(&chosen(&event))))
    };
    let on_sign = {
        let metric = metric.clone();
        Callback::from(move |event: Event| choose(goal_part(&metric, chosen(&event) == "≥", limit)))
    };
    let fault = {
        let metric = metric.clone();
        Callback::from(move |text: String| read_limit(&metric, &text).err().map(AttrValue::from))
    };
    let on_text = {
        let metric = metric.clone();
        Callback::from(move |text: String| {
            if let Ok(limit) = read_limit(&metric, &text) {
                type_limit(goal_part(&metric, is_least, limit));
            }
        })
    };
    let metrics = METRICS.iter().filter(|info| info.better != Better::Neither);
    html! {
        <div class="menu-list editor-form" tabindex="-1" role="group" aria-label={format!("Goal: {}", metric_label(&metric))}>
            <label class="field wide"><span>{ "Metric" }</span>
                <select class="select" onchange={on_metric}>
                    { for metrics.map(|info| option(info.key, metric_label(info.key), info.key == metric)) }
                </select>
            </label>
            <label class="field"><span>{ "Relation" }</span>
                <select class="select" onchange={on_sign}>
                    { option("≥", "≥ at least", is_least) }{ option("≤", "≤ at most", !is_least) }
                </select>
            </label>
            <Field key={metric.clone()} label="Limit" text={limit_text(&metric, limit)} {fault} {on_text} on_end={Callback::noop()} />
        </div>
    }
}

/// A goal of a metric to begin with.
fn usual(metric: &str) -> GoalPart {
    let Some(info) = Metrics::info(metric) else { return goal_part(metric, false, 0.0) };
    let is_least = info.better == Better::Higher;
    let limit = match info.unit {
        Unit::Ratio if is_least => 0.95,
        Unit::Ratio => 0.05,
        Unit::Seconds => 3600.0,
        Unit::Dollars => 100.0,
        _ => 1.0,
    };
    goal_part(metric, is_least, limit)
}
