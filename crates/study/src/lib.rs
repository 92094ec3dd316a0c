//! Studies: a scenario and its policies with something varied, several seeds each, and the answer to a question.
//!
//! - [`Spec`] is a study as a scenario document holds it; [`Study`] is one that was checked against the policies.
//! - [`Axis`] is what is varied: a field of the scenario, a parameter of a policy, the share of the jobs, or how well
//!   jobs scale. [`Grid`] has the points, coarse to fine.
//! - [`Unit`] is one run of a study: a point, a policy and a seed. [`Outcome`] is what is kept of it, and [`Key`] the
//!   name under which it can be found again.
//! - [`size`] tells before it runs how many runs it takes and about how long, [`cut`] how it can be made smaller.
//! - [`Results`] collects outcomes; [`Study::next`] tells which runs are wanted now, [`Study::estimate`],
//!   [`Study::difference`] and [`Study::answers`] what is known, [`Study::worse`] and [`Study::reversals`] where more made it worse,
//!   [`Study::best`] which policy is the best at a point.
//!
//! Runs may end in any order, in any number of processes: report and answers follow from the outcomes alone.
//!
//! This crate does not know JSON, files, threads or the DOM.

#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

mod axis;
mod best;
mod days;
mod error;
mod gap;
mod goal;
mod grid;
mod key;
mod packed;
mod report;
mod results;
mod reversal;
mod same_jobs;
mod schedule;
mod seeds;
mod size;
mod spec;
mod study;
mod target;
mod unit;
mod values;
mod worse;

pub use axis::{Axis, AxisValue};
pub use best::Best;
pub use days::{DAYS_MIN, days, days_resampled};
pub use error::StudyError;
pub use gap::Gap;
pub use goal::{Goal, GoalPart};
pub use grid::{Grid, POINTS_MAX};
pub use key::Key;
pub use report::{Confirmation, Difference, Estimate, PolicyAnswer, Unconfirmed};
pub use results::{Conflict, Results};
pub use reversal::Reversal;
pub use same_jobs::lacks_limit_on_declined;
pub use seeds::Seeds;
pub use size::{Cut, Size, cut, size, thinned};
pub use spec::{Draws, Find, Spec};
pub use study::{CONFIDENCE, Study};
pub use target::{JOBS_SHARE, POWER_FACTOR};
pub use unit::{Inputs, Outcome, Unit};
pub use values::{RangePart, ValuePart, ValuesPart};
pub use worse::Worse;
