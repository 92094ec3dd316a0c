//! What a run amounts to: metrics, distributions and differences.
