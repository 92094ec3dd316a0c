//! What the first comparison does not need, and the page fetches after it.
//!
//! Functions for later stand in tables, each in a [`Slot`] of its module. In builds with the feature `parts`, `cargo
//! xtask build` moves them, and what only they need, into a file of their own; slots are empty until `app::later` has
//! fetched it. In other builds slots are never empty. Callers do not know the difference.

use std::cell::Cell;
use std::hint::black_box;
use std::thread::LocalKey;

use yew::prelude::*;

/// The file could not be fetched.
#[cfg(feature = "parts")]
pub use wasm_split_helpers::SplitLoaderError as Unavailable;
/// There is no file to fetch in this build.
#[cfg(not(feature = "parts"))]
pub type Unavailable = std::convert::Infallible;

/// Functions for later, in a `thread_local`.
pub struct Slot<T>(Cell<Option<T>>);

impl<T: Copy> Slot<T> {
    /// A slot for these functions. It refers to them only where they are not for later.
    pub const fn new(functions: T) -> Self {
        Self(Cell::new(if cfg!(feature = "parts") { None } else { Some(functions) }))
    }

    /// Puts the functions in.
    pub fn fill(&self, functions: T) {
        // The optimiser would see that nothing else is ever put in, and call them directly: then they are in the page's
        // module again.
        self.0.set(Some(black_box(functions)));
    }
}

/// The functions, if they are here.
pub fn get<T: Copy>(slot: &'static LocalKey<Slot<T>>) -> Option<T> {
    slot.with(|slot| slot.0.get())
}

/// How far the fetching of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing has asked for it.
    Absent,
    /// It is on its way.
    Fetching,
    /// It did not come.
    Failed,
    /// It is here.
    Present,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(if cfg!(feature = "parts") { State::Absent } else { State::Present }) };
}

/// How far it is.
pub fn state() -> State {
    STATE.get()
}

/// Notes how far it is.
pub fn set_state(state: State) {
    STATE.set(state);
}

/// What functions for later make. Until they are here: that they are being fetched, or that this failed, with a button
/// to try again. `fetch` asks for them.
pub fn shown<T: Copy>(slot: &'static LocalKey<Slot<T>>, fetch: Callback<()>, content: impl FnOnce(&T) -> Html) -> Html {
    match get(slot) {
        Some(functions) => content(&functions),
        None => html! { <Waiting state={state()} {fetch} /> },
    }
}

#[derive(Properties)]
struct WaitingProps {
    state: State,
    fetch: Callback<()>,
}

impl PartialEq for WaitingProps {
    /// The callback does the same always.
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

/// Stands in the place of what is fetched, and asks for it.
#[component]
fn Waiting(props: &WaitingProps) -> Html {
    let fetch = props.fetch.clone();
    use_effect_with((), move |()| fetch.emit(()));
    match props.state {
        State::Failed => html! {
            <div class="part-waiting" role="alert">
                <p>{ FAILED }</p>
                <button class="button" onclick={props.fetch.reform(|_: MouseEvent| ())}>{ "Try again" }</button>
            </div>
        },
        _ => html! { <p class="part-waiting" role="status">{ "Loading\u{2026}" }</p> },
    }
}

/// Words where a part did not come.
pub const FAILED: &str = "A part of the page could not be fetched. Check the connection, then try again";
