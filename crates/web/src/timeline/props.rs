//! Properties of the timelines.

use std::rc::Rc;

use elastiplan_compare::Arrangement;
use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use crate::state::command::Command;
use crate::state::order::{Focus, Remote};
use crate::state::runs::same_runs;

/// Properties of the timelines.
#[derive(Properties)]
pub struct TimelinesProps {
    /// The runs, in order of their badges.
    pub runs: Vec<RunEntry>,
    /// The workload they ran.
    pub workload: Rc<Workload>,
    /// Indices of runs the user has just stopped.
    pub stopping: Vec<usize>,
    /// Whether inputs have changed since.
    pub is_stale: bool,
    /// The jobs that have a row, in order; `None` for all in order of submission.
    pub arranged: Option<Rc<Arrangement>>,
    /// When two runs differ first, in seconds on the clock of the trace: marked on the axis.
    pub first_difference_s: Option<f64>,
    /// Delivers orders from the rest of the page.
    pub remote: Remote,
    /// Executes a command.
    pub on_command: Callback<&'static Command>,
    /// Receives what is selected.
    pub on_focus: Callback<Focus>,
    /// Changes with the theme.
    pub theme: AttrValue,
    /// Stops a run.
    pub on_stop: Callback<PolicySpec>,
}

impl PartialEq for TimelinesProps {
    fn eq(&self, other: &Self) -> bool {
        self.is_painted_like(other) && self.stopping == other.stopping
    }
}

impl TimelinesProps {
    /// Whether canvases need no repaint.
    pub(crate) fn is_painted_like(&self, other: &Self) -> bool {
        same_runs(&self.runs, &other.runs)
            && Rc::ptr_eq(&self.workload, &other.workload)
            && self.is_stale == other.is_stale
            && self.arranged == other.arranged
            && self.first_difference_s == other.first_difference_s
            && self.remote == other.remote
            && self.on_command == other.on_command
            && self.on_focus == other.on_focus
            && self.theme == other.theme
            && self.on_stop == other.on_stop
    }
}
