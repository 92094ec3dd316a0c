//! `themis[artifact=true]`: ratio and priority of ElasticFlow's public source.
//!
//! The time alone is in samples instead of seconds, time passes only when a job arrives or ends, and rounds do not
//! count.

use crate::themis::Rules;

/// The rules of the public source.
pub(crate) const RULES: Rules =
    Rules { speed_alone: |part, _| part, priority: |standing| standing.share, stands_still_without_changes: true };
