//! Parts of the page that are fetched after it: what the first comparison does not need.
//!
//! A part is a table of functions. In builds with the feature `parts`, `cargo xtask build` moves the functions, and what
//! only they need, into a file of their own; in others they are in the page's module. The page asks for both in the same
//! way.

use std::cell::Cell;
use std::pin::Pin;
use std::thread::LocalKey;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// A part that could not be fetched.
#[cfg(feature = "parts")]
pub use wasm_split_helpers::SplitLoaderError as Unavailable;
/// A part that could not be fetched. In this build all are in the page's module.
#[cfg(not(feature = "parts"))]
pub type Unavailable = std::convert::Infallible;

/// A part that is being fetched.
pub type Fetching<T> = Pin<Box<dyn Future<Output = Result<T, Unavailable>>>>;

/// A part of the page, for a `thread_local`.
pub struct Part<T: 'static> {
    fetch: fn() -> Fetching<T>,
    state: Cell<State<T>>,
}

/// How far a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State<T> {
    Absent,
    Fetching,
    Failed,
    Present(T),
}

impl<T: Copy> Part<T> {
    /// A part that has not been asked for.
    pub const fn new(fetch: fn() -> Fetching<T>) -> Self {
        Self { fetch, state: Cell::new(State::Absent) }
    }
}

/// Fetches a part unless it is there or on its way. `changed` hears when that has succeeded or failed.
pub fn fetch<T: Copy>(part: &'static LocalKey<Part<T>>, changed: Callback<()>) {
    let fetching = part.with(|part| match part.state.get() {
        State::Fetching | State::Present(_) => None,
        State::Absent | State::Failed => {
            part.state.set(State::Fetching);
            Some((part.fetch)())
        }
    });
    let Some(fetching) = fetching else { return };
    spawn_local(async move {
        let state = fetching.await.map_or(State::Failed, State::Present);
        part.with(|part| part.state.set(state));
        changed.emit(());
    });
}

/// What a part makes. While it is not there: that it is being fetched, or that this failed, with a button to try again.
pub fn shown<T: Copy>(
    part: &'static LocalKey<Part<T>>,
    changed: &Callback<()>,
    content: impl FnOnce(&T) -> Html,
) -> Html {
    let state = part.with(|part| part.state.get());
    let State::Present(part_itself) = state else {
        let changed = changed.clone();
        let on_fetch = Callback::from(move |()| fetch(part, changed.clone()));
        return html! { <Waiting has_failed={matches!(state, State::Failed)} {on_fetch} /> };
    };
    content(&part_itself)
}

#[derive(Properties)]
struct WaitingProps {
    has_failed: bool,
    on_fetch: Callback<()>,
}

impl PartialEq for WaitingProps {
    /// The callback always does the same.
    fn eq(&self, other: &Self) -> bool {
        self.has_failed == other.has_failed
    }
}

/// Stands where a part is going to be, and asks for it.
#[component]
fn Waiting(props: &WaitingProps) -> Html {
    let on_fetch = props.on_fetch.clone();
    use_effect_with((), move |()| on_fetch.emit(()));
    if !props.has_failed {
        return html! { <p class="part-waiting" role="status">{ "Loading\u{2026}" }</p> };
    }
    html! {
        <div class="part-waiting" role="alert">
            <p>{ "This part of the page could not be fetched. Check the connection, then try again." }</p>
            <button class="button" onclick={props.on_fetch.reform(|_: MouseEvent| ())}>{ "Try again" }</button>
        </div>
    }
}
