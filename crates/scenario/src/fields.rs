//! Table of the fields of a scenario: of its machines and of its conditions.
//!
//! An entry of [`FIELDS`] is all that documents, the command line and the page know of a field: they read, check, write
//! and show it by its entry. A further what-if is a member of [`Conditions`] with its default, an entry here, and its
//! meaning in the engine.

mod table;
mod value;

use elastiplan_model::SpeedupLaw;
use thiserror::Error;

use crate::{Conditions, Placement};

pub use table::FIELDS;
pub use value::{Access, Range, Settings, Value};

/// One field.
#[derive(Debug)]
pub struct Field {
    /// Its place in documents: `conditions.faults.bug_share`.
    pub key: &'static str,
    /// Its name in error messages.
    pub name: &'static str,
    /// Type, range, and how it is read and written.
    pub access: Access,
    /// The option of the command line, where it has one of its own.
    pub option: Option<CommandOption>,
    /// The control of the page, where it has one.
    pub control: Option<Control>,
}

/// An option of the command line.
#[derive(Debug)]
pub struct CommandOption {
    /// Without the dashes.
    pub name: &'static str,
    /// Another name that is listed in the help.
    pub alias: Option<&'static str>,
    /// The placeholder of the value in the help.
    pub value_name: &'static str,
    /// The text of the help, without the full stop.
    pub help: &'static str,
}

/// A control of the page.
#[derive(Debug)]
pub struct Control {
    /// Its label.
    pub label: &'static str,
    /// A sentence on what it means; may be empty.
    pub help: &'static str,
    /// The unit in which it shows the value.
    pub unit: Unit,
    /// Its look, with the section that it belongs to.
    pub kind: ControlKind,
    /// Position among the controls of its section.
    pub position: u8,
    /// A summary of a value that is not the default, with `{}` for value and unit: `repair {}`.
    pub summary: &'static str,
    /// Whether it means something under these conditions.
    pub applies: fn(&Conditions) -> bool,
}

/// Look and section of a control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ControlKind {
    /// A slider among the what-ifs.
    Slider {
        /// Lower end.
        min: f64,
        /// Upper end.
        max: f64,
        /// Distance of its stops.
        step: f64,
    },
    /// A field for whole numbers among the what-ifs, up to a maximum.
    Whole {
        /// The maximum.
        max: f64,
    },
    /// A field for a number in dollars among the what-ifs.
    Price,
    /// A field for a number among faults and costs.
    Number,
    /// A list of words among faults and costs.
    Choice,
}

/// Unit in which a control shows a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// None.
    One,
    /// A factor: `× 1.5`.
    Factor,
    /// Seconds.
    Seconds,
    /// Minutes, of a value in seconds.
    Minutes,
    /// Hours, of a value in seconds.
    Hours,
    /// Hours since the first submission, of an instant in seconds on the clock of the trace.
    HoursAfterStart,
    /// Per cent, of a share.
    Percent,
}

/// Seconds of an hour and of a minute.
const HOUR_S: f64 = 3600.0;
const MINUTE_S: f64 = 60.0;

impl Unit {
    /// The text of the unit, and how it is read out; both empty where there is none.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Unit::Hours | Unit::HoursAfterStart => ("h", "hours"),
            Unit::Minutes => ("min", "minutes"),
            Unit::Percent => ("%", "per cent"),
            Unit::Seconds => ("s", "seconds"),
            Unit::Factor | Unit::One => ("", ""),
        }
    }

    /// The number that a control shows for the value of a field; `start_s` is the first submission.
    pub fn shown(self, value: f64, start_s: f64) -> f64 {
        let shown = match self {
            Unit::Hours => value / HOUR_S,
            Unit::HoursAfterStart => (value - start_s) / HOUR_S,
            Unit::Minutes => value / MINUTE_S,
            Unit::Percent => value / 0.01,
            Unit::One | Unit::Factor | Unit::Seconds => value,
        };
        // Twelve digits are more than a person types, and hide what division leaves behind.
        (shown * 1e6).round() / 1e6
    }
}

/// A value that is out of the range of its field.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{name}: {value} is not {rule}")]
pub struct OutOfRange {
    /// The field's name in messages.
    pub name: String,
    /// The value.
    pub value: String,
    /// The rule for it.
    pub rule: &'static str,
}

impl Field {
    /// What it is called: the label of its control, or its name in words, without the unit.
    pub fn label(&self) -> String {
        if let Some(control) = &self.control {
            return control.label.into();
        }
        let words = self.name.trim_end_matches("_s").replace('_', " ");
        let mut letters = words.chars();
        letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    }

    /// The field with this key.
    pub fn named(key: &str) -> Option<&'static Field> {
        FIELDS.iter().find(|field| field.key == key)
    }

    /// The value with its unit, as its control shows it: `30 s`, `7%`; `none` where it is absent. Times count from
    /// `start_s`, the first submission.
    pub fn words(&self, settings: &dyn Settings, start_s: f64) -> String {
        let value = self.get(settings);
        let shown = self.control.as_ref().and_then(|control| Some((control.unit, value.number()?)));
        match (shown, value) {
            (Some((unit, number)), _) => {
                let number = unit.shown(number, start_s);
                match unit.words().0 {
                    "%" => format!("{number}%"),
                    "" => number.to_string(),
                    unit => format!("{number} {unit}"),
                }
            }
            (None, Value::Absent) => "none".into(),
            (None, value) => value.to_string(),
        }
    }

    /// The section of the document that it is in, and its name there.
    pub fn place(&self) -> (&'static str, &'static str) {
        self.key.rsplit_once('.').unwrap_or(("", self.key))
    }

    /// Its value; absent for one of the machines where there are conditions alone.
    pub fn get(&self, settings: &dyn Settings) -> Value {
        let conditions = settings.conditions();
        match self.access {
            Access::Count { get, .. } => {
                settings.cluster().map_or(Value::Absent, |cluster| Value::Whole(get(cluster).into()))
            }
            Access::Number { get, .. } => Value::Number(get(conditions)),
            Access::Optional { get, .. } => get(conditions).into(),
            Access::Whole { get, .. } => Value::Whole(get(conditions)),
            Access::Placement { get, .. } => Value::Placement(get(conditions)),
            Access::Law { get, .. } => get(conditions).into(),
            Access::Interval { get, .. } => get(conditions).into(),
            Access::Models { get, .. } => get(conditions).into(),
            Access::Users { get, .. } => get(conditions).into(),
        }
    }

    /// Its value in default conditions; absent for one of the machines.
    pub fn default(&self) -> Value {
        self.get(&Conditions::default())
    }

    /// A value in its range that is not the default: an example for documentation and tests.
    pub fn example(&self) -> Value {
        let default = self.default();
        let candidates = [1.0, 2.0, 0.5, 60.0].map(Value::Number).into_iter();
        let candidates =
            candidates.chain([Value::Whole(1), Value::Placement(Placement::Pack), Value::Law(SpeedupLaw::Linear)]);
        let candidates =
            candidates.chain(["0.5..1.5", "curves", "zipf:40"].into_iter().flat_map(|text| self.parse(text)));
        candidates.into_iter().find(|value| *value != default && self.check_value(value).is_ok()).unwrap_or(default)
    }

    /// Sets it, or returns the rule that the value breaks.
    pub fn set(&self, settings: &mut dyn Settings, value: Value) -> Result<(), OutOfRange> {
        self.check_value(&value)?;
        self.write(settings, value);
        Ok(())
    }

    /// Sets it without looking at its range, for values that are checked together later. A value of another type is
    /// ignored, and so are machines that cannot be or are not there.
    pub fn write(&self, settings: &mut dyn Settings, value: Value) {
        if let (Access::Count { with, .. }, Value::Whole(count)) = (&self.access, value) {
            let cluster = settings.cluster_mut();
            if let Some((cluster, count)) = cluster.zip(u32::try_from(count).ok()) {
                *cluster = with(cluster, count).unwrap_or(*cluster);
            }
            return;
        }
        let conditions = settings.conditions_mut();
        match (&self.access, value) {
            (Access::Number { set, .. }, Value::Number(value)) => set(conditions, value),
            (Access::Optional { set, .. }, Value::Number(value)) => set(conditions, Some(value)),
            (Access::Optional { set, .. }, Value::Absent) => set(conditions, None),
            (Access::Whole { set, .. }, Value::Whole(value)) => set(conditions, value),
            (Access::Placement { set, .. }, Value::Placement(value)) => set(conditions, value),
            (Access::Law { set, .. }, Value::Law(law)) => set(conditions, Some(law)),
            (Access::Law { set, .. }, Value::Absent) => set(conditions, None),
            (Access::Interval { set, .. }, Value::Interval(interval)) => set(conditions, Some(interval)),
            (Access::Interval { set, .. }, Value::Absent) => set(conditions, None),
            (Access::Models { set, .. }, Value::Models(mix)) => set(conditions, Some(mix)),
            (Access::Models { set, .. }, Value::Absent) => set(conditions, None),
            (Access::Users { set, .. }, Value::Users(users)) => set(conditions, Some(users)),
            (Access::Users { set, .. }, Value::Absent) => set(conditions, None),
            _ => {}
        }
    }

    /// Checks its value.
    pub fn check(&self, settings: &dyn Settings) -> Result<(), OutOfRange> {
        self.check_value(&self.get(settings))
    }

    /// Checks a value for it.
    pub fn check_value(&self, value: &Value) -> Result<(), OutOfRange> {
        let is_good = match (&self.access, value) {
            (Access::Number { range, .. } | Access::Optional { range, .. }, Value::Number(value)) => {
                range.contains(*value)
            }
            (Access::Count { range, .. }, Value::Whole(value)) => range.contains(*value as f64),
            (access, Value::Absent) => access.is_optional(),
            (Access::Law { .. }, Value::Law(law)) => law.is_sound(),
            (Access::Interval { .. }, Value::Interval(interval)) => interval.is_sound(),
            (Access::Models { .. }, Value::Models(mix)) => mix.is_sound(),
            (Access::Users { .. }, Value::Users(users)) => users.is_sound(),
            (Access::Whole { .. }, Value::Whole(_)) | (Access::Placement { .. }, Value::Placement(_)) => true,
            _ => false,
        };
        match is_good {
            true => Ok(()),
            false => Err(OutOfRange { name: self.name.into(), value: value.to_string(), rule: self.access.rule() }),
        }
    }

    /// Reads a value for it from text, or returns `text is not rule`.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self.access {
            Access::Number { .. } | Access::Optional { .. } => elastiplan_text::number(text).map(Value::Number),
            Access::Whole { .. } | Access::Count { .. } => text.parse().ok().map(Value::Whole),
            Access::Placement { .. } => Placement::named(text).map(Value::Placement),
            Access::Law { .. } => text.parse().ok().map(Value::Law),
            Access::Interval { .. } => text.parse().ok().map(Value::Interval),
            Access::Models { .. } => text.parse().ok().map(Value::Models),
            Access::Users { .. } => text.parse().ok().map(Value::Users),
        };
        let good = value.filter(|value| self.check_value(value).is_ok());
        good.ok_or_else(|| format!("{text} is not {}", self.access.rule()))
    }
}
