//! Discrete-event simulation of elastic training jobs and the Policy trait.
