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
    /// Indices of runs the user has just stopped.
    pub stopping: Vec<usize>,
    /// The jobs that have a row, in order; `None` for all in order of submission.
    pub arranged: Option<Rc<Arrangement>>,
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
}
