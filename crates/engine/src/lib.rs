//! Discrete-event simulation of elastic training jobs, and the [`Policy`] trait that decides for them.
//!
//! A simulation advances from one instant at which something happens to the next:
//!
//! 1. [`Simulation::new`] takes a workload, a cluster, conditions and a policy. Nothing has happened yet.
//! 2. [`Simulation::step`] moves to the next instant, handles what happens then (ends of jobs, changes of nodes,
//!    submissions), asks the policy if its [`Cadence`] says so, checks its actions and applies them.
//! 3. Between instants progress is exact: the work left falls by throughput times time, after the pause for a change of
//!    GPUs.
//! 4. [`Simulation::record`] returns the [`Run`] so far, at any step; after the last one, the whole.
//!
//! A clone of a simulation is a checkpoint; [`Simulation::with_policy`] continues one with another policy. Forks of the
//! conditions change one thing at a chosen time and leave the record until then as it is.
//!
//! Failure modes: a policy that asks for something impossible ends its run with a [`RunError`] that names policy, job,
//! time and rule; what was recorded until then stands. A policy that never starts a job leaves it unfinished: the
//! simulation ends when nothing more can happen. A run in which no job makes progress any more is ended as stalled. A
//! broken invariant of the engine panics in debug builds and ends the run with an error in release builds.
//!
//! The time it takes grows with events, not with simulated time. The same inputs give the same record to the bit on
//! every machine: there is no clock and no hash map here, logarithms come from `libm`, and what happens at one time
//! happens in order of submission.
//!
//! This crate does not know policies by name, files, or the browser.

mod absences;
mod capacity;
mod carry_out;
mod check;
mod checkpoints;
mod decisions;
mod error;
mod faults;
mod fork;
mod holdings;
mod interference;
mod invariants;
mod log;
mod placer;
mod places;
mod policy;
mod record;
mod run;
mod series;
mod simulation;
mod stall;
mod state;
mod timing;
mod view;

pub use checkpoints::Checkpoints;
pub use error::{RunError, RunErrorKind};
pub use fork::{BuildPolicy, ForkError, ForkErrorKind};
pub use places::Held;
pub use policy::{Action, Cadence, Charging, NodeGpus, OnLoss, Policy};
pub use run::{
    Absences, BatchSizes, Decisions, Holdings, JobRecords, LossCause, Losses, Outcome, Remarks, Run, Series, Span,
    SpanState, Spans,
};
pub use simulation::{Progress, Simulation, StartError, Step};
pub use view::{JobView, View};

/// The end of time, about 30,000 years: later events never happen. Beyond it, seconds lose so many of their digits that
/// neighbouring events coincide.
const HORIZON_S: f64 = 1e12;
