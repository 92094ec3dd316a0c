//! The timelines: a strip per run, all on one time axis, with one cursor and one zoom.
//!
//! `view` is what a person has set, `gesture` what pointers mean, `picture` what canvases show, `stage` where they lie;
//! `painter` paints draw lists in the colours of `palette`, or leaves rectangles to `gl` by way of `quads`, as `renderer`
//! says. Where many rectangles meet on a canvas, `crowd` has their `pixels` computed. `rows` are jobs, GPUs or nodes;
//! `details` keeps what they are drawn from. `component` puts them together; whatever moves with the pointer goes to a
//! canvas of its own, in `overlay`.

mod clipboard;
mod component;
mod crowd;
mod details;
mod draw;
mod figure;
pub mod frames;
mod gesture;
mod gl;
mod html;
mod input;
mod lanes;
mod legend;
mod menu;
mod obey;
mod order;
mod overlay;
pub mod painter;
pub mod picture;
mod pixels;
mod quads;
mod renderer;
mod rows;
mod stage;
mod tip;
mod view;
mod words;

use std::rc::Rc;

use elastiplan_compare::Arrangement;
use elastiplan_model::Workload;
use elastiplan_policies::PolicySpec;
use yew::prelude::*;

use crate::command::Command;
use elastiplan_present::runs::RunEntry;

pub use clipboard::copy_text;
pub use component::Timelines;
pub use figure::{png_blob, timelines_png};
pub use order::{Focus, Order, Remote, Show};

/// What the timelines show.
#[derive(Properties)]
pub struct TimelinesProps {
    /// The runs, in order of their badges.
    pub runs: Vec<RunEntry>,
    /// The workload they ran.
    pub workload: Rc<Workload>,
    /// Runs that somebody has just stopped, as indices.
    pub stopping: Vec<usize>,
    /// Whether inputs have changed since.
    pub is_stale: bool,
    /// The jobs that have a row, in order; `None` for all in order of submission.
    pub arranged: Option<Rc<Arrangement>>,
    /// When two runs differ first, in seconds on the clock of the trace: marked on the axis.
    pub first_difference_s: Option<f64>,
    /// Through this the rest of the page asks for something.
    pub remote: Remote,
    /// Does what a command does.
    pub on_command: Callback<&'static Command>,
    /// Hears what is selected.
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
    /// Whether canvases stay as they are.
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

/// Whether runs are the same. Records are compared by identity: they may hold a hundred thousand spans.
pub fn same_runs(a: &[RunEntry], b: &[RunEntry]) -> bool {
    let same_result = |a: &RunEntry, b: &RunEntry| match (&a.result, &b.result) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    };
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.slot == b.slot && a.policy == b.policy && a.state == b.state && same_result(a, b))
}
