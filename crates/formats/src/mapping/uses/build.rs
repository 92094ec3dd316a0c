//! From roles to a mapping.

use super::{ColumnUse, ReadForm, Role, Uses};
use crate::mapping::expression::{Expression, Filter, Function, Operator, Unit};
use crate::mapping::survey::MappingIssue;
use crate::mapping::{Assignment, FIELDS, Mapping};

/// New fields come in this order, then all others.
const ORDER: [&str; 6] = ["job_id", "submit_s", "gpus", "duration_s", "model", "user"];

impl Uses {
    /// The mapping that gives these roles. What `before` says in other words keeps its place and its text. Of two
    /// columns for one role the first is taken; a formula that is none is left away ([`Uses::issues`]).
    pub fn mapping(&self, before: &Mapping) -> Mapping {
        let names: Vec<String> = self.columns.iter().map(|own| own.name.clone()).collect();
        let earlier = Self::of(before, &names);
        let mut assignments = Vec::new();
        let known = before.assignments().iter().map(|assignment| assignment.field);
        let others = ORDER.into_iter().chain(FIELDS);
        for field in known.chain(others) {
            if assignments.iter().any(|done: &Assignment| done.field == field) {
                continue;
            }
            let Some(value) = self.value(field) else { continue };
            let own = before.value(field).filter(|_| earlier.value(field).as_ref() == Some(&value));
            assignments.push(Assignment { field, value: own.cloned().unwrap_or(value) });
        }
        Mapping::new(assignments, self.filters(before, &earlier)).with_zone(self.zone)
    }

    /// The conditions, those of before first.
    fn filters(&self, before: &Mapping, earlier: &Self) -> Vec<Filter> {
        let mut wanted = self.conditions();
        let same = |filter: &Filter, other: &Filter| {
            filter == other || earlier.normal(filter).is_some_and(|normal| normal == *other)
        };
        let mut filters = Vec::new();
        for filter in before.filters() {
            if let Some(at) = wanted.iter().position(|other| same(filter, other)) {
                wanted.remove(at);
                filters.push(filter.clone());
            }
        }
        filters.extend(wanted);
        filters
    }

    /// A condition with the column as the table spells it.
    fn normal(&self, filter: &Filter) -> Option<Filter> {
        let names: Vec<String> = self.columns.iter().map(|own| own.name.clone()).collect();
        Self::of(&Mapping::new(Vec::new(), vec![filter.clone()]), &names).conditions().pop()
    }

    /// All conditions, those of columns first.
    fn conditions(&self) -> Vec<Filter> {
        let of_column = |own: &ColumnUse| match (&own.role, &own.read_as.form) {
            (Role::KeepIf, ReadForm::Keep(test)) => Some(Filter { value: column(own), test: test.clone() }),
            _ => None,
        };
        let written = |text: &String| Some(Mapping::partial(&format!("where {text}")).ok()?.filters().to_vec());
        let written = self.conditions.iter().filter_map(written).flatten();
        self.columns.iter().filter_map(of_column).chain(written).collect()
    }

    /// The first column with a role.
    fn first(&self, role: &Role) -> Option<&ColumnUse> {
        self.columns.iter().find(|own| own.role == *role)
    }

    /// The value of a field, by a role or by a formula.
    fn value(&self, field: &str) -> Option<Expression> {
        self.value_by_role(field).or_else(|| {
            let formula = self.formulas.iter().find(|formula| formula.field == field)?;
            let mapping = Mapping::partial(&format!("{field}={}", formula.formula)).ok()?;
            mapping.value(field).cloned()
        })
    }

    /// The value of a field by the columns with roles.
    fn value_by_role(&self, field: &str) -> Option<Expression> {
        let first = |role: Role| self.first(&role);
        match field {
            "job_id" => first(Role::JobName).map(plain),
            "submit_s" => first(Role::Submitted).map(column),
            "model" => first(Role::Model).map(plain),
            "user" => first(Role::User).map(plain),
            "batch_global" => first(Role::BatchSize).map(column),
            "priority" => first(Role::Priority).map(column),
            "gpus" => first(Role::Gpus).map(gpus).or_else(|| self.gpus_of_nodes()),
            "duration_s" => first(Role::RunTime).map(column).or_else(|| self.run()),
            "deadline_s" => self.deadline(),
            _ => {
                let is_it = |own: &&ColumnUse| match &own.role {
                    Role::Work(measure) => measure.field() == field,
                    Role::Field(name) => name == field,
                    _ => false,
                };
                self.columns.iter().find(is_it).map(column)
            }
        }
    }

    fn gpus_of_nodes(&self) -> Option<Expression> {
        let nodes = self.first(&Role::Nodes)?;
        let by = match (&nodes.read_as.form, self.first(&Role::GpusPerNode)) {
            (ReadForm::Times(count), _) => Expression::Number(*count),
            (_, per_node) => column(per_node?),
        };
        Some(Expression::binary(Operator::Multiply, column(nodes), by))
    }

    fn run(&self) -> Option<Expression> {
        let end = self.first(&Role::End)?;
        let start = self.first(&Role::Start).or_else(|| self.first(&Role::Submitted))?;
        let difference = |end, start| Expression::binary(Operator::Subtract, end, start);
        let units = (end.read_as.unit, start.read_as.unit);
        let has_reading = end.read_as.reading.is_some() || start.read_as.reading.is_some();
        match units {
            (Some(unit), Some(other)) if unit == other && !has_reading => {
                Some(difference(plain(end), plain(start)).in_unit(unit))
            }
            _ => Some(difference(column(end), column(start))),
        }
    }

    fn deadline(&self) -> Option<Expression> {
        let deadline = self.first(&Role::Deadline)?;
        if deadline.read_as.form != ReadForm::AfterSubmission {
            return Some(column(deadline));
        }
        let submit = self.value("submit_s")?;
        Some(Expression::binary(Operator::Add, submit, column(deadline)))
    }

    /// The fields that columns with roles give.
    pub(super) fn column_fields(&self) -> Vec<&'static str> {
        FIELDS.into_iter().filter(|field| self.value_by_role(field).is_some()).collect()
    }
}

/// A column alone.
fn plain(own: &ColumnUse) -> Expression {
    Expression::column(&own.name)
}

/// A column with its way of writing and its unit.
fn column(own: &ColumnUse) -> Expression {
    let value = match own.read_as.reading {
        Some(reading) => Expression::Read(own.name.clone(), reading),
        None => plain(own),
    };
    let with_unit = |unit: Unit| value.clone().in_unit(unit);
    own.read_as.unit.map(with_unit).unwrap_or(value)
}

fn gpus(own: &ColumnUse) -> Expression {
    let hundredth = || Expression::binary(Operator::Divide, column(own), Expression::Number(100.0));
    let rounded_up = |value| Expression::Call(Function::Ceil, vec![value]);
    match &own.read_as.form {
        ReadForm::RoundedUp => rounded_up(column(own)),
        ReadForm::PerCent => hundredth(),
        ReadForm::PerCentRoundedUp => rounded_up(hundredth()),
        ReadForm::NumberAfter(text) => Expression::After(own.name.clone(), text.clone()),
        _ => column(own),
    }
}

/// Roles taken twice, and roles that mean nothing without another.
pub(super) fn issues(uses: &Uses) -> Vec<MappingIssue> {
    let with = |role: &Role| -> Vec<u32> {
        (0..).zip(&uses.columns).filter(|(_, own)| own.role == *role).map(|(at, _)| at).collect()
    };
    let has = |role: &Role| uses.first(role).is_some();
    let mut issues = Vec::new();
    let mut seen: Vec<&Role> = Vec::new();
    for own in &uses.columns {
        let repeats = matches!(own.role, Role::KeepIf | Role::Formula | Role::NotUsed) || seen.contains(&&own.role);
        if repeats {
            continue;
        }
        seen.push(&own.role);
        let mut columns = with(&own.role);
        // Nodes give GPUs as well, and an end gives a run time.
        match own.role {
            Role::Gpus => columns.extend(with(&Role::Nodes)),
            Role::RunTime => columns.extend(with(&Role::End)),
            _ => {}
        }
        if columns.len() > 1 {
            issues.push(MappingIssue::TakenTwice { role: own.role.clone(), columns });
        }
    }
    let nodes_alone = |own: &ColumnUse| !matches!(own.read_as.form, ReadForm::Times(_)) && !has(&Role::GpusPerNode);
    for (at, own) in (0..).zip(&uses.columns) {
        let is_alone = match own.role {
            Role::Start => !has(&Role::End),
            Role::End => !has(&Role::Start) && !has(&Role::Submitted),
            Role::GpusPerNode => !has(&Role::Nodes),
            Role::Nodes => nodes_alone(own),
            _ => false,
        };
        if is_alone {
            issues.push(MappingIssue::Alone { role: own.role.clone(), column: at });
        }
    }
    let formulas = uses.formulas.iter().map(|formula| format!("{}={}", formula.field, formula.formula));
    let conditions = uses.conditions.iter().map(|text| format!("where {text}"));
    for text in formulas.chain(conditions) {
        if let Err(error) = Mapping::partial(&text) {
            issues.push(MappingIssue::Formula { message: error.to_string() });
        }
    }
    issues
}
