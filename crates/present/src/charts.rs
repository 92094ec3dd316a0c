//! The kinds of charts: each module makes a [`Figure`](crate::figure::Figure) from runs, a log of nodes or measured times.

pub mod against;
pub mod bars;
pub mod distribution;
pub mod idle_nodes;
mod lines;
pub mod of_job;
pub mod over_time;
pub mod scaling;

pub use against::against;
pub use bars::{bars, metrics};
pub use distribution::{Spread, distribution};
pub use idle_nodes::{OfLog, of_log};
pub use of_job::{OfJob, of_job};
pub use over_time::over_time;
pub use scaling::{OfScaling, of_scaling};
