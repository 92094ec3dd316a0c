//! Messages to the page: everything that a user, a worker or a timer can cause.

use elastiplan_compare::{Badge, GroupBy, OrderBy};
use elastiplan_model::JobId;
use elastiplan_present::goal::Goal;
use elastiplan_present::report::Parts;

use super::command::Command;
use super::drawn_edit::DrawnEdit;
use super::edit::Edit;
use super::embed::EmbedMsg;
use super::gallery::Gallery;
use super::kept::KeptMsg;
use super::mapping::MappingMsg;
use super::offline::OfflineMsg;
use super::order::{Focus, Order};
use super::pool::Received;
use super::reporting::ReportFor;
use super::study::StudyMsg;
use crate::files::NamedFile;

/// A message to the page.
pub enum Msg {
    /// A response from a worker.
    Worker(Received),
    /// Changes an input.
    Edit(Edit),
    /// Changes an input after a worker has drawn something.
    Draw(DrawnEdit),
    /// Takes back an edit.
    Undo,
    /// Applies an edit again.
    Redo,
    /// Goes to the inputs of a step, by their number.
    GoToStep(u32),
    /// Pins the runs of a step beside the present ones, by the number of its inputs.
    CompareWithStep(u32),
    /// Reports that a field was left: the next edit is a step of its own.
    FieldLeft,
    /// Reports that a pointer is held down on a field, or let go.
    FieldHeld(bool),
    /// Starts new runs, requested by the user.
    Run,
    /// Starts new runs some time after the edit with this number; later edits cancel it.
    AutoRun(u32),
    /// Shows the runs of the launch with this number even if they have no results yet.
    ShowComing(u32),
    /// Stops all runs and the reading of files.
    Cancel,
    /// Stops the run at a place in the list.
    Stop(usize),
    /// Selects a run of the list, whose settings are shown, by its id; or none.
    SelectRun(Option<u32>),
    /// Pins the selected run, or the baseline; or unpins it.
    PinRun,
    /// Terminates the workers of these requests if they are still busy with them.
    Terminate(Vec<u32>),
    /// Reports that stopped runs have been painted as stopped.
    Stopped,
    /// Applies the pending updates of runs.
    ApplyUpdates,
    /// Reports that updates applied at this time, in milliseconds, have been painted.
    UpdatesPainted(f64),
    /// Fetches the presets, and with them the worker that can do everything.
    FetchPresets,
    /// Fetches what the first comparison did not need.
    FetchParts,
    /// Reports that it has come, or could not be fetched.
    PartsFetched,
    /// Starts workers ahead of need.
    StartWorkers,
    /// Reads files.
    Files(Vec<NamedFile>),
    /// Opens the scenario that the address of the page names.
    OpenAddress,
    /// A file that the address of the page names, and what came of fetching it.
    Fetched(String, Result<NamedFile, String>),
    /// The list of scenarios beside the page, and what came of fetching it.
    Gallery(Result<Gallery, String>),
    /// Opens a scenario of that list, by its file.
    OpenFromGallery(String),
    /// Opens the dialog that shares the scenario.
    Share,
    /// Makes the report of the shown runs.
    Report(Parts, ReportFor),
    /// About kept work.
    Kept(Box<KeptMsg>),
    /// Shows a chart, by its name.
    Chart(&'static str),
    /// About the step in which a user says what the columns of a table are.
    Mapping(Box<MappingMsg>),
    /// Reports whether files are being dragged over the page.
    DragOver(bool),
    /// Shows a screen.
    Show(Screen),
    /// Selects a finding by its index in the report.
    Choose(usize),
    /// Executes a command.
    Do(&'static Command),
    /// Forwards an order to the timelines.
    Timelines(Order),
    /// Shows the story of a job.
    Story(JobId),
    /// Reports what is selected in the timelines.
    Focus(Focus),
    /// Judges runs by this goal.
    Goal(Goal),
    /// Moves the timelines to the first difference of two runs.
    FirstDifference,
    /// Closes the panel about the first difference.
    CloseDivergence,
    /// Selects the job whose completion changed most.
    MostChanged,
    /// Shows only jobs that match a query.
    Search(String),
    /// Pins or unpins the selected job.
    Pin,
    /// Unpins all jobs.
    Unpin,
    /// Sorts rows.
    Sort(OrderBy),
    /// Sorts rows by a property under the compared policy.
    SortCompared(fn(Badge) -> OrderBy),
    /// Groups rows.
    Group(GroupBy),
    /// Groups rows by a property under the compared policy.
    GroupCompared(fn(Badge) -> GroupBy),
    /// Orders runs by a column of their table.
    SortRuns(&'static str),
    /// Computes more numbers of the table of runs, which are of some jobs only.
    MoreNumbers,
    /// Shows these columns of the table of runs; `None` for those that are there at first.
    Columns(Option<Vec<&'static str>>),
    /// Opens a sheet above the page.
    Open(Sheet),
    /// A letter was typed for a sheet that is still being fetched.
    TypeAhead(String),
    /// Closes the sheet.
    Close,
    /// Writes the decision of the run in a slot at a time as a program; node by node or by counts.
    Program(usize, f64, bool),
    /// Opens the sheet that forks the run in a slot, or without one the selected run, at a time in seconds on the clock
    /// of the trace.
    Fork(Option<usize>, f64),
    /// Shows or hides the inputs.
    ToggleInputs,
    /// Shows or hides the panel.
    TogglePanel,
    /// Saves results as a file.
    Export(Export),
    /// Switches to the next theme.
    NextTheme,
    /// Reports that the theme of the system changed.
    SystemTheme,
    /// About the network and new versions of the page.
    Offline(OfflineMsg),
    /// About the page inside another one.
    Embed(Box<EmbedMsg>),
    /// About the study.
    Study(StudyMsg),
    /// Makes something an axis of the study, by its key, and shows the study.
    Vary(String),
    /// Goes back from runs of the study to the study.
    BackToStudy,
}

/// Content of the main area; on a narrow page inputs are a screen too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// Results.
    Compare,
    /// One row per job.
    Jobs,
    /// What is varied, and the answer.
    Study,
    /// The report on loaded files.
    Report,
    /// Inputs, where there is no room beside the results.
    Inputs,
    /// The step in which a user says what the columns of a table are.
    Mapping,
    /// Work that is kept in the browser.
    Kept,
}

/// A dialog above the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// Search of jobs and commands.
    Palette,
    /// All keys.
    Keys,
    /// A decision as a program.
    Program,
    /// A change in the middle of a run.
    Fork,
    /// The scenario as a link and a file.
    Share,
    /// What there is to say of a scenario that was opened.
    Opened,
    /// The steps of undo.
    History,
}

/// Results that can be saved as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// One row per policy.
    Metrics,
    /// One row per job.
    Jobs,
    /// One row per span of a job.
    Spans,
    /// Counts over time.
    Series,
    /// Spans and counts for other viewers of traces.
    TraceEvents,
    /// The timelines.
    Timelines,
    /// The distribution of completion times.
    Distribution,
}

impl Export {
    /// All of them, in the order of the menu.
    pub const ALL: [Export; 7] = [
        Export::Metrics,
        Export::Jobs,
        Export::Spans,
        Export::Series,
        Export::TraceEvents,
        Export::Timelines,
        Export::Distribution,
    ];

    /// Its label in the menu.
    pub fn label(self) -> &'static str {
        self.names().0
    }

    /// The name of the file, after that of the scenario.
    pub fn file_name(self) -> &'static str {
        self.names().1
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Export::Metrics => ("Metrics", "metrics.csv"),
            Export::Jobs => ("Jobs", "jobs.csv"),
            Export::Spans => ("Spans", "spans.csv"),
            Export::Series => ("Counts over time", "series.csv"),
            Export::TraceEvents => ("Chrome trace", "trace-events.json"),
            Export::Timelines => ("Timelines", "timelines.png"),
            Export::Distribution => ("Completion times", "completion-times.png"),
        }
    }
}
