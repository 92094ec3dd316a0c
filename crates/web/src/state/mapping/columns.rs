//! The rows of the table of columns, and how a column is read once it has another role.

use elastiplan_formats::mapping::{
    ColumnUse, Comparison, Content, MappingIssue, ReadAs, ReadForm, Role, RowOutcome, Sureness, Survey, SurveyColumn,
    Test, Unit,
};

use super::MappingStep;

/// How certain the use of a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Guessed, without a doubt.
    Sure,
    /// Guessed, to be looked at.
    Guessed,
    /// Chosen.
    Chosen,
    /// It cannot be so.
    Conflict,
    /// The column is not used.
    Unused,
}

impl Mark {
    /// Its sign and its word.
    pub fn words(self) -> &'static str {
        match self {
            Self::Sure => "✓ sure",
            Self::Guessed => "? guessed",
            Self::Chosen => "✓ chosen",
            Self::Conflict => "✕ conflict",
            Self::Unused => "",
        }
    }
}

/// A column with its use.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRow<'s> {
    /// Its place.
    pub at: usize,
    /// The column.
    pub column: &'s SurveyColumn,
    /// Its use.
    pub own: &'s ColumnUse,
    /// How certain that is.
    pub mark: Mark,
}

impl MappingStep {
    /// The columns with their uses.
    pub fn rows(&self) -> Vec<ColumnRow<'_>> {
        let issues = self.issues();
        let in_conflict: Vec<usize> = issues.iter().flat_map(columns_of).map(|at| at as usize).collect();
        let columns = self.survey.iter().flat_map(|survey| &survey.columns);
        let row = |(at, (column, own)): (usize, (&'_ SurveyColumn, &'_ ColumnUse))| {
            let mark = match column.sureness {
                _ if in_conflict.contains(&at) => Mark::Conflict,
                _ if own.role == Role::NotUsed => Mark::Unused,
                Some(_) if self.touched.contains(&at) => Mark::Chosen,
                Some(Sureness::Sure) => Mark::Sure,
                Some(Sureness::Guessed) => Mark::Guessed,
                None => Mark::Chosen,
            };
            (at, mark)
        };
        let zipped = columns.zip(&self.uses.columns).enumerate();
        zipped
            .map(|(at, (column, own))| {
                let (at, mark) = row((at, (column, own)));
                ColumnRow { at, column, own, mark }
            })
            .collect()
    }

    /// How a column is read in another role: as before, where that is possible; else as its cells suggest.
    pub(super) fn reading_for(&self, at: usize, role: &Role) -> ReadAs {
        let column = self.survey.as_ref().and_then(|survey| survey.columns.get(at));
        let Some(column) = column else { return ReadAs::default() };
        if *role == Role::KeepIf {
            return ReadAs { form: ReadForm::Keep(keep_all(column)), ..ReadAs::default() };
        }
        let choices = ReadAs::choices(role, column.content);
        let before = self.uses.columns.get(at).map(|own| &own.read_as).filter(|before| **before != ReadAs::default());
        if let Some(before) = before.filter(|before| choices.contains(before)) {
            return before.clone();
        }
        let has_per_node = self.uses.columns.iter().any(|own| own.role == Role::GpusPerNode);
        let form = match role {
            Role::Nodes if !has_per_node => ReadForm::Times(self.assumptions.gpus_per_node.into()),
            _ => ReadForm::Plain,
        };
        let is_milliseconds = column.range.is_some_and(|(_, most)| (1e12..1e14).contains(&most));
        let is_moment = matches!(role, Role::Submitted | Role::Start | Role::End | Role::Deadline);
        let unit = (is_moment && is_milliseconds && column.content == Content::Numbers).then_some(Unit::Milliseconds);
        ReadAs { form, unit, reading: None }
    }

    /// A column that keeps rows with a value too, or no more. The last value stays.
    pub(super) fn keeping(&self, at: usize, value: &str, is_kept: bool) -> Option<ReadAs> {
        let column = self.survey.as_ref()?.columns.get(at)?;
        let test = match &self.uses.columns.get(at)?.read_as.form {
            ReadForm::Keep(test) => test.clone(),
            _ => keep_all(column),
        };
        let values = column.values.iter().map(|known| known.value.as_str());
        let is_wanted = |known: &&str| if *known == value { is_kept } else { keeps(&test, known) };
        let kept: Vec<String> = values.filter(is_wanted).map(str::to_string).collect();
        let form = ReadForm::Keep(Test::OneOf(kept.clone()));
        (!kept.is_empty()).then(|| ReadAs { form, ..ReadAs::default() })
    }
}

/// Whether a condition on texts keeps rows with a value.
pub fn keeps(test: &Test, value: &str) -> bool {
    let is_any = |texts: &[String]| texts.iter().any(|text| text.trim().eq_ignore_ascii_case(value));
    match test {
        Test::OneOf(texts) => is_any(texts),
        Test::NoneOf(texts) => !is_any(texts),
        Test::Compared(..) => true,
    }
}

/// A condition that keeps all rows to begin with; of a column with many values those above 0.
fn keep_all(column: &SurveyColumn) -> Test {
    if column.values.is_empty() {
        return Test::Compared(Comparison::Above, 0.0);
    }
    Test::OneOf(column.values.iter().map(|known| known.value.clone()).collect())
}

/// The columns that an issue is about.
fn columns_of(issue: &MappingIssue) -> Vec<u32> {
    match issue {
        MappingIssue::TakenTwice { columns, .. } => columns.clone(),
        MappingIssue::Alone { column, .. } | MappingIssue::Ambiguous { column, .. } => vec![*column],
        _ => Vec::new(),
    }
}

/// A survey of the first part of a file without its last row, which may be cut in two.
pub(super) fn without_cut_row(mut survey: Survey) -> Survey {
    let last = survey.header_row.unwrap_or(0) + survey.counts.rows;
    let is_cut = |row: u64, rows: u64| rows == 1 && row >= last;
    let Some(at) = survey
        .counts
        .left_out
        .iter()
        .position(|left_out| left_out.first_rows.first().is_some_and(|row| is_cut(*row, left_out.rows)))
    else {
        return survey;
    };
    survey.counts.left_out.remove(at);
    survey.counts.rows -= 1;
    survey.rows.retain(|row| row.row < last || matches!(row.outcome, RowOutcome::Job(_)));
    survey
}
