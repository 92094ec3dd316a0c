//! The sheet that makes a fork: when, and what changes from then on.

use elastiplan_scenario::{Fork, ForkChange, ForkTextError};
use elastiplan_text::format;
use web_sys::{Event, SubmitEvent};
use yew::prelude::*;

use super::dialog::Dialog;
use crate::elements::{badge, caption, chosen, close_button, option, typed};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::page::Page;

/// The sheet for the run in a slot, at a time in seconds after the first submission.
pub(super) fn fork_sheet(page: &Page, slot: usize, after_start_s: f64) -> Html {
    let inputs = page.planner.inputs();
    let Some(run) = inputs.runs().get(slot) else { return Html::default() };
    let world = run.world(&inputs.world());
    let name = run.name.clone().unwrap_or_else(|| run.policy.name().into());
    let jobs = world.data.trace.jobs();
    let job = page.focus.job.and_then(|job| jobs.get(job.index())).map(|job| job.name.clone()).unwrap_or_default();
    // Policies with their settings in the list first, then all others.
    let mut policies: Vec<String> = Vec::new();
    let listed = inputs.policies().into_iter().map(|policy| policy.to_string());
    for policy in listed.chain(elastiplan_policies::REGISTRY.iter().map(|entry| entry.name.to_string())) {
        if !policies.contains(&policy) && policy != run.policy.to_string() {
            policies.push(policy);
        }
    }
    // To the whole second before: a change comes before the decision at which the cursor stands.
    let time = Fork { after_start_s: after_start_s.max(0.0).floor(), change: ForkChange::Nodes(1) }.to_string();
    let time = time.trim_start_matches("at=").split(' ').next().unwrap_or_default().to_string();
    let nodes = world.cluster.nodes().saturating_sub(inputs.nodes_in_log()).to_string();
    let trace = world.data.trace.clone();
    let is_job = Callback::from(move |name: String| trace.jobs().iter().any(|job| job.name == name));
    // A fork is its origin until its time: one after its end would never come.
    let set = page.planner.shown.as_ref();
    let places = set.map(|set| set.inputs.runs()).unwrap_or_default();
    let at = places.iter().position(|known| known.id == run.id);
    let entry = at.zip(set).and_then(|(at, set)| set.entries.get(at));
    let ended = entry.and_then(|entry| entry.result.as_ref()).filter(|result| result.run.finished);
    let end_s = ended.map(|result| result.run.end_s - world.data.trace.start_s());
    html! { <ForkSheet {slot} id={run.id} {name} {time} {nodes} {job} {policies} {is_job} {end_s} send={page.send.clone()} /> }
}

#[derive(Clone, Properties, PartialEq)]
struct ForkProps {
    slot: usize,
    id: u32,
    name: String,
    /// The time at first, as forks write it.
    time: String,
    nodes: String,
    /// The selected job.
    job: String,
    policies: Vec<String>,
    is_job: Callback<String, bool>,
    /// When the run ends, in seconds after the first submission; `None` before it has.
    end_s: Option<f64>,
    send: Callback<Msg>,
}

/// Kinds of change: a word, its label, and the labels of what it needs.
const KINDS: [(&str, &str, [&str; 2]); 5] = [
    ("nodes", "Number of nodes", ["Nodes", ""]),
    ("policy", "Policy", ["Policy", ""]),
    ("fails", "A node fails", ["Node, from 0", "For"]),
    ("end", "A job is cancelled", ["Job", ""]),
    ("priority", "Priority of a job", ["Job", "Priority"]),
];

/// What is typed: the time, the kind of change, and its values.
#[derive(Clone, PartialEq)]
struct Draft {
    time: String,
    kind: usize,
    values: [String; 2],
}

impl Draft {
    /// The draft of another kind, with values to begin with.
    fn of_kind(&self, kind: usize, props: &ForkProps) -> Self {
        let values = match kind {
            0 => [props.nodes.clone(), String::new()],
            1 => [props.policies.first().cloned().unwrap_or_default(), String::new()],
            2 => ["0".into(), "6h".into()],
            3 => [props.job.clone(), String::new()],
            _ => [props.job.clone(), "2".into()],
        };
        Self { time: self.time.clone(), kind, values }
    }

    /// The fork, or why there is none.
    fn fork(&self, is_job: &Callback<String, bool>, end_s: Option<f64>) -> Result<Fork, String> {
        let [first, second] = self.values.each_ref().map(|value| value.trim());
        let compact = |time: &str| time.split_whitespace().collect::<String>();
        let change = match self.kind {
            0 => format!("nodes={first}"),
            1 => format!("policy={first}"),
            2 => format!("fails={first} for={}", compact(second)),
            3 => format!("end={first}"),
            _ => format!("priority={second} job={first}"),
        };
        if self.kind >= 3 && !is_job.emit(first.into()) {
            return Err(match first {
                "" => "Which job? Its name is in its row".into(),
                name => format!("No job is called {name}"),
            });
        }
        let fork: Fork =
            format!("at={} {change}", compact(&self.time)).parse().map_err(|error: ForkTextError| error.to_string())?;
        match end_s.filter(|end_s| fork.after_start_s > *end_s) {
            Some(end_s) => Err(format!("The run ends at {}: choose an earlier time", format::duration(end_s))),
            None => Ok(fork),
        }
    }
}

#[component]
fn ForkSheet(props: &ForkProps) -> Html {
    let draft = use_state(|| {
        let empty = Draft { time: props.time.clone(), kind: 0, values: Default::default() };
        empty.of_kind(0, props)
    });
    let fork = draft.fork(&props.is_job, props.end_s);
    let set = |change: fn(&mut Draft, String)| {
        let draft = draft.clone();
        move |value: String| {
            let mut now = (*draft).clone();
            change(&mut now, value);
            draft.set(now);
        }
    };
    let text = |label: &'static str, value: &str, change: fn(&mut Draft, String)| {
        let oninput = Callback::from(set(change)).reform(|event: InputEvent| typed(&event));
        html! {
            <label class="field"><span>{ label }</span>
                <input type="text" dir="auto" autocomplete="off" spellcheck="false" value={value.to_string()} {oninput} /></label>
        }
    };
    // The dialog gives the focus to what asks for it.
    let time = {
        let oninput = Callback::from(set(|draft, value| draft.time = value)).reform(|event: InputEvent| typed(&event));
        html! {
            <label class="field"><span>{ "Time after the first submission" }</span>
                <input type="text" dir="auto" autocomplete="off" spellcheck="false" autofocus=true
                    value={draft.time.clone()} {oninput} /></label>
        }
    };
    let (_, _, [first, second]) = KINDS.get(draft.kind).copied().unwrap_or(KINDS[0]);
    let first = if draft.kind == 1 {
        let onchange =
            Callback::from(set(|draft, value| draft.values[0] = value)).reform(|event: Event| chosen(&event));
        let policy = |policy: &String| option(policy.clone(), policy.clone(), *policy == draft.values[0]);
        html! {
            <label class="field"><span>{ first }</span>
                <select class="select" {onchange}>{ for props.policies.iter().map(policy) }</select></label>
        }
    } else {
        text(first, &draft.values[0], |draft, value| draft.values[0] = value)
    };
    let on_kind = {
        let (draft, props) = (draft.clone(), props.clone());
        Callback::from(move |event: Event| {
            let kind = KINDS.iter().position(|(word, ..)| *word == chosen(&event)).unwrap_or_default();
            draft.set(draft.of_kind(kind, &props));
        })
    };
    let onsubmit = {
        let (fork, send, id) = (fork.clone(), props.send.clone(), props.id);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Ok(fork) = &fork {
                send.emit(Msg::Close);
                send.emit(Msg::Edit(Edit::Fork(id, fork.clone())));
            }
        })
    };
    let kind = |(at, (word, label, _)): (usize, &(&'static str, &'static str, [&str; 2]))| {
        option(*word, *label, at == draft.kind)
    };
    let close = props.send.reform(|_: MouseEvent| Msg::Close);
    html! {
        <Dialog label="Fork a run" class="fork-sheet" on_close={props.send.reform(|()| Msg::Close)}>
            <header>
                <h2>{ badge(props.slot) }{ "Fork " }<bdi>{ props.name.clone() }</bdi></h2>
                { close_button("Close", "Close (Esc)", close) }
            </header>
            <form {onsubmit}>
                { caption("The same run until then, and from then on with one change") }
                { time }
                <label class="field"><span>{ "Change" }</span>
                    <select class="select" onchange={on_kind}>{ for KINDS.iter().enumerate().map(kind) }</select></label>
                { first }
                if !second.is_empty() { { text(second, &draft.values[1], |draft, value| draft.values[1] = value) } }
                <p class="caption" role="status">{ match &fork {
                    Ok(fork) => format!("{} {}", props.name, fork.words()),
                    Err(words) => words.clone(),
                } }</p>
                <button type="submit" class="button primary" disabled={fork.is_err()}>{ "Fork" }</button>
            </form>
        </Dialog>
    }
}
