//! Discrete-event simulation of elastic training jobs, and the [`Policy`] trait that decides for them.
//!
//! A simulation goes through the life of a cluster from one instant at which something happens to the next:
//!
//! 1. [`Simulation::new`] binds a workload, a cluster, conditions and a policy. Nothing has happened yet.
//! 2. [`Simulation::step`] moves to the next instant, lets everything that happens then happen (completions first, then
//!    submissions), asks the policy if its [`Cadence`] says so, checks its actions and carries them out.
//! 3. Between instants progress is exact: samples left fall by throughput times time, after the seconds that a change
//!    of GPUs costs.
//! 4. [`Simulation::record`] gives the [`Run`] so far, at any step; after the last, the whole.
//!
//! A clone of a simulation is a checkpoint, and [`Simulation::with_policy`] is a fork in the road.
//!
//! What can go wrong: a policy that asks for something impossible ends its run with a [`RunError`] that names policy,
//! job, time and rule; what was recorded until then stands. A policy that never starts a job leaves it unfinished: the
//! simulation ends when nothing more can happen.
//!
//! Cost grows with events, not with simulated time. The same inputs give the same record to the bit on every machine:
//! there is no clock and no hash map here, transcendental functions are those of `libm`, and what happens at one time happens in order
//! of submission.
//!
//! This crate does not know any policy by name, files, or the browser.

mod absences;
mod capacity;
mod carry_out;
mod check;
mod checkpoints;
mod faults;
mod holdings;
mod interference;
mod log;
mod placer;
mod places;
mod policy;
mod record;
mod run;
mod simulation;
mod stall;
mod state;
mod timing;
mod view;

pub use checkpoints::Checkpoints;
pub use places::Held;
pub use policy::{Action, Cadence, Charging, NodeGpus, OnLoss, Policy};
pub use run::{
    Absences, BatchSizes, Decisions, Holdings, JobRecords, LossCause, Losses, Outcome, Remarks, Run, Series, Span,
    SpanState, Spans,
};
pub use simulation::{Progress, RunError, Simulation, Step};
pub use view::{JobView, View};

/// The end of time: 30,000 years. A job that would complete later never completes. Beyond this, seconds lose so many
/// of their digits that neighbouring events fall together.
const HORIZON_S: f64 = 1e12;
