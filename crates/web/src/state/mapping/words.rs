//! What the step says.

use elastiplan_formats::mapping::{MappingIssue, Role};
use elastiplan_text::{format, words};

use super::MappingStep;

impl MappingStep {
    /// The name of the table, without folders.
    pub fn file_name(&self) -> &str {
        self.table.path.rsplit('/').next().unwrap_or(&self.table.path)
    }

    /// The heading: what would come of loading.
    pub fn heading(&self) -> String {
        let Some(survey) = &self.survey else {
            let name = self.file_name();
            return match &self.fault {
                Some(_) => format!("{name} cannot be read as a table"),
                None => format!("Reading {name}"),
            };
        };
        let counts = &survey.counts;
        let so_far = if self.is_part { " so far" } else { "" };
        if survey.issues.iter().any(|issue| matches!(issue, MappingIssue::NoJobs { .. })) {
            return format!("No row becomes a job{so_far}");
        }
        let is_missing = |issue: &&MappingIssue| matches!(issue, MappingIssue::Missing { .. });
        match self.issues().iter().filter(is_missing).count() as u64 {
            0 => {}
            1 => return "A column is missing".into(),
            missing => return format!("{missing} columns are missing"),
        }
        let rows = words::counted(counts.rows, "row", "rows");
        let (jobs, become_jobs) = match counts.jobs {
            1 => ("1".to_string(), "becomes a job"),
            jobs => (format::count(jobs), "become jobs"),
        };
        format!("{jobs} of {rows} {become_jobs}{so_far}")
    }

    /// Why no row becomes a job as things are, where something stands in the way: "No row becomes a job: GPUs missing".
    pub fn obstacle(&self) -> Option<String> {
        const NO_ROW: &str = "No row becomes a job";
        self.survey.as_ref()?;
        let issues = self.issues();
        let first = issues.first()?;
        let missing = issues.iter().filter_map(|issue| match issue {
            MappingIssue::Missing { role: Role::Gpus, .. } => Some("GPUs".to_string()),
            MappingIssue::Missing { role, .. } => Some(role.label()),
            _ => None,
        });
        let missing: Vec<String> = missing.collect();
        Some(match (first, missing.is_empty()) {
            // The reasons stand below.
            (MappingIssue::NoJobs { .. } | MappingIssue::NoRows, _) => NO_ROW.into(),
            (_, false) => format!("{NO_ROW}: {} missing", missing.join(", ")),
            (issue, true) => format!("{NO_ROW}: {issue}"),
        })
    }

    /// What stands in the way of loading; or what is asked of the user.
    pub fn second_line(&self) -> String {
        if let Some(fault) = &self.fault {
            return fault.clone();
        }
        let name = &self.table.path;
        if self.survey.is_none() {
            let share =
                if self.share > 0.0 { format!(", {} of it", format::percent(self.share)) } else { String::new() };
            return format!("{name}{share}. Nothing has changed in the planner yet.");
        }
        if let Some(issue) = self.issues().first() {
            return format!("{issue}.");
        }
        let others = match self.table.files.len().saturating_sub(1) as u64 {
            0 => String::new(),
            more => format!(" Loaded together with {}.", words::counted(more, "other file", "other files")),
        };
        let known = match &self.table.read_as {
            Some(words) => format!("{name} was taken for: {words}."),
            None => format!("{name} has no known format. Say what its columns are; guesses are filled in."),
        };
        format!("{known}{others} Nothing has changed in the planner yet.")
    }

    /// The label of the button that loads.
    pub fn load_label(&self) -> String {
        match &self.survey {
            // The count of a part would be another.
            Some(_) if self.is_part => "Load the jobs".into(),
            Some(survey) if self.can_load() => {
                format!("Load {}", words::counted(survey.counts.jobs, "job", "jobs"))
            }
            _ => "Load".into(),
        }
    }

    /// How many things are assumed of jobs beside the mapping.
    pub fn assumed(&self) -> u64 {
        let assumptions = &self.assumptions;
        let own = [assumptions.law.is_some(), assumptions.deadlines.is_some(), assumptions.models.is_some()];
        own.into_iter().filter(|is_assumed| *is_assumed).count() as u64
    }
}
