//! The name under which a run's outcome can be found again: a hash of all that decides it.

use std::fmt;
use std::str::FromStr;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// Counts up when the same inputs mean another run.
const RUNS_VERSION: u32 = 1;

/// The hash, written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(u128);

impl Key {
    /// Of one policy on a scenario, seed included.
    pub fn of(scenario: &Scenario, policy: &PolicySpec) -> Self {
        Self::of_value(&(RUNS_VERSION, env!("CARGO_PKG_VERSION"), scenario, policy))
    }

    /// Of any value: a name for data that several runs share.
    pub fn of_value(value: &impl Serialize) -> Self {
        // Everything in a scenario can be written: there are no maps with keys that cannot, and no file is involved.
        Self(xxh3_128(&postcard::to_stdvec(value).unwrap_or_default()))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_hash = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let number = is_hash.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        number.map(Self).ok_or_else(|| format!("{text} is not a key of a run"))
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.to_string()
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;

    #[test]
    fn a_key_follows_from_what_decides_a_run() {
        let scenario = sample::scenario(sample::SEED);
        let fixed: PolicySpec = "fixed".parse().unwrap();
        let key = Key::of(&scenario, &fixed);
        assert_eq!(Key::of(&sample::scenario(sample::SEED), &fixed), key);
        assert_eq!(key.to_string().parse(), Ok(key));
        let mut others =
            vec![Key::of(&sample::scenario(sample::SEED + 1), &fixed), Key::of(&scenario, &"edf".parse().unwrap())];
        let mut changed = scenario.clone();
        changed.conditions.rescale_cost_s += 1.0;
        others.push(Key::of(&changed, &fixed));
        assert!(others.iter().all(|other| *other != key));
        assert!("12".parse::<Key>().is_err());
    }
}
