//! What the page knows, as plain data: inputs and their history, where data came from, runs. No DOM here.

pub mod condition;
pub mod data;
pub mod edit;
pub mod history;
pub mod inputs;
pub mod planner;
pub mod preset;
pub mod published;
pub mod report;
pub mod run_set;
pub mod search;
pub mod trail;
pub mod wanted;
