//! What several policies use.

pub(crate) mod actions;
pub(crate) mod arrivals;
pub(crate) mod due;
pub(crate) mod emptiest_first;
pub(crate) mod gpus_limit;
pub(crate) mod levels;
pub(crate) mod node_count;
pub(crate) mod places;
pub(crate) mod regular_times;
pub(crate) mod rivals;
pub(crate) mod rounds;
pub(crate) mod scaling;
pub(crate) mod settling;
pub(crate) mod trainers;
pub(crate) mod words;
