//! What loads: one bar, what is assumed, and what is left out.

use elastiplan_formats::mapping::{Assumed, FIELDS, LeftOut, Repair, RowCounts};
use elastiplan_text::{format, words};
use yew::prelude::*;

use super::edit;
use crate::state::mapping::{MappingEdit, MappingStep};
use crate::state::message::Msg;

pub(super) fn loads(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let Some(survey) = &step.survey else { return Html::default() };
    let (counts, jobs) = (&survey.counts, &survey.jobs);
    let so_far = if step.is_part { " so far" } else { "" };
    let hours = jobs.gpu_hours.map(|hours| format!(", {} GPU-h", format::short(hours))).unwrap_or_default();
    let span = jobs.span.map(|span| format!(", {}", format::duration(span.last_end_s - span.first_submit_s)));
    let obstacle = step.obstacle();
    html! {
        <section class="map-loads" aria-labelledby="map-loads">
            <div class="map-section-head">
                <h3 id="map-loads">{ "What loads" }</h3>
                if let Some(obstacle) = &obstacle {
                    <p class="map-totals bad">{ obstacle }</p>
                } else {
                    <p class="map-totals"><strong>{ format::count(counts.jobs) }</strong>
                        { format!(" jobs{so_far}{hours}{}", span.unwrap_or_default()) }</p>
                }
            </div>
            { bar("map-bar", counts, obstacle) }
            <div class="map-lists">
                <ul aria-label="Assumed">{ for own_assumptions(step) }{ for counts.assumed.iter().filter(|own| !is_drawn(step, own)).map(assumed) }</ul>
                <ul aria-label="Left out">{ for counts.left_out.iter().map(|left_out| omitted(left_out, send)) }</ul>
            </div>
        </section>
    }
}

/// On a narrow page, below the heading.
pub(super) fn small_bar(step: &MappingStep) -> Html {
    step.survey
        .as_ref()
        .map_or_else(Html::default, |survey| bar("map-bar map-bar-small", &survey.counts, step.obstacle()))
}

/// Rows that load, and rows that are left out; hatched where none loads as long as something stands in the way.
fn bar(class: &'static str, counts: &RowCounts, obstacle: Option<String>) -> Html {
    let left_out = counts.rows.saturating_sub(counts.jobs);
    let share = counts.jobs as f64 / counts.rows.max(1) as f64;
    let loaded = if obstacle.is_some() { "map-bar-blocked" } else { "map-bar-loaded" };
    let words = obstacle.unwrap_or_else(|| {
        format!("{} load, {} are left out", words::counted(counts.jobs, "row", "rows"), format::count(left_out))
    });
    html! {
        <div {class} role="img" aria-label={words}>
            <span class={loaded} style={format!("flex-grow: {share}")} />
            if left_out > 0 { <span class="map-bar-left-out" style={format!("flex-grow: {}", 1.0 - share)} /> }
        </div>
    }
}

/// What is assumed beside the mapping.
fn own_assumptions(step: &MappingStep) -> Vec<Html> {
    let jobs = step.survey.as_ref().map_or(0, |survey| survey.counts.jobs);
    let without_deadline = jobs.saturating_sub(step.survey.as_ref().map_or(0, |survey| survey.jobs.with_deadline));
    let own = &step.assumptions;
    let lines = [
        own.law.map(|_| ("Curve from the law", jobs, String::new())),
        own.deadlines.map(|_| ("Deadline drawn", without_deadline, format!("seed {}", own.seed))),
        own.models.map(|_| ("Model drawn", jobs, format!("where missing, seed {}", own.seed))),
    ];
    lines.into_iter().flatten().map(|(words, jobs, more)| line("!", "warn", words, jobs, more.into())).collect()
}

/// Whether a value that no job has is drawn, which is said already.
fn is_drawn(step: &MappingStep, own: &Assumed) -> bool {
    let is_of = |field: &str| own.is_all && own.field == field;
    (step.assumptions.deadlines.is_some() && is_of("deadline_s"))
        || (step.assumptions.models.is_some() && is_of("model"))
}

fn assumed(own: &Assumed) -> Html {
    let rows = if own.is_all { "all".into() } else { rows(&own.first_rows, own.rows) };
    // "1 is used" says nothing without its field.
    let is_field = FIELDS.contains(&own.field.as_str()) && !["model", "job_id"].contains(&own.field.as_str());
    let words = if is_field { format!("{}: {}", own.field, own.what) } else { own.what.clone() };
    line("!", "warn", &words, own.rows, rows.into())
}

fn omitted(own: &LeftOut, send: &Callback<Msg>) -> Html {
    let rows = rows(&own.first_rows, own.rows);
    let more = match &own.repair {
        Repair::Mapping { label, mapping } => {
            let mapping = mapping.clone();
            let onclick = edit(send, move |_: MouseEvent| MappingEdit::Take(mapping.clone()));
            html! { <button class="link" title={rows} {onclick}>{ label }</button> }
        }
        Repair::Advice(advice) => html! { <span title={advice.clone()}>{ rows }</span> },
    };
    line("✕", "bad", &own.reason, own.rows, more)
}

fn line(mark: &'static str, class: &'static str, words: &str, rows: u64, more: Html) -> Html {
    html! {
        <li>
            <span {class} aria-hidden="true">{ mark }</span><span>{ words.to_string() }</span>
            <strong>{ format::count(rows) }</strong><span class="map-more">{ more }</span>
        </li>
    }
}

/// `rows 212; 4,410; 7,003 and 12 more`.
fn rows(first: &[u64], count: u64) -> String {
    let named: Vec<String> = first.iter().copied().map(format::count).collect();
    let more = count.saturating_sub(named.len() as u64);
    let noun = if count == 1 { "row" } else { "rows" };
    match (named.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!("{noun} {}", named.join("; ")),
        (false, more) => format!("{noun} {} and {} more", named.join("; "), format::count(more)),
    }
}
