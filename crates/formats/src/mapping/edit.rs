//! Editing a mapping: one field, one condition or the zone at a time. The rest keeps its order and its text.

use super::expression::{Expression, Filter, Test};
use super::{Assignment, FIELDS, Mapping, MappingError, Zone, parse};

impl Mapping {
    /// Reads a mapping that may have no fields, as one that is still being made.
    pub fn partial(text: &str) -> Result<Self, MappingError> {
        parse::any_mapping(text)
    }

    /// The mapping with another value of a field, or without it. A new field comes last; a name that is none of
    /// [`FIELDS`] changes nothing.
    pub fn with(&self, field: &str, value: Option<Expression>) -> Self {
        let mut mapping = self.clone();
        let Some(field) = FIELDS.into_iter().find(|known| *known == field) else { return mapping };
        let own = mapping.assignments.iter_mut().find(|assignment| assignment.field == field);
        match (own, value) {
            (Some(own), Some(value)) => own.value = value,
            (None, Some(value)) => mapping.assignments.push(Assignment { field, value }),
            (_, None) => mapping.assignments.retain(|assignment| assignment.field != field),
        }
        mapping
    }

    /// The mapping with another condition on the texts or the number of a column, or without one.
    pub fn with_filter(&self, column: &str, test: Option<Test>) -> Self {
        let mut mapping = self.clone();
        let value = Expression::column(column);
        let own = mapping.filters.iter_mut().find(|filter| filter.value == value);
        match (own, test) {
            (Some(own), Some(test)) => own.test = test,
            (None, Some(test)) => mapping.filters.push(Filter { value, test }),
            (_, None) => mapping.filters.retain(|filter| filter.value != value),
        }
        mapping
    }

    /// The mapping without a condition.
    pub fn without_filter(&self, filter: &Filter) -> Self {
        let mut mapping = self.clone();
        mapping.filters.retain(|own| own != filter);
        mapping
    }

    /// The mapping with another zone for dates that name none; `None` for UTC, as an assumption.
    pub fn with_zone(&self, zone: Option<Zone>) -> Self {
        Self { zone, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, edit: fn(&Mapping) -> Mapping, after: &str) {
        let mapping = Mapping::partial(before).unwrap();
        assert_eq!(edit(&mapping).to_string(), after, "{before}");
    }

    #[test]
    fn one_field_at_a_time() {
        let column = |name: &str| Some(Expression::column(name));
        check("gpus=a submit_s=b", |mapping| mapping.with("gpus", Some(Expression::Number(1.0))), "gpus=1 submit_s=b");
        check(
            "gpus=a where c=d",
            |mapping| mapping.with("user", Some(Expression::column("u v"))),
            "gpus=a user=\"u v\" where c=d",
        );
        check("gpus=a submit_s=b", |mapping| mapping.with("gpus", None), "submit_s=b");
        check("gpus=a", |mapping| mapping.with("gpus", None), "");
        assert_eq!(Mapping::default().with("none of them", column("a")), Mapping::default());
    }

    #[test]
    fn one_condition_at_a_time() {
        let done = || Some(Test::OneOf(vec!["done".into(), "timed out".into()]));
        check("", |_| Mapping::default().with_filter("state", None), "");
        let with = Mapping::partial("gpus=n").unwrap().with_filter("state", done());
        assert_eq!(with.to_string(), "gpus=n where state=done|'timed out'");
        check(
            "gpus=n where a=b and n>2 and c!=d",
            |mapping| mapping.with_filter("a", None),
            "gpus=n where n>2 and c!=d",
        );
        check(
            "gpus=n where a=b and n>2",
            |mapping| mapping.with_filter("a", Some(Test::NoneOf(vec!["x".into()]))),
            "gpus=n where a!=x and n>2",
        );
    }

    #[test]
    fn the_zone_is_part_of_the_text() {
        check("gpus=n where a=b", |mapping| mapping.with_zone(Zone::ahead_by(120)), "gpus=n zone=+02:00 where a=b");
        check(
            "zone=-05:30 gpus=n",
            |mapping| mapping.with("submit_s", Some(Expression::column("t"))),
            "gpus=n submit_s=t zone=-05:30",
        );
        check("zone=+2 gpus=n", |mapping| mapping.with_zone(None), "gpus=n");
        check("zone=UTC", Mapping::clone, "zone=UTC");
    }
}
