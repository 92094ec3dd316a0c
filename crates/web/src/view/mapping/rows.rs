//! The same rows, before and after.

use elastiplan_formats::mapping::{ColumnUse, Content, ConvertedJob, ReadAs, Role, RowOutcome, Survey, SurveyRow};
use elastiplan_text::format;
use yew::prelude::*;

use super::edit;
use crate::elements::classes;
use crate::state::mapping::{MappingEdit, MappingStep};
use crate::state::message::Msg;

/// Columns of the file that are shown beside the result.
const COLUMNS_MAX: usize = 7;

pub(super) fn rows(step: &MappingStep, send: &Callback<Msg>) -> Html {
    let Some(survey) = &step.survey else { return Html::default() };
    let shown = shown(step, survey);
    let shows = Shows::of(step, survey);
    let name = |at: &usize| survey.columns.get(*at).map(|column| column.name.clone()).unwrap_or_default();
    let columns =
        shown.iter().map(|at| html! { <th scope="col" class={numeric(survey, *at)}><bdi>{ name(at) }</bdi></th> });
    html! {
        <section class="map-rows" aria-labelledby="map-rows">
            <div class="map-section-head">
                <h3 id="map-rows">{ "The same rows, before and after" }</h3>
                <p class="caption">{ "First rows, then one of each kind left out" }</p>
                { more_rows(step, survey, send) }
            </div>
            <div class="map-scroll" tabindex="0" role="group" aria-label="Rows before and after">
                <table class="map-table map-before-after">
                    <caption class="visually-hidden">{ "The same rows, before and after" }</caption>
                    <thead><tr>
                        <th scope="col" class="map-number">{ "row" }</th>
                        { for columns }
                        <th scope="col" class="map-after map-number">{ "Submitted" }</th>
                        <th scope="col" class="map-number">{ "Run time" }</th>
                        if shows.gpus { <th scope="col" class="map-number">{ "GPUs" }</th> }
                        <th scope="col" class="map-number">{ "GPU-h" }</th>
                        if shows.deadline { <th scope="col" class="map-number">{ "Deadline" }</th> }
                    </tr></thead>
                    <tbody>{ for listed(step, survey).map(|own| row(own, step, survey, &shown, shows)) }</tbody>
                </table>
            </div>
        </section>
    }
}

/// The rows that are shown: further ones stand behind the first, and before those that are left out.
fn listed<'s>(step: &MappingStep, survey: &'s Survey) -> impl Iterator<Item = &'s SurveyRow> {
    let is_job = |row: &&SurveyRow| matches!(row.outcome, RowOutcome::Job(_));
    let more = if step.shows_more_rows { survey.rows_more.as_slice() } else { &[] };
    let jobs = survey.rows.iter().filter(is_job).chain(more);
    jobs.chain(survey.rows.iter().filter(move |row| !is_job(row)))
}

/// The button that shows further rows, where there are any.
fn more_rows(step: &MappingStep, survey: &Survey, send: &Callback<Msg>) -> Html {
    let has_more = step.shows_more_rows;
    if survey.rows_more.is_empty() {
        return Html::default();
    }
    let onclick = edit(send, move |_: MouseEvent| MappingEdit::MoreRows(!has_more));
    let words = if has_more { "Fewer rows" } else { "More rows" };
    html! { <button class="link" aria-expanded={has_more.to_string()} {onclick}>{ words }</button> }
}

/// Fields of the result that are not always shown.
#[derive(Clone, Copy)]
struct Shows {
    /// The GPUs, where they are not a cell of the file.
    gpus: bool,
    /// The deadline, where there is one or one is drawn.
    deadline: bool,
}

impl Shows {
    fn of(step: &MappingStep, survey: &Survey) -> Self {
        let is_cell = |own: &ColumnUse| own.role == Role::Gpus && own.read_as == ReadAs::default();
        let has_deadline = |row: &SurveyRow| matches!(&row.outcome, RowOutcome::Job(job) if job.deadline_s.is_some());
        Self {
            gpus: !step.uses.columns.iter().any(is_cell),
            deadline: step.assumptions.deadlines.is_some() || survey.rows.iter().any(has_deadline),
        }
    }
}

/// The columns that are used, and those with a cell at fault.
fn shown(step: &MappingStep, survey: &Survey) -> Vec<usize> {
    let is_at_fault = |at: usize| {
        survey.rows.iter().any(
            |row| matches!(&row.outcome, RowOutcome::LeftOut { column: Some(column), .. } if *column as usize == at),
        )
    };
    let is_used =
        |at: &usize| step.uses.columns.get(*at).is_some_and(|own| own.role != Role::NotUsed) || is_at_fault(*at);
    let used: Vec<usize> = (0..survey.columns.len()).filter(is_used).take(COLUMNS_MAX).collect();
    if used.is_empty() { (0..survey.columns.len().min(COLUMNS_MAX)).collect() } else { used }
}

fn numeric(survey: &Survey, at: usize) -> Option<&'static str> {
    let content = survey.columns.get(at).map(|column| column.content);
    (content == Some(Content::Numbers)).then_some("map-number")
}

fn row(own: &SurveyRow, step: &MappingStep, survey: &Survey, shown: &[usize], shows: Shows) -> Html {
    let fault = match &own.outcome {
        RowOutcome::LeftOut { column, .. } => column.map(|column| column as usize),
        RowOutcome::Job(_) => None,
    };
    let cell = |at: &usize| {
        let text = own.cells.get(*at).cloned().unwrap_or_default();
        let is_fault = fault == Some(*at);
        let text = if is_fault && text.is_empty() { "empty".into() } else { text };
        let mut class = classes("map-cell", numeric(survey, *at));
        class.push(is_fault.then_some("map-fault"));
        let name = survey.columns.get(*at).map(|column| column.name.clone());
        html! { <td {class} title={text.clone()} data-label={name}><bdi>{ text }</bdi></td> }
    };
    let is_left_out = matches!(own.outcome, RowOutcome::LeftOut { .. });
    html! {
        <tr key={own.row.to_string()} class={is_left_out.then_some("map-left-out")}>
            <td class="map-number ink-3" data-label="row">{ format::count(own.row) }</td>
            { for shown.iter().map(cell) }
            { match &own.outcome {
                RowOutcome::Job(job) => after(job, step, survey, shows),
                RowOutcome::LeftOut { reason, .. } => html! {
                    <td class="map-after bad" colspan={(3 + u8::from(shows.gpus) + u8::from(shows.deadline)).to_string()}>{ format!("✕ Left out: {reason}") }</td>
                },
            } }
        </tr>
    }
}

fn after(job: &ConvertedJob, step: &MappingStep, survey: &Survey, shows: Shows) -> Html {
    let first_s = survey.jobs.span.map_or(0.0, |span| span.first_submit_s);
    let since = |clock_s: Option<f64>| format::or_dash(clock_s, |clock_s| format::duration(clock_s - first_s));
    html! {
        <>
            <td class="map-after map-number" data-label="Submitted" title="After the first submission">{ since(job.submit_s) }</td>
            <td class="map-number" data-label="Run time">{ format::or_dash(job.duration_s, format::duration) }</td>
            if shows.gpus { <td class="map-number" data-label="GPUs">{ format::or_dash(job.gpus, |gpus| format::count(gpus.into())) }</td> }
            <td class="map-number" data-label="GPU-h">{ format::or_dash(job.gpu_hours, format::number) }</td>
            if shows.deadline {
                if let Some(drawn_s) = step.assumptions.drawn_deadline_s(job) {
                    <td class="map-number warn" data-label="Deadline" title="Drawn">{ since(Some(drawn_s)) }</td>
                } else { <td class="map-number" data-label="Deadline">{ since(job.deadline_s) }</td> }
            }
        </>
    }
}
