//! The section of the dialog about the report: what it contains, and the ways to have it.

use elastiplan_present::report::Parts;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::{caption, is_checked, paragraph, tick_box};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::reporting::ReportFor;
use crate::view::fields::NumberField;

/// Rows of the table of jobs to begin with, and at most.
const ROWS: usize = 50;
const ROWS_MAX: usize = 1_000;

/// The section for the shown runs.
pub(super) fn report_part(page: &Page) -> Html {
    let jobs = page.planner.shown.as_ref().map_or(0, |set| set.bound.workload.jobs().len());
    html! { <ReportPart obstacle={page.report_obstacle()} {jobs} send={page.send.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct ReportProps {
    /// Why there is no report yet.
    obstacle: Option<&'static str>,
    /// Jobs that the runs ran.
    jobs: usize,
    send: Callback<Msg>,
}

#[component]
fn ReportPart(props: &ReportProps) -> Html {
    let ReportProps { obstacle, jobs, send } = props;
    let parts = use_state(Parts::default);
    let rows = use_state(|| ROWS.min(*jobs).max(1));
    let tick = |words: String, is_on: bool, set: fn(&mut Parts, usize, bool)| {
        let (parts, rows) = (parts.clone(), rows.clone());
        let onchange = Callback::from(move |event: Event| {
            let mut now = *parts;
            set(&mut now, *rows, is_checked(&event));
            parts.set(now);
        });
        tick_box(words.into(), None, is_on, true, onchange)
    };
    let on_rows = {
        let (parts, rows) = (parts.clone(), rows.clone());
        Callback::from(move |value: f64| {
            let value = value as usize;
            rows.set(value);
            parts.set(Parts { jobs: value, ..*parts });
        })
    };
    let field = NumberField {
        label: "Rows",
        value: *rows as f64,
        min: 1.0,
        max: (*jobs).clamp(1, ROWS_MAX) as f64,
        is_whole: true,
        help: "",
    };
    let make = |what: ReportFor| {
        let parts = *parts;
        send.reform(move |_: MouseEvent| Msg::Report(parts, what))
    };
    let all = if *jobs == 1 { "1 job".into() } else { format!("{} jobs", format::count(*jobs as u64)) };
    html! {
        <section aria-label="Report" class="share-report">
            <h3>{ "Report" }<span class="ink-3">{ "one HTML file without a script" }</span></h3>
            { paragraph("", "To print or send: with all assumptions and settings in words, and link, build and digests at the foot.") }
            <div class="share-ticks">
                { tick("Verdict and metrics".into(), parts.verdict, |parts, _, is_on| parts.verdict = is_on) }
                { tick("Timelines".into(), parts.timelines, |parts, _, is_on| parts.timelines = is_on) }
                { tick("Distribution".into(), parts.distribution, |parts, _, is_on| parts.distribution = is_on) }
                { tick(format!("Job table, of {all}"), parts.jobs > 0, |parts, rows, is_on| parts.jobs = if is_on { rows } else { 0 }) }
                if parts.jobs > 0 { { field.html(on_rows, Callback::noop()) } }
            </div>
            if let Some(obstacle) = *obstacle { { caption(obstacle) } }
            <div class="share-buttons">
                <button type="button" class="button" disabled={obstacle.is_some()} onclick={make(ReportFor::File)}>{ "Save HTML" }</button>
                <button type="button" class="button" disabled={obstacle.is_some()} onclick={make(ReportFor::Print)}>{ "Print…" }</button>
            </div>
        </section>
    }
}
