//! The list of policies to add runs of.

use elastiplan_policies::{Entry, PolicySpec, REGISTRY};
use elastiplan_text::words;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::elements::{caption, typed};
use crate::part;
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::view::dialog::Dialog;
use crate::view::later::later;

/// Policies of a kind: the heading, what they have in common, and their names.
struct Group {
    heading: &'static str,
    about: &'static str,
    names: &'static [&'static str],
}

const GROUPS: [Group; 4] = [
    Group {
        heading: "Rigid",
        about: "each job gets what it asks for",
        names: &["fixed", "shortest-first", "tiresias", "gandiva"],
    },
    Group {
        heading: "Elastic",
        about: "jobs grow and shrink",
        names: &[
            "equal-share",
            "elastic-dp",
            "optimus",
            "pollux",
            "bftrainer",
            "modelarts",
            "modelarts-greedy",
            "throughput-autoscaling",
        ],
    },
    Group { heading: "Deadlines", about: "some jobs may be declined", names: &["elasticflow", "edf", "chronus"] },
    Group { heading: "Fairness and cost", about: "", names: &["themis", "spot"] },
];

#[derive(Properties, PartialEq)]
pub(super) struct AddProps {
    /// The policies of the runs that there are.
    pub policies: Vec<PolicySpec>,
    pub send: Callback<Msg>,
    /// How far the functions for later are: the list changes with it.
    pub parts: part::State,
}

/// The button, and the list that it opens.
#[component]
pub(super) fn AddPolicy(props: &AddProps) -> Html {
    let is_open = use_state(|| false);
    let set = |to: bool| {
        let is_open = is_open.clone();
        move || is_open.set(to)
    };
    let (open, close) = (set(true), set(false));
    let list = |on_close: Callback<()>| {
        let props = ListProps { policies: props.policies.clone(), send: props.send.clone(), on_close };
        later(&props.send, |later| (later.policies)(&props))
    };
    html! {
        <>
            <button class="button add-policy" aria-haspopup="dialog" onclick={Callback::from(move |_: MouseEvent| open())}>
                { "Add a policy" }
            </button>
            if *is_open { { list(Callback::from(move |()| close())) } }
        </>
    }
}

/// Properties of the list.
#[derive(Clone, Properties, PartialEq)]
pub struct ListProps {
    policies: Vec<PolicySpec>,
    send: Callback<Msg>,
    on_close: Callback<()>,
}

/// The list.
pub(in crate::view) fn list(props: &ListProps) -> Html {
    html! { <PolicyList ..props.clone() /> }
}

#[component]
fn PolicyList(props: &ListProps) -> Html {
    let text = use_state(String::new);
    let active = use_state(|| 0_usize);
    let input = use_node_ref();
    {
        let input = input.clone();
        use_effect_with((), move |()| {
            input.cast::<HtmlInputElement>().into_iter().for_each(|input| drop(input.focus()));
        });
    }
    let found = matching(&text);
    let add = {
        let send = props.send.clone();
        move |entry: &Entry| entry.name.parse().into_iter().for_each(|policy| send.emit(Msg::Edit(Edit::Add(policy))))
    };
    let oninput = {
        let (text, active) = (text.clone(), active.clone());
        Callback::from(move |event: InputEvent| {
            text.set(typed(&event));
            active.set(0);
        })
    };
    let onkeydown = {
        let (entries, active, add) = (in_order(&found), active.clone(), add.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = entries.len().saturating_sub(1);
            match event.key().as_str() {
                "ArrowDown" => active.set(if *active >= last { 0 } else { *active + 1 }),
                "ArrowUp" => active.set(active.checked_sub(1).unwrap_or(last)),
                "Enter" => entries.get(*active).into_iter().for_each(|entry| add(entry)),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let entries = in_order(&found);
    let option = |entry: &'static Entry| {
        let place = entries.iter().position(|other| other.name == entry.name);
        let onclick = {
            let add = add.clone();
            Callback::from(move |_: MouseEvent| add(entry))
        };
        let used = props.policies.iter().filter(|policy| policy.name() == entry.name).count() as u64;
        html! {
            <div id={format!("add-{}", entry.name)} class="add-row" role="option"
                aria-selected={(place == Some(*active)).to_string()} {onclick}
                onmousedown={Callback::from(|event: MouseEvent| event.prevent_default())}>
                <span class="add-name">{ entry.name }</span>
                <span class="add-about">{ entry.summary }</span>
                <span class="caption">{ if used > 0 { words::counted(used, "run", "runs") } else { String::new() } }</span>
            </div>
        }
    };
    let group = |(group, entries): &(&'static Group, Vec<&'static Entry>)| {
        html! {
            <div role="group" aria-label={group.heading}>
                <p class="add-head" aria-hidden="true"><b>{ group.heading }</b>{ " " }{ group.about }</p>
                { for entries.iter().map(|entry| option(entry)) }
            </div>
        }
    };
    let controls = entries.get(*active).map(|entry| format!("add-{}", entry.name));
    html! {
        <Dialog label="Add a policy" class="palette add-list" on_close={props.on_close.clone()}>
            <input ref={input} type="text" role="combobox" aria-expanded="true" aria-controls="add-policies"
                aria-activedescendant={controls} aria-autocomplete="list" autocomplete="off" spellcheck="false"
                aria-label="Find a policy, paper or property" placeholder="Find a policy, paper or property"
                value={text.to_string()} {oninput} {onkeydown} />
            <div id="add-policies" class="add-policies" role="listbox" aria-label="Policies">{ for found.iter().map(group) }</div>
            { caption(if entries.is_empty() { "No policy has these words" } else {
                "Enter adds a run and stays here. A policy may be added more than once, with other settings"
            }) }
        </Dialog>
    }
}

/// The policies whose name, description or source has the words, by group.
fn matching(text: &str) -> Vec<(&'static Group, Vec<&'static Entry>)> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let of_group = |group: &'static Group| {
        let has = |entry: &&&'static Entry| {
            let all = format!("{} {} {} {}", entry.name, entry.summary, entry.source, group.heading).to_lowercase();
            words.iter().all(|word| all.contains(word.as_str()))
        };
        let entries = group.names.iter().filter_map(|name| REGISTRY.iter().find(|entry| entry.name == *name));
        let entries: Vec<&'static Entry> = entries.filter(has).copied().collect();
        (!entries.is_empty()).then_some((group, entries))
    };
    GROUPS.iter().filter_map(of_group).collect()
}

fn in_order(found: &[(&'static Group, Vec<&'static Entry>)]) -> Vec<&'static Entry> {
    found.iter().flat_map(|(_, entries)| entries).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        in_order(&matching(text)).iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn every_policy_is_in_one_group() {
        let listed = names("");
        let known: BTreeSet<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        assert_eq!(listed.len(), known.len());
        assert_eq!(BTreeSet::from_iter(listed), known);
    }

    #[test]
    fn policies_are_found_by_name_paper_and_property() {
        assert_eq!(names("elastic-dp"), ["elastic-dp"]);
        assert!(names("deadline").contains(&"elasticflow") && names("POLLUX").contains(&"pollux"));
        assert!(names("no such policy").is_empty());
    }
}
