//! All commands.

use elastiplan_compare::{GroupBy, OrderBy};
use elastiplan_present::study::PointStep;
use elastiplan_scene::StackBy;

use super::Group::{Move, Run, Select, View};
use super::Place::{Fields, Page, Strip, Study};
use super::{Act, Command, Group, Place};
use crate::state::kept::KeptMsg;
use crate::state::message::{Export, Msg, Screen, Sheet};
use crate::state::order::{Order, Show};
use crate::state::study::StudyMsg;
use crate::state::study_moves::Move as By;

type Keys = &'static [&'static str];

const fn page(
    id: &'static str,
    title: &'static str,
    group: Group,
    keys: Keys,
    place: Place,
    act: fn() -> Msg,
) -> Command {
    Command { id, title, group, keys, place, act: Act::Page(act) }
}

const fn timelines(id: &'static str, title: &'static str, group: Group, keys: Keys, order: Order) -> Command {
    Command { id, title, group, keys, place: Page, act: Act::Timelines(order) }
}

const fn on_strip(id: &'static str, title: &'static str, group: Group, keys: Keys, order: Order) -> Command {
    Command { id, title, group, keys, place: Strip, act: Act::Timelines(order) }
}

const fn study(id: &'static str, title: &'static str, group: Group, keys: Keys, act: fn() -> Msg) -> Command {
    page(id, title, group, keys, Study, act)
}

const fn by(how: By) -> Msg {
    Msg::Study(StudyMsg::Move(how))
}

/// Every command, in the order of the sheet. Of two with the same key the first one counts where both could.
pub static COMMANDS: &[Command] = &[
    timelines("zoom-in", "Zoom in", Move, &["W"], Order::Zoom { closer: true }),
    timelines("zoom-out", "Zoom out", Move, &["S"], Order::Zoom { closer: false }),
    timelines("earlier", "Earlier", Move, &["A"], Order::Pan { later: false }),
    timelines("later", "Later", Move, &["D"], Order::Pan { later: true }),
    timelines("fit", "Fit the selection, then everything", Move, &["F"], Order::Fit),
    timelines("back", "Back to the view before", Move, &["Alt ←"], Order::Back),
    timelines("forward", "Forward again", Move, &["Alt →"], Order::Forward),
    on_strip("cursor-left", "Cursor left", Move, &["←"], Order::MoveCursor { right: false, far: false }),
    on_strip("cursor-right", "Cursor right", Move, &["→"], Order::MoveCursor { right: true, far: false }),
    on_strip("cursor-far-left", "Cursor far left", Move, &["Shift ←"], Order::MoveCursor { right: false, far: true }),
    on_strip("cursor-far-right", "Cursor far right", Move, &["Shift →"], Order::MoveCursor { right: true, far: true }),
    study("smaller", "Study: next smaller value", Move, &["←"], || by(By::Step(PointStep::Left))),
    study("larger", "Study: next larger value", Move, &["→"], || by(By::Step(PointStep::Right))),
    study("up", "Study: policy above, or value above of a second axis", Move, &["↑"], || by(By::Step(PointStep::Up))),
    study("down", "Study: policy below, or value below of a second axis", Move, &["↓"], || {
        by(By::Step(PointStep::Down))
    }),
    study("policy-above", "Study: policy above", Move, &["Shift ↑"], || by(By::PolicyAbove)),
    study("policy-below", "Study: policy below", Move, &["Shift ↓"], || by(By::PolicyBelow)),
    page("first-difference", "Go to the first difference", Move, &["G"], Page, || Msg::FirstDifference),
    timelines("next-decision", "Next decision", Move, &["]"], Order::Decision { next: true }),
    timelines("previous-decision", "Previous decision", Move, &["["], Order::Decision { next: false }),
    timelines("worst-queue", "Go to the worst queue: most jobs waiting", Move, &[], Order::WorstQueue),
    timelines("first-missed", "Go to the first missed deadline", Move, &[], Order::FirstMissedDeadline),
    timelines("next-job", "Next job", Select, &["."], Order::Neighbour { next: true }),
    timelines("previous-job", "Previous job", Select, &[","], Order::Neighbour { next: false }),
    on_strip("row-down", "Next row", Select, &["↓"], Order::Neighbour { next: true }),
    on_strip("row-up", "Previous row", Select, &["↑"], Order::Neighbour { next: false }),
    timelines("most-preemptions", "Select the job with most preemptions", Select, &[], Order::MostPreemptions),
    page("pin", "Pin the selected job on top, or unpin it", Select, &["P"], Page, || Msg::Pin),
    page("most-changed", "Select the job whose completion changed most", Select, &["M"], Page, || Msg::MostChanged),
    timelines("mark-span", "Select the time of the selected job", Select, &["R"], Order::MarkJob),
    page("clear-filter", "Show all jobs", Select, &[], Page, || Msg::Search(String::new())),
    timelines("release", "Free the cursor, then clear the selection", Select, &["Esc"], Order::Release),
    study("open-point", "Study: open the run of the point in Compare", Select, &["Enter"], || {
        Msg::Study(StudyMsg::OpenHere { is_second: false })
    }),
    study("open-both", "Study: open it beside the one opened or marked before", Select, &["Shift Enter"], || {
        Msg::Study(StudyMsg::OpenHere { is_second: true })
    }),
    study("run-study", "Run the study", Run, &["Ctrl Enter"], || Msg::Study(StudyMsg::Run)),
    study("stop-study", "Stop the study and keep its runs", Run, &["Ctrl ."], || Msg::Study(StudyMsg::Stop)),
    page("pin-run", "Pin the selected run, or unpin it", Run, &["Shift P"], Page, || Msg::PinRun),
    timelines("fork", "Fork a run at the cursor", Run, &["K"], Order::Fork(None)),
    page("run", "Run", Run, &["Ctrl Enter"], Fields, || Msg::Run),
    page("cancel", "Cancel the runs", Run, &["Ctrl ."], Fields, || Msg::Cancel),
    page("share", "Share as a link or a file", Run, &["Ctrl S"], Fields, || Msg::Share),
    page("kept", "Work that is kept in this browser", Run, &["Ctrl O"], Fields, || Msg::Kept(Box::new(KeptMsg::Show))),
    page("undo", "Undo", Run, &["Ctrl Z"], Page, || Msg::Undo),
    page("redo", "Redo", Run, &["Ctrl Shift Z", "Ctrl Y"], Page, || Msg::Redo),
    page("export-metrics", "Export metrics as CSV", Run, &[], Page, || Msg::Export(Export::Metrics)),
    page("export-jobs", "Export jobs as CSV", Run, &[], Page, || Msg::Export(Export::Jobs)),
    page("export-spans", "Export spans as CSV", Run, &[], Page, || Msg::Export(Export::Spans)),
    page("export-series", "Export counts over time as CSV", Run, &[], Page, || Msg::Export(Export::Series)),
    page("export-trace", "Export a Chrome trace, for Perfetto", Run, &[], Page, || Msg::Export(Export::TraceEvents)),
    page("export-timelines", "Export timelines as PNG", Run, &[], Page, || Msg::Export(Export::Timelines)),
    page("palette", "Search jobs or run a command", View, &["Ctrl K", "/"], Fields, || Msg::Open(Sheet::Palette)),
    page("keys", "All keys", View, &["?"], Page, || Msg::Open(Sheet::Keys)),
    page("compare", "Compare", View, &["1"], Page, || Msg::Show(Screen::Compare)),
    page("jobs", "Jobs as a table", View, &["2"], Page, || Msg::Show(Screen::Jobs)),
    page("study", "Study", View, &["3"], Page, || Msg::Show(Screen::Study)),
    timelines("stack-model", "Stack GPUs by model", View, &[], Order::StackBy(StackBy::Model)),
    timelines("stack-user", "Stack GPUs by user", View, &[], Order::StackBy(StackBy::User)),
    timelines("stack-size", "Stack GPUs by size of job", View, &[], Order::StackBy(StackBy::Size)),
    timelines("stack-outcome", "Stack GPUs by outcome", View, &[], Order::StackBy(StackBy::Outcome)),
    timelines("view-packed", "Timelines by job, in packed rows", View, &[], Order::Pack(true)),
    timelines("view-jobs", "Timelines by job, a row each", View, &[], Order::Pack(false)),
    timelines("view-nodes", "Timelines by node", View, &[], Order::Show(Show::Nodes)),
    timelines("view-gpus", "Timelines by GPU, a row each", View, &[], Order::Show(Show::Gpus)),
    timelines("next-view", "Next of GPUs, jobs, nodes, each GPU", View, &["V"], Order::NextShow),
    on_strip("page-down", "Later rows", View, &["PageDown"], Order::Page { down: true }),
    on_strip("page-up", "Earlier rows", View, &["PageUp"], Order::Page { down: false }),
    timelines("taller-rows", "Taller rows", View, &["+", "="], Order::Rows { higher: true }),
    timelines("shorter-rows", "Shorter rows", View, &["-"], Order::Rows { higher: false }),
    page("sort-submission", "Sort rows by submission", View, &[], Page, || Msg::Sort(OrderBy::Submission)),
    page("sort-completion", "Sort rows by completion time", View, &[], Page, || Msg::SortCompared(OrderBy::Jct)),
    page("sort-waiting", "Sort rows by waiting", View, &[], Page, || Msg::SortCompared(OrderBy::Wait)),
    page("sort-difference", "Sort rows by difference", View, &[], Page, || Msg::SortCompared(OrderBy::Difference)),
    page("sort-gpus", "Sort rows by GPUs asked for", View, &[], Page, || Msg::Sort(OrderBy::Gpus)),
    page("group-none", "Group rows by nothing", View, &[], Page, || Msg::Group(GroupBy::Nothing)),
    page("group-model", "Group rows by model", View, &[], Page, || Msg::Group(GroupBy::Model)),
    page("group-user", "Group rows by user", View, &[], Page, || Msg::Group(GroupBy::User)),
    page("group-outcome", "Group rows by outcome", View, &[], Page, || Msg::GroupCompared(GroupBy::Outcome)),
    page("group-difference", "Group rows by difference", View, &[], Page, || Msg::GroupCompared(GroupBy::Difference)),
    page("theme", "Next theme: system, light, dark", View, &[], Page, || Msg::NextTheme),
    page("hide-inputs", "Show or hide inputs", View, &["I"], Page, || Msg::ToggleInputs),
    page("hide-panel", "Show or hide the panel", View, &["Q"], Page, || Msg::TogglePanel),
];

/// Commands whose ids begin alike, in order.
pub fn beginning(prefix: &'static str) -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(move |command| command.id.starts_with(prefix))
}

/// The command of an id.
pub fn by_id(id: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_and_keys_are_unique() {
        let ids: BTreeSet<&str> = COMMANDS.iter().map(|command| command.id).collect();
        assert_eq!(ids.len(), COMMANDS.len());
        let of = |place: Place| (place == Strip, place == Study);
        let keys = COMMANDS.iter().flat_map(|command| command.keys.iter().map(move |key| (*key, of(command.place))));
        let keys: Vec<(&str, (bool, bool))> = keys.collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    }

    /// docs/keys.md is written from the registry: `UPDATE_EXPECT=1 cargo test -p elastiplan-web keys`.
    #[test]
    fn the_page_of_keys_lists_them_all() {
        let mut page = String::from(
            "# Keys and commands\n\nSingle letters are off while a field has the focus. Everything here is in the palette too (`Ctrl K`, then `>`).\n",
        );
        for group in Group::ALL {
            page += &format!("\n## {}\n\n| command | keys |\n|---|---|\n", group.label());
            for command in COMMANDS.iter().filter(|command| command.group == group) {
                let keys: Vec<String> = command.keys.iter().map(|key| format!("`{key}`")).collect();
                let beside = match command.place {
                    Strip => " on a timeline that has the focus",
                    Study => " on the Study screen",
                    Page | Fields => "",
                };
                page += &format!("| {} | {}{beside} |\n", command.title, keys.join(", "));
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/keys.md");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), page, "UPDATE_EXPECT=1 writes it");
    }
}
