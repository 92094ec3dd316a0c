//! Two factors between which others are drawn, as text: `0.5..1.5`, or one number for both.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Factors from one number to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    from: f64,
    to: f64,
}

impl Interval {
    /// The rule for its text.
    pub const RULE: &str = "two factors from 0.01 to 1000, the second not less: 0.5..1.5, or one for both: 2";

    /// An interval; `None` where a factor is out of range, or the second is less.
    pub fn new(from: f64, to: f64) -> Option<Self> {
        let interval = Self { from, to };
        interval.is_sound().then_some(interval)
    }

    /// Whether the factors are in their range and in order.
    pub fn is_sound(&self) -> bool {
        let range = 0.01..=1000.0;
        range.contains(&self.from) && range.contains(&self.to) && self.from <= self.to
    }

    /// The first factor.
    pub fn from(self) -> f64 {
        self.from
    }

    /// The second factor.
    pub fn to(self) -> f64 {
        self.to
    }

    /// The factor at a share of the way, uniform for a share that is.
    pub fn at(self, share: f64) -> f64 {
        self.from + (self.to - self.from) * share
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to } = self;
        if from == to { write!(f, "{from}") } else { write!(f, "{from}..{to}") }
    }
}

impl FromStr for Interval {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| elastiplan_text::number(text.trim()).ok_or(());
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        Self::new(number(from)?, number(to)?).ok_or(())
    }
}
