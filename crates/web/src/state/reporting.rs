//! The report of the shown runs, as the page makes it.

use elastiplan_formats::FileRole;
use elastiplan_model::Diagnostic;
use elastiplan_present::provenance::file_name;
use elastiplan_present::report::{Origin as Way, Parts, Report as File, StudyPart};
use elastiplan_present::study::{curves, side_by_side};
use elastiplan_scenario::sample;
use elastiplan_text::words::counted;

use super::data::{Data, Origin};
use super::page::Page;
use super::published::paper_of;
use super::report::Report;
use super::sharing::Sharing;

/// Longer links are no command that a person copies from paper.
const COMMAND_LINK_MAX: usize = 200;

/// What becomes of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFor {
    /// It is saved as a file.
    File,
    /// It is printed.
    Print,
}

impl Page {
    /// Why there is no report of the shown runs yet; `None` if there is one.
    pub fn report_obstacle(&self) -> Option<&'static str> {
        match self.planner.shown.as_ref() {
            None => Some("Nothing has run yet"),
            Some(_) if self.is_running() => Some("Runs are still on their way: the report needs their results"),
            Some(set) if !set.has_results() => Some("No run has come to a result"),
            Some(_) => None,
        }
    }

    /// The name of the report's file, and the file; `date` is the day in words.
    pub fn report_file(&self, parts: Parts, date: &str) -> Option<(String, String)> {
        let set = self.planner.shown.as_ref().filter(|_| self.report_obstacle().is_none())?;
        let runs = self.compared_runs()?;
        let (inputs, data) = (&set.inputs, &set.inputs.data);
        let title = self.presets.name_of(inputs);
        let findings: Vec<Diagnostic> =
            Report::of(inputs, &set.bound, None).found.into_iter().map(|found| found.diagnostic).collect();
        let assumed = data.curves_origin.is_sample().then(|| format!("Curves of the sample: {}", sample::ASSUMPTION));
        let html = File {
            title: &title,
            scenario: &inputs.scenario(),
            runs: &runs.entries,
            workload: &runs.workload,
            goal: self.goal(),
            columns: self.table.columns.as_deref(),
            paper: &paper_of(&self.presets, inputs),
            sources: &sources(data, inputs.conditions.seed),
            findings: &findings,
            assumed: &Vec::from_iter(assumed),
            study: self.study_part(),
            origin: self.way_back(),
            software: &format!("Elastiplan build {}", self.build_id),
            date: Some(date),
            parts,
        };
        Some((file_name(&title, "report", "html"), html.html()))
    }

    /// The study that is shown, if it is of these inputs and has answers or estimates.
    fn study_part(&self) -> Option<StudyPart> {
        let shown = self.study.shown.as_ref().filter(|shown| !shown.is_stale && !self.study.is_running)?;
        let view = &shown.view;
        let metric = self.study.metric_key(view);
        let runs = self.planner.inputs().runs();
        let slot = |id: &u32| runs.iter().position(|run| run.id == *id).unwrap_or_default();
        let slots: Vec<usize> = shown.runs.iter().map(slot).collect();
        Some(StudyPart {
            sentence: view.words.headline.clone(),
            table: side_by_side(view, &metric),
            figure: curves(view, &slots, &metric, self.study.point as usize),
        })
    }

    /// The link that the dialog shows, as far as it leads to these runs.
    fn way_back(&self) -> Way {
        if self.planner.is_stale() {
            return Way { note: Some("None: inputs have changed since these runs were made".into()), ..Way::default() };
        }
        let Some(sharing) = self.sharing.get::<Sharing>() else { return Way::default() };
        let left_out = match sharing.left_out as u64 {
            0 => None,
            runs => {
                Some(format!("without {}: pinned, forked, or with settings of their own", counted(runs, "run", "runs")))
            }
        };
        let command = |what: &str| Some(format!("elastiplan run {what}"));
        match sharing.answer.as_ref().map(|answer| answer.as_ref().map(|shared| &shared.scenario)) {
            Some(Ok(scenario)) => match &scenario.link {
                Ok(link) => Way {
                    link: Some(link.clone()),
                    note: left_out,
                    needs: scenario.needs.clone(),
                    command: match link.len() <= COMMAND_LINK_MAX {
                        true => command(&format!("'{link}'")),
                        false => command(&sharing.file_name),
                    },
                },
                Err(reason) => Way {
                    note: Some(format!("None: {reason}")),
                    needs: scenario.needs.clone(),
                    command: command(&sharing.file_name),
                    ..Way::default()
                },
            },
            _ => Way::default(),
        }
    }
}

/// Where jobs, curves and the log of nodes come from, a line each.
fn sources(data: &Data, seed: u64) -> Vec<String> {
    let files = |role: FileRole, files: Vec<String>| match files.as_slice() {
        [] if role == FileRole::Availability => "of the scenario".to_string(),
        [] => "of the scenario that was opened".into(),
        files => files.join("; "),
    };
    let words = |role: FileRole, origin: &Origin| match origin {
        Origin::Sample if role == FileRole::Jobs => format!("those of the built-in sample, drawn with seed {seed}"),
        Origin::Sample => "those of the built-in sample".into(),
        Origin::Generated(generator) => format!("drawn by {generator}, seed {seed}"),
        Origin::Published(info) => format!("published: {}", info.source),
        Origin::Files(reading) => {
            let summary = |file: &elastiplan_formats::FileReport| {
                format!("{}: {}", file.path.rsplit('/').next().unwrap_or(&file.path), file.summary)
            };
            files(role, reading.files_of(role).map(summary).collect())
        }
    };
    let mut lines = vec![
        format!("Jobs: {}", words(FileRole::Jobs, &data.trace_origin)),
        format!("Throughput curves: {}", words(FileRole::Curves, &data.curves_origin)),
    ];
    if let Some(log) = &data.log {
        lines.push(format!("Log of nodes: {}", words(FileRole::Availability, &Origin::Files(log.reading.clone()))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::edit::Edit;
    use crate::state::testing::{page_with_pool, run_all};

    #[test]
    fn the_report_is_of_the_shown_runs() {
        let (mut page, mut pool, _) = page_with_pool();
        assert!(page.report_file(Parts::default(), "today").is_none());
        assert_eq!(page.report_obstacle(), Some("Nothing has run yet"));
        run_all(&mut page);
        let (name, html) = page.report_file(Parts::default(), "23 November 2026").unwrap();
        assert_eq!(name, "bftrainer-mix-48-jobs-report.html");
        for part in
            ["23 November 2026", "Curves of the sample: 1 worker = 1 GPU", "drawn with seed 3", "Elastiplan build 0"]
        {
            assert!(html.contains(part), "{part}");
        }
        let digest = &page.planner.shown.as_ref().unwrap().entries[2].result.as_ref().unwrap().digest;
        assert!(html.contains(digest.as_str()));
        page.edit(&mut pool, Edit::Field("what_if.rescale_cost_s", Value::Number(60.0)));
        let (_, stale) = page.report_file(Parts::default(), "today").unwrap();
        assert!(stale.contains("inputs have changed since these runs were made") && !stale.contains("60 s"));
    }
}
