//! What can be set of a policy: parameters as constants, and the values that a policy is built with.
//!
//! A policy declares each parameter once, as a constant that is listed in its [`Entry`] and read by [`Parameters`]. A
//! test builds every policy with all of its flags and choices and checks that it reads what it declares and nothing
//! else.

use std::ops::RangeInclusive;

/// The word for a number that the policy is to find.
pub const AUTO: &str = "auto";

/// The longest duration that a parameter takes, in seconds.
pub(crate) const YEAR_S: f64 = 31_536_000.0;

/// What the registry knows of a policy.
#[derive(Debug)]
pub struct Entry {
    /// Its name in ids.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Where it comes from: paper and section.
    pub source: &'static str,
    /// Whether it changes the GPUs of jobs that run. Those that do not leave two or three spans a job.
    pub is_elastic: bool,
    /// Its parameters, in the order in which ids list them.
    pub parameters: &'static [Parameter],
}

/// One parameter of a policy.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in ids, with its unit.
    pub name: &'static str,
    /// What it does, in one phrase.
    pub help: &'static str,
    /// The values that it takes, and its default.
    pub kind: Kind,
}

/// Units at the end of names of parameters, the longest first, with how they are written beside a value.
const UNITS: [(&str, &str); 6] = [
    ("_gpu_s", "GPU-s"),
    ("_gpu_h", "GPU-h"),
    ("_per_h", "per hour"),
    ("_per_day", "per day"),
    ("_s", "s"),
    ("_h", "h"),
];

impl Parameter {
    /// Its name in sentences, and the unit of its values; empty where they have none.
    ///
    /// ```
    /// let entry = "elastic-dp".parse::<elastiplan_policies::PolicySpec>()?.entry().unwrap();
    /// assert_eq!(entry.parameters[0].label(), ("delta".to_string(), "s"));
    /// # Ok::<(), elastiplan_policies::SpecError>(())
    /// ```
    pub fn label(&self) -> (String, &'static str) {
        let with_unit = UNITS.iter().find_map(|(suffix, unit)| Some((self.name.strip_suffix(suffix)?, *unit)));
        let (name, unit) = with_unit.unwrap_or((self.name, ""));
        (name.replace('_', " "), unit)
    }

    /// A parameter that is `true` or `false`.
    pub const fn flag(name: &'static str, help: &'static str, default: bool) -> Self {
        Self { name, help, kind: Kind::Flag { default } }
    }

    /// A number within a range.
    pub const fn number(name: &'static str, help: &'static str, default: f64, range: RangeInclusive<f64>) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self { name, help, kind: Kind::Number { default, min, max, whole: false } }
    }

    /// A whole number within a range.
    pub const fn count(name: &'static str, help: &'static str, default: f64, range: RangeInclusive<f64>) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self { name, help, kind: Kind::Number { default, min, max, whole: true } }
    }

    /// A number within a range, or [`AUTO`].
    pub const fn number_or_auto(
        name: &'static str,
        help: &'static str,
        default: f64,
        range: RangeInclusive<f64>,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self { name, help, kind: Kind::NumberOrAuto { default, min, max } }
    }

    /// One of several words, the first of which is the default.
    pub const fn choice(name: &'static str, help: &'static str, words: &'static [&'static str]) -> Self {
        Self { name, help, kind: Kind::Choice { words } }
    }
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Flag {
        /// The default.
        default: bool,
    },
    /// A number.
    Number {
        /// The default.
        default: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// Whether it must be a whole number.
        whole: bool,
    },
    /// A number, or `auto`: the policy finds it.
    NumberOrAuto {
        /// The default.
        default: f64,
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of several words.
    Choice {
        /// All of them; the first is the default.
        words: &'static [&'static str],
    },
}

impl Kind {
    /// Describes the values for error messages: `a whole number from 1 to 8`.
    pub fn rule(&self) -> String {
        match *self {
            Kind::Flag { .. } => "true or false".into(),
            Kind::Number { min, max, whole: true, .. } => format!("a whole number from {min} to {max}"),
            Kind::Number { min, max, whole: false, .. } => format!("a number from {min} to {max}"),
            Kind::NumberOrAuto { min, max, .. } => format!("a number from {min} to {max}, or {AUTO}"),
            Kind::Choice { words } => match words {
                [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                words => words.concat(),
            },
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        match *self {
            Kind::Flag { default } => default.to_string(),
            Kind::Number { default, .. } | Kind::NumberOrAuto { default, .. } => default.to_string(),
            Kind::Choice { words } => words.first().copied().unwrap_or_default().into(),
        }
    }

    /// A value in its only spelling; `None` if it is not a value of this kind.
    pub(crate) fn normalised(&self, text: &str) -> Option<String> {
        match *self {
            Kind::Flag { .. } => text.parse::<bool>().ok().map(|value| value.to_string()),
            Kind::NumberOrAuto { .. } if text == AUTO => Some(text.into()),
            Kind::NumberOrAuto { min, max, .. } => normalised_number(text, min, max, false),
            Kind::Number { min, max, whole, .. } => normalised_number(text, min, max, whole),
            Kind::Choice { words } => words.contains(&text).then(|| text.to_string()),
        }
    }
}

fn normalised_number(text: &str, min: f64, max: f64, whole: bool) -> Option<String> {
    let value = elastiplan_text::number(text)?;
    let fits = (min..=max).contains(&value) && (!whole || value.trunc() == value);
    // Adding 0 makes 0 of -0.
    fits.then(|| (value + 0.0).to_string())
}

/// The values that a policy is built with: for each parameter the one given, or else its default.
pub struct Parameters<'a> {
    /// Names and normalised values.
    given: &'a [(String, String)],
    /// For policies that draw random numbers.
    pub seed: u64,
    /// Whether the policy is to keep its last decision: see [`crate::decision`].
    pub keeps_decisions: bool,
    #[cfg(test)]
    read: std::cell::RefCell<std::collections::BTreeSet<&'static str>>,
}

impl<'a> Parameters<'a> {
    pub(crate) fn new(given: &'a [(String, String)], seed: u64, keeps_decisions: bool) -> Self {
        Self {
            given,
            seed,
            keeps_decisions,
            #[cfg(test)]
            read: Default::default(),
        }
    }

    /// The value of a flag.
    pub fn flag(&self, parameter: &Parameter) -> bool {
        debug_assert!(matches!(parameter.kind, Kind::Flag { .. }), "{} is no flag", parameter.name);
        self.text(parameter) == "true"
    }

    /// The word chosen.
    pub fn choice(&self, parameter: &Parameter) -> String {
        debug_assert!(matches!(parameter.kind, Kind::Choice { .. }), "{} is no choice", parameter.name);
        self.text(parameter)
    }

    /// The number; `None` for `auto`.
    pub fn number_unless_auto(&self, parameter: &Parameter) -> Option<f64> {
        debug_assert!(matches!(parameter.kind, Kind::NumberOrAuto { .. }), "{} has no auto", parameter.name);
        elastiplan_text::number(&self.text(parameter))
    }

    /// The number.
    pub fn number(&self, parameter: &Parameter) -> f64 {
        debug_assert!(matches!(parameter.kind, Kind::Number { .. }), "{} is no number", parameter.name);
        elastiplan_text::number(&self.text(parameter)).unwrap_or_default()
    }

    /// The number as a limit; 0 stands for none.
    pub fn limit(&self, parameter: &Parameter) -> u32 {
        match self.number(parameter) as u32 {
            0 => u32::MAX,
            limit => limit,
        }
    }

    fn text(&self, parameter: &Parameter) -> String {
        #[cfg(test)]
        self.read.borrow_mut().insert(parameter.name);
        let given = self.given.iter().find(|(name, _)| name == parameter.name);
        given.map_or_else(|| parameter.kind.default_text(), |(_, value)| value.clone())
    }

    /// The names of all parameters read so far.
    #[cfg(test)]
    pub fn read(&self) -> std::collections::BTreeSet<&'static str> {
        self.read.borrow().clone()
    }
}
