//! Any mapping is written and read back the same; any text and any table give a message, not a panic; and a table read
//! by a mapping is the plain trace that a simple evaluation of the mapping makes of it.

use std::fmt::Write;

use elastiplan_formats::mapping::{
    Assignment, Comparison, Expression, FIELDS, Filter, Function, Mapping, MappingIssue, Operator, Reading, Test, Unit,
    Zone, survey,
};
use elastiplan_formats::{Options, Source};
use proptest::prelude::*;
use proptest::sample::select;

use crate::{read, read_mapped};

const COLUMNS: [&str; 6] = ["a", "GPU count", "min", "where", "x.y_2", "say \"so\""];

fn operators() -> impl Strategy<Value = Operator> {
    select(vec![Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide])
}

fn readings() -> impl Strategy<Value = Reading> {
    select(Reading::ALL.to_vec())
}

/// Numbers from columns among these; `after` is how often from a text in one.
fn numbers(columns: &'static [&'static str], after: u32) -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        3 => select(columns).prop_map(Expression::column),
        1 => prop_oneof![Just(0.0), 0.0..1e3, Just(1e-9), Just(1e22)].prop_map(Expression::Number),
        after => (select(columns), "[a-z'=:]{0,4}").prop_map(|(column, text)| Expression::After(column.into(), text)),
        after => (select(columns), readings()).prop_map(|(column, reading)| Expression::Read(column.into(), reading)),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            3 => (operators(), inner.clone(), inner.clone()).prop_map(|(o, a, b)| Expression::binary(o, a, b)),
            1 => (inner.clone(), select(Unit::ALL.to_vec())).prop_map(|(a, unit)| a.in_unit(unit)),
            1 => (select(vec![Function::Min, Function::Max]), prop::collection::vec(inner.clone(), 1..4))
                .prop_map(|(function, arguments)| Expression::Call(function, arguments)),
            1 => (select(vec![Function::Ceil, Function::Floor, Function::Round, Function::Positive]), inner)
                .prop_map(|(function, argument)| Expression::Call(function, vec![argument])),
        ]
    })
}

fn tests() -> impl Strategy<Value = Test> {
    let texts = || prop::collection::vec("[a-zA-Z0-9 _'|=]{0,8}", 1..4);
    prop_oneof![
        texts().prop_map(Test::OneOf),
        texts().prop_map(Test::NoneOf),
        (select(Comparison::ALL.to_vec()), 0.0..1e6)
            .prop_map(|(comparison, number)| Test::Compared(comparison, number)),
    ]
}

fn mappings() -> impl Strategy<Value = Mapping> {
    mappings_of(&COLUMNS)
}

/// Mappings of columns among these.
pub fn mappings_of(columns: &'static [&'static str]) -> impl Strategy<Value = Mapping> {
    let fields = prop::sample::subsequence(FIELDS.to_vec(), 1..8);
    let values = prop::collection::vec((numbers(columns, 1), select(columns.to_vec()), "[ -~]{0,6}", any::<bool>()), 8);
    let filters = prop::collection::vec((numbers(columns, 1), select(columns.to_vec()), tests()), 0..3);
    let zone = prop::option::of((-1080..1080_i16).prop_map(|minutes| Zone::ahead_by(minutes).unwrap()));
    (fields, values, filters, zone).prop_map(|(fields, values, filters, zone)| {
        let assignments = fields.into_iter().zip(values).map(|(field, (number, column, text, is_column))| {
            let is_text = ["job_id", "model", "user"].contains(&field);
            let value = match (is_text, is_column) {
                (false, _) => number,
                (true, true) => Expression::column(column),
                (true, false) => Expression::Text(text),
            };
            Assignment { field, value }
        });
        let filters = filters.into_iter().map(|(number, column, test)| {
            let value = if matches!(test, Test::Compared(..)) { number } else { Expression::column(column) };
            Filter { value, test }
        });
        Mapping::new(assignments.collect(), filters.collect()).with_zone(zone)
    })
}

/// A value by the simplest rules: a missing column makes it missing, a division by zero or no number bad.
fn naive(expression: &Expression, row: &[Option<f64>]) -> Result<Option<f64>, ()> {
    let value = match expression {
        Expression::Number(number) => Some(*number),
        Expression::Column(name) => row[NUMBERS.iter().position(|own| own == name).unwrap()],
        Expression::InUnit(inner, unit) => naive(inner, row)?.map(|value| value * unit.seconds()),
        Expression::Binary(operator, left, right) => match (naive(left, row)?, naive(right, row)?) {
            (Some(left), Some(right)) => match operator {
                Operator::Add => Some(left + right),
                Operator::Subtract => Some(left - right),
                Operator::Multiply => Some(left * right),
                Operator::Divide if right == 0.0 => return Err(()),
                Operator::Divide => Some(left / right),
            },
            _ => None,
        },
        Expression::Call(function, arguments) => {
            let values: Vec<Option<f64>> =
                arguments.iter().map(|argument| naive(argument, row)).collect::<Result<_, _>>()?;
            let mut values = values.into_iter().flatten();
            match function {
                Function::Min => values.reduce(f64::min),
                Function::Max => values.reduce(f64::max),
                Function::Ceil => values.map(f64::ceil).next(),
                Function::Floor => values.map(f64::floor).next(),
                Function::Round => values.map(f64::round).next(),
                Function::Positive => values.find(|value| *value > 0.0),
            }
        }
        Expression::After(..) | Expression::Read(..) | Expression::Text(_) => unreachable!("not drawn here"),
    };
    if value.is_some_and(|value| !value.is_finite()) { Err(()) } else { Ok(value) }
}

/// Columns that hold numbers or nothing.
const NUMBERS: [&str; 4] = ["a", "b", "c", "d"];

proptest! {
    #[test]
    fn a_mapping_is_written_and_read_back(mapping in mappings()) {
        let text = mapping.to_string();
        prop_assert_eq!(text.parse::<Mapping>(), Ok(mapping), "{}", text);
    }

    #[test]
    fn any_text_is_a_mapping_or_an_error(text in "[a-z_=*/+() '\"0-9.|<>!,-]{0,60}|\\PC{0,40}") {
        if let Ok(mapping) = text.parse::<Mapping>() {
            prop_assert_eq!(mapping.to_string().parse::<Mapping>(), Ok(mapping));
        }
    }

    #[test]
    fn parts_of_a_mapping_are_read_without_a_panic(mapping in mappings(), cut in 0.0..1.0) {
        let text: Vec<char> = mapping.to_string().chars().collect();
        let part: String = text.iter().take((text.len() as f64 * cut) as usize).collect();
        if let Err(error) = part.parse::<Mapping>() {
            prop_assert!(error.at >= 1 && error.at <= part.chars().count() + 1);
        }
    }

    #[test]
    fn any_table_is_read_or_reported(
        mapping in mappings(),
        cells in prop::collection::vec(prop::collection::vec("[-0-9.:eE TZna/]{0,12}|\\PC{0,6}", 6), 0..12),
        guess in any::<bool>(),
    ) {
        let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let header = if guess { ["job", "submit_time", "start", "end", "num_gpus", "duration"] } else { COLUMNS };
        let mut table = header.map(quote).join(",") + "\n";
        for row in &cells {
            writeln!(table, "{}", row.iter().map(|cell| quote(cell)).collect::<Vec<_>>().join(",")).unwrap();
        }
        let import = match guess {
            true => read(&[("x.csv", table.as_bytes())]),
            false => read_mapped("x.csv", table.as_bytes(), &mapping.to_string()),
        };
        crate::assert_adds_up(&import);
    }

    /// A survey counts what an import loads, whatever table and mapping; of a mapping that lacks fields it tells the rest.
    #[test]
    fn a_survey_counts_what_is_imported(
        mapping in mappings(),
        gives_all in any::<bool>(),
        cells in prop::collection::vec(prop::collection::vec("[0-9]{1,3}|[-0-9.,:eE TZna/]{0,12}|\\PC{0,6}", 6), 0..12),
    ) {
        let quote = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut table = COLUMNS.map(quote).join(",") + "\n";
        for row in &cells {
            writeln!(table, "{}", row.iter().map(|cell| quote(cell)).collect::<Vec<_>>().join(",")).unwrap();
        }
        let needed = [("submit_s", "a"), ("gpus", "x.y_2"), ("duration_s", "min")];
        let add = |mapping: Mapping, (field, column): (&str, &str)| mapping.with(field, Some(Expression::column(column)));
        let mapping = if gives_all { needed.into_iter().fold(mapping, add) } else { mapping };
        let source = || Source::from_bytes("x.csv", table.as_bytes());
        let survey = survey(source(), Some(&mapping), &Options::default(), &mut |_| {}).unwrap();
        let out: u64 = survey.counts.left_out.iter().map(|out| out.rows).sum();
        prop_assert_eq!(survey.counts.jobs + out, survey.counts.rows);
        prop_assert_eq!(survey.columns.len(), COLUMNS.len());
        for (at, column) in survey.columns.iter().enumerate() {
            // Cells that are not empty, as a reader without rules counts them.
            let filled = cells.iter().filter(|row| row.iter().any(|cell| !cell.trim_ascii().is_empty()));
            let own: std::collections::BTreeSet<&str> =
                filled.map(|row| row[at].trim_ascii()).filter(|cell| !cell.is_empty()).collect();
            if survey.counts.rows as usize == cells.len() {
                prop_assert_eq!(column.distinct.count as usize, own.len(), "{} of {}", column.name, table);
            }
        }
        let import = read_mapped("x.csv", table.as_bytes(), &mapping.to_string());
        let blocks = survey.issues.iter().any(|issue| matches!(issue, MappingIssue::Missing { .. } | MappingIssue::NoColumn { .. }));
        prop_assert_eq!(blocks, !mapping.missing().is_empty());
        if !blocks {
            prop_assert_eq!(survey.counts.jobs, import.files[0].jobs, "{} of {}", mapping, table);
            let jobs = import.trace.iter().flat_map(|trace| trace.jobs());
            let first = jobs.map(|job| job.submit_s).reduce(f64::min);
            prop_assert_eq!(survey.jobs.span.map(|span| span.first_submit_s), first);
        }
    }

    /// What a mapping makes of a table is what a plain trace with the values of a naive evaluation holds.
    #[test]
    fn a_mapped_table_is_the_plain_trace_that_it_stands_for(
        submit in numbers(&NUMBERS, 0),
        duration in numbers(&NUMBERS, 0),
        gpus in numbers(&NUMBERS, 0),
        deadline in numbers(&NUMBERS, 0),
        rows in prop::collection::vec(prop::collection::vec(prop_oneof![
            4 => (0..50u32).prop_map(|value| Some(f64::from(value))),
            1 => (0.0..9.0).prop_map(Some),
            1 => Just(None),
        ], 4), 1..10),
    ) {
        let show = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let mut table = String::from("name,a,b,c,d\n");
        let mut plain = String::from("job_id,submit_s,model,gpus,duration_s,deadline_s\n");
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| show(*cell)).collect();
            writeln!(table, "j{at},{}", cells.join(",")).unwrap();
            let values = [&submit, &gpus, &duration].map(|value| naive(value, row));
            let deadline = naive(&deadline, row).ok().flatten();
            if let [Ok(submit_s), Ok(gpus), Ok(duration_s)] = values {
                let (gpus, duration_s) = (show(gpus), show(duration_s));
                writeln!(plain, "j{at},{},vgg,{gpus},{duration_s},{}", show(submit_s), show(deadline)).unwrap();
            }
        }
        let fields = [("submit_s", submit), ("duration_s", duration), ("gpus", gpus), ("deadline_s", deadline)];
        let given = [("job_id", Expression::column("name")), ("model", Expression::Text("vgg".into()))];
        let assignments = given.into_iter().chain(fields).map(|(field, value)| Assignment { field, value }).collect();
        let mapping = Mapping::new(assignments, Vec::new()).to_string();
        let mapped = read_mapped("x.csv", table.as_bytes(), &mapping);
        let expected = read(&[("y.csv", plain.as_bytes())]);
        let jobs = |import: &elastiplan_formats::Import| {
            let jobs = import.trace.iter().flat_map(|trace| trace.jobs().to_vec());
            jobs.map(|job| elastiplan_model::Job { source_row: 0, ..job }).collect::<Vec<_>>()
        };
        prop_assert_eq!(jobs(&mapped), jobs(&expected), "{} of {}", mapping, table);
    }
}
