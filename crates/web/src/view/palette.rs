//! The command palette: one box, where text finds jobs, `>` commands, and `:` a time.

use std::rc::Rc;

use elastiplan_model::{JobId, Workload};
use elastiplan_text::format;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::dialog::Dialog;
use crate::elements;
use crate::state::command::{Command, registry, search};
use crate::state::message::Msg;
use crate::state::order::Order;
use crate::state::runs::Runs;
use crate::state::search::{Found, Search};

/// Results that are shown.
const RESULTS_MAX: usize = 9;

#[derive(Properties)]
pub(super) struct PaletteProps {
    /// The searchable jobs; nothing before the first result.
    pub runs: Option<Runs>,
    /// Commands by their last use, the latest first.
    pub recent: Vec<&'static Command>,
    /// The active query, or what was typed before the palette was there.
    pub query: AttrValue,
    /// Whether it was typed, so that typing goes on behind it.
    pub is_typed: bool,
    pub send: Callback<Msg>,
}

impl PartialEq for PaletteProps {
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs && self.query == other.query && self.send == other.send
    }
}

/// One line of the results.
#[derive(Clone)]
enum Item {
    Command(&'static Command),
    Job(JobId, Rc<Workload>),
    /// Show only jobs that match, of which there are so many.
    Only(usize),
    /// Put this in place of the last word.
    Complete(String, String),
    Time(f64),
}

#[component]
pub(super) fn Palette(props: &PaletteProps) -> Html {
    let typed = use_state(|| props.query.to_string());
    let active = use_state(|| 0_usize);
    let input = use_node_ref();
    // The names that it offers take a while to collect.
    let search = use_memo(props.runs.clone(), |runs| runs.clone().map(Search::new));
    let (items, note) = use_memo((typed.to_string(), (*search).clone()), |(typed, search)| {
        results(typed, search.as_ref(), &props.recent)
    })
    .as_ref()
    .clone();
    {
        let (input, is_typed) = (input.clone(), props.is_typed);
        use_effect_with((), move |()| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                let _ = input.focus();
                if is_typed {
                    let end = input.value().encode_utf16().count() as u32;
                    let _ = input.set_selection_range(end, end);
                } else {
                    input.select();
                }
            }
        });
    }
    let choose = {
        let (send, typed, active) = (props.send.clone(), typed.clone(), active.clone());
        Callback::from(move |item: Item| {
            if let Item::Complete(text, _) = item {
                typed.set(text);
                active.set(0);
                return;
            }
            send.emit(Msg::Close);
            send.emit(match item {
                Item::Command(command) => Msg::Do(command),
                Item::Job(job, _) => Msg::Timelines(Order::Select(job)),
                Item::Only(_) => Msg::Search(typed.trim().to_string()),
                Item::Time(time_s) => Msg::Timelines(Order::GoTo(time_s)),
                Item::Complete(..) => return,
            });
        })
    };
    let oninput = {
        let (typed, active) = (typed.clone(), active.clone());
        Callback::from(move |event: InputEvent| {
            typed.set(elements::typed(&event));
            active.set(0);
        })
    };
    let onkeydown = {
        let (items, active, choose) = (items.clone(), active.clone(), choose.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = items.len().saturating_sub(1);
            match event.key().as_str() {
                "ArrowDown" => active.set(if *active >= last { 0 } else { *active + 1 }),
                "ArrowUp" => active.set(active.checked_sub(1).unwrap_or(last)),
                "Enter" => items.get(*active).cloned().into_iter().for_each(|item| choose.emit(item)),
                "Tab" if matches!(items.get(*active), Some(Item::Complete(..))) => {
                    items.get(*active).cloned().into_iter().for_each(|item| choose.emit(item));
                }
                _ => return,
            }
            event.prevent_default();
        })
    };
    let option = |(place, item): (usize, &Item)| {
        let onclick = {
            let (choose, item) = (choose.clone(), item.clone());
            Callback::from(move |_| choose.emit(item.clone()))
        };
        let is_active = place == *active;
        html! {
            <li id={format!("palette-{place}")} role="option" aria-selected={is_active.to_string()} {onclick}
                onmousedown={Callback::from(|event: MouseEvent| event.prevent_default())}>{ words(item) }</li>
        }
    };
    let controls = items.get(*active).map(|_| format!("palette-{}", *active));
    html! {
        <Dialog label="Search jobs or run a command" class="palette" on_close={props.send.reform(|()| Msg::Close)}>
            <input ref={input} type="text" role="combobox" aria-expanded="true" aria-controls="palette-results"
                aria-activedescendant={controls} aria-autocomplete="list" autocomplete="off" spellcheck="false"
                aria-label="Search jobs or run a command" value={typed.to_string()} {oninput} {onkeydown}
                placeholder="model:bert gpus>4 missed   > command   : 2h 10m" />
            <ul id="palette-results" role="listbox" aria-label="Results">{ for items.iter().enumerate().map(option) }</ul>
            <p class="palette-note" role="status">{ note.clone() }</p>
        </Dialog>
    }
}

/// The items for the typed text, and the caption below them.
fn results(typed: &str, search: Option<&Search>, recent: &[&'static Command]) -> (Vec<Item>, String) {
    let typed = typed.trim_start();
    if let Some(wanted) = typed.strip_prefix('>') {
        let found = search::matching(wanted).into_iter().map(Item::Command);
        let items: Vec<Item> = found.take(RESULTS_MAX).collect();
        let note = if items.is_empty() { "No command has these letters".into() } else { String::new() };
        return (items, note);
    }
    let Some(search) = search else { return (Vec::new(), "Nothing has run yet".into()) };
    if let Some(time) = typed.strip_prefix(':') {
        return match search.time(time) {
            Some(time_s) => (vec![Item::Time(time_s)], String::new()),
            None => (Vec::new(), "A time is written like 2h 10m, from the first submission".into()),
        };
    }
    if typed.trim().is_empty() {
        let first = ["first-difference", "most-changed", "fit", "next-view", "jobs", "keys", "run"];
        let first = first.into_iter().filter_map(registry::by_id);
        let mut items: Vec<&Command> = recent.to_vec();
        for command in first {
            if !items.iter().any(|known| known.id == command.id) {
                items.push(command);
            }
        }
        let note = "Text finds jobs, > commands, : a time".into();
        return (items.into_iter().take(RESULTS_MAX).map(Item::Command).collect(), note);
    }
    jobs(typed, search)
}

/// Jobs that match, what may be typed next, and commands of that name.
fn jobs(typed: &str, search: &Search) -> (Vec<Item>, String) {
    let complete = search.completions(typed).into_iter().map(|(text, about)| Item::Complete(text, about));
    match search.find(typed) {
        Found::Jobs(jobs) => {
            let note = if jobs.is_empty() { "No job matches" } else { "" };
            let mut items = Vec::from_iter((!jobs.is_empty()).then_some(Item::Only(jobs.len())));
            let job = |job: &JobId| Item::Job(*job, Rc::clone(search.workload()));
            items.extend(jobs.iter().take(RESULTS_MAX - 4).map(job));
            items.extend(complete.take(3));
            items.extend(search::matching(typed).into_iter().map(Item::Command));
            items.truncate(RESULTS_MAX);
            (items, note.into())
        }
        Found::Mistake(words) => (complete.take(RESULTS_MAX).collect(), words),
    }
}

fn words(item: &Item) -> Html {
    let line = |what: &str, name: Html, beside: Html| {
        html! { <><span class="palette-kind">{ what.to_string() }</span><span class="palette-name">{ name }</span>
        <span class="palette-beside">{ beside }</span></> }
    };
    match item {
        Item::Command(command) => {
            let key = command.keys.first().map(|key| html! { <kbd>{ *key }</kbd> });
            line("Command", command.title.into(), key.unwrap_or_default())
        }
        Item::Job(job, workload) => {
            let trace = workload.trace();
            let Some(known) = trace.jobs().get(job.index()) else { return Html::default() };
            let submitted = format::duration(known.submit_s - trace.start_s());
            let beside = format!("{}, {submitted}", trace.model_name(known.model));
            line("Job", known.name.clone().into(), beside.into())
        }
        Item::Only(count) => {
            let jobs = elastiplan_text::words::counted(*count as u64, "job that matches", "jobs that match");
            line("Filter", format!("Show only {jobs}").into(), html! {})
        }
        Item::Complete(text, about) => line("Term", text.clone().into(), about.clone().into()),
        Item::Time(time_s) => line("Time", format!("Go to {}", format::duration(*time_s)).into(), html! {}),
    }
}
