//! The vocabulary: jobs, traces, throughput curves, clusters, units, diagnostics.
