//! What goes wrong, as text for a command line or a link: `node_mtbf_s=86400,node_repair_s=600,bug_share=0.15`.

use std::fmt;
use std::str::FromStr;

use elastiplan_engine::{Faults, Settings, SettingsError};
use thiserror::Error;

/// [`Faults`] that are read from text and written as text; `none` where nothing goes wrong.
///
/// ```
/// use elastiplan_scenario::FaultsText;
///
/// let faults: FaultsText = "node_repair_s=600, node_mtbf_s=86400".parse()?;
/// assert_eq!(faults.0.node_mtbf_s, Some(86400.0));
/// assert_eq!(faults.to_string(), "node_mtbf_s=86400,node_repair_s=600");
/// # Ok::<(), elastiplan_scenario::FaultsTextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FaultsText(pub Faults);

/// Why text does not say what goes wrong.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FaultsTextError {
    /// No `=`.
    #[error("{0}: write faults as key=number,key=number. There are: {known}", known = known())]
    Shape(String),
    /// No such key.
    #[error("{0} is not a fault. There are: {known}", known = known())]
    UnknownKey(String),
    /// A key that stands there twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A value that is no number.
    #[error("{key}: {value} is not a number")]
    NotANumber {
        /// Which.
        key: &'static str,
        /// What stands there.
        value: String,
    },
    /// A value that cannot be.
    #[error(transparent)]
    Range(#[from] SettingsError),
}

/// One key: how it is read and written.
struct Key {
    name: &'static str,
    get: fn(&Faults) -> f64,
    set: fn(&mut Faults, f64),
}

/// All keys, in the order in which they are written. A fault that is not there is 0.
const KEYS: [Key; 7] = [
    Key {
        name: "node_mtbf_s",
        get: |f| f.node_mtbf_s.unwrap_or_default(),
        set: |f, value| f.node_mtbf_s = Some(value),
    },
    Key { name: "node_repair_s", get: |f| f.node_repair_s, set: |f, value| f.node_repair_s = value },
    Key { name: "bug_share", get: |f| f.bug_share, set: |f, value| f.bug_share = value },
    Key { name: "bug_within_s", get: |f| f.bug_within_s, set: |f, value| f.bug_within_s = value },
    Key { name: "cancel_share", get: |f| f.cancel_share, set: |f, value| f.cancel_share = value },
    Key { name: "estimate_error", get: |f| f.estimate_error, set: |f, value| f.estimate_error = value },
    Key { name: "profiling_noise", get: |f| f.profiling_noise, set: |f, value| f.profiling_noise = value },
];

const NONE: &str = "none";

fn known() -> String {
    KEYS.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for FaultsText {
    type Err = FaultsTextError;

    fn from_str(text: &str) -> Result<Self, FaultsTextError> {
        let mut faults = Faults::default();
        let mut given: Vec<&str> = Vec::new();
        let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty() && *pair != NONE);
        for pair in pairs {
            let (name, value) = pair.split_once('=').ok_or_else(|| FaultsTextError::Shape(pair.into()))?;
            let (name, value) = (name.trim(), value.trim());
            let key = KEYS.iter().find(|key| key.name == name);
            let key = key.ok_or_else(|| FaultsTextError::UnknownKey(name.into()))?;
            if given.contains(&key.name) {
                return Err(FaultsTextError::Twice(key.name));
            }
            given.push(key.name);
            let number = value.parse();
            let number =
                number.map_err(|_| FaultsTextError::NotANumber { key: key.name, value: quoted_if_empty(value) })?;
            (key.set)(&mut faults, number);
        }
        Settings { faults, ..Settings::default() }.validate()?;
        Ok(Self(faults))
    }
}

fn quoted_if_empty(value: &str) -> String {
    if value.is_empty() { "an empty value".into() } else { value.into() }
}

impl fmt::Display for FaultsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = KEYS.iter().map(|key| (key.name, (key.get)(&self.0))).filter(|(_, value)| *value != 0.0);
        let pairs: Vec<String> = given.map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(if pairs.is_empty() { NONE.into() } else { pairs.join(",") }.as_str())
    }
}
