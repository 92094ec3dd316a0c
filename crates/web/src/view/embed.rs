//! The page inside another one: the verdict, the timelines, a row of what may be changed, and the way to the planner.

use std::rc::Rc;

use elastiplan_text::words;
use yew::prelude::*;

use super::rail::what_if;
use super::{charts, metrics, provenance, timelines};
use crate::dom;
use crate::elements::{paragraph, tick_box};
use crate::state::controls::Controlled;
use crate::state::edit::Edit;
use crate::state::embed::{Access, Embed};
use crate::state::message::Msg;
use crate::state::opened::Notice;
use crate::state::page::Page;
use crate::state::published::paper_of;
use crate::state::run_spec::RunSpec;
use crate::state::runs::Runs;
use crate::timeline::Beside;

/// The whole page.
pub(super) fn embed(page: &Page) -> Html {
    let embed = Embed::of(dom::asked);
    let is_alone = embed.figure.is_some();
    let selection = if embed.access("selection") == Access::Shown { "shown" } else { "locked" };
    let notice = page.notice.get::<Notice>().filter(|_| page.sheet.is_some());
    html! {
        <div class="app embed" data-screen="compare" data-selection={selection} data-figure={embed.figure}>
            <main class="main">
                { notice.map(told).unwrap_or_default() }
                <h1 class="visually-hidden">{ page.presets.name_of(page.planner.inputs()) }</h1>
                { verdict(page, is_alone) }
                { picture(page, &embed) }
                if !is_alone { { controls(page, &embed) } }
            </main>
            { foot(page, &embed) }
        </div>
    }
}

/// What there is to say of a scenario that was opened.
fn told(notice: &Notice) -> Html {
    html! {
        <div class="notice" role="alert"><strong>{ notice.title.clone() }</strong>
            <ul>{ for notice.lines.iter().map(|line| html! { <li dir="auto">{ line.clone() }</li> }) }</ul>
        </div>
    }
}

/// The verdict; where a figure stands alone, only for those who hear it.
fn verdict(page: &Page, is_alone: bool) -> Html {
    let Some(verdict) = page.verdict() else { return Html::default() };
    let stale = page.planner.is_stale().then(|| verdict.for_changed_inputs(&page.changes()));
    let headline = stale.as_ref().map_or(&verdict.headline, |stale| &stale.headline);
    let class = if is_alone { "visually-hidden" } else { "embed-verdict" };
    html! { <header {class}><h2 dir="auto" aria-live="polite">{ headline.clone() }</h2></header> }
}

fn picture(page: &Page, embed: &Embed) -> Html {
    let obstacle = page.obstacle().map(|words| paragraph("notice", words)).unwrap_or_default();
    let Some(set) = &page.planner.shown else { return obstacle };
    let runs = Runs { entries: set.entries.clone(), workload: Rc::clone(&set.bound.workload) };
    let chart = embed.figure.filter(|figure| *figure != "timelines").and_then(charts::chart_named);
    if chart.is_some() {
        let paper = Rc::new(paper_of(&page.presets, &set.inputs));
        let provenance = provenance(page, &runs);
        return html! {
            <aside class="panel">
                <charts::Charts {runs} {paper} {provenance} compared={page.compared()} selected={page.focus.job} chosen={chart}
                    theme={page.theme} send={page.send.clone()} />
            </aside>
        };
    }
    let numbers = if embed.access("metrics") == Access::Shown && embed.figure.is_none() {
        let table = page.run_table();
        let places = page.table.places(&table);
        let compared = page.compared_runs().unwrap_or_else(|| runs.clone());
        html! { <metrics::MetricsView runs={compared} {table} {places} order={page.table.order} send={page.send.clone()} /> }
    } else {
        Html::default()
    };
    html! { <>{ obstacle }<div class="compare">{ timelines(page, runs, Beside { numbers, ..Beside::default() }) }</div></> }
}

/// What may be changed, and what holds beside it.
fn controls(page: &Page, embed: &Embed) -> Html {
    let inputs = page.planner.inputs();
    let world = inputs.world();
    let field = |(found, access): (Controlled, Access)| match access {
        Access::Shown => what_if::row(inputs, &world, found, &page.send),
        _ => {
            let what_if::Shown { label, text, .. } = what_if::Shown::of(found, &world);
            let unit = found.control.unit.words().0;
            html! { <p class="embed-locked">{ label }<b>{ if text.is_empty() { "none".into() } else { text } }{ format!(" {unit}") }</b></p> }
        }
    };
    // The first run is what all others are compared with.
    let run = |(at, run): (usize, &RunSpec)| {
        let (id, is_hidden) = (run.id, run.is_hidden);
        let onchange = page.send.reform(move |_: Event| Msg::Edit(Edit::Hide(id, !is_hidden)));
        tick_box(run.policy.name().into(), None, !is_hidden, at > 0, onchange)
    };
    html! {
        <section class="embed-controls" aria-label="What if">
            { for embed.fields().into_iter().map(field) }
            if embed.access("policies") == Access::Shown { { for inputs.runs().iter().enumerate().map(run) } }
        </section>
    }
}

fn foot(page: &Page, embed: &Embed) -> Html {
    let inputs = page.planner.inputs();
    let machines = format!(
        "{} × {}",
        inputs.cluster.nodes(),
        words::counted(inputs.cluster.gpus_per_node().into(), "GPU", "GPUs")
    );
    let href = page.embed_link.clone().unwrap_or_else(dom::address_of_planner);
    html! {
        <footer class="embed-foot">
            <span><bdi>{ page.presets.name_of(inputs) }</bdi>{ format!(" · {machines}") }</span>
            if embed.access("planner") == Access::Shown {
                <a class="link" {href} target="_blank" rel="noopener">{ "Open in Elastiplan" }</a>
            }
        </footer>
    }
}
