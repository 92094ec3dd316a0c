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
