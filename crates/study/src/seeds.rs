//! How often each point is run.

use elastiplan_statistics::Looks;
use serde::{Deserialize, Serialize};

use crate::StudyError;

/// Seeds at most: no question that matters stays open for so long.
const SEEDS_MAX: u32 = 1000;

/// The seeds of each point: the same at all of them, so that what is compared has the same jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a number of seeds, a list of them, or {\"at_least\", \"at_most\", \"half_width\"}"
)]
pub enum Seeds {
    /// So many, from the scenario's own seed on.
    Count(u32),
    /// These.
    List(Vec<u64>),
    /// More where the question is open.
    Until {
        /// So many at every point.
        at_least: u32,
        /// So many at most.
        at_most: u32,
        /// Without goals: half of the 95 % interval at most, as a share of the mean, or in points where the metric is a
        /// share itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half_width: Option<f64>,
    },
}

impl Default for Seeds {
    fn default() -> Self {
        Self::Until { at_least: 10, at_most: 40, half_width: None }
    }
}

impl Seeds {
    /// Checks their number.
    pub fn check(&self) -> Result<(), StudyError> {
        let in_range = |count: u32| (1..=SEEDS_MAX).contains(&count);
        let rule = format!("a number from 1 to {SEEDS_MAX}");
        match self {
            Self::Count(count) if !in_range(*count) => Err(StudyError::new("seeds", count, rule)),
            Self::List(seeds) if seeds.is_empty() => Err(StudyError::new("seeds", "an empty list", "a list of seeds")),
            Self::List(seeds) if seeds.len() > SEEDS_MAX as usize => Err(StudyError::new(
                "seeds",
                format!("a list of {}", seeds.len()),
                format!("{SEEDS_MAX} seeds at most"),
            )),
            Self::List(seeds) => seeds.iter().enumerate().try_for_each(|(at, seed)| {
                let before = seeds.get(..at).unwrap_or_default();
                let rule = "a seed that stands there once";
                if before.contains(seed) { Err(StudyError::new(format!("seeds[{at}]"), seed, rule)) } else { Ok(()) }
            }),
            Self::Until { at_least, at_most, .. } if !in_range(*at_least) || !in_range(*at_most) => {
                Err(StudyError::new("seeds", format!("{at_least} to {at_most}"), rule))
            }
            Self::Until { at_least, at_most, .. } if at_most < at_least => {
                Err(StudyError::new("seeds.at_most", at_most, format!("{at_least} or more")))
            }
            Self::Until { half_width: Some(width), .. } if !(*width > 0.0 && *width <= 10.0) => {
                Err(StudyError::new("seeds.half_width", width, "a number above 0, at most 10"))
            }
            _ => Ok(()),
        }
    }

    /// The most seeds that a point may have.
    pub fn most(&self) -> usize {
        match self {
            Self::Count(count) => *count as usize,
            Self::List(seeds) => seeds.len(),
            Self::Until { at_most, .. } => *at_most as usize,
        }
    }

    /// The seed at a place, counted from 0; `first` is the scenario's own. Places from [`Self::most`] on have seeds that
    /// no point has, for confirming what was found.
    pub fn seed(&self, first: u64, place: usize) -> u64 {
        match self {
            Self::List(seeds) => seeds.get(place).copied().unwrap_or_else(|| {
                let largest = seeds.iter().copied().max().unwrap_or(first);
                largest.wrapping_add(1 + (place.saturating_sub(seeds.len())) as u64)
            }),
            _ => first.wrapping_add(place as u64),
        }
    }

    /// When a point is judged.
    pub fn looks(&self, confidence: f64) -> Looks {
        match self {
            Self::Until { at_least, at_most, .. } => Looks::between(*at_least as usize, *at_most as usize, confidence),
            _ => Looks::once(self.most(), confidence),
        }
    }
}
