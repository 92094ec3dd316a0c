//! A mapping bound to the columns of a table.

use elastiplan_text::nearest;

use super::expression::{Expression, Filter, Function, Operator, Test};
use super::{Assignment, Mapping, Reading, TEXT_FIELDS, Zone};
use crate::text::findings::{Effect, Finding, ROW_OUT};
use crate::text::header::{Column, Header};
use crate::text::refusal::Refusal;
use crate::text::values::{first_names, short};

const FILTERED: Finding = Finding::new(
    Effect::Excluded,
    "Rows that the mapping keeps (where)",
    ROW_OUT,
    "Change what follows where in the mapping to keep more",
);

/// A mapping whose columns are those of a table.
pub(crate) struct Bound {
    pub fields: Vec<BoundField>,
    pub filters: Vec<BoundFilter>,
    /// Seconds that dates without a zone are ahead of UTC; `None` where the mapping does not say.
    pub zone_s: Option<f64>,
}

/// A field with its value.
pub(crate) struct BoundField {
    pub field: &'static str,
    /// The expression as findings name it.
    pub label: String,
    pub value: BoundExpression,
    pub is_text: bool,
}

/// A condition for a row to be read.
pub(crate) struct BoundFilter {
    pub value: BoundExpression,
    pub test: Test,
    /// The column that findings are about; of an expression over several, a made-up one with its text.
    pub column: Column,
    /// What is said of a row that it leaves out.
    pub finding: Finding,
}

/// An expression over columns by their place.
pub(crate) enum BoundExpression {
    Number(f64),
    Text(String),
    /// A column, with the seconds of its unit.
    Column(Column, f64),
    /// A column whose cells are written in a way, with the seconds of its unit.
    Read(Column, Reading, f64),
    /// A value in a unit of so many seconds.
    Scaled(Box<BoundExpression>, f64),
    Binary(Operator, Box<BoundExpression>, Box<BoundExpression>),
    Call(Function, Vec<BoundExpression>),
    After(Column, String),
}

impl Bound {
    /// Finds the columns of a mapping in a table, or says which are not there.
    pub fn new(mapping: &Mapping, header: &Header) -> Result<Self, Refusal> {
        let missing = mapping.missing();
        if !missing.is_empty() {
            let reason = format!("The mapping does not give {}", missing.join(", "));
            let repair = format!("Add it to the mapping. The columns are {}", first_names(&names(header)));
            return Err(Refusal::new(reason, repair));
        }
        let fields = mapping.assignments().iter().map(|given| BoundField::new(given, header));
        let fields = fields.collect::<Result<_, Refusal>>()?;
        let filters = mapping.filters().iter().zip(0..).map(|(kept, at)| BoundFilter::new(kept, at, header));
        Ok(Self { fields, filters: filters.collect::<Result<_, _>>()?, zone_s: mapping.zone().map(Zone::seconds) })
    }

    /// Says of rows that conditions leave out what is given for each condition, in their order.
    pub fn explain(mut self, findings: impl Iterator<Item = Finding>) -> Self {
        self.filters.iter_mut().zip(findings).for_each(|(filter, finding)| filter.finding = finding);
        self
    }

    /// Whether the mapping looks at a column.
    pub fn uses(&self, index: usize) -> bool {
        let in_filters = self.filters.iter().any(|filter| filter.value.uses(index));
        in_filters || self.fields.iter().any(|field| field.value.uses(index))
    }
}

impl BoundField {
    /// Finds the columns of a field.
    pub fn new(given: &Assignment, header: &Header) -> Result<Self, Refusal> {
        Ok(Self {
            field: given.field,
            label: label(&given.value),
            value: expression(&given.value, header)?,
            is_text: TEXT_FIELDS.contains(&given.field),
        })
    }
}

impl BoundFilter {
    /// Finds the columns of a condition, which is the `at`th.
    pub fn new(Filter { value, test }: &Filter, at: usize, header: &Header) -> Result<Self, Refusal> {
        let bound = expression(value, header)?;
        let column = match &bound {
            BoundExpression::Column(column, _) => column.clone(),
            // Behind the columns of the table and those of the fields.
            _ => Column { index: header.names.len() + super::FIELDS.len() + at, name: label(value) },
        };
        Ok(Self { value: bound, test: test.clone(), column, finding: FILTERED })
    }
}

/// An expression as findings name it: a column by its name alone.
fn label(value: &Expression) -> String {
    match value {
        Expression::Column(column) => column.clone(),
        other => other.to_string(),
    }
}

fn names(header: &Header) -> Vec<&str> {
    header.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
}

/// The place of a column by its name: as the file spells it, or as names are compared; `column 3` for the third, if no
/// column is called so.
pub(super) fn position(name: &str, names: &[String]) -> Option<usize> {
    let exact = names.iter().position(|own| own == name);
    let plain = plain_name(name);
    let numbered = || {
        let number: usize = plain.strip_prefix("column_")?.parse().ok()?;
        number.checked_sub(1).filter(|at| *at < names.len())
    };
    exact.or_else(|| names.iter().position(|own| plain_name(own) == plain)).or_else(numbered)
}

/// A name as names are compared.
fn plain_name(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

fn column(name: &str, header: &Header) -> Result<Column, Refusal> {
    position(name, &header.names).and_then(|index| header.column(index)).ok_or_else(|| {
        let reason = format!("The mapping names a column that is not there: {}", short(name));
        let repair = match nearest_column(name, header) {
            Some(near) => format!("Write {}, if that is meant", short(&near)),
            None => format!("The columns are {}", first_names(&names(header))),
        };
        Refusal::new(reason, repair)
    })
}

/// The column whose name comes closest to one that is not there.
pub(super) fn nearest_column(name: &str, header: &Header) -> Option<String> {
    let plain_names = (0..header.names.len()).filter_map(|index| header.plain_name(index));
    nearest(&plain_name(name), plain_names).and_then(|near| header.find(near)).map(|near| near.name)
}

fn expression(value: &Expression, header: &Header) -> Result<BoundExpression, Refusal> {
    Ok(match value {
        Expression::Number(number) => BoundExpression::Number(*number),
        Expression::Text(text) => BoundExpression::Text(text.clone()),
        Expression::Column(name) => BoundExpression::Column(column(name, header)?, 1.0),
        Expression::Read(name, reading) => BoundExpression::Read(column(name, header)?, *reading, 1.0),
        Expression::InUnit(inner, unit) => match expression(inner, header)? {
            // Dates and durations as text have a unit of their own, so the column has to know its unit. A second unit
            // multiplies the value: the product of two units rounds otherwise than one after the other.
            BoundExpression::Column(column, 1.0) => BoundExpression::Column(column, unit.seconds()),
            BoundExpression::Read(column, reading, 1.0) => BoundExpression::Read(column, reading, unit.seconds()),
            inner => BoundExpression::Scaled(Box::new(inner), unit.seconds()),
        },
        Expression::Binary(operator, left, right) => {
            let (left, right) = (expression(left, header)?, expression(right, header)?);
            BoundExpression::Binary(*operator, Box::new(left), Box::new(right))
        }
        Expression::Call(function, arguments) => {
            let arguments = arguments.iter().map(|argument| expression(argument, header));
            BoundExpression::Call(*function, arguments.collect::<Result<_, _>>()?)
        }
        Expression::After(name, text) => BoundExpression::After(column(name, header)?, text.clone()),
    })
}

impl BoundExpression {
    /// Whether it looks at a column.
    fn uses(&self, index: usize) -> bool {
        self.columns().iter().any(|column| column.index == index)
    }

    /// The columns that it looks at, in their order.
    pub fn columns(&self) -> Vec<&Column> {
        match self {
            Self::Number(_) | Self::Text(_) => Vec::new(),
            Self::Column(column, _) | Self::Read(column, ..) | Self::After(column, _) => vec![column],
            Self::Scaled(inner, _) => inner.columns(),
            Self::Binary(_, left, right) => left.columns().into_iter().chain(right.columns()).collect(),
            Self::Call(_, arguments) => arguments.iter().flat_map(Self::columns).collect(),
        }
    }

    /// The first column that it looks at.
    pub fn first_column(&self) -> Option<&Column> {
        self.columns().first().copied()
    }
}
