//! What follows from the use of a column, in a few words.

use elastiplan_text::calendar::is_unix_time;
use elastiplan_text::format::{count, duration, number};
use elastiplan_text::words::counted;

use super::column::{Content, Distinct};
use super::stats::ColumnStats;
use crate::mapping::{ReadForm, Role, Uses};
use crate::text::clock::date_text;

/// What the sentences are made of beside the column.
pub(super) struct Facts<'f> {
    pub uses: &'f Uses,
    /// Whether the submission is guessed to be the start, as there is no other.
    pub arrives_at_start: bool,
}

/// What follows from the use of a column.
pub(super) fn follows(column: usize, stats: &ColumnStats, facts: &Facts<'_>) -> String {
    let Some(own) = facts.uses.columns.get(column) else { return String::new() };
    let unit_s = own.read_as.unit.map_or(1.0, |unit| unit.seconds());
    let has = |role: Role| facts.uses.columns.iter().any(|own| own.role == role);
    let main = match &own.role {
        Role::JobName => names(stats.distinct(), stats.filled()),
        Role::Submitted if facts.arrives_at_start => "No submission time: arrival = start".into(),
        Role::Submitted | Role::Start => times(stats, unit_s),
        Role::End if has(Role::Start) => "Run time = end − start".into(),
        Role::End => "Run time = end − submitted".into(),
        Role::Deadline if own.read_as.form == ReadForm::AfterSubmission => durations(stats, unit_s),
        Role::Deadline => times(stats, unit_s),
        Role::RunTime => durations(stats, unit_s),
        Role::Gpus if own.read_as.form == ReadForm::Plain => gpus(stats),
        Role::GpusPerNode => range(stats, "GPUs each"),
        Role::Nodes => match own.read_as.form {
            ReadForm::Times(gpus) => range(stats, &format!("nodes of {}", counted(gpus as u64, "GPU", "GPUs"))),
            _ => range(stats, "nodes"),
        },
        Role::Model => different(stats.distinct(), "model", "models"),
        Role::User => {
            let (one, many) = noun(&own.name);
            different(stats.distinct(), one, many)
        }
        Role::KeepIf => match &own.read_as.form {
            ReadForm::Keep(test) => kept(stats, test),
            _ => String::new(),
        },
        Role::Work(_) | Role::BatchSize | Role::Priority | Role::Field(_) | Role::Gpus => range(stats, ""),
        Role::Formula => formulas(&own.name, facts.uses),
        Role::NotUsed => described(stats),
    };
    let says_empty = matches!(own.role, Role::KeepIf | Role::Formula | Role::NotUsed) || stats.empty == 0;
    match (main.is_empty(), says_empty) {
        (_, true) => main,
        (true, false) => format!("{} empty", count(stats.empty)),
        (false, false) => format!("{main}, {} empty", count(stats.empty)),
    }
}

/// `8,214 different names`.
fn names(distinct: Distinct, filled: u64) -> String {
    let names = different(distinct, "different name", "different names");
    let repeats = !distinct.has_more && u64::from(distinct.count) < filled;
    if repeats { format!("{names}; repeated ones get a number") } else { names }
}

/// `9 teams`, `more than 1,000 teams`.
fn different(Distinct { count: values, has_more }: Distinct, one: &str, many: &str) -> String {
    let counted = counted(values.into(), one, many);
    if has_more { format!("more than {counted}") } else { counted }
}

/// The nouns for the values of a column that names who asked for a job.
fn noun(name: &str) -> (&'static str, &'static str) {
    const NOUNS: [(&str, &str); 11] = [
        ("user", "users"),
        ("team", "teams"),
        ("group", "groups"),
        ("account", "accounts"),
        ("organization", "organizations"),
        ("project", "projects"),
        ("department", "departments"),
        ("tenant", "tenants"),
        ("owner", "owners"),
        ("cluster", "clusters"),
        ("queue", "queues"),
    ];
    let name = name.trim().to_lowercase();
    let stem = name.strip_suffix("_id").or(name.strip_suffix("_name")).unwrap_or(&name);
    NOUNS.into_iter().find(|(one, _)| *one == stem).unwrap_or(("user", "users"))
}

/// `2026-07-01 to 2026-09-30`; of a clock that counts from another moment, `0s to 92d`.
fn times(stats: &ColumnStats, unit_s: f64) -> String {
    let Some((least, most)) = stats.range else { return String::new() };
    let is_dates = stats.content().0 == Content::Dates;
    let factor = if is_dates { 1.0 } else { unit_s };
    let (first, last) = (least * factor, most * factor);
    if !is_dates && !is_unix_time(first) {
        return from_to(duration(first), &duration(last));
    }
    from_to(date_text(first), &date_text(last))
}

/// `a to b`; of equal ends one.
fn from_to(first: String, last: &str) -> String {
    if first == last { first } else { format!("{first} to {last}") }
}

/// `28m to 2d 04h`.
fn durations(stats: &ColumnStats, unit_s: f64) -> String {
    let Some((least, most)) = stats.range else { return String::new() };
    let factor = if stats.content().0 == Content::Numbers { unit_s } else { 1.0 };
    from_to(duration(least * factor), &duration(most * factor))
}

/// `0 to 32, so GPUs and not nodes`: every job has a node, but not every one a GPU.
fn gpus(stats: &ColumnStats) -> String {
    match stats.range {
        Some((least, most)) if least == 0.0 && most > 0.0 => format!("0 to {}, so GPUs and not nodes", number(most)),
        Some((least, most)) if (least, most) == (1.0, 1.0) => "1 GPU".into(),
        _ => range(stats, "GPUs"),
    }
}

/// `1 to 4 nodes`.
fn range(stats: &ColumnStats, noun: &str) -> String {
    let Some((least, most)) = stats.range else { return String::new() };
    format!("{} {noun}", from_to(number(least), &number(most))).trim_end().into()
}

/// `2 of 5 values kept`.
fn kept(stats: &ColumnStats, test: &crate::mapping::Test) -> String {
    let values = stats.values(|value| super::keeps(test, value));
    if values.is_empty() {
        return different(stats.distinct(), "value", "values");
    }
    let kept = values.iter().filter(|value| value.is_kept).count() as u64;
    format!("{} of {} kept", count(kept), counted(values.len() as u64, "value", "values"))
}

/// The formulas that a column is part of.
fn formulas(name: &str, uses: &Uses) -> String {
    let names: Vec<String> = uses.columns.iter().map(|own| own.name.clone()).collect();
    let own = names.iter().position(|other| other == name);
    let looks_at = |text: &str| {
        let mapping = crate::mapping::Mapping::partial(text).unwrap_or_default();
        mapping.columns().iter().any(|column| crate::mapping::bind::position(column, &names) == own)
    };
    let formulas = uses.formulas.iter().map(|formula| format!("{}={}", formula.field, formula.formula));
    let conditions = uses.conditions.iter().map(|text| format!("where {text}"));
    let found: Vec<String> = formulas.chain(conditions).filter(|text| looks_at(text)).collect();
    found.join(", ")
}

/// What an unused column holds.
fn described(stats: &ColumnStats) -> String {
    let (content, share) = stats.content();
    let mixed = if share < 1.0 { "mostly " } else { "" };
    match content {
        Content::Empty => "empty".into(),
        Content::Numbers => format!("{mixed}numbers, {}", range(stats, "")),
        Content::Dates => format!("{mixed}dates, {}", times(stats, 1.0)),
        Content::Durations => format!("{mixed}durations, {}", durations(stats, 1.0)),
        Content::Text => format!("{mixed}text, {}", different(stats.distinct(), "value", "values")),
    }
}
