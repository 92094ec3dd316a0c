//! The verdict at the top of the results, with the goal that it is about.

use elastiplan_compare::Badge;
use elastiplan_present::goal::{Goal, GoalKind, short_duration};
use elastiplan_present::verdict::{Act, Going, Outcomes, Phrase, Tone, Verdict};
use elastiplan_text::{format, words};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::files::file_choice;
use crate::elements::{chosen, classes, link, option};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;

/// Longer words may be broken.
const UNBROKEN_MAX: usize = 28;

/// The verdict, with buttons that show the jobs it counts.
pub(super) fn verdict(page: &Page, verdict: &Verdict, is_stale: bool) -> Html {
    let send = &page.send;
    let stale = is_stale.then(|| verdict.for_changed_inputs(&page.changes()));
    let outcomes = verdict.outcomes.as_ref();
    let words = stale.as_ref().unwrap_or(verdict);
    html! {
        <section class={classes("verdict", is_stale.then_some("changed"))} aria-label="Verdict">
            <div class="verdict-words">
                <h2 dir="auto">{ for words.headline.split_inclusive(' ').map(unbroken) }</h2>
                <p>
                    { for words.second.iter().map(phrase) }
                    if !is_stale { { for deadlines(outcomes, send) } { for acts(page, verdict) } }
                </p>
            </div>
            <div class="outcomes">
                <div class="outcomes-head">
                    <GoalView goal={page.goal()} send={send.clone()} />
                    if outcomes.is_some_and(|outcomes| outcomes.first_difference_s.is_some()) {
                        <button class="link" title="Moves the timeline's cursor there (G)" aria-keyshortcuts="G"
                            onclick={send.reform(|_| Msg::FirstDifference)}>
                            <span class="diamond" aria-hidden="true"></span>{ "First difference" }
                        </button>
                    }
                </div>
                { aside(page, verdict, is_stale) }
            </div>
        </section>
    }
}

/// Below the goal: how far runs are, what runs them, or how jobs end under two of them.
fn aside(page: &Page, verdict: &Verdict, is_stale: bool) -> Html {
    let send = &page.send;
    match (&verdict.going, &verdict.outcomes) {
        _ if is_stale && !page.is_running() => {
            let onclick = send.reform(|_| Msg::Run);
            let missing = format::count(page.planner.missing() as u64);
            html! {
                <button class="button primary run-missing" {onclick}>
                    { format!("Run {missing}") }<kbd aria-hidden="true">{ "Ctrl Enter" }</kbd>
                </button>
            }
        }
        (Some(going), _) => progress(going),
        (None, Some(outcomes)) => bar(outcomes, send),
        (None, None) => Html::default(),
    }
}

fn progress(going: &Going) -> Html {
    let percent = format!("{:.0}", going.share * 100.0);
    html! {
        <>
            <p class="going">{ &going.words }</p>
            <div class="going-bar" role="progressbar" aria-label="Progress of all runs" aria-valuemin="0"
                aria-valuemax="100" aria-valuenow={percent.clone()} aria-valuetext={going.words.clone()}>
                <div style={format!("width: {percent}%")}></div>
            </div>
        </>
    }
}

/// What can be done about what the verdict says.
fn acts(page: &Page, verdict: &Verdict) -> Vec<Html> {
    let act = |act: &Act| -> Option<Html> {
        Some(match *act {
            Act::AddFiles => file_choice("Add files", false, &page.send),
            Act::UseSample => link("Use the sample", page.send.reform(|_| Msg::Edit(Edit::UseSample))),
            Act::JudgeBy(kind) => {
                let onclick = page.send.reform(move |_| Msg::Goal(Goal::best(kind)));
                link(format!("Judge by {}", kind.label()), onclick)
            }
            Act::EndAllAfter(length_s) => {
                // A pinned run keeps its end.
                if page.planner.inputs().runs().iter().any(|run| run.is_pinned()) {
                    return None;
                }
                let start_s = page.runs()?.workload.trace().start_s();
                let words = format!("End all after {}", short_duration(length_s));
                link(words, page.send.reform(move |_| Msg::Edit(Edit::EndAll(start_s + length_s))))
            }
        })
    };
    let missing = || match page.planner.missing() {
        0 => None,
        missing => {
            let words = words::counted(missing as u64, "missing run", "missing runs");
            Some(link(format!("Make {words}"), page.send.reform(|_| Msg::Run)))
        }
    };
    let is_over = !page.is_running() && page.planner.shown.as_ref().is_some_and(|set| !set.is_whole());
    let missing = if is_over { missing() } else { None };
    verdict.acts.iter().filter_map(act).chain(missing).collect()
}

#[derive(Properties, PartialEq)]
struct GoalProps {
    goal: Goal,
    send: Callback<Msg>,
}

/// The goal: its metric from a list, and its limit as text; without one, the best run wins.
#[component]
fn GoalView(props: &GoalProps) -> Html {
    let GoalProps { goal, send } = props;
    let kind = goal.kind;
    let wrong = use_state(|| false);
    let onkind = send.reform(move |event: Event| {
        let kind = GoalKind::ALL.into_iter().find(|kind| kind.key() == chosen(&event)).unwrap_or(kind);
        Msg::Goal(Goal::best(kind))
    });
    let onlimit = {
        let (wrong, send) = (wrong.clone(), send.clone());
        Callback::from(move |event: Event| {
            let text = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            let limit = kind.read_limit(&text);
            let is_empty = text.trim().is_empty();
            wrong.set(limit.is_none() && !is_empty);
            if limit.is_some() || is_empty {
                send.emit(Msg::Goal(Goal { kind, limit }));
            }
        })
    };
    let limit = goal.limit.map(|limit| kind.limit_text(limit)).unwrap_or_default();
    let example = format!("Such as {}; empty: the {} wins", kind.example(), kind.without_limit());
    html! {
        <span class="goal">
            <span aria-hidden="true">{ "Goal: " }</span>
            <select aria-label="Goal" onchange={onkind}>
                { for GoalKind::ALL.iter().map(|of| option(of.key(), of.label(), *of == kind)) }
            </select>
            <span aria-hidden="true">{ kind.sign() }</span>
            <input key={kind.key()} type="text" aria-label="Limit of the goal" title={example} value={limit}
                placeholder={kind.without_limit()} aria-invalid={wrong.to_string()} size="6" onchange={onlimit} />
        </span>
    }
}

/// A word of the headline. Names of policies are not broken at their hyphens, unless they are long.
fn unbroken(word: &str) -> Html {
    match word.contains('-') && word.len() <= UNBROKEN_MAX {
        true => html! { <span class="unbroken">{ word }</span> },
        false => word.into(),
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
        ("met", "missed", "better", counts.deadlines_gained, "gained"),
        ("missed", "met", "worse", counts.deadlines_lost, "lost"),
    ];
    let button = |(here, before, tone, jobs, verb): (&'static str, &'static str, &'static str, u64, &'static str)| {
        let search = format!("{here}:{letter} {before}:A");
        let onclick = send.reform(move |_| Msg::Search(search.clone()));
        let title = format!("Show only jobs that have {here} their deadline here and not under A");
        let noun = if jobs == 1 { "deadline" } else { "deadlines" };
        count_button(tone, title, format::count(jobs), format!("{noun} {verb}"), onclick)
    };
    kinds.into_iter().filter(|(.., jobs, _)| *jobs > 0).map(button).collect()
}

/// A button that shows the jobs that it counts.
fn count_button(
    tone: &'static str,
    title: String,
    count: String,
    words: String,
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
    let part = |class: &'static str, count: u64| {
        let style = format!("flex-grow: {count}");
        html! { if count > 0 { <span {class} {style}></span> } }
    };
    let letter = letter(outcomes);
    let count = |word: &'static str, tone: &'static str, count: u64, than: &'static str| {
        let search = format!("{word}:{letter}");
        let title = format!("Show only these jobs ({search})");
        let onclick = send.reform(move |_| Msg::Search(search.clone()));
        count_button(tone, title, format::count(count), format!("{word}{than}"), onclick)
    };
    let jobs = |count: u64, how: &str| format!("{} {how}", words::counted(count, "job", "jobs"));
    let (sooner, equal, later) =
        (jobs(counts.sooner, "sooner"), format::count(counts.equal), format::count(counts.later));
    let words =
        format!("Under {}: {sooner}, {equal} equal, {later} later than under {}", outcomes.policy, outcomes.baseline);
    html! {
        <>
            <div class="outcomes-bar" role="img" aria-label={words.clone()} title={words}>
                { part("sooner", counts.sooner) }{ part("equal", counts.equal) }{ part("later", counts.later) }
            </div>
            <div class="outcomes-counts">
                { count("sooner", "better", counts.sooner, "") }
                { count("equal", "ink-3", counts.equal, "") }
                { count("later", "worse", counts.later, " than A") }
            </div>
        </>
    }
}
