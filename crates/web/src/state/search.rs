//! Searching the jobs that run.

use std::rc::Rc;

use elastiplan_compare::{Jobs, Query, Vocabulary, complete, query};
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::{JobId, Workload};

use super::runs::Runs;

/// Completions that are offered.
const COMPLETIONS_MAX: usize = 6;

/// The searchable jobs.
#[derive(Clone)]
pub struct Search {
    runs: Runs,
    vocabulary: Rc<Vocabulary>,
}

impl PartialEq for Search {
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The jobs that match, in order of submission.
    Jobs(Vec<JobId>),
    /// The mistake in the query.
    Mistake(String),
}

impl Search {
    /// Over the jobs of some runs.
    pub fn new(runs: Runs) -> Self {
        let policies = runs.entries.iter().map(|entry| entry.policy.to_string()).collect();
        let vocabulary = Rc::new(Vocabulary::of(runs.workload.trace(), policies));
        Self { runs, vocabulary }
    }

    /// The jobs that are searched.
    pub fn workload(&self) -> &Rc<Workload> {
        &self.runs.workload
    }

    /// The jobs that match a query.
    pub fn find(&self, text: &str) -> Found {
        let query = match text.trim().parse::<Query>() {
            Ok(query) => query,
            Err(error) => return Found::Mistake(error.to_string()),
        };
        let runs = self.runs.records();
        if let Some(badge) = query.unknown_run(runs.len()) {
            return Found::Mistake(format!("There is no run {}", badge.letter()));
        }
        Found::Jobs(query.find(&Jobs::new(&self.runs.workload, &runs, EQUAL_WITHIN_S)))
    }

    /// Completions of the last term: the whole text with each, and its meaning.
    pub fn completions(&self, text: &str) -> Vec<(String, String)> {
        let found = complete(text, text.len(), &self.vocabulary, COMPLETIONS_MAX);
        let before = text.get(..found.replaces.start).unwrap_or_default();
        let written = |text: &str, is_whole: bool| format!("{before}{text}{}", if is_whole { " " } else { "" });
        let items = found.items.into_iter().map(|item| (written(&item.text, item.is_whole), item.help));
        items.filter(|(whole, _)| whole.trim() != text.trim()).collect()
    }

    /// A time as the user writes it, from the first submission, on the clock of the trace.
    pub fn time(&self, text: &str) -> Option<f64> {
        Some(self.runs.workload.trace().start_s() + seconds(text)?)
    }
}

/// `2h 10m`, `90s`, `3d 04h`, or a number of seconds.
fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(seconds) = elastiplan_text::number(text) {
        return Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    }
    // What the rest of the page writes with spaces, queries have without.
    query::time_s(&text.split_whitespace().collect::<String>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        let check = |text: &str, expected: Option<f64>| assert_eq!(seconds(text), expected, "{text}");
        check("2h 10m", Some(7800.0));
        check(" 3d04h", Some(273_600.0));
        check("90", Some(90.0));
        check("1.5h", Some(5400.0));
        check("2h 10", None);
        check("soon", None);
        check("", None);
        check("-5", None);
    }
}
