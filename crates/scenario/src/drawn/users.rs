//! Users among whom those of jobs are drawn, as text: `40`, or `zipf:40`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A number of users, and how often each is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Users {
    count: u32,
    /// The n-th user is drawn 1/n times as often as the first (Zipf's law); otherwise all are as likely.
    is_zipf: bool,
}

impl Users {
    /// The most users.
    pub const COUNT_MAX: u32 = 10_000;
    /// The rule for its text.
    pub const RULE: &str = "a number of users from 1 to 10,000, all as likely: 40, or the n-th 1/n times as often as the \
                            first: zipf:40";

    /// Whether the number is in its range.
    pub fn is_sound(&self) -> bool {
        (1..=Self::COUNT_MAX).contains(&self.count)
    }

    /// The sums of the weights of the first user, the first two, and so on.
    pub(super) fn sums(&self) -> UserSums {
        let weight = |number: u32| if self.is_zipf { 1.0 / f64::from(number) } else { 1.0 };
        let sum = |sum: &mut f64, number| {
            *sum += weight(number);
            Some(*sum)
        };
        UserSums((1..=self.count).scan(0.0, sum).collect())
    }

    /// `40 users, by Zipf's law`.
    pub(super) fn words(&self) -> String {
        let law = if self.is_zipf { ", by Zipf's law" } else { "" };
        format!("{}{law}", elastiplan_text::words::counted(self.count.into(), "user", "users"))
    }
}

/// Sums of weights of users.
pub(super) struct UserSums(Vec<f64>);

impl UserSums {
    /// The user for a random number from 0 to below 1: `user-7`.
    pub fn pick(&self, share: f64) -> String {
        let wanted = share * self.0.last().copied().unwrap_or_default();
        let index = self.0.partition_point(|sum| *sum <= wanted).min(self.0.len().saturating_sub(1));
        format!("user-{}", index + 1)
    }
}

impl fmt::Display for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let law = if self.is_zipf { "zipf:" } else { "" };
        write!(f, "{law}{}", self.count)
    }
}

impl FromStr for Users {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        let count = text.strip_prefix("zipf:");
        let users = Self { is_zipf: count.is_some(), count: count.unwrap_or(text).trim().parse().map_err(|_| ())? };
        if users.is_sound() { Ok(users) } else { Err(()) }
    }
}
