//! The menu of a run: everything that can be done with it, for pointers, keys and fingers.

use yew::prelude::*;

use crate::menu::{Menu, MenuButton};
use crate::state::edit::Edit;
use crate::state::message::Msg;
use crate::state::order::Order;
use crate::state::run_spec::RunSpec;

/// The button and its menu. `origin` is the run that it was forked from, unless that is gone or the baseline already; `slot` is the place of the run among `count` runs.
pub(super) fn run_menu(
    run: &RunSpec,
    origin: Option<u32>,
    badge: &str,
    (slot, count): (usize, usize),
    send: &Callback<Msg>,
    move_to: &Callback<(u32, usize)>,
    rename: &Callback<u32>,
) -> Html {
    let (id, is_pinned, is_hidden) = (run.id, run.is_pinned(), run.is_hidden);
    let edit = |edit: Edit| send.reform(move |()| Msg::Edit(edit.clone()));
    let to = |to: usize| move_to.reform(move |()| (id, to));
    let is_last = slot + 1 == count;
    // Words, keys, what it does, and whether it is offered.
    let items = [
        ("Settings…", "", send.reform(move |()| Msg::SelectRun(Some(id))), true),
        ("Rename…", "", rename.reform(move |()| id), true),
        (if is_pinned { "Unpin" } else { "Pin as baseline" }, "", edit(Edit::Pin(id, !is_pinned)), true),
        ("Duplicate", "", edit(Edit::Duplicate(id)), true),
        ("Fork here…", "K", send.reform(move |()| Msg::Timelines(Order::Fork(Some(slot)))), true),
        ("Compare with its origin", "", edit(Edit::Move(origin.unwrap_or(id), 0)), origin.is_some()),
        (if is_hidden { "Show" } else { "Hide" }, "", edit(Edit::Hide(id, !is_hidden)), slot > 0),
        ("Only this and the baseline", "", edit(Edit::Only(Some(id))), slot > 0 && count > 2),
        ("Make it the baseline", "", to(0), slot > 0),
        ("Move up", "Alt ↑", to(slot.saturating_sub(1)), slot > 0),
        ("Move down", "Alt ↓", to(slot + 1), !is_last),
        ("Remove", "", edit(Edit::Remove(id)), true),
    ];
    let label = format!("What to do with {badge}");
    let list = Callback::from(move |menu: Menu| {
        let item = |(words, keys, act, _): &(&'static str, &'static str, Callback<()>, bool)| {
            let (menu, act) = (menu.clone(), act.clone());
            let onclick = Callback::from(move |_: MouseEvent| {
                menu.close();
                act.emit(());
            });
            html! { <li><button {onclick}>{ *words }<span class="ink-3">{ *keys }</span></button></li> }
        };
        let offered = items.iter().filter(|(.., is_offered)| *is_offered);
        html! { <ul class="menu-list run-menu" aria-label={label.clone()}>{ for offered.map(item) }</ul> }
    });
    html! { <MenuButton words="…" name={format!("Menu of {badge}")} class="icon-button run-more" {list} /> }
}
