//! Every job under every policy as a table: the twin of the timelines.

use std::rc::Rc;

use elastiplan_compare::story::outcome_word;
use elastiplan_compare::{Arrangement, Badge, Direction, Jobs, OrderBy};
use elastiplan_engine::Outcome;
use elastiplan_metrics::{EQUAL_WITHIN_S, Ending};
use elastiplan_model::{Assumption, JobId, Workload};
use elastiplan_present::runs::RunEntry;
use elastiplan_text::format;
use web_sys::Element;
use yew::prelude::*;

use crate::elements::{badge, classes, column_heads, link};
use crate::state::message::Msg;
use crate::state::runs::Runs;
use crate::state::wanted::Wanted;

/// Height of a row, as the style sheet has it.
const ROW_PX: f64 = 25.0;
/// Rows beside those in view, so that a step of the wheel finds them drawn.
const BESIDE: usize = 20;

#[derive(Properties, PartialEq)]
pub(super) struct JobsProps {
    pub runs: Runs,
    /// The jobs in order; `None` for all in order of submission.
    pub rows: Option<Rc<Arrangement>>,
    pub wanted: Wanted,
    pub selected: Option<JobId>,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn JobsTable(props: &JobsProps) -> Html {
    // Which rows are in view: the first one, and how many.
    let in_view = use_state(|| (0_usize, 60_usize));
    let onscroll = {
        let in_view = in_view.clone();
        Callback::from(move |event: Event| {
            if let Some(outer) = event.target_dyn_into::<Element>() {
                let first = (f64::from(outer.scroll_top()) / ROW_PX).floor() as usize;
                let count = (f64::from(outer.client_height()) / ROW_PX).ceil() as usize;
                in_view.set((first, count));
            }
        })
    };
    let trace = props.runs.workload.trace();
    let count = props.rows.as_ref().map_or(trace.jobs().len(), |rows| rows.jobs.len());
    let from = in_view.0.min(count.saturating_sub(1)).saturating_sub(BESIDE);
    let to = (in_view.0 + in_view.1 + BESIDE).min(count);
    let records = props.runs.records();
    let jobs = Jobs::new(&props.runs.workload, &records, EQUAL_WITHIN_S);
    let job_at = |row: usize| match &props.rows {
        Some(rows) => rows.jobs.get(row).copied(),
        None => (row < count).then_some(JobId(row as u32)),
    };
    let space =
        |rows: usize| html! { <tr aria-hidden="true" style={format!("height: {}px", rows as f64 * ROW_PX)}></tr> };
    let rows = (from..to).filter_map(|row| Some(job_row(props, &jobs, row, job_at(row)?)));
    html! {
        <section class="jobs" aria-label="Jobs">
            <div class="jobs-scroll" tabindex="0" role="group" aria-label="Jobs table" {onscroll}>
                <table class="jobs-table" aria-rowcount={(count + 1).to_string()}>
                    <caption class="visually-hidden">{ "Every job under every policy" }</caption>
                    { head(props) }
                    <tbody>{ space(from) }{ for rows }{ space(count - to) }</tbody>
                </table>
                if count == 0 {
                    <p class="jobs-none">{ "No job matches" }</p>
                }
            </div>
        </section>
    }
}

fn head(props: &JobsProps) -> Html {
    let shown = || props.runs.entries.iter().filter(|entry| !entry.is_hidden);
    let policies = shown().map(|entry| {
        let columns = if entry.slot == 0 { "2" } else { "3" };
        html! { <th scope="colgroup" colspan={columns}>{ badge(entry.slot) }<span>{ entry.label.as_deref().unwrap_or(entry.name()).to_string() }</span></th> }
    });
    let below = shown().filter_map(|entry| Badge::of_slot(entry.slot)).map(|badge| {
        html! {
            <>
                { header(props, "Completion", OrderBy::Jct(badge)) }
                if badge != Badge::BASELINE { { header(props, "Difference", OrderBy::Difference(badge)) } }
                { header(props, "Waiting", OrderBy::Wait(badge)) }
            </>
        }
    });
    html! {
        <thead>
            <tr>{ for (0..5).map(|_| html! { <td></td> }) }{ for policies }</tr>
            <tr>
                { column_heads(["Job", "Model"]) }
                { header(props, "GPUs", OrderBy::Gpus) }
                { header(props, "Submitted", OrderBy::Submission) }
                <th scope="col" class="value">{ "Deadline" }</th>
                { for below }
            </tr>
        </thead>
    }
}

fn header(props: &JobsProps, label: &'static str, order: OrderBy) -> Html {
    let direction = (props.wanted.order == order).then_some(props.wanted.direction);
    let (sort, arrow) = match direction {
        Some(Direction::Rising) => (Some("ascending"), " ↑"),
        Some(Direction::Falling) => (Some("descending"), " ↓"),
        None => (None, ""),
    };
    let onclick = props.send.reform(move |_| Msg::Sort(order));
    html! {
        <th scope="col" class="value" aria-sort={sort}>
            <button class="sort" {onclick}>{ label }<span aria-hidden="true">{ arrow }</span></button>
        </th>
    }
}

fn job_row(props: &JobsProps, jobs: &Jobs, row: usize, job: JobId) -> Html {
    let trace = props.runs.workload.trace();
    let Some(known) = trace.jobs().get(job.index()) else { return Html::default() };
    let zero_s = trace.start_s();
    let select = props.send.reform(move |_| Msg::Story(job));
    let deadline = known.deadline_s.map(|deadline_s| format::duration(deadline_s - zero_s));
    let is_selected = props.selected == Some(job);
    let bound = props.runs.workload.jobs().get(job.index());
    let is_drawn = |what| bound.is_some_and(|bound| bound.assumed.has(what));
    html! {
        <tr key={job.0} aria-rowindex={(row + 2).to_string()} class={is_selected.then_some("selected")}>
            <th scope="row" dir="auto" title={known.name.clone()}>{ link(known.name.clone(), select) }</th>
            { model(&props.runs.workload, job, trace.model_name(known.model)) }
            { value(known.gpus_requested.to_string()) }
            { value(format::duration(known.submit_s - zero_s)) }
            if is_drawn(Assumption::Deadline) {
                <td class="value warn" title="Drawn">{ deadline }<span class="visually-hidden">{ ", drawn" }</span></td>
            } else {
                { value(deadline.unwrap_or_else(|| format::DASH.into())) }
            }
            { for props.runs.entries.iter().filter(|entry| !entry.is_hidden).map(|entry| cells(entry, jobs, job)) }
        </tr>
    }
}

/// The model of a job, with the law that its speed follows where the model has no curve.
fn model(workload: &Workload, job: JobId, name: &str) -> Html {
    let assumed = workload.assumed_in_words(job);
    let title = if assumed.is_empty() { name.to_string() } else { format!("{name}. Assumed: {assumed}") };
    html! {
        <td dir="auto" {title}>
            { name }
            if let Some(law) = workload.speed_in_words(job) { <span class="warn">{ format!(" {law}") }</span> }
        </td>
    }
}

fn value(words: String) -> Html {
    html! { <td class="value">{ words }</td> }
}

fn cells(entry: &RunEntry, jobs: &Jobs, job: JobId) -> Html {
    let Some(badge) = Badge::of_slot(entry.slot) else { return Html::default() };
    let completion = match (jobs.outcome(badge, job), jobs.jct_s(badge, job)) {
        (Some(Outcome::Completed), Some(jct_s)) => format::duration(jct_s),
        (Some(Outcome::Completed) | None, _) => format::DASH.into(),
        (Some(outcome), _) => outcome_word(outcome).into(),
    };
    let is_missed = jobs.meets_deadline(badge, job) == Some(false);
    let wait = format::or_dash(jobs.wait_s(badge, job), format::duration);
    let remark = entry.result.as_ref().and_then(|result| result.run.remarks.of(job)).map(String::from);
    let mut class = classes("value", is_missed.then_some("bad"));
    class.push(remark.is_some().then_some("remarked"));
    html! {
        <>
            <td {class} title={remark}>
                if is_missed { <span title="Missed its deadline">{ "✕ " }</span> }{ completion }
            </td>
            if badge != Badge::BASELINE { { difference(jobs, badge, job) } }
            { value(wait) }
        </>
    }
}

fn difference(jobs: &Jobs, badge: Badge, job: JobId) -> Html {
    let seconds = jobs.difference(badge, job).and_then(|difference| difference.seconds());
    let tone = match jobs.ending(badge, job) {
        Some(Ending::Sooner) => "better",
        Some(Ending::Later) => "worse",
        _ => "ink-3",
    };
    let words = format::or_dash(seconds.filter(|seconds| *seconds != 0.0), format::signed_duration);
    html! { <td class={classes("value", Some(tone))}>{ words }</td> }
}
