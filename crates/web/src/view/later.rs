//! The part of the page that the first comparison does not need. To add to it: a line in [`Later`], and one in
//! [`functions`].

use yew::prelude::*;

use super::{detail, jobs, report, sheet};
use crate::part::{Part, Unavailable};
use crate::state::page::Page;
use crate::state::runs::Runs;

/// The functions of the part.
#[derive(Clone, Copy)]
pub struct Later {
    /// The screen with a row a job.
    pub jobs: fn(&Page) -> Html,
    /// The report on what was loaded.
    pub report: fn(&Page) -> Html,
    /// The dialog above the page.
    pub sheet: fn(&Page) -> Html,
    /// The panel about what is selected.
    pub detail: fn(&Page, &Runs) -> Html,
}

thread_local! {
    /// The part.
    pub static LATER: Part<Later> = const { Part::new(|| Box::pin(fetched())) };
}

#[cfg(feature = "parts")]
async fn fetched() -> Result<Later, Unavailable> {
    functions().await
}

#[cfg(not(feature = "parts"))]
async fn fetched() -> Result<Later, Unavailable> {
    functions()
}

#[cfg_attr(feature = "parts", wasm_split_helpers::wasm_split(later, fallible), allow(unsafe_code))]
fn functions() -> Result<Later, Unavailable> {
    Ok(Later { jobs, report: report::report, sheet, detail })
}
