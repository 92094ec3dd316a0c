//! One scheduling policy per file, and the registry.
