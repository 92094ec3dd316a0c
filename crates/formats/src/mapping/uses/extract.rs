//! From a mapping to roles.

use elastiplan_model::order::sort_by_key;

use super::{ColumnUse, FieldFormula, ReadAs, ReadForm, Role, Uses, WorkMeasure};
use crate::mapping::bind::position;
use crate::mapping::expression::{Expression, Filter, Function, Operator, Test, Unit};
use crate::mapping::{Assignment, FIELDS, Mapping, Reading};

/// A column by its place, as an expression reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    column: usize,
    reading: Option<Reading>,
    unit: Option<Unit>,
}

impl Cell {
    fn read_as(self, form: ReadForm) -> ReadAs {
        ReadAs { reading: self.reading, unit: self.unit, form }
    }

    fn is_plain(self) -> bool {
        self.reading.is_none() && self.unit.is_none()
    }
}

impl Uses {
    /// The roles that a mapping gives to the columns of these names. Columns that are not there, and whatever fits no
    /// role, stay formulas.
    pub fn of(mapping: &Mapping, names: &[String]) -> Self {
        let blank = |name: &String| ColumnUse { name: name.clone(), role: Role::NotUsed, read_as: ReadAs::default() };
        let mut extractor = Extractor {
            names,
            submit: None,
            uses: Self { columns: names.iter().map(blank).collect(), zone: mapping.zone(), ..Self::default() },
        };
        // Of two fields for one column the same one gets the role, however the mapping is ordered; the submission comes
        // first, since an end and a deadline may count from it.
        let rank = |field: &str| (field != "submit_s", FIELDS.iter().position(|known| *known == field));
        let mut assignments: Vec<&Assignment> = mapping.assignments().iter().collect();
        sort_by_key(&mut assignments, |assignment| rank(assignment.field));
        for assignment in assignments {
            if !extractor.assignment(assignment) {
                let Assignment { field, value } = assignment;
                let formula = FieldFormula { field: (*field).into(), formula: value.to_string() };
                extractor.uses.formulas.push(formula);
            }
        }
        for filter in mapping.filters() {
            if !extractor.filter(filter) {
                extractor.uses.conditions.push(filter.to_string());
            }
        }
        extractor.mark_formulas(mapping);
        extractor.uses
    }
}

struct Extractor<'n> {
    names: &'n [String],
    /// The submission, where it is a column.
    submit: Option<Cell>,
    uses: Uses,
}

impl Extractor<'_> {
    /// A column alone, with its way of writing and its unit.
    fn cell(&self, value: &Expression) -> Option<Cell> {
        let (inner, unit) = match value {
            Expression::InUnit(inner, unit) => (&**inner, Some(*unit)),
            inner => (inner, None),
        };
        let (name, reading) = match inner {
            Expression::Column(name) => (name, None),
            Expression::Read(name, reading) => (name, Some(*reading)),
            _ => return None,
        };
        Some(Cell { column: position(name, self.names)?, reading, unit })
    }

    /// Gives a column a role; false if it has one.
    fn take(&mut self, column: usize, role: Role, read_as: ReadAs) -> bool {
        match self.uses.columns.get_mut(column) {
            Some(own) if own.role == Role::NotUsed => {
                (own.role, own.read_as) = (role, read_as);
                true
            }
            _ => false,
        }
    }

    fn is_free(&self, column: usize) -> bool {
        self.uses.columns.get(column).is_some_and(|own| own.role == Role::NotUsed)
    }

    /// Gives the roles of a field; false if it fits none.
    fn assignment(&mut self, Assignment { field, value }: &Assignment) -> bool {
        match *field {
            "submit_s" => {
                let cell = self
                    .cell(value)
                    .filter(|cell| self.take(cell.column, Role::Submitted, cell.read_as(ReadForm::Plain)));
                self.submit = cell;
                cell.is_some()
            }
            "gpus" => self.gpus(value),
            "duration_s" => self.column(value, Role::RunTime) || self.run(value),
            "deadline_s" => self.column(value, Role::Deadline) || self.deadline_after_submission(value),
            _ => self.column(value, role_of(field)),
        }
    }

    /// A field that is a column alone.
    fn column(&mut self, value: &Expression, role: Role) -> bool {
        self.cell(value).is_some_and(|cell| self.take(cell.column, role, cell.read_as(ReadForm::Plain)))
    }

    fn gpus(&mut self, value: &Expression) -> bool {
        let hundredth = |value: &Expression| match value {
            Expression::Binary(Operator::Divide, column, by) if **by == Expression::Number(100.0) => self.cell(column),
            _ => None,
        };
        let found = match value {
            Expression::After(name, text) => position(name, self.names)
                .map(|column| (Cell { column, reading: None, unit: None }, ReadForm::NumberAfter(text.clone()))),
            Expression::Call(Function::Ceil, arguments) => match arguments.as_slice() {
                [inner] => match (self.cell(inner), hundredth(inner)) {
                    (Some(cell), _) => Some((cell, ReadForm::RoundedUp)),
                    (None, Some(cell)) => Some((cell, ReadForm::PerCentRoundedUp)),
                    (None, None) => None,
                },
                _ => None,
            },
            value => match (self.cell(value), hundredth(value)) {
                (Some(cell), _) => Some((cell, ReadForm::Plain)),
                (None, Some(cell)) => Some((cell, ReadForm::PerCent)),
                (None, None) => None,
            },
        };
        match found {
            Some((cell, form)) => self.take(cell.column, Role::Gpus, cell.read_as(form)),
            None => self.nodes(value),
        }
    }

    /// `nodes*per_node`, `nodes*8`.
    fn nodes(&mut self, value: &Expression) -> bool {
        let Expression::Binary(Operator::Multiply, left, right) = value else { return false };
        let Some(left) = self.cell(left).filter(|cell| self.is_free(cell.column)) else { return false };
        if let Expression::Number(count) = **right {
            return self.take(left.column, Role::Nodes, left.read_as(ReadForm::Times(count)));
        }
        let Some(right) = self.cell(right).filter(|cell| self.is_free(cell.column)) else { return false };
        if left.column == right.column {
            return false;
        }
        let (nodes, per_node) = match (self.counts_gpus(left), self.counts_gpus(right)) {
            (true, false) => (right, left),
            _ => (left, right),
        };
        self.take(nodes.column, Role::Nodes, nodes.read_as(ReadForm::Plain))
            && self.take(per_node.column, Role::GpusPerNode, per_node.read_as(ReadForm::Plain))
    }

    /// Whether the name of a column speaks of GPUs.
    fn counts_gpus(&self, cell: Cell) -> bool {
        self.names.get(cell.column).is_some_and(|name| name.to_lowercase().contains("gpu"))
    }

    /// `end-start`, `(end-start) ms`.
    fn run(&mut self, value: &Expression) -> bool {
        let (difference, unit) = match value {
            Expression::InUnit(inner, unit) => (&**inner, Some(*unit)),
            inner => (inner, None),
        };
        let Expression::Binary(Operator::Subtract, end, start) = difference else { return false };
        let (Some(mut end), Some(mut start)) = (self.cell(end), self.cell(start)) else { return false };
        if let Some(unit) = unit {
            if !end.is_plain() || !start.is_plain() {
                return false;
            }
            (end.unit, start.unit) = (Some(unit), Some(unit));
        }
        if !self.is_free(end.column) || end.column == start.column {
            return false;
        }
        let is_good =
            Some(start) == self.submit || self.take(start.column, Role::Start, start.read_as(ReadForm::Plain));
        is_good && self.take(end.column, Role::End, end.read_as(ReadForm::Plain))
    }

    /// `submitted+limit h`.
    fn deadline_after_submission(&mut self, value: &Expression) -> bool {
        let Expression::Binary(Operator::Add, submit, after) = value else { return false };
        let is_submit = self.submit.is_some() && self.cell(submit) == self.submit;
        let after = self.cell(after).filter(|_| is_submit);
        after.is_some_and(|cell| self.take(cell.column, Role::Deadline, cell.read_as(ReadForm::AfterSubmission)))
    }

    /// A condition on the values of a column without another use.
    fn filter(&mut self, Filter { value, test }: &Filter) -> bool {
        let cell = self.cell(value).filter(|cell| cell.unit.is_none());
        let cell = cell.filter(|cell| cell.reading.is_none() || matches!(test, Test::Compared(..)));
        cell.is_some_and(|cell| self.take(cell.column, Role::KeepIf, cell.read_as(ReadForm::Keep(test.clone()))))
    }

    /// Marks the columns that only formulas and conditions look at.
    fn mark_formulas(&mut self, mapping: &Mapping) {
        let values = mapping.assignments().iter().map(|assignment| &assignment.value);
        for value in values.chain(mapping.filters().iter().map(|filter| &filter.value)) {
            for column in value.columns().into_iter().filter_map(|name| position(name, self.names)) {
                self.take(column, Role::Formula, ReadAs::default());
            }
        }
    }
}

/// The role of a column that is a field by itself.
fn role_of(field: &str) -> Role {
    let measure = WorkMeasure::ALL.into_iter().find(|measure| measure.field() == field);
    match (field, measure) {
        (_, Some(measure)) => Role::Work(measure),
        ("job_id", _) => Role::JobName,
        ("model", _) => Role::Model,
        ("user", _) => Role::User,
        ("batch_global", _) => Role::BatchSize,
        ("priority", _) => Role::Priority,
        (field, _) => Role::Field(field.into()),
    }
}
