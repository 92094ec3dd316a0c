//! Properties of the timelines.

use std::rc::Rc;

use elastiplan_compare::Arrangement;
use yew::prelude::*;

use crate::state::command::Command;
use crate::state::message;
use crate::state::order::{Focus, Remote};
use crate::state::runs::Runs;

/// Properties of the timelines.
#[derive(Clone, Properties, PartialEq)]
pub struct TimelinesProps {
    /// The runs, in order of their badges, with the workload they ran.
    pub runs: Runs,
    /// The places of the shown runs, in order.
    pub places: Vec<usize>,
    /// The slot of the run that the verdict is about: it is open at first, like the baseline.
    pub best: usize,
    /// Indices of runs the user has just stopped.
    pub stopping: Vec<usize>,
    /// The jobs that have a row, in order; `None` for all in order of submission.
    pub arranged: Option<Rc<Arrangement>>,
    /// The ids of the commands by which jobs are ordered and grouped.
    pub in_force: [&'static str; 2],
    /// When two runs differ first, in seconds on the clock of the trace: marked on the axis.
    pub first_difference_s: Option<f64>,
    /// Delivers orders from the rest of the page.
    pub remote: Remote,
    /// Executes a command.
    pub on_command: Callback<&'static Command>,
    /// Asks the page for something.
    pub send: Callback<message::Msg>,
    /// Receives what is selected.
    pub on_focus: Callback<Focus>,
    /// Changes with the theme.
    pub theme: AttrValue,
    /// Stops a run.
    pub on_stop: Callback<usize>,
    /// What lies beside the pictures.
    pub beside: Beside,
}

/// What lies beside the pictures, made by the page.
#[derive(Clone, Default, PartialEq)]
pub struct Beside {
    /// At the right end of the toolbar.
    pub tools: Html,
    /// Above the first run.
    pub above: Html,
    /// The table with a row for each picture. Nothing where the panel takes its place.
    pub numbers: Html,
    /// The panel: below the numbers, or in their place.
    pub panel: Html,
    /// Whether the panel takes the place of the numbers.
    pub is_detailed: bool,
}

impl TimelinesProps {
    /// Whether canvases show the same under other properties.
    pub fn paints_as(&self, other: &Self) -> bool {
        let painted = |props: &Self| Self { stopping: Vec::new(), beside: Beside::default(), ..props.clone() };
        painted(self) == painted(other)
    }
}
