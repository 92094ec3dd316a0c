//! What files brought beside what was there: jobs in its place or added, curves by model, jobs and log on one axis.

mod differing;
mod next_time;

use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::elements::{column_heads, pressable};
use crate::state::mapping::MappingMsg;
use crate::state::merge::{Becomes, CurveChoice, Measured, Merge, MergeEdit, ModelRow};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::report::Report;

/// Names that are shown of those that change.
const NAMES_SHOWN: usize = 2;
/// Models that are shown.
const MODELS_SHOWN: usize = 40;
/// Models whose curves are shown beside each other.
const DIFFERING_SHOWN: usize = 6;

pub(super) fn merge(page: &Page, report: &Report) -> Html {
    if report.is_unused {
        return Html::default();
    }
    let merge = page.merge.get::<Merge>().filter(|merge| merge.is_of(&page.planner.inputs().data));
    let is_chosen = merge.is_some_and(Merge::has_choices);
    let command = next_time::command(page.planner.inputs()).filter(|_| !is_chosen);
    html! {
        <>
            if let Some(merge) = merge { { jobs(merge, &page.send) }{ curves(merge, &page.send) } }
            { times(page) }
            <next_time::NextTime command={command} />
        </>
    }
}

fn edit(send: &Callback<Msg>, edit: MergeEdit) -> Callback<MouseEvent> {
    send.reform(move |_| Msg::Mapping(Box::new(MappingMsg::Merge(edit.clone()))))
}

/// Whether the jobs take the place of the earlier ones.
fn jobs(merge: &Merge, send: &Callback<Msg>) -> Html {
    let Some(before) = merge.jobs_before() else { return Html::default() };
    let note = if merge.is_on_one_clock() {
        renamed(merge)
    } else {
        "Their times are on different clocks: they cannot be added".into()
    };
    let replace = format!("Replace the {} loaded", format::count(before as u64));
    html! {
        <section class="merge-row" aria-labelledby="merge-jobs">
            <h3 id="merge-jobs">{ "Jobs" }</h3>
            <div class="segments" role="group" aria-labelledby="merge-jobs">
                { pressable(!merge.adds_jobs, None, replace.into(), edit(send, MergeEdit::AddJobs(false))) }
                if merge.is_on_one_clock() {
                    { pressable(merge.adds_jobs, None, "Add to them".into(), edit(send, MergeEdit::AddJobs(true))) }
                }
            </div>
            <p class="caption">{ note }</p>
        </section>
    }
}

/// `3 names stand in both files and are renamed: j-1 to j-1-2, …`.
fn renamed(merge: &Merge) -> String {
    let renamed = merge.renamed();
    let shown: Vec<String> = renamed.iter().take(NAMES_SHOWN).map(|(from, to)| format!("{from} to {to}")).collect();
    let (more, dots) = (renamed.len() as u64, if renamed.len() > NAMES_SHOWN { ", …" } else { "" });
    match (merge.adds_jobs, more) {
        (_, 0) => "No name stands in both".into(),
        (true, more) => format!("{} renamed: {}{dots}", words::counted(more, "job is", "jobs are"), shown.join(", ")),
        (false, more) => {
            format!(
                "If added: {} in both; renamed {}{dots}",
                words::counted(more, "name stands", "names stand"),
                shown.join(", ")
            )
        }
    }
}

/// The curves by model.
fn curves(merge: &Merge, send: &Callback<Msg>) -> Html {
    let models = merge.models();
    if models.is_empty() {
        return Html::default();
    }
    let heads = ["Model", "Loaded before, GPUs", "In these files, GPUs", "Now", "Jobs"];
    let more = models.len().saturating_sub(MODELS_SHOWN) as u64;
    html! {
        <section class="merge-curves" aria-labelledby="merge-curves">
            <h3 id="merge-curves">{ "Curves, by model" }</h3>
            <table class="merge-table">
                <caption class="visually-hidden">{ "Curves by model, before and after" }</caption>
                <thead><tr>{ column_heads(heads) }</tr></thead>
                <tbody>{ for models.iter().take(MODELS_SHOWN).map(|row| model(row, send)) }</tbody>
            </table>
            { for models.iter().filter(|row| matches!(row.becomes, Becomes::Differ { .. })).take(DIFFERING_SHOWN).map(|row| differing::differing(merge, row)) }
            if more > 0 { <p class="caption">{ format!("And {}", words::counted(more, "more model", "more models")) }</p> }
        </section>
    }
}

fn model(row: &ModelRow, send: &Callback<Msg>) -> Html {
    let measured = |measured: Option<Measured>| {
        format::or_dash(measured, |Measured { gpus: (least, most), points }| {
            format!("{least} to {most}, {}", words::counted(points, "point", "points"))
        })
    };
    let becomes = match row.becomes {
        Becomes::Kept => html! { <span class="ink-2">{ "Kept" }</span> },
        Becomes::Same => html! { <span class="ink-2">{ "The same" }</span> },
        Becomes::Added => html! { <span class="better">{ "Added" }</span> },
        Becomes::Differ { choice, shared, differing, most } => {
            let choose = |choice| edit(send, MergeEdit::Curves(row.model.clone(), choice));
            let words = match shared {
                0 => "No point in common".into(),
                _ => format!(
                    "{differing} of {} differ, by up to {}",
                    words::counted(shared, "shared point", "shared points"),
                    signed_percent(most)
                ),
            };
            html! {
                <>
                    <span class="segments" role="group" aria-label={format!("Curves of {}", row.model)}>
                        { for CurveChoice::ALL.into_iter().map(|(own, words)| pressable(choice == own, None, words.into(), choose(own))) }
                    </span>
                    <span class="warn">{ format!(" ! {words}") }</span>
                </>
            }
        }
    };
    let is_different = matches!(row.becomes, Becomes::Differ { .. });
    html! {
        <tr key={row.model.clone()} class={is_different.then_some("merge-differs")}>
            <th scope="row"><bdi>{ &row.model }</bdi></th>
            <td>{ measured(row.before) }</td>
            <td>{ measured(row.file) }</td>
            <td>{ becomes }</td>
            <td>{ format::count(row.jobs) }</td>
        </tr>
    }
}

/// `+47%`, `−18%`.
pub(super) fn signed_percent(share: f64) -> String {
    let sign = if share < 0.0 { "\u{2212}" } else { "+" };
    format!("{sign}{}", format::percent(share.abs()))
}

/// `+3h 10m`, `−2d 04h`.
fn signed_duration(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "\u{2212}" } else { "+" };
    format!("{sign}{}", format::duration(seconds.abs()))
}

/// Arrivals and the log of nodes on one axis: the log begins with the first job.
fn times(page: &Page) -> Html {
    let data = &page.planner.inputs().data;
    let Some(log) = &data.log else { return Html::default() };
    let (arrivals_s, log_s) = (data.arrivals_s(), log.availability.end_s() - log.availability.start_s());
    let longest_s = arrivals_s.max(log_s).max(f64::MIN_POSITIVE);
    let end_s = data.trace.start_s() + log_s;
    let late = data.trace.jobs().iter().filter(|job| job.submit_s > end_s).count() as u64;
    let bar = |class: &'static str, name: &'static str, words: String, span_s: f64| {
        let width = format!("width: {:.2}%", 100.0 * span_s / longest_s);
        html! { <div class="merge-bar"><span>{ name }</span><span class="merge-axis"><span {class} style={width}>{ words }</span></span></div> }
    };
    let jobs = words::counted(data.trace.jobs().len() as u64, "job", "jobs");
    let nodes = words::counted(log.availability.nodes().into(), "node", "nodes");
    let first = format!("{jobs}, {}", format::duration(arrivals_s));
    let second = format!("{nodes}, {}", format::duration(log_s));
    let shift_s = data.trace.start_s() - log.availability.start_s();
    html! {
        <section class="merge-times" aria-labelledby="merge-times">
            <h3 id="merge-times">{ "Time and nodes" }</h3>
            { bar("merge-jobs", "Jobs arrive", first, arrivals_s) }
            { bar("merge-log", "Node log", second, log_s) }
            if shift_s != 0.0 {
                <p class="caption">{ format!("The log is shifted by {}, so that it begins with the first job", signed_duration(shift_s)) }</p>
            }
            if late > 0 {
                <p class="warn">{ format!("! The log ends {} before the last job arrives: {} after it, when no node of the log is known",
                    format::duration(arrivals_s - log_s), words::counted(late, "job arrives", "jobs arrive")) }</p>
            }
        </section>
    }
}
