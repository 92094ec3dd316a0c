//! The story of one job under each policy: what it asked for, how it fared, what happened when.

use std::rc::Rc;

use elastiplan_compare::story::{lateness, outcome_word};
use elastiplan_compare::{GROUPED_WITHIN_S, Story, StoryEvent};
use elastiplan_model::JobId;
use elastiplan_present::charts::{OfJob, of_job};
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;
use elastiplan_scene::ModelSlots;
use elastiplan_text::format;
use yew::prelude::*;

use super::charts::use_choice;
use crate::chart::FigureView;
use crate::elements::{badge, caption, close_button, column_heads, icon_button, paragraph};
use crate::state::message::Msg;
use crate::state::order::Order;
use crate::state::runs::Runs;

/// Events that are listed; there may be thousands.
const EVENTS_MAX: usize = 200;

#[derive(Properties, PartialEq)]
pub(super) struct StoryProps {
    pub runs: Runs,
    pub job: JobId,
    /// The place among the runs of the policy whose events are listed first.
    pub slot: usize,
    pub provenance: Rc<Provenance>,
    pub theme: AttrValue,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn StoryView(props: &StoryProps) -> Html {
    let stories = use_memo((props.runs.clone(), props.job), |(runs, job)| {
        let story = |entry: &RunEntry| {
            let result = entry.result.as_ref()?;
            Some((entry.clone(), Story::of(&result.run, &runs.workload, *job, GROUPED_WITHIN_S)?))
        };
        runs.entries.iter().filter_map(story).collect::<Vec<_>>()
    });
    let known: Vec<OfJob> = OfJob::ALL.into_iter().filter(|of| of.is_known(&stories)).collect();
    let options = known.iter().map(|of| (of.name().into(), of.title().into())).collect();
    // What was chosen for one job is shown of the next, if it is known there.
    let (place, heading) = use_choice("Over time", options);
    let quantity = known.get(place).copied().unwrap_or(OfJob::Gpus);
    let figure = use_memo((props.runs.clone(), props.job, quantity), |(runs, job, quantity)| {
        let trace = runs.workload.trace();
        let name = trace.jobs().get(job.index()).map_or("", |job| job.name.as_str());
        of_job(*quantity, &stories, name, trace.start_s())
    });
    // What was chosen by hand holds until another run is asked for: jobs are ordered by it, or the verdict is about it.
    let chosen = use_state(|| (props.slot, None::<usize>));
    let (asked, by_hand) = *chosen;
    let slot = by_hand.filter(|_| asked == props.slot).unwrap_or(props.slot);
    let trace = props.runs.workload.trace();
    let Some(job) = trace.jobs().get(props.job.index()) else { return Html::default() };
    let zero_s = trace.start_s();
    let mut facts = vec![
        format!("Asked for {}", format::gpus(job.gpus_requested)),
        format!("submitted {}", format::duration(job.submit_s - zero_s)),
    ];
    let model = trace.model_name(job.model);
    facts.extend(job.deadline_s.map(|deadline_s| format!("deadline {}", format::duration(deadline_s - zero_s))));
    facts.extend(job.user.as_ref().map(|user| format!("of {user}")));
    let assumed = props.runs.workload.assumed_in_words(props.job);
    let swatch = format!("tl-swatch tl-slot-{}", ModelSlots::new(trace).of(job.model).index() + 1);
    let shown = stories.iter().find(|(entry, _)| entry.slot == slot).or(stories.first());
    let order = |order: Order| props.send.reform(move |_: MouseEvent| Msg::Timelines(order));
    let tab = |(entry, _): &(RunEntry, Story)| {
        let (slot, asked, chosen) = (entry.slot, props.slot, chosen.clone());
        let is_shown = shown.is_some_and(|(shown, _)| shown.slot == slot);
        html! {
            <button aria-pressed={is_shown.to_string()} aria-label={entry.policy.to_string()}
                onclick={Callback::from(move |_| chosen.set((asked, Some(slot))))}>{ badge(slot) }</button>
        }
    };
    html! {
        <section class="story" aria-label={format!("Story of {}", job.name)}>
            <header>
                <h2><span class={swatch} aria-hidden="true"></span><span class="story-name">{ &job.name }</span></h2>
                <span class="ink-3">{ format!("{} of {}", format::count(props.job.index() as u64 + 1), format::count(trace.jobs().len() as u64)) }</span>
                { icon_button("Previous job".into(), "Previous job (,)".into(), "‹".into(), order(Order::Neighbour { next: false })) }
                { icon_button("Next job".into(), "Next job (.)".into(), "›".into(), order(Order::Neighbour { next: true })) }
                { close_button("Close the story", "Close (Esc)", order(Order::Deselect)) }
            </header>
            <p>{ format!("{model}. {}", facts.join(", ")) }</p>
            if !assumed.is_empty() { { paragraph("caption warn", format!("Assumed: {assumed}")) } }
            { summaries(&stories) }
            <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} if_empty="It never held a GPU" />
            if let Some((entry, story)) = shown {
                <div class="story-head">
                    <h3>{ format!("Story under {}", entry.policy.name()) }</h3>
                    <span class="segments" role="group" aria-label="Policy">{ for stories.iter().map(tab) }</span>
                </div>
                { events(story, zero_s, &props.send) }
                if entry.is_running() { { caption("The run is still on its way") } }
            }
        </section>
    }
}

/// A row a policy.
fn summaries(stories: &[(RunEntry, Story)]) -> Html {
    let row = |(entry, story): &(RunEntry, Story)| {
        let summary = &story.summary;
        let completion = summary.jct_s.map_or_else(|| outcome_word(summary.outcome).into(), format::duration);
        // Marks say early and late: the words would not fit.
        let early_or_late = |late_s: f64| format::duration(late_s.abs());
        let (tone, deadline) = match (summary.meets_deadline, summary.late_s) {
            (Some(true), Some(late_s)) => ("better", format!("✓ {}", early_or_late(late_s))),
            (Some(false), Some(late_s)) => ("bad", format!("✕ {}", early_or_late(late_s))),
            (Some(false), None) => ("bad", "✕ missed".into()),
            _ => ("ink-3", format::DASH.into()),
        };
        let lateness = summary.late_s.map(lateness);
        html! {
            <tr>
                <th scope="row" title={entry.policy.to_string()}>{ badge(entry.slot) }{ entry.policy.name() }</th>
                <td>{ format::duration(summary.waited_s) }</td>
                <td>{ format::count(summary.resizes.into()) }</td>
                <td>{ format::number(summary.gpu_seconds / 3600.0) }</td>
                <td>{ completion }</td>
                <td class={tone} title={lateness}>{ deadline }</td>
            </tr>
        }
    };
    html! {
        <table class="story-table">
            <thead><tr>{ column_heads(["Policy", "Waited", "Rescales", "GPU-h", "Completion", "Deadline"]) }</tr></thead>
            <tbody>{ for stories.iter().map(row) }</tbody>
        </table>
    }
}

fn events(story: &Story, zero_s: f64, send: &Callback<Msg>) -> Html {
    let item = |(event, time): (&StoryEvent, String)| {
        let time_s = event.time_s;
        let onclick = send.reform(move |_| Msg::Timelines(Order::GoTo(time_s)));
        html! {
            <li>
                <button class="link" title="Moves the cursor there" {onclick}>{ time }</button>
                <span>{ event.heading() }</span>
                <span class="ink-3">{ event.detail() }</span>
            </li>
        }
    };
    let more = story.events.len().saturating_sub(EVENTS_MAX) as u64;
    html! {
        <>
            <ol class="story-events">{ for story.events.iter().zip(story.times(zero_s)).take(EVENTS_MAX).map(item) }</ol>
            if more > 0 {
                { caption(format!("{} more; spans.csv has all", elastiplan_text::words::counted(more, "event", "events"))) }
            }
        </>
    }
}
