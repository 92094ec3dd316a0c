//! The answer in words, and how far the study is.

use elastiplan_present::study::words_at;
use elastiplan_study::{Draws, Spec};
use elastiplan_text::words;
use yew::prelude::*;

use crate::elements::{caption, classes, link};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study::{Shown, StudyMsg};
use crate::state::study_progress::{is_unfinished, runs, share, standing, time};

/// Notes that are shown at once.
const NOTES_MAX: usize = 2;

/// The head of the screen.
/// With several axes the answer is that at the values of the point that is looked at.
pub(super) fn head(page: &Page, shown: &Shown, point: usize) -> Html {
    let (view, is_stale) = (&shown.view, shown.is_stale);
    let words = if view.axes.len() > 1 { words_at(view, point) } else { view.words.clone() };
    let sentence = |(words, warns): &(String, bool)| {
        html! { <span class={warns.then_some("worse")}>{ words }{ " " }</span> }
    };
    html! {
        <section class={classes("st-head", is_stale.then_some("st-changed"))} aria-label="Answer">
            <div class="st-answer">
                <h2 dir="auto">{ words.headline }</h2>
                <p>
                    if is_stale { <span class="warn">{ "The inputs have changed since. Run keeps the runs that both studies share. " }</span> }
                    { for words.rest.iter().map(sentence) }
                </p>
            </div>
            { progress(page, Some(shown)) }
        </section>
    }
}

/// What is worth knowing, the first few at once.
pub(super) fn notes(page: &Page, shown: &Shown) -> Html {
    let mut first = shown.view.notes.clone();
    if first.is_empty() {
        return Html::default();
    }
    let rest = first.split_off(first.len().min(NOTES_MAX));
    let more = words::counted(rest.len() as u64, "more note", "more notes");
    html! {
        <div class="st-notes" role="group" aria-label="Notes">
            { for first.into_iter().map(caption) }
            if shown.view.could_draw_days && !shown.is_stale && !page.study.is_running { { resample(page) } }
            if !rest.is_empty() {
                <details><summary class="caption">{ more }</summary>{ for rest.into_iter().map(caption) }</details>
            }
        </div>
    }
}

/// Draws whole days of the trace anew, and runs the study with them.
fn resample(page: &Page) -> Html {
    let (send, spec) = (page.send.clone(), Spec { draws: Draws::Days, ..page.study_spec() });
    let onclick = Callback::from(move |_: MouseEvent| {
        send.emit(Msg::Edit(Edit::Study(Some(spec.clone()))));
        send.emit(Msg::Study(StudyMsg::Run));
    });
    html! {
        <button class="button button-small" title="Each seed draws whole days of the trace, and the study is run with them"
            {onclick}>{ "Resample days" }</button>
    }
}

/// How many runs later studies can use again, and the way to delete them.
pub(super) fn kept(page: &Page) -> Html {
    let Some(kept) = page.study.kept.filter(|kept| kept.runs > 0.0 && !page.study.is_running) else {
        return Html::default();
    };
    let runs = words::counted(kept.runs as u64, "run", "runs");
    let size = match kept.bytes < 1e6 {
        true => format!("{:.0} kB", (kept.bytes / 1e3).ceil()),
        false => format!("{:.1} MB", kept.bytes / 1e6),
    };
    let forget = page.send.reform(|_: MouseEvent| Msg::Study(StudyMsg::ForgetRuns));
    html! {
        <p class="caption st-kept">
            { format!("{runs} ({size}) of this and earlier studies are kept in this browser. ") }
            { link("Delete them", forget) }
        </p>
    }
}

/// How far it is, with the button that runs or stops it.
pub(super) fn progress(page: &Page, shown: Option<&Shown>) -> Html {
    let is_running = page.study.is_running;
    let is_stale = shown.is_none_or(|shown| shown.is_stale);
    let progress = shown.map(|shown| &shown.view.progress);
    let send = |msg: fn() -> StudyMsg| page.send.reform(move |_: MouseEvent| Msg::Study(msg()));
    let button = match is_running {
        true => html! {
            <button class="button button-small" title="Stops; what is there stays (Ctrl .)" aria-keyshortcuts="Control+."
                onclick={send(|| StudyMsg::Stop)}>{ "Stop and keep" }</button>
        },
        false => {
            let goes_on = progress.is_some_and(|progress| !is_stale && is_unfinished(progress));
            let class = classes("button button-small", (is_stale || goes_on).then_some("primary"));
            let words = if goes_on { "Go on" } else { "Run study" };
            html! {
                <button {class} title="Runs the study (Ctrl Enter)" aria-keyshortcuts="Control+Enter"
                    onclick={send(|| StudyMsg::Run)}>{ words }</button>
            }
        }
    };
    let percent = progress.map_or(0.0, share) * 100.0;
    html! {
        <div class="st-progress">
            <p class="st-runs"><b>{ progress.map(runs).unwrap_or_default() }</b>{ progress.map(|of| time(of, is_running)) }</p>
            { button }
            <div class="going-bar" role="progressbar" aria-label="Runs of the study" aria-valuemin="0" aria-valuemax="100"
                aria-valuenow={format!("{percent:.0}")}>
                <div style={format!("width: {percent:.1}%")}></div>
            </div>
            <p class="caption st-settled">{ progress.map(|of| standing(of, is_running)).unwrap_or_default() }</p>
        </div>
    }
}
