//! Views that the first comparison does not need. A further one is a field of [`Later`] and its function in
//! [`FUNCTIONS`].

use elastiplan_study::Spec;
use yew::prelude::*;

use super::{
    columns, detail, embed, from_study, gallery, jobs, kept, mapping, rail, report, results, sheet, study, update,
};
use crate::part::{self, Slot};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::run_spec::RunSpec;
use crate::state::runs::Runs;
use crate::state::world::World;

/// Views for later.
#[derive(Clone, Copy)]
pub struct Later {
    /// The page inside another one.
    pub embed: fn(&Page) -> Html,
    /// An author's scenarios, in the list of presets.
    pub(super) gallery: fn(&Page) -> Html,
    /// What an author says of the open scenario.
    pub(super) gallery_about: fn(&Page) -> Html,
    /// The screen with a row for each job.
    pub jobs: fn(&Page) -> Html,
    /// The report on what was loaded.
    pub report: fn(&Page) -> Html,
    /// The step in which a user says what the columns of a table are.
    pub mapping: fn(&Page) -> Html,
    /// The screen with kept work.
    pub kept: fn(&Page) -> Html,
    /// Why the present work is not kept, in the status line.
    pub(super) not_kept: fn(&Page) -> Html,
    /// The way back to the study, over runs that were opened from it.
    pub from_study: fn(&Page) -> Html,
    /// The screen of the study.
    pub study: fn(&Page) -> Html,
    /// Below the inputs, on the screen of the study.
    pub(super) study_foot: fn(&Page) -> Html,
    /// In the place of a field that the study varies.
    pub(super) varied: fn(&Spec, &str, &str, f64, &Callback<Msg>) -> Option<Html>,
    /// The names of the steps that undo and redo would go over.
    pub(super) step_names: fn(&Page) -> [Option<String>; 2],
    /// The bar about a new version.
    pub update: fn(&Page) -> Html,
    /// The status line without a network.
    pub(super) offline: fn(&Page) -> Html,
    /// The dialog above the page.
    pub sheet: fn(&Page) -> Html,
    /// The panel about what is selected.
    pub detail: fn(&Page, &Runs) -> Html,
    /// The panel below the numbers.
    pub results: fn(&Page, Runs) -> Html,
    /// The list of the menu of columns.
    pub(super) columns: fn(&columns::ColumnsProps) -> Html,
    /// What the data do not say, below the workload.
    pub(super) assumed: fn(&Page) -> Html,
    /// The list of policies to add.
    pub(super) policies: fn(&rail::add::ListProps) -> Html,
    /// What can be set of a run.
    pub(super) settings: fn(&World, Option<&Spec>, &RunSpec, &str, &Callback<Msg>) -> Html,
}

const FUNCTIONS: Later = Later {
    embed: embed::embed,
    gallery: gallery::options,
    gallery_about: gallery::about,
    jobs,
    report: report::report,
    mapping: mapping::mapping,
    kept: kept::kept,
    not_kept: kept::not_kept,
    from_study: from_study::from_study,
    study: study::study,
    study_foot: rail::foot::study_foot,
    varied: rail::vary::varied,
    step_names: Page::step_names,
    update: update::bar,
    offline: update::line,
    sheet,
    detail,
    results,
    columns: columns::list,
    assumed: rail::assumed::assumed,
    policies: rail::add::list,
    settings: rail::settings::settings,
};

thread_local! {
    static LATER: Slot<Later> = const { Slot::new(FUNCTIONS) };
}

/// Puts the views in their place.
pub fn fill() {
    LATER.with(|slot| slot.fill(FUNCTIONS));
}

/// What a view for later makes, or that it is being fetched.
pub fn later(send: &Callback<Msg>, content: impl FnOnce(&Later) -> Html) -> Html {
    part::shown(&LATER, send.reform(|()| Msg::FetchParts), content)
}

/// The same for a view that the page fetches without being asked: nothing until then.
pub fn soon(send: &Callback<Msg>, content: impl FnOnce(&Later) -> Html) -> Html {
    if part::state() == part::State::Absent { Html::default() } else { later(send, content) }
}

/// The views for later, if they are here: for what is nothing before.
pub fn here() -> Option<Later> {
    part::get(&LATER)
}
