//! The list of runs of a bundle: what a document does not say of runs that are pinned, forked, or have fields of their own.

use std::collections::BTreeMap;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Fork;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::BundleError;

/// The member of the archive.
pub(super) const RUNS: &str = "runs.json";
/// Longer lists are cut.
const RUNS_MAX: usize = 1_000;

/// A run of the list. Its place in the list is its badge; the first is the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedRun {
    /// Its policy.
    pub policy: PolicySpec,
    /// What the user calls it.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether pictures and tables leave it out.
    #[serde(default)]
    pub hidden: bool,
    /// Whether it is hidden only as long as runs of a study stand side by side.
    #[serde(default)]
    pub set_aside: bool,
    /// Fields with another value than in the scenario: `cluster.nodes=20`; nothing after the `=` for no value.
    #[serde(default)]
    pub fields: Vec<String>,
    /// What changes in the middle of it.
    #[serde(default)]
    pub forks: Vec<Fork>,
    /// The place in the list, from 0, of the run that it was forked from.
    #[serde(default)]
    pub origin: Option<usize>,
    /// The inputs that it keeps.
    #[serde(default)]
    pub pinned: Option<PinnedRun>,
    /// The digest of its record.
    #[serde(default)]
    pub digest: Option<String>,
}

/// The inputs of a pinned run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PinnedRun {
    /// The number of its document: 2 for `pinned-2.json`.
    pub document: u32,
    /// Whether the next edit puts a run of the same policy beside it that follows the scenario.
    #[serde(default)]
    pub wants_twin: bool,
    /// The point of a study that it is.
    #[serde(default)]
    pub point: Option<ListedPoint>,
}

/// A point of a study with a seed, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPoint {
    /// What was varied: `54 nodes, rescale cost 60 s`.
    pub values: String,
    /// The seed.
    pub seed: u64,
}

impl ListedRun {
    /// A run that differs in nothing but its policy.
    pub fn of(policy: PolicySpec) -> Self {
        let (fields, forks) = (Vec::new(), Vec::new());
        Self {
            policy,
            name: None,
            hidden: false,
            set_aside: false,
            fields,
            forks,
            origin: None,
            pinned: None,
            digest: None,
        }
    }
}

/// The member of pinned documents with this number.
pub(super) fn pinned_name(number: u32) -> String {
    format!("pinned-{number}.json")
}

/// Writes the list, without what is not so.
pub(super) fn write(runs: &[ListedRun]) -> String {
    let mut value = json!({ "runs": runs });
    remove_empty(&mut value);
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

fn remove_empty(value: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(remove_empty);
            fields.retain(|_, value| !is_empty(value));
        }
        Value::Array(entries) => entries.iter_mut().for_each(remove_empty),
        _ => {}
    }
}

/// Reads the list. A run that cannot be read is left out and named.
pub(super) fn read(text: &str, faults: &mut Vec<BundleError>) -> Vec<ListedRun> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            faults.push(BundleError::damaged(RUNS, error));
            return Vec::new();
        }
    };
    let Some(entries) = value.get("runs").and_then(Value::as_array) else {
        faults.push(BundleError::damaged(RUNS, "it has no list of runs"));
        return Vec::new();
    };
    let mut runs = Vec::new();
    for (place, entry) in entries.iter().take(RUNS_MAX).enumerate() {
        // Always from text: reading these types from values as well would be more code.
        match serde_json::from_str::<ListedRun>(&entry.to_string()) {
            Ok(run) => runs.push((place, run)),
            Err(error) => faults.push(BundleError::Run { number: place + 1, reason: error.to_string() }),
        }
    }
    in_places(runs)
}

/// Runs with the places that they had, in their places now: origins follow.
pub fn in_places(runs: Vec<(usize, ListedRun)>) -> Vec<ListedRun> {
    let places: BTreeMap<usize, usize> = runs.iter().enumerate().map(|(now, (before, _))| (*before, now)).collect();
    let moved = |(_, run): (usize, ListedRun)| ListedRun {
        origin: run.origin.and_then(|origin| places.get(&origin).copied()),
        ..run
    };
    runs.into_iter().map(moved).collect()
}
