//! Expressions over the columns of a table, and the conditions that rows are kept by.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Reading;
use super::tokens::{is_word, quoted};

/// An expression over the columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number of 0 or more.
    Number(f64),
    /// Text: `'resnet50'`.
    Text(String),
    /// The value of a column: `num_gpus`, `"GPU count"`.
    Column(String),
    /// A column whose cells are written in one of several ways: `start dmy`.
    Read(String, Reading),
    /// A number in a unit of time, in seconds: `run min`. A column with dates or durations as text is read as such.
    InUnit(Box<Expression>, Unit),
    /// Two values together: `end-start`.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// A function: `ceil(gpus)`.
    Call(Function, Vec<Expression>),
    /// The number after a text in a column: `after(AllocTRES,'gres/gpu=')`.
    After(String, String),
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// `us`.
    Microseconds,
    /// `ms`.
    Milliseconds,
    /// `s`.
    Seconds,
    /// `min`.
    Minutes,
    /// `h`.
    Hours,
    /// `days`.
    Days,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 6] =
        [Self::Microseconds, Self::Milliseconds, Self::Seconds, Self::Minutes, Self::Hours, Self::Days];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "min",
            Self::Hours => "h",
            Self::Days => "days",
        }
    }

    /// Seconds of one.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Microseconds => 1e-6,
            Self::Milliseconds => 1e-3,
            Self::Seconds => 1.0,
            Self::Minutes => 60.0,
            Self::Hours => 3600.0,
            Self::Days => 86_400.0,
        }
    }

    /// The unit of this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.word() == word)
    }
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
}

impl Operator {
    /// Its sign.
    pub fn sign(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract => '-',
            Self::Multiply => '*',
            Self::Divide => '/',
        }
    }

    /// Whether it binds more tightly than the other kind.
    pub fn is_product(self) -> bool {
        matches!(self, Self::Multiply | Self::Divide)
    }
}

/// A function of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Function {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// Rounded up to a whole number.
    Ceil,
    /// Rounded down to a whole number.
    Floor,
    /// Rounded to the nearest whole number.
    Round,
    /// The value if it is above 0, else missing: of columns where -1 or 0 means that there is none.
    Positive,
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 6] = [Self::Min, Self::Max, Self::Ceil, Self::Floor, Self::Round, Self::Positive];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Ceil => "ceil",
            Self::Floor => "floor",
            Self::Round => "round",
            Self::Positive => "positive",
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Whether it takes several values rather than one.
    pub fn takes_several(self) -> bool {
        matches!(self, Self::Min | Self::Max)
    }
}

/// A condition for a row to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// What is looked at: a column, where it is compared to texts.
    pub value: Expression,
    /// What it has to be.
    pub test: Test,
}

/// What a value has to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Test {
    /// One of these texts, in large letters or small: `state=COMPLETED|FAILED`.
    OneOf(Vec<String>),
    /// None of these texts: `state!=RUNNING`.
    NoneOf(Vec<String>),
    /// A number compared to another: `gpus>0`.
    Compared(Comparison, f64),
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// `<`.
    Below,
    /// `<=`.
    AtMost,
    /// `>`.
    Above,
    /// `>=`.
    AtLeast,
}

impl Comparison {
    /// All comparisons.
    pub const ALL: [Self; 4] = [Self::Below, Self::AtMost, Self::Above, Self::AtLeast];

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether it holds.
    pub fn holds(self, value: f64, other: f64) -> bool {
        match self {
            Self::Below => value < other,
            Self::AtMost => value <= other,
            Self::Above => value > other,
            Self::AtLeast => value >= other,
        }
    }
}

impl Expression {
    /// A column.
    pub fn column(name: &str) -> Self {
        Self::Column(name.into())
    }

    /// The columns that it names, in their order, as they are spelled.
    pub fn columns(&self) -> Vec<&str> {
        match self {
            Self::Number(_) | Self::Text(_) => Vec::new(),
            Self::Column(name) | Self::Read(name, _) | Self::After(name, _) => vec![name],
            Self::InUnit(inner, _) => inner.columns(),
            Self::Binary(_, left, right) => left.columns().into_iter().chain(right.columns()).collect(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::columns).collect(),
        }
    }

    /// Two values together.
    pub fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// The expression, read in a unit of time.
    pub fn in_unit(self, unit: Unit) -> Self {
        Self::InUnit(Box::new(self), unit)
    }
}

/// A column's name as it stands in an expression.
pub(super) fn name(text: &str) -> String {
    if is_word(text) { text.into() } else { quoted(text, '"') }
}

/// A text as it stands in a condition.
pub(super) fn value(text: &str) -> String {
    if is_word(text) { text.into() } else { quoted(text, '\'') }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&quoted(text, '\'')),
            Self::Column(column) => f.write_str(&name(column)),
            Self::Read(column, reading) => write!(f, "{} {}", name(column), reading.word()),
            Self::InUnit(inner, unit) => match **inner {
                Self::Binary(..) | Self::InUnit(..) => write!(f, "({inner}) {}", unit.word()),
                _ => write!(f, "{inner} {}", unit.word()),
            },
            Self::Binary(operator, left, right) => {
                // Of equal operators the left ones are taken first.
                let left_needs = matches!(**left, Self::Binary(own, ..) if operator.is_product() && !own.is_product());
                let right_needs =
                    matches!(**right, Self::Binary(own, ..) if operator.is_product() || !own.is_product());
                write_within(f, left, left_needs)?;
                write!(f, "{}", operator.sign())?;
                write_within(f, right, right_needs)
            }
            Self::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
                write!(f, "{}({})", function.name(), arguments.join(","))
            }
            Self::After(column, text) => write!(f, "after({},{})", name(column), quoted(text, '\'')),
        }
    }
}

fn write_within(f: &mut fmt::Formatter<'_>, inner: &Expression, needs_brackets: bool) -> fmt::Result {
    if needs_brackets { write!(f, "({inner})") } else { write!(f, "{inner}") }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |texts: &[String]| texts.iter().map(|text| value(text)).collect::<Vec<_>>().join("|");
        match &self.test {
            Test::OneOf(texts) => write!(f, "{}={}", self.value, list(texts)),
            Test::NoneOf(texts) => write!(f, "{}!={}", self.value, list(texts)),
            Test::Compared(comparison, number) => write!(f, "{}{}{number}", self.value, comparison.sign()),
        }
    }
}
