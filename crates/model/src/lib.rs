//! The vocabulary of the planner: jobs, traces, throughput curves, clusters, and the diagnostics about a
//! user's data.
//!
//! Everything here is plain data, checked when it is made, so that code further on need not check again. Units are in
//! the names (`submit_s`, `samples_per_s`); a missing value is an `Option`, never a zero.
//!
//! This crate does not know files, the passing of time, any policy or the browser.
//!
//! ```
//! use elastiplan_model::{Curve, CurveKey};
//!
//! let key = CurveKey { model: "resnet50".into(), batch_global: Some(256) };
//! let curve = Curve::new(key, [(1, 472.0), (2, 883.0), (4, 1585.0)])?;
//! assert_eq!(curve.samples_per_s(2), 883.0);
//! assert_eq!(curve.samples_per_s(3), 1234.0); // between two measured points
//! assert_eq!(curve.samples_per_s(8), 1585.0); // held at the last measured point, and reported when data are bound
//! # Ok::<(), elastiplan_model::CurveError>(())
//! ```

mod availability;
mod batches;
mod cluster;
mod curve;
mod curves;
mod diagnostic;
mod efficiency;
mod job;
mod law;
pub mod order;
mod prices;
mod profile;
mod scalability;
mod scaling_advice;
mod speedup;
mod trace;
mod workload;

pub use availability::{Availability, AvailabilityError, NodeChange, NodeInterval};
pub use batches::{BatchChoices, BatchLimits, Split};
pub use cluster::{Cluster, ClusterError, Level, Topology};
pub use curve::{Configuration, Curve, CurveError, CurveKey, CurvePoint, Detail, gpus_in_words};
pub use curves::{CurveMatch, Curves};
pub use diagnostic::{Diagnostic, Place, Severity};
pub use efficiency::{Efficiency, Gradients, Stage};
pub use job::{BatchRange, Job, JobError, RescaleSeconds, SAME_TIME_S, Work, is_late, limits};
pub use law::{BatchSpeed, Law, PowerLaw, ScalingTimes, ThroughputModel};
pub use prices::{KnownPrices, Prices, PricesError};
pub use profile::{Profile, ProfileError, ProfileStep, StepTimes};
pub use scalability::{AllReduceGrid, Estimate, Origin, ProcessingTimes, ScalabilityError};
pub use scaling_advice::{BatchTimes, BatchVerdict, ScalingRow};
pub use speedup::{Amdahl, Downey, ModelName, Power, Sevcik, SpeedupLaw, SpeedupLawError};
pub use trace::{JobId, ModelId, Trace, TraceError, names_rise};
pub use workload::{Assumption, Assumptions, Workload, WorkloadJob};
