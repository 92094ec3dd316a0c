//! Discrete-event simulation of elastic training jobs, and the [`Policy`] trait that decides for them.
//!
//! A simulation goes through the life of a cluster from one instant at which something happens to the next:
//!
//! 1. [`Simulation::new`] binds a workload, a cluster, settings and a policy. Nothing has happened yet.
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
//! there is no clock, no hash map and no transcendental function here, and what happens at one time happens in order
//! of submission.
//!
//! This crate does not know any policy by name, files, or the browser.

mod policy;
mod run;
mod simulation;
mod state;

pub use policy::{Action, Cadence, JobView, Policy, View};
pub use run::{JobRecords, Outcome, Run, Series, Span, SpanState, Spans};
pub use simulation::{Progress, RunError, Settings, SettingsError, Simulation, Step};
