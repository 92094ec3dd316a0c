//! Faults as text for a command line or a link: `node_mtbf_s=86400,node_repair_s=600,bug_share=0.15`.

use std::fmt;
use std::str::FromStr;

use elastiplan_text::pairs::pairs;
use thiserror::Error;

use crate::fields::{FIELDS, Field, OutOfRange, Value};
use crate::{Conditions, Faults};

/// [`Faults`] that are read from text and written as text; `none` where no fault can occur.
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

/// The reason why text cannot be read as faults.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FaultsTextError {
    /// An entry without `=`.
    #[error("{0}: write faults as key=number,key=number. There are: {known}", known = known())]
    Shape(String),
    /// An unknown key.
    #[error("{0} is not a fault. There are: {known}", known = known())]
    UnknownKey(String),
    /// A repeated key.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A value that is no number.
    #[error("{key}: {value} is not a number")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
    },
    /// A value out of range.
    #[error(transparent)]
    Range(#[from] OutOfRange),
}

const NONE: &str = "none";

/// The fields that faults consist of, in the order in which they are written.
fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| field.place().0 == "conditions.faults")
}

fn known() -> String {
    fields().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for FaultsText {
    type Err = FaultsTextError;

    fn from_str(text: &str) -> Result<Self, FaultsTextError> {
        let mut conditions = Conditions::default();
        let mut given: Vec<&str> = Vec::new();
        for pair in pairs(text).filter(|pair| *pair != Err(NONE)) {
            let (name, value) = pair.map_err(|entry| FaultsTextError::Shape(entry.into()))?;
            let field = fields().find(|field| field.name == name);
            let field = field.ok_or_else(|| FaultsTextError::UnknownKey(name.into()))?;
            let key = field.name;
            if given.contains(&key) {
                return Err(FaultsTextError::Twice(key));
            }
            given.push(key);
            let number =
                value.parse().map_err(|_| FaultsTextError::NotANumber { key, value: quoted_if_empty(value) })?;
            field.set(&mut conditions, Value::Number(number))?;
        }
        conditions.validate()?;
        Ok(Self(conditions.faults))
    }
}

fn quoted_if_empty(value: &str) -> String {
    if value.is_empty() { "an empty value".into() } else { value.into() }
}

impl fmt::Display for FaultsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions = Conditions { faults: self.0, ..Conditions::default() };
        let values = fields().filter_map(|field| Some((field.name, field.get(&conditions).number()?)));
        let pairs: Vec<String> =
            values.filter(|(_, value)| *value != 0.0).map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(if pairs.is_empty() { NONE.into() } else { pairs.join(",") }.as_str())
    }
}
