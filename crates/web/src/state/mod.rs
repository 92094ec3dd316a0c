//! What the page knows, as plain data: inputs and their history, where data came from, runs. No DOM here.

pub mod comparable;
pub mod controls;
pub mod data;
pub mod edit;
pub mod history;
pub mod inputs;
pub mod planner;
pub mod preset;
pub mod report;
pub mod run_set;
pub mod search;
pub mod trail;
pub mod wanted;
