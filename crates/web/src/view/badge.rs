//! The badge of a policy.

use yew::prelude::*;

/// The letter of a policy in its colour.
pub fn badge(slot: usize) -> Html {
    let letter = ['A', 'B', 'C', 'D'].get(slot).copied().unwrap_or('?');
    html! { <span class={format!("badge badge-{}", letter.to_ascii_lowercase())}>{ letter }</span> }
}
