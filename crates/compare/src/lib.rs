//! Runs of one workload side by side, without a page: what one would ask of them, answered as plain data.
//!
//! - [`Query`] finds jobs by text, [`complete`] says what may come next in it.
//! - [`Arrangement`] groups and sorts jobs.
//! - [`Story`] tells what became of one job.
//! - [`IntervalIndex`] gives the numbers of any stretch of a run, many times a second; [`InView`] what some jobs do in it.
//! - [`Divergence`] says when two runs part, [`difference_over_time`] how far, [`ranked`] for which jobs.
//! - [`Comparability`] says what runs cannot be compared on, and why.
//!
//! This crate does not know how a run was made, how a policy decides, how anything is drawn, or the DOM.

mod arrange;
mod badge;
mod comparable;
mod difference;
mod interval;
mod jobs;
pub mod query;
pub mod story;

pub use arrange::{Arrangement, Direction, Group, GroupBy, GroupKey, OrderBy};
pub use badge::Badge;
pub use comparable::{Aspect, Candidate, Comparability, Obstacle, RunEnd, same_jobs};
pub use difference::{Decided, Divergence, Doing, JobAtDivergence, Quantity, RankedJob, difference_over_time, ranked};
pub use interval::{InView, IntervalIndex, IntervalStats};
pub use jobs::Jobs;
pub use query::{Completion, Completions, ParseError, Query, Vocabulary, complete};
pub use story::{GROUPED_WITHIN_S, Happening, Paid, Story, StoryEvent, StorySummary, WaitReason};
