//! The step in which a user says what the columns of a table are: its state, apart from the browser and from workers.
//!
//! Each edit asks for another survey of the table ([`MappingStep::next`]); the answer to an earlier question is dropped,
//! and what is shown stays until the new one comes. Of a large file the first part is surveyed first.

pub mod assumptions;
mod columns;
pub mod kept;
pub mod line;
pub mod speeds;
mod words;

use std::collections::BTreeSet;
use std::rc::Rc;

use elastiplan_formats::FileReport;
use elastiplan_formats::mapping::{Mapping, MappingIssue, ReadAs, Role, Survey, SurveyError, Uses, Zone};
use elastiplan_model::SpeedupLaw;
use elastiplan_scenario::fields::Value;
use elastiplan_scenario::{Interval, ModelMix};

use self::assumptions::Assumptions;
pub use self::columns::{ColumnRow, Mark, keeps};
use self::line::Line;
use crate::files::NamedFile;
use crate::state::merge::MergeEdit;

/// What can happen in the step, and what is said of files after it.
#[derive(Clone, Debug, PartialEq)]
pub enum MappingMsg {
    /// Opens it for a file of a reading, by the reading's number and the file's path.
    Open(u32, String),
    /// A change of the mapping or of what is assumed.
    Edit(MappingEdit),
    /// Loads the table, as soon as the last edit is surveyed.
    Load,
    /// Leaves the step; nothing has changed.
    Cancel,
    /// Forgets the mapping for tables with these columns.
    Forget(u64),
    /// A choice about files that were loaded over earlier data.
    Merge(MergeEdit),
}

/// A change in the step.
#[derive(Clone, Debug, PartialEq)]
pub enum MappingEdit {
    /// A column has another role; how it is read follows from its cells.
    Role(usize, Role),
    /// A column is read in another way.
    ReadAs(usize, ReadAs),
    /// Rows with a value of a column are kept, or left out.
    Keep(usize, String, bool),
    /// A guess is right.
    Confirm(usize),
    /// A field has the same value for all rows, as a formula; or none.
    Formula(String, Option<String>),
    /// Another condition that is no column's goes.
    DropCondition(usize),
    /// Dates that name no zone are in this one.
    Zone(Option<Zone>),
    /// Another mapping, as text: of a repair.
    Take(String),
    /// A line that was typed or pasted.
    Line(String),
    /// Another law.
    Law(Option<SpeedupLaw>),
    /// Other deadlines.
    Deadlines(Option<Interval>),
    /// Other models.
    Models(Option<ModelMix>),
    /// Whether the number of nodes is set.
    SetNodes(bool),
    /// Whether the mapping is remembered.
    Remember(bool),
    /// On a narrow page: what is shown.
    Show(Tab),
    /// Whether further rows are shown before and after.
    MoreRows(bool),
}

impl MappingEdit {
    /// Whether it changes what is shown only.
    pub fn is_view(&self) -> bool {
        matches!(self, Self::Show(_) | Self::MoreRows(_))
    }
}

/// On a narrow page, the part of the step that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The columns.
    #[default]
    Columns,
    /// The rows.
    Rows,
    /// What is assumed.
    Assumed,
}

impl Tab {
    /// All parts with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Columns, "Columns"), (Self::Rows, "Rows"), (Self::Assumed, "Assumed")];
}

/// A question to a worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The mapping as text; `None` for that which the columns suggest.
    pub mapping: Option<String>,
    /// Whether only the first part of the file is surveyed.
    pub is_part: bool,
}

/// What the step is opened for.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The path of the table, in an archive behind the archive's.
    pub path: String,
    /// The files that came with it, with it among them.
    pub files: Vec<NamedFile>,
    /// Its place, or its archive's, among them.
    pub at: u32,
    /// Whether its first part is surveyed before the whole.
    pub is_large: bool,
    /// What it was read as, if it was.
    pub read_as: Option<String>,
}

/// What to load.
#[derive(Debug, PartialEq)]
pub struct LoadOrder {
    /// The mapping, with the place of its file.
    pub mapping: (u32, String),
    /// Fields of the scenario, by their keys.
    pub fields: Vec<(&'static str, Value)>,
    /// The columns' fingerprint, with the line to be remembered for it; or none, where it is to be forgotten.
    pub remembered: Option<(u64, Option<String>)>,
}

/// The step.
#[derive(Clone, Debug)]
pub struct MappingStep {
    /// What it is about.
    pub table: Table,
    /// The last survey that came.
    pub survey: Option<Rc<Survey>>,
    /// Whether that is of the first part of the file only.
    pub is_part: bool,
    /// The mapping as it is now.
    pub mapping: Mapping,
    /// The same as roles of columns; a role may be taken twice here.
    pub uses: Uses,
    /// What is assumed beside it.
    pub assumptions: Assumptions,
    /// Whether the mapping is remembered for tables with these columns.
    pub remembers: bool,
    /// On a narrow page, the part that is shown.
    pub tab: Tab,
    /// Whether further rows are shown before and after.
    pub shows_more_rows: bool,
    /// The share of the file that has been surveyed, 0 to 1.
    pub share: f64,
    /// Why a line could not be taken over, or the table could not be surveyed.
    pub fault: Option<String>,
    /// Columns whose use was chosen or confirmed.
    touched: BTreeSet<usize>,
    next: Option<Ask>,
    asked: Option<(u32, Ask)>,
    is_loading: bool,
}

impl MappingStep {
    /// The step for a table, with the mapping that it is read by now, if there is one.
    pub fn open(table: Table, mapping: Option<String>, assumptions: Assumptions) -> Self {
        let next = Some(Ask { mapping, is_part: table.is_large });
        Self {
            table,
            survey: None,
            is_part: false,
            mapping: Mapping::default(),
            uses: Uses::default(),
            assumptions,
            remembers: true,
            tab: Tab::default(),
            shows_more_rows: false,
            share: 0.0,
            fault: None,
            touched: BTreeSet::new(),
            next,
            asked: None,
            is_loading: false,
        }
    }

    /// What is to be asked now. There is one question at a time.
    pub fn next(&self) -> Option<&Ask> {
        self.next.as_ref().filter(|_| self.asked.is_none())
    }

    /// Notes that it is asked.
    pub fn asked(&mut self, request: u32) {
        self.share = 0.0;
        self.asked = self.next.take().map(|ask| (request, ask));
    }

    /// The request under way.
    pub fn request(&self) -> Option<u32> {
        self.asked.as_ref().map(|(request, _)| *request)
    }

    /// Gives up the question under way, if another waits that is not to wait for a large file. Returns its request.
    pub fn give_up(&mut self) -> Option<u32> {
        let is_outdated = self.next.is_some() && self.table.is_large;
        self.asked.take_if(|_| is_outdated).map(|(request, _)| request)
    }

    /// Receives an answer. Returns whether it was to the question under way.
    pub fn surveyed(&mut self, request: u32, answer: Result<Survey, SurveyError>) -> bool {
        let Some((_, ask)) = self.asked.take_if(|(asked, _)| *asked == request) else { return false };
        self.share = 0.0;
        let survey = match answer {
            _ if self.next.is_some() => return true,
            Ok(survey) => survey,
            Err(error) => {
                self.fault = Some(error.to_string());
                self.is_loading = false;
                return true;
            }
        };
        if self.survey.is_none() {
            self.mapping = Mapping::partial(&survey.mapping).unwrap_or_default();
            self.uses = survey.uses.clone();
        }
        self.is_part = ask.is_part;
        if ask.is_part {
            self.ask(false);
        }
        let survey = if ask.is_part { columns::without_cut_row(survey) } else { survey };
        self.survey = Some(Rc::new(survey));
        true
    }

    /// A worker could not answer.
    pub fn failed(&mut self, request: u32, message: &str) -> bool {
        let is_this = self.asked.take_if(|(asked, _)| *asked == request).is_some();
        if is_this {
            (self.fault, self.is_loading) = (Some(message.to_string()), false);
        }
        is_this
    }

    fn ask(&mut self, is_part: bool) {
        self.next = Some(Ask { mapping: Some(self.mapping.to_string()), is_part });
    }

    /// Asks anew if the mapping is another.
    fn change(&mut self, mapping: Mapping) {
        let is_other = mapping != self.mapping;
        self.mapping = mapping;
        if is_other {
            self.ask(self.table.is_large);
        }
    }

    /// Takes over another mapping whole.
    fn take(&mut self, mapping: Mapping) {
        let names: Vec<String> = self.uses.columns.iter().map(|own| own.name.clone()).collect();
        self.uses = Uses::of(&mapping, &names);
        self.change(mapping);
    }

    /// Builds the mapping anew from the roles.
    fn rebuild(&mut self) {
        let mapping = self.uses.mapping(&self.mapping);
        self.change(mapping);
    }

    /// Applies a change.
    pub fn edit(&mut self, edit: MappingEdit) {
        if !edit.is_view() {
            (self.fault, self.is_loading) = (None, false);
        }
        match edit {
            MappingEdit::Role(at, role) => {
                let read_as = self.reading_for(at, &role);
                self.touched.insert(at);
                self.uses.set(at, role, read_as);
                self.rebuild();
            }
            MappingEdit::ReadAs(at, read_as) => {
                let Some(role) = self.uses.columns.get(at).map(|own| own.role.clone()) else { return };
                self.touched.insert(at);
                self.uses.set(at, role, read_as);
                self.rebuild();
            }
            MappingEdit::Keep(at, value, is_kept) => {
                let Some(read_as) = self.keeping(at, &value, is_kept) else { return };
                self.edit(MappingEdit::ReadAs(at, read_as));
            }
            MappingEdit::Confirm(at) => drop(self.touched.insert(at)),
            MappingEdit::Formula(field, formula) => {
                let text = formula.map(|formula| format!("{field}={formula}")).unwrap_or_default();
                match Mapping::partial(&text) {
                    Ok(parsed) => self.take(self.mapping.with(&field, parsed.value(&field).cloned())),
                    Err(error) => self.fault = Some(error.to_string()),
                }
            }
            MappingEdit::DropCondition(at) => {
                if at < self.uses.conditions.len() {
                    self.uses.conditions.remove(at);
                    self.rebuild();
                }
            }
            MappingEdit::Zone(zone) => {
                self.uses.zone = zone;
                self.change(self.mapping.with_zone(zone));
            }
            MappingEdit::Take(text) => match Mapping::partial(&text) {
                Ok(mapping) => self.take(mapping),
                Err(error) => self.fault = Some(error.to_string()),
            },
            MappingEdit::Line(text) => match Line::read(&text) {
                Ok(line) => {
                    self.assumptions.take(&line);
                    self.take(line.mapping);
                    self.touched = (0..self.uses.columns.len()).collect();
                }
                Err(error) => self.fault = Some(error),
            },
            MappingEdit::Law(law) => self.assumptions.law = law,
            MappingEdit::Deadlines(deadlines) => self.assumptions.deadlines = deadlines,
            MappingEdit::Models(models) => self.assumptions.models = models,
            MappingEdit::SetNodes(is_set) => self.assumptions.sets_nodes = is_set,
            MappingEdit::Remember(remembers) => self.remembers = remembers,
            MappingEdit::Show(tab) => self.tab = tab,
            MappingEdit::MoreRows(has_more) => self.shows_more_rows = has_more,
        }
    }

    /// Whether the shown survey is of the present mapping and of the whole file.
    pub fn is_settled(&self) -> bool {
        self.survey.is_some() && self.next.is_none() && self.asked.is_none()
    }

    /// Asks to load as soon as the last edit is surveyed.
    pub fn load(&mut self) {
        self.is_loading = true;
    }

    /// What to load, if that was asked for and can be done. Where something stands in the way, the wish is forgotten:
    /// that is to be seen first.
    pub fn load_order(&mut self) -> Option<LoadOrder> {
        if !self.is_loading || !self.is_settled() {
            return None;
        }
        self.is_loading = false;
        let survey = self.survey.clone().filter(|_| self.can_load())?;
        let line = self.remembers.then(|| self.line());
        Some(LoadOrder {
            mapping: (self.table.at, self.mapping.to_string()),
            fields: self.assumptions.fields(Some(&survey)),
            remembered: Some((survey.fingerprint, line)),
        })
    }

    /// The mapping and what is assumed as a line.
    pub fn line(&self) -> String {
        let Assumptions { law, deadlines, models, .. } = self.assumptions;
        Line { mapping: self.mapping.clone(), law, deadlines, models, has_options: true }.text()
    }

    /// What stands in the way of loading, what the roles say themselves first.
    pub fn issues(&self) -> Vec<MappingIssue> {
        let mut issues = self.uses.issues();
        let found = self.survey.iter().flat_map(|survey| &survey.issues);
        // While roles are in conflict, what rows say follows from one of several columns.
        let is_conflict = issues.iter().any(|issue| matches!(issue, MappingIssue::TakenTwice { .. }));
        let is_of_roles =
            |issue: &MappingIssue| matches!(issue, MappingIssue::TakenTwice { .. } | MappingIssue::Alone { .. });
        issues.extend(found.filter(|issue| !is_of_roles(issue) && !is_conflict).cloned());
        issues
    }

    /// Whether some rows become jobs and nothing stands in the way.
    pub fn can_load(&self) -> bool {
        self.issues().is_empty() && self.survey.as_ref().is_some_and(|survey| survey.counts.jobs > 0)
    }
}

/// The file that the step is opened for, of those that were read: a table that is no known one, unless other files have
/// jobs. One whose mapping is guessed goes before others.
pub fn to_map(files: &[FileReport], has_jobs: bool) -> Option<&FileReport> {
    use elastiplan_formats::{FileKind, FileRole};
    let is_open = |file: &&FileReport| !has_jobs && file.not_used.is_some() && file.source.is_none();
    let is_guessed = |file: &&FileReport| {
        file.mapping.is_some() && (file.kind == FileKind::Unrecognised || file.kind.role() == FileRole::Jobs)
    };
    let is_unknown = |file: &&FileReport| file.kind == FileKind::Unrecognised && file.bytes > 0;
    let guessed = files.iter().filter(is_open).find(is_guessed);
    guessed.or_else(|| files.iter().filter(is_open).find(is_unknown))
}

#[cfg(test)]
mod tests;
