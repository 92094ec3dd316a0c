//! Readings of cells as words, and the choices that a column has.

use elastiplan_text::format::number;

use super::{ReadAs, ReadForm, Role};
use crate::mapping::expression::{Test, Unit};
use crate::mapping::{Content, Reading, Zone};
use crate::text::values::short;

/// GPUs of a node that are offered as choices.
const GPUS_PER_NODE: [f64; 6] = [8.0, 4.0, 2.0, 1.0, 16.0, 6.0];
/// Units of time in the order of a list of choices.
const UNITS: [Option<Unit>; 6] = [
    None,
    Some(Unit::Minutes),
    Some(Unit::Hours),
    Some(Unit::Milliseconds),
    Some(Unit::Days),
    Some(Unit::Microseconds),
];

impl Role {
    /// Whether its values are moments or durations.
    pub fn is_time(&self) -> bool {
        let has_unit = matches!(self, Self::Field(field) if field.ends_with("_s"));
        matches!(self, Self::Submitted | Self::Start | Self::End | Self::RunTime | Self::Deadline) || has_unit
    }

    /// Whether its values are text.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::JobName | Self::Model | Self::User)
    }
}

impl ReadAs {
    /// The reading in words, for a column with a role and such cells: "ISO date, zone UTC", "min", "whole GPUs".
    pub fn label(&self, role: &Role, content: Content, zone: Option<Zone>) -> String {
        let list = |texts: &[String]| texts.iter().map(|text| short(text)).collect::<Vec<_>>().join(", ");
        let base = || self.base(role, content, zone);
        match &self.form {
            ReadForm::Keep(Test::OneOf(texts)) => list(texts),
            ReadForm::Keep(Test::NoneOf(texts)) => format!("not {}", list(texts)),
            ReadForm::Keep(Test::Compared(comparison, other)) => format!("{} {other}", comparison.sign()),
            ReadForm::NumberAfter(text) => format!("number after {}", short(text)),
            ReadForm::Times(gpus) => format!("nodes × {}", number(*gpus)),
            ReadForm::RoundedUp => "GPUs, rounded up".into(),
            ReadForm::PerCent => "per cent of a GPU".into(),
            ReadForm::PerCentRoundedUp => "per cent of a GPU, rounded up".into(),
            ReadForm::AfterSubmission => format!("{} after submission", base()),
            ReadForm::Plain => base(),
        }
    }

    fn base(&self, role: &Role, content: Content, zone: Option<Zone>) -> String {
        let plain = match role {
            _ if role.is_text() => "text".into(),
            Role::NotUsed | Role::Formula => String::new(),
            Role::Gpus | Role::GpusPerNode => "whole GPUs".into(),
            Role::Nodes => "nodes".into(),
            _ if role.is_time() && content == Content::Dates => {
                let style = match self.reading {
                    Some(Reading::DayFirst) => "date, day first",
                    Some(Reading::MonthFirst) => "date, month first",
                    _ => "ISO date",
                };
                return format!("{style}, zone {}", zone.unwrap_or(Zone::UTC));
            }
            _ if role.is_time() && content == Content::Durations => "h:mm:ss".into(),
            _ if role.is_time() => self.unit.unwrap_or(Unit::Seconds).word().into(),
            _ => match self.unit {
                Some(unit) => unit.word().into(),
                None => "number".into(),
            },
        };
        match self.reading {
            Some(reading) if !plain.is_empty() => format!("{plain}, {}", reading.label()),
            _ => plain,
        }
    }

    /// The readings that a column with a role and such cells can have; conditions are lists of values instead.
    pub fn choices(role: &Role, content: Content) -> Vec<Self> {
        let form = |form: ReadForm| Self { form, ..Self::default() };
        let reading = |reading: Reading| Self { reading: Some(reading), ..Self::default() };
        let styles = |of_dates: bool| Reading::ALL.into_iter().filter(move |own| own.is_of_dates() == of_dates);
        let units =
            |form: ReadForm| UNITS.into_iter().map(move |unit| Self { unit, form: form.clone(), reading: None });
        let mut choices = vec![Self::default()];
        match role {
            _ if role.is_text() => {}
            Role::KeepIf | Role::NotUsed | Role::Formula => choices.clear(),
            Role::Gpus => {
                choices.extend([ReadForm::RoundedUp, ReadForm::PerCent, ReadForm::PerCentRoundedUp].map(form));
            }
            Role::Nodes => choices.extend(GPUS_PER_NODE.map(|gpus| form(ReadForm::Times(gpus)))),
            _ if role.is_time() && content == Content::Dates => choices.extend(styles(true).map(reading)),
            // Their text has the unit.
            Role::Deadline if content == Content::Durations => choices.push(form(ReadForm::AfterSubmission)),
            _ if role.is_time() && content == Content::Durations => {}
            _ if role.is_time() => {
                choices = units(ReadForm::Plain).collect();
                if *role == Role::Deadline {
                    choices.extend(units(ReadForm::AfterSubmission));
                }
                choices.extend(styles(false).map(reading));
            }
            _ => choices.extend(styles(false).map(reading)),
        }
        choices
    }
}
