//! Findings about data as lines for people: what was left out, filled in or assumed.

use elastiplan_model::{Diagnostic, Place, Severity};
use elastiplan_text::words;

/// A line for each finding, with how serious it is. Columns that a file does not have are told in one, and so are
/// columns of which the same is to be said.
pub fn lines(diagnostics: &[Diagnostic]) -> Vec<(Severity, String)> {
    let mut lines = Vec::new();
    let mut told: Vec<&Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if told.contains(&diagnostic) {
            continue;
        }
        let alike = |is_alike: fn(&Diagnostic, &Diagnostic) -> bool| -> Vec<&Diagnostic> {
            diagnostics.iter().filter(|other| is_alike(diagnostic, other)).collect()
        };
        let (missing, same) = (alike(are_missing_columns), alike(say_the_same));
        let line = match (missing.len() > 1, same.len() > 1) {
            (true, _) => missing_columns(&missing),
            (false, true) => of_columns(diagnostic, &same).to_string(),
            (false, false) => diagnostic.to_string(),
        };
        told.extend(if missing.len() > 1 { missing } else { same });
        lines.push((diagnostic.severity, line));
    }
    lines
}

/// The column that the file of a finding does not have, if that is what it says.
fn missing_column(diagnostic: &Diagnostic) -> Option<&str> {
    let column = diagnostic.place.column.as_deref()?;
    let is_missing = diagnostic.severity == Severity::Info && diagnostic.rule == format!("No {column} column");
    is_missing.then_some(column)
}

/// Whether both findings are about columns that a file does not have.
fn are_missing_columns(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.place.file == other.place.file && missing_column(one).is_some() && missing_column(other).is_some()
}

/// Whether two findings differ in their column at most.
fn say_the_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let in_same_column = |finding: &Diagnostic| Diagnostic {
        place: Place { column: one.place.column.clone(), ..finding.place.clone() },
        ..finding.clone()
    };
    one.place.column.is_some() && other.place.column.is_some() && in_same_column(other) == *one
}

/// A finding about several columns: `columns 16, 32 and 64`.
fn of_columns(finding: &Diagnostic, alike: &[&Diagnostic]) -> Diagnostic {
    let columns: Vec<&str> = alike.iter().filter_map(|other| other.place.column.as_deref()).collect();
    finding.clone().in_column(format!("columns {}", words::list(&columns)))
}

/// `jobs.csv has no columns gpus_min (1 is used) and user (jobs cannot be grouped by user). Add a column to say
/// otherwise`.
fn missing_columns(findings: &[&Diagnostic]) -> String {
    let file = findings.first().and_then(|finding| finding.place.file.as_deref()).unwrap_or("The file");
    let column = |finding: &&Diagnostic| {
        let mut letters = finding.outcome.chars();
        let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
        format!("{} ({first}{})", missing_column(finding).unwrap_or_default(), letters.as_str())
    };
    let columns: Vec<String> = findings.iter().map(column).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    // Some formats have no such columns, and say so.
    let mut repairs = findings.iter().map(|finding| finding.repair.as_str());
    let repair = repairs.next().filter(|first| repairs.all(|other| other == *first) && *first != ADD_THE_COLUMN);
    format!("{file} has no columns {}. {}", words::list(&columns), repair.unwrap_or("Add a column to say otherwise"))
}

/// The advice about one column of a plain file.
const ADD_THE_COLUMN: &str = "Add the column to say otherwise";

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(column: &str, rule: &str, outcome: &str, repair: &str) -> Diagnostic {
        Diagnostic::new(Severity::Info, rule, outcome, repair).in_file("x.csv").in_column(column)
    }

    fn check(findings: &[Diagnostic], expected: &[&str]) {
        let lines: Vec<String> =
            lines(findings).into_iter().map(|(severity, line)| format!("{severity:?}: {line}")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn missing_columns_are_one_line_with_the_advice_of_their_format() {
        let missing =
            |column: &str, used: &str, repair: &str| finding(column, &format!("No {column} column"), used, repair);
        let of_format = "The format has none; the plain format does";
        check(
            &[missing("gpus_min", "1 is used", ADD_THE_COLUMN), missing("user", "Jobs have no user", ADD_THE_COLUMN)],
            &[
                "Info: x.csv has no columns gpus_min (1 is used) and user (jobs have no user). Add a column to say otherwise",
            ],
        );
        check(
            &[missing("gpus_min", "1 is used", of_format), missing("gpus_max", "All are used", of_format)],
            &[
                "Info: x.csv has no columns gpus_min (1 is used) and gpus_max (all are used). The format has none; the plain format does",
            ],
        );
        check(
            &[missing("user", "Jobs have no user", ADD_THE_COLUMN)],
            &["Info: x.csv, user. No user column. Jobs have no user. Add the column to say otherwise"],
        );
    }

    #[test]
    fn columns_of_which_the_same_is_said_are_one_line() {
        let zero = |column: &str| finding(column, "Above 0", "Left out", "Fill it in");
        check(
            &[zero("16"), finding("8", "Above 0", "Used", "Fill it in"), zero("32"), zero("64")],
            &[
                "Info: x.csv, columns 16, 32 and 64. Above 0. Left out. Fill it in",
                "Info: x.csv, 8. Above 0. Used. Fill it in",
            ],
        );
        // Another finding in a column that was told is told too.
        check(
            &[zero("16"), zero("32"), finding("32", "Below 9", "Used", "Look")],
            &["Info: x.csv, columns 16 and 32. Above 0. Left out. Fill it in", "Info: x.csv, 32. Below 9. Used. Look"],
        );
    }
}
