//! What decides a run, and how to run it.
