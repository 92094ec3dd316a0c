//! Forks as text, the same in documents, on the command line and between page and worker: `at=2d4h nodes=20`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::fields::OutOfRange;
use crate::{Fork, ForkChange};

/// The reason why text cannot be read as a fork.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ForkTextError {
    /// It does not begin with a time.
    #[error("{0}: write at=TIME, then the change, as in at=2d4h nodes=20")]
    NoTime(String),
    /// A time that cannot be read.
    #[error("{0} is not a time: write 2d4h, 90m or a number of seconds")]
    Time(String),
    /// No change, or one that is unknown.
    #[error("{0} is not a change. There are: {CHANGES}")]
    UnknownChange(String),
    /// A value that is no number.
    #[error("{key}: {value} is not a {rule}")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What it should be.
        rule: &'static str,
    },
    /// A part that is missing.
    #[error("{0} is missing, as in {1}")]
    Missing(&'static str, &'static str),
    /// A value out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
}

const CHANGES: &str = "nodes=20, policy=tiresias, end=JOB, priority=2 job=JOB, fails=3 for=6h (node 3, counted from 0)";

impl FromStr for Fork {
    type Err = ForkTextError;

    fn from_str(text: &str) -> Result<Self, ForkTextError> {
        let text = text.trim();
        let (time, change) = text.split_once(separates).unwrap_or((text, ""));
        let time = time.strip_prefix("at=").ok_or_else(|| ForkTextError::NoTime(quoted(text)))?;
        let fork = Fork { after_start_s: read_time(time)?, change: read_change(change.trim())? };
        fork.validate()?;
        Ok(fork)
    }
}

fn read_change(text: &str) -> Result<ForkChange, ForkTextError> {
    let unknown = || ForkTextError::UnknownChange(quoted(text));
    let (key, value) = text.split_once('=').ok_or_else(unknown)?;
    Ok(match key {
        "nodes" => ForkChange::Nodes(read(whole, "nodes", value, "whole number")?),
        "policy" => ForkChange::Policy(given("policy", value, "policy=tiresias")?),
        "end" => ForkChange::EndJob { job: given("the job", value, "end=JOB")? },
        "priority" => {
            let (priority, job) = two_parts(value, "job=", "priority=2 job=JOB")?;
            ForkChange::Priority {
                job: job.into(),
                priority: read(elastiplan_text::number, "priority", priority, "number")?,
            }
        }
        "fails" => {
            let (node, time) = two_parts(value, "for=", "fails=3 for=6h")?;
            ForkChange::NodeFails { node: read(whole, "fails", node, "whole number")?, for_s: read_time(time)? }
        }
        _ => return Err(unknown()),
    })
}

/// Between the parts of a fork: a space, or a comma where a shell would need quotes.
fn separates(sign: char) -> bool {
    sign.is_whitespace() || sign == ','
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "an empty text".into() } else { text.into() }
}

/// A text that is not empty; names of jobs and policies may hold spaces.
fn given(what: &'static str, text: &str, example: &'static str) -> Result<String, ForkTextError> {
    match text.trim() {
        "" => Err(ForkTextError::Missing(what, example)),
        text => Ok(text.into()),
    }
}

/// Splits `2 job=JOB` into the value before and the one after the key.
fn two_parts<'a>(text: &'a str, key: &'static str, example: &'static str) -> Result<(&'a str, &'a str), ForkTextError> {
    let (first, rest) = text.split_once(separates).unwrap_or((text, ""));
    let second = rest.trim().strip_prefix(key).filter(|second| !second.is_empty());
    second.map(|second| (first, second)).ok_or(ForkTextError::Missing(key, example))
}

fn read<T>(
    number: fn(&str) -> Option<T>,
    key: &'static str,
    value: &str,
    rule: &'static str,
) -> Result<T, ForkTextError> {
    let value = value.trim();
    number(value).ok_or_else(|| ForkTextError::NotANumber { key, value: quoted(value), rule })
}

fn whole(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// Units of a time, in seconds, in the order in which they are written.
const UNITS: [(char, f64); 4] = [('d', 86_400.0), ('h', 3_600.0), ('m', 60.0), ('s', 1.0)];

/// Reads `2d4h`, `90m`, `1h30m5s` or a number of seconds.
fn read_time(text: &str) -> Result<f64, ForkTextError> {
    let wrong = || ForkTextError::Time(quoted(text));
    if let Some(seconds) = elastiplan_text::number(text) {
        return Ok(seconds);
    }
    let (mut rest, mut units, mut time_s) = (text, UNITS.as_slice(), 0.0);
    while !rest.is_empty() {
        let (digits, after) = rest.split_at(rest.find(|sign: char| sign.is_ascii_lowercase()).ok_or_else(wrong)?);
        let unit = after.chars().next().ok_or_else(wrong)?;
        let at = units.iter().position(|(known, _)| *known == unit).ok_or_else(wrong)?;
        let (found, later) = units.split_at(at + 1);
        let unit_s = found.last().map_or(1.0, |(_, unit_s)| *unit_s);
        time_s += elastiplan_text::number(digits).ok_or_else(wrong)? * unit_s;
        (rest, units) = (after.get(1..).unwrap_or_default(), later);
    }
    if text.is_empty() { Err(wrong()) } else { Ok(time_s) }
}

/// A time that [`read_time`] reads back to the bit: whole seconds in units, all others as a number.
struct Time(f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left_s = self.0;
        if left_s.fract() != 0.0 || !(60.0..=1e15).contains(&left_s) {
            return write!(f, "{left_s}");
        }
        for (unit, unit_s) in UNITS {
            let count = (left_s / unit_s).floor();
            if count > 0.0 {
                write!(f, "{count}{unit}")?;
            }
            left_s -= count * unit_s;
        }
        Ok(())
    }
}

impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at={} ", Time(self.after_start_s))?;
        match &self.change {
            ForkChange::Nodes(nodes) => write!(f, "nodes={nodes}"),
            ForkChange::Policy(policy) => write!(f, "policy={policy}"),
            ForkChange::EndJob { job } => write!(f, "end={job}"),
            ForkChange::Priority { job, priority } => write!(f, "priority={priority} job={job}"),
            ForkChange::NodeFails { node, for_s } => write!(f, "fails={node} for={}", Time(*for_s)),
        }
    }
}

impl Serialize for Fork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fork {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
