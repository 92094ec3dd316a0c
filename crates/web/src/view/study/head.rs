//! The answer in words, and how far the study is.

use elastiplan_present::study::{Ended, Progress, Stage};
use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::elements::{caption, classes};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study::{Shown, StudyMsg};

/// Notes that are shown at once.
const NOTES_MAX: usize = 2;

/// The head of the screen.
pub(super) fn head(page: &Page, shown: &Shown) -> Html {
    let (view, is_stale) = (&shown.view, shown.is_stale);
    let sentence = |(words, warns): &(String, bool)| {
        html! { <span class={warns.then_some("worse")}>{ words }{ " " }</span> }
    };
    html! {
        <section class={classes("st-head", is_stale.then_some("st-changed"))} aria-label="Answer">
            <div class="st-answer">
                <h2>{ &view.words.headline }</h2>
                <p>
                    if is_stale { <span class="warn">{ changed(&view.progress) }</span> }
                    { for view.words.rest.iter().map(sentence) }
                </p>
            </div>
            { progress(page, Some(shown)) }
        </section>
    }
}

/// What stands before the second line where inputs have changed since.
fn changed(progress: &Progress) -> String {
    format!(
        "The inputs have changed. Run makes what is missing and keeps what both share of {}. ",
        words::counted(u64::from(progress.runs), "run", "runs")
    )
}

/// What is worth knowing, the first few at once.
pub(super) fn notes(shown: &Shown) -> Html {
    let mut first: Vec<String> = failures(shown).into_iter().chain(shown.view.notes.iter().cloned()).collect();
    if first.is_empty() {
        return Html::default();
    }
    let rest = first.split_off(first.len().min(NOTES_MAX));
    let more = words::counted(rest.len() as u64, "more note", "more notes");
    html! {
        <div class="st-notes" role="group" aria-label="Notes">
            { for first.into_iter().map(caption) }
            if !rest.is_empty() {
                <details><summary class="caption">{ more }</summary>{ for rest.into_iter().map(caption) }</details>
            }
        </div>
    }
}

/// How many points failed, with the reason that the first of them gives.
fn failures(shown: &Shown) -> Option<String> {
    let failed = &shown.view.failed;
    let first = failed.first()?;
    let points = words::counted(failed.len() as u64, "point", "points");
    Some(format!("{points} failed; the others stand. {}", first.message))
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

fn is_unfinished(progress: &Progress) -> bool {
    !matches!(progress.stage, Stage::Over(Ended::Complete))
}

/// The share of the wanted runs that is there.
fn share(progress: &Progress) -> f64 {
    f64::from(progress.runs) / f64::from(progress.runs_wanted.max(progress.runs).max(1))
}

/// `802 of 840 runs`.
fn runs(progress: &Progress) -> String {
    let wanted = u64::from(progress.runs_wanted.max(progress.runs));
    let kept = match progress.runs_kept {
        0 => String::new(),
        kept => format!(", {} kept", format::count(u64::from(kept))),
    };
    format!("{} of {}{kept}", format::count(u64::from(progress.runs)), words::counted(wanted, "run", "runs"))
}

/// `, 4s left`; the time that it took, once it is over.
fn time(progress: &Progress, is_running: bool) -> String {
    let left = progress.left_s.filter(|_| is_running).map(|left_s| format!("{} left", words::wall(left_s * 1_000.0)));
    let took = (!is_running && progress.elapsed_s > 0.0).then(|| words::wall(progress.elapsed_s * 1_000.0));
    left.or(took).map(|words| format!(", {words}")).unwrap_or_default()
}

/// `76 of 84 points settled, 8 open`, and why it is over.
fn standing(progress: &Progress, is_running: bool) -> String {
    let total = u64::from(progress.settled + progress.open);
    let of_total = format!("{} of {} settled", progress.settled, words::counted(total, "point", "points"));
    let open = match progress.open {
        0 => String::new(),
        open => format!(", {open} open"),
    };
    let points = format!("{of_total}{open}");
    match (progress.stage, is_running) {
        (Stage::Coarse, true) => "First picture: few sizes, few seeds".into(),
        (Stage::Fresh, true) => "Fresh seeds confirm the answers".into(),
        (Stage::Over(Ended::Stopped), false) => format!("Stopped. {points}"),
        (Stage::Over(Ended::BudgetUsed), false) => format!("Time budget used up. {points}"),
        (Stage::Over(Ended::Complete), false) if progress.open == 0 => {
            format!("All {} settled", words::counted(total, "point", "points"))
        }
        _ => points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(stage: Stage) -> Progress {
        Progress {
            stage,
            runs: 802,
            runs_wanted: 840,
            settled: 76,
            open: 8,
            elapsed_s: 41.0,
            left_s: Some(4.0),
            ..Progress::default()
        }
    }

    fn check(of: Progress, is_running: bool, expected: [&str; 2]) {
        assert_eq!([runs(&of) + &time(&of, is_running), standing(&of, is_running)], expected);
    }

    #[test]
    fn progress_counts_runs_and_points() {
        check(progress(Stage::Open), true, ["802 of 840 runs, 4s left", "76 of 84 points settled, 8 open"]);
        check(progress(Stage::Coarse), true, ["802 of 840 runs, 4s left", "First picture: few sizes, few seeds"]);
        let stopped = progress(Stage::Over(Ended::Stopped));
        check(stopped, false, ["802 of 840 runs, 41s", "Stopped. 76 of 84 points settled, 8 open"]);
        let budget = Progress { runs_kept: 612, ..progress(Stage::Over(Ended::BudgetUsed)) };
        let words = "Time budget used up. 76 of 84 points settled, 8 open";
        check(budget, false, ["802 of 840 runs, 612 kept, 41s", words]);
        let whole = Progress { runs: 840, settled: 84, open: 0, ..progress(Stage::Over(Ended::Complete)) };
        check(whole, false, ["840 of 840 runs, 41s", "All 84 points settled"]);
    }

    #[test]
    fn the_bar_is_full_when_more_runs_are_there_than_wanted() {
        assert_eq!(share(&Progress { runs: 9, runs_wanted: 3, ..Progress::default() }), 1.0);
        assert_eq!(share(&Progress::default()), 0.0);
    }
}
