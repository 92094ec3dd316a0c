//! Elements that are made a few at a time: hundreds at once would hold the page for several frames.

use yew::prelude::*;

use crate::dom;

/// How many of so many elements are there: `step` at once, and as many more with each frame.
#[hook]
pub(super) fn use_gradually(count: usize, step: usize) -> usize {
    let there = use_state(|| step);
    let now = *there;
    use_effect_with((now, now < count), move |&(now, has_more)| {
        if has_more {
            dom::after_next_frame(move || there.set(now + step));
        }
    });
    now.min(count)
}

/// Parts of a screen that are made one after the other.
pub(super) fn in_turn(at: usize, part: Html) -> Html {
    html! { <InTurn {at}>{ part }</InTurn> }
}

#[derive(Properties, PartialEq)]
struct InTurnProps {
    /// After so many frames.
    at: usize,
    children: Html,
}

#[component]
fn InTurn(props: &InTurnProps) -> Html {
    let there = use_gradually(props.at + 1, 1);
    if there > props.at { props.children.clone() } else { Html::default() }
}
