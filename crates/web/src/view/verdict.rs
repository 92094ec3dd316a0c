//! The verdict at the top of the results.

use elastiplan_compare::Badge;
use elastiplan_present::verdict::{Outcomes, Phrase, Tone, Verdict};
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::classes;
use crate::state::message::Msg;

/// The verdict, with buttons that show the jobs it counts.
pub(super) fn verdict(verdict: &Verdict, is_stale: bool, send: &Callback<Msg>) -> Html {
    html! {
        <section class={classes("verdict", is_stale.then_some("stale"))} aria-label="Verdict">
            if is_stale {
                <p class="stale-label">{ "Inputs changed" }</p>
            }
            <div class="verdict-words">
                <h2>{ &verdict.headline }</h2>
                <p>{ for verdict.second.iter().map(phrase) }{ for deadlines(verdict.outcomes.as_ref(), send) }</p>
            </div>
            if let Some(outcomes) = &verdict.outcomes {
                { bar(outcomes, send) }
            }
        </section>
    }
}

fn phrase(phrase: &Phrase) -> Html {
    let class = match phrase.tone {
        Tone::Plain => "",
        Tone::Strong => "strong",
        Tone::Worse => "worse",
        Tone::Bad => "bad",
    };
    html! { <span {class}>{ &phrase.text }</span> }
}

/// Deadlines that only one of the two meets: each shows its jobs.
fn deadlines(outcomes: Option<&Outcomes>, send: &Callback<Msg>) -> Vec<Html> {
    let Some(outcomes) = outcomes else { return Vec::new() };
    let (counts, letter) = (outcomes.comparison, letter(outcomes));
    let kinds = [
        ("met", "missed", "better", counts.deadlines_gained, "deadlines gained"),
        ("missed", "met", "worse", counts.deadlines_lost, "deadlines lost"),
    ];
    let button = |(here, before, tone, jobs, verb): (&'static str, &'static str, &'static str, u64, &'static str)| {
        let onclick = send.reform(move |_| Msg::Search(format!("{here}:{letter} {before}:A")));
        let (jobs, title) =
            (format::count(jobs), format!("Show only jobs that have {here} their deadline here and not under A"));
        count_button(tone, title, jobs, verb, onclick)
    };
    kinds.into_iter().filter(|(.., jobs, _)| *jobs > 0).map(button).collect()
}

/// A button that shows the jobs that it counts.
fn count_button(
    tone: &'static str,
    title: String,
    count: String,
    words: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button class={classes("count", Some(tone))} {title} {onclick}><b>{ count }</b>{ format!(" {words}") }</button>
    }
}

/// The badge of the policy that is compared with the baseline.
fn letter(outcomes: &Outcomes) -> Badge {
    Badge::of_slot(outcomes.slot).unwrap_or(Badge::BASELINE)
}

fn bar(outcomes: &Outcomes, send: &Callback<Msg>) -> Html {
    let counts = outcomes.comparison;
    let (sooner, equal, later) =
        (format::count(counts.sooner), format::count(counts.equal), format::count(counts.later));
    let part = |class: &'static str, count: u64| {
        let style = format!("flex-grow: {count}");
        html! { if count > 0 { <span {class} {style}></span> } }
    };
    let letter = letter(outcomes);
    let count = |word: &'static str, tone: &'static str, count: String| {
        let onclick = send.reform(move |_| Msg::Search(format!("{word}:{letter}")));
        count_button(tone, format!("Show only these jobs ({word}:{letter})"), count, word, onclick)
    };
    let words = format!("{sooner} sooner, {equal} equal, {later} later than under {}", outcomes.baseline);
    html! {
        <div class="outcomes">
            <div class="outcomes-head">
                <span>{ format!("Jobs under {}", outcomes.policy) }</span>
                if outcomes.first_difference_s.is_some() {
                    <button class="link" title="Moves the timeline's cursor there (G)" aria-keyshortcuts="G"
                        onclick={send.reform(|_| Msg::FirstDifference)}>
                        <span class="diamond" aria-hidden="true"></span>{ "First difference" }
                    </button>
                }
            </div>
            <div class="outcomes-bar" role="img" aria-label={words}>
                { part("sooner", counts.sooner) }{ part("equal", counts.equal) }{ part("later", counts.later) }
            </div>
            <div class="outcomes-counts">
                { count("sooner", "better", sooner) }{ count("equal", "ink-3", equal) }{ count("later", "worse", later) }
            </div>
        </div>
    }
}
