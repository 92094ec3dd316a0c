//! Mappings as roles of columns and back.

use elastiplan_formats::mapping::{
    ColumnUse, Comparison, Content, FieldFormula, Mapping, ReadAs, ReadForm, Reading, Role, Test, Unit, Uses,
    WorkMeasure, Zone,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const NAMES: [&str; 8] = ["job", "start", "end", "num gpus", "workers", "team", "state", "took"];

fn names() -> Vec<String> {
    NAMES.map(String::from).to_vec()
}

fn uses(mapping: &str) -> Uses {
    Uses::of(&Mapping::partial(mapping).unwrap(), &names())
}

/// Roles of the columns with how they are read, then formulas and conditions; and back to the same text.
fn check(mapping: &str, expected: &str) {
    let found = uses(mapping);
    let read_as = |own: &ColumnUse| match own.read_as == ReadAs::default() {
        true => String::new(),
        false => format!(" {:?}", own.read_as),
    };
    let columns = found.columns.iter().filter(|own| own.role != Role::NotUsed);
    let mut words: Vec<String> =
        columns.map(|own| format!("{}: {}{}", own.name, own.role.label(), read_as(own))).collect();
    words.extend(found.formulas.iter().map(|formula| format!("{}={}", formula.field, formula.formula)));
    words.extend(found.conditions.iter().map(|text| format!("where {text}")));
    assert_eq!(words.join("; "), expected, "{mapping}");
    let before = Mapping::partial(mapping).unwrap();
    assert_eq!(found.mapping(&before).to_string(), mapping);
}

#[test]
fn fields_are_roles_of_columns() {
    check("gpus=\"num gpus\" job_id=job submit_s=start", "job: Job name; start: Submitted; num gpus: GPUs asked for");
    check("user=team priority=took iterations=workers", "workers: Work: iterations; team: User; took: Priority");
    check("gpus_max=workers", "workers: gpus_max");
    check("", "");
}

#[test]
fn a_run_ends_after_its_start_or_its_submission() {
    check("submit_s=start duration_s=end-start", "start: Submitted; end: End of run");
    check("duration_s=end-start submit_s=took", "start: Start; end: End of run; took: Submitted");
    let ms = "ReadAs { reading: None, unit: Some(Milliseconds), form: Plain }";
    check("submit_s=start ms duration_s=(end-start) ms", &format!("start: Submitted {ms}; end: End of run {ms}"));
    // The two times are on different clocks.
    check("submit_s=start duration_s=(end-start) ms", "start: Submitted; end: Formula; duration_s=(end-start) ms");
    let dmy = "ReadAs { reading: Some(DayFirst), unit: None, form: Plain }";
    check("submit_s=start dmy duration_s=end dmy-start dmy", &format!("start: Submitted {dmy}; end: End of run {dmy}"));
}

#[test]
fn gpus_are_counted_in_several_ways() {
    let form = |form: &str| format!("ReadAs {{ reading: None, unit: None, form: {form} }}");
    check("gpus=workers*\"num gpus\"", "num gpus: GPUs per node; workers: Nodes asked for");
    check("gpus=\"num gpus\"*workers", "num gpus: GPUs per node; workers: Nodes asked for");
    check("gpus=workers*8", &format!("workers: Nodes asked for {}", form("Times(8.0)")));
    check("gpus=ceil(workers/100)", &format!("workers: GPUs asked for {}", form("PerCentRoundedUp")));
    check("gpus=after(state,'gpu=')", &format!("state: GPUs asked for {}", form("NumberAfter(\"gpu=\")")));
    check("gpus=1", "gpus=1");
    check("gpus=workers+took*2", "workers: Formula; took: Formula; gpus=workers+took*2");
}

#[test]
fn deadlines_count_from_the_clock_or_from_the_submission() {
    let form = "ReadAs { reading: None, unit: Some(Hours), form: AfterSubmission }";
    check("submit_s=start deadline_s=start+took h", &format!("start: Submitted; took: Deadline {form}"));
    check("submit_s=start deadline_s=end", "start: Submitted; end: Deadline");
    check("submit_s=start deadline_s=start+2 h", "start: Submitted; deadline_s=start+2 h");
}

#[test]
fn conditions_are_uses_of_columns_that_have_no_other() {
    let form = |form: &str| format!("ReadAs {{ reading: None, unit: None, form: Keep({form}) }}");
    check(
        "gpus=workers where state=a|b",
        &format!("workers: GPUs asked for; state: Keep only if {}", form("OneOf([\"a\", \"b\"])")),
    );
    check("gpus=workers where workers>0", "workers: GPUs asked for; where workers>0");
    check(
        "gpus=1 where took>0 and took<9",
        &format!("took: Keep only if {}; gpus=1; where took<9", form("Compared(Above, 0.0)")),
    );
}

#[test]
fn a_second_field_of_a_column_is_a_formula() {
    check("user=team model=team", "team: Model; user=team");
    check("gpus=nowhere", "gpus=nowhere");
}

#[test]
fn what_is_not_changed_keeps_its_text() {
    let before =
        Mapping::partial("submit_s=START  gpus=Num-GPUs*1".replace("Num-GPUs*1", "\"Num-GPUs\"").as_str()).unwrap();
    let mut found = Uses::of(&before, &names());
    found.set(5, Role::User, ReadAs::default());
    assert_eq!(found.mapping(&before).to_string(), "submit_s=START gpus=\"Num-GPUs\" user=team");
    found.set(1, Role::NotUsed, ReadAs::default());
    assert_eq!(found.mapping(&before).to_string(), "gpus=\"Num-GPUs\" user=team");
}

#[test]
fn a_role_replaces_a_formula_for_its_field() {
    let before = Mapping::partial("gpus=1 user=team").unwrap();
    let mut found = Uses::of(&before, &names());
    found.set(3, Role::Gpus, ReadAs::default());
    assert_eq!(found.mapping(&before).to_string(), "gpus=\"num gpus\" user=team");
    assert_eq!(found.formulas, []);
}

#[test]
fn what_cannot_be_is_named() {
    let check = |set: &[(usize, Role)], expected: &[&str]| {
        let mut found = uses("submit_s=start");
        set.iter().for_each(|(column, role)| found.set(*column, role.clone(), ReadAs::default()));
        let issues: Vec<String> = found.issues().iter().map(ToString::to_string).collect();
        assert_eq!(issues, expected, "{set:?}");
    };
    check(&[], &[]);
    check(&[(2, Role::Submitted)], &["Submitted is taken twice"]);
    check(&[(2, Role::Submitted), (7, Role::Submitted)], &["Submitted is taken 3 times"]);
    check(
        &[(3, Role::Gpus), (4, Role::Nodes)],
        &["GPUs asked for is taken twice", "Nodes asked for: choose the GPUs of each node too"],
    );
    check(&[(2, Role::End), (7, Role::RunTime)], &["Run time is taken twice"]);
    check(&[(1, Role::NotUsed), (2, Role::End)], &["End of run: choose the start of the run, or the submission, too"]);
    check(&[(7, Role::Start)], &["Start: choose the end of the run too"]);
    check(&[(4, Role::Nodes)], &["Nodes asked for: choose the GPUs of each node too"]);
    check(&[(3, Role::GpusPerNode)], &["GPUs per node: choose the nodes asked for too"]);
    let mut broken = uses("submit_s=start");
    broken.formulas.push(FieldFormula { field: "gpus".into(), formula: "1+".into() });
    let issues: Vec<String> = broken.issues().iter().map(ToString::to_string).collect();
    assert_eq!(issues, ["the mapping, letter 8: expected a column, a number or text in single quotes"]);
}

#[test]
fn readings_have_words_and_choices() {
    let check = |mapping: &str, column: usize, content: Content, expected: &str| {
        let found = uses(mapping);
        let own = &found.columns[column];
        assert_eq!(own.read_as.label(&own.role, content, found.zone), expected, "{mapping}");
        let choices = ReadAs::choices(&own.role, content);
        let is_open = matches!(own.role, Role::KeepIf | Role::Formula | Role::NotUsed)
            || matches!(own.read_as.form, ReadForm::NumberAfter(_));
        assert!(is_open || choices.contains(&own.read_as), "{mapping}: {choices:?}");
        let labels: Vec<String> = choices.iter().map(|own_choice| own_choice.label(&own.role, content, None)).collect();
        let different: std::collections::BTreeSet<&String> = labels.iter().collect();
        assert_eq!(different.len(), choices.len(), "{mapping}: each choice has words of its own");
    };
    check("submit_s=start", 1, Content::Dates, "ISO date, zone UTC");
    check("submit_s=start dmy zone=+02:00", 1, Content::Dates, "date, day first, zone +02:00");
    check("submit_s=start ms", 1, Content::Numbers, "ms");
    check("duration_s=took", 7, Content::Durations, "h:mm:ss");
    check("duration_s=took comma", 7, Content::Numbers, "s, decimal comma");
    check("submit_s=start deadline_s=start+took h", 7, Content::Numbers, "h after submission");
    check("gpus=\"num gpus\"", 3, Content::Numbers, "whole GPUs");
    check("gpus=\"num gpus\"/100", 3, Content::Numbers, "per cent of a GPU");
    check("gpus=workers*8", 4, Content::Numbers, "nodes × 8");
    check("gpus=after(state,'gpu=')", 6, Content::Text, "number after gpu=");
    check("gpus=1 where state=a|b", 6, Content::Text, "a, b");
    check("gpus=1 where state!=a", 6, Content::Text, "not a");
    check("gpus=1 where took>=2", 7, Content::Numbers, ">= 2");
    check("user=team", 5, Content::Text, "text");
    check("gpus=1", 5, Content::Text, "");
}

fn units() -> impl Strategy<Value = Option<Unit>> {
    prop::option::of(select(Unit::ALL.to_vec()))
}

/// Uses of columns as a form allows them: each role once, with what it needs beside it.
fn forms() -> impl Strategy<Value = Uses> {
    let columns = Just((0..NAMES.len()).collect::<Vec<_>>()).prop_shuffle();
    let gpus = select(vec![
        ReadForm::Plain,
        ReadForm::RoundedUp,
        ReadForm::PerCent,
        ReadForm::PerCentRoundedUp,
        ReadForm::NumberAfter("gpu=".into()),
    ]);
    let test = select(vec![
        Test::OneOf(vec!["done".into(), "timed out".into()]),
        Test::NoneOf(vec!["x".into()]),
        Test::Compared(Comparison::AtLeast, 2.5),
    ]);
    let styles = (units(), prop::option::of(select(Reading::ALL.to_vec())));
    (columns, gpus, test, styles, 0..6u32, any::<Index>(), prop::option::of(-600..600_i16)).prop_map(
        |(order, gpus, test, (unit, reading), variant, skipped, zone)| {
            let mut uses = Uses::of(&Mapping::default(), &names());
            uses.zone = zone.and_then(Zone::ahead_by);
            let time = ReadAs { unit, reading, form: ReadForm::Plain };
            let plain = ReadAs::default;
            let reading_of_gpus = reading.filter(|_| !matches!(gpus, ReadForm::NumberAfter(_)));
            let mut roles = vec![(Role::Submitted, time.clone())];
            roles.extend(match variant % 3 {
                0 => vec![(Role::RunTime, time.clone())],
                1 => vec![(Role::End, time.clone())],
                _ => vec![(Role::Start, time.clone()), (Role::End, time.clone())],
            });
            roles.extend(match variant % 2 {
                0 => vec![(Role::Gpus, ReadAs { form: gpus, unit: None, reading: reading_of_gpus })],
                _ => vec![(Role::Nodes, ReadAs { form: ReadForm::Times(4.0), ..plain() })],
            });
            let form = if variant < 3 { ReadForm::AfterSubmission } else { ReadForm::Plain };
            roles.push((Role::Deadline, ReadAs { form, unit, reading }));
            roles.push((Role::KeepIf, ReadAs { form: ReadForm::Keep(test), ..plain() }));
            let more = [Role::User, Role::Model, Role::Work(WorkMeasure::GpuSeconds), Role::Field("gpus_min".into())];
            roles.extend(more.into_iter().map(|role| (role, plain())));
            roles.truncate(order.len());
            let skipped = skipped.index(roles.len());
            for (at, (column, (role, read_as))) in order.into_iter().zip(roles).enumerate() {
                // The submission is needed by others.
                if at == 0 || at != skipped {
                    uses.set(column, role, read_as);
                }
            }
            uses
        },
    )
}

proptest! {
    #[test]
    fn roles_become_a_mapping_and_the_same_roles(uses in forms()) {
        let mapping = uses.mapping(&Mapping::default());
        let text = mapping.to_string();
        prop_assert_eq!(Mapping::partial(&text), Ok(mapping), "{}", text);
        let is_alone = uses.issues().iter().any(|issue| matches!(issue, elastiplan_formats::mapping::MappingIssue::Alone { .. }));
        if !is_alone {
            prop_assert_eq!(Uses::of(&Mapping::partial(&text).unwrap(), &names()), uses, "{}", text);
        }
    }

    /// Of any mapping the roles make one with the same roles; with the mapping beside them, the same text.
    #[test]
    fn a_mapping_keeps_its_text(mapping in crate::mapping_properties::mappings_of(&NAMES)) {
        let uses = Uses::of(&mapping, &names());
        prop_assert_eq!(uses.mapping(&mapping).to_string(), mapping.to_string());
        let written = uses.mapping(&Mapping::default());
        prop_assert_eq!(Uses::of(&written, &names()), uses, "{} became {}", mapping, written);
    }
}
