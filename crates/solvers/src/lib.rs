//! Optimisers over plain numbers.
