//! State of the page as plain data, tested natively: inputs and their history, runs, workers, selections, commands.
//!
//! [`page::Page`] holds all of it. [`message::Msg`] lists what can happen; [`running`] starts, updates and stops runs
//! through a [`pool::Pool`] of workers.

pub mod assumed;
mod binding;
pub mod command;
pub mod controls;
pub mod data;
pub mod differences;
pub mod drawing;
pub mod drawn_edit;
pub mod edit;
pub mod embed;
mod finding;
pub mod gallery;
pub mod history;
pub mod inputs;
pub mod kept;
pub mod late;
pub mod mapping;
pub mod merge;
pub mod message;
pub mod offline;
pub mod opened;
pub mod order;
pub mod page;
pub mod pending;
pub mod planner;
pub mod pool;
pub mod preset;
pub mod program;
pub mod published;
pub mod report;
pub mod reporting;
mod requests;
pub mod run_set;
pub mod run_spec;
pub mod running;
pub mod runs;
pub mod search;
pub mod sharing;
pub mod steps;
pub mod study;
pub mod study_axes;
pub mod study_moves;
pub mod study_open;
pub mod study_parts;
pub mod study_progress;
pub mod study_spec;
pub mod study_times;
pub mod study_worker;
pub mod table;
#[cfg(test)]
mod testing;
pub mod wanted;
pub mod world;
