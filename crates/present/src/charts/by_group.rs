//! Mean completion time of the jobs of each user, or of each model: a bar for every run, in groups.

use std::collections::BTreeMap;

use elastiplan_model::order::sort_by;
use elastiplan_model::{Job, JobId, Trace, Workload};
use elastiplan_text::{format, words};

use crate::charts::against::comparable;
use crate::figure::axis::{Axis, Scale};
use crate::figure::table::{Cell, Column, Table};
use crate::figure::{Figure, Series, Shape, Tone, label_of, tone_of};
use crate::runs::RunEntry;

/// Groups in the picture at most; the table has all.
const GROUPS_DRAWN: usize = 8;
/// The place that a gap between two groups takes, where a bar takes 1.
const GAP: f64 = 0.6;

/// What jobs are grouped by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The user who submitted them.
    #[default]
    User,
    /// The model that they train.
    Model,
}

impl By {
    /// All of them, in the order of the menu.
    pub const ALL: [By; 2] = [By::User, By::Model];

    /// The quantity.
    pub fn title(self) -> &'static str {
        match self {
            By::User => "Mean completion by user",
            By::Model => "Mean completion by model",
        }
    }

    /// The name of its files and of its option in the menu.
    pub fn name(self) -> &'static str {
        match self {
            By::User => "mean-completion-by-user",
            By::Model => "mean-completion-by-model",
        }
    }

    /// Whether the jobs of a trace have it.
    pub fn is_known(self, trace: &Trace) -> bool {
        self == By::Model || trace.jobs().iter().any(|job| job.user.is_some())
    }

    fn column(self) -> Column {
        match self {
            By::User => ("User", "user").into(),
            By::Model => ("Model", "model").into(),
        }
    }

    fn of<'a>(self, job: &'a Job, trace: &'a Trace) -> &'a str {
        match self {
            By::User => job.user.as_deref().unwrap_or("no user"),
            By::Model => trace.model_name(job.model),
        }
    }
}

/// The jobs of a user or of a model.
#[derive(Clone, Debug, PartialEq)]
struct Group<'a> {
    name: &'a str,
    jobs: u64,
    /// Mean completion time under each run, in seconds.
    means_s: Vec<f64>,
}

/// Bars of all runs that have a record of these jobs. Means are over the jobs that complete under all of them: what one
/// run drops makes its mean neither better nor worse.
pub fn by_group(by: By, runs: &[RunEntry], workload: &Workload) -> Figure {
    let baseline = runs.iter().filter(|entry| entry.slot == 0 && entry.own_workload.is_none());
    let shown: Vec<&RunEntry> = baseline.filter(|entry| !entry.is_hidden).chain(comparable(runs)).collect();
    let entries: Vec<&RunEntry> = shown.into_iter().filter(|entry| entry.result.is_some()).collect();
    let (groups, left_out) = groups(by, &entries, workload.trace());
    let drawn = groups.get(..groups.len().min(GROUPS_DRAWN)).unwrap_or_default();
    let height = drawn.len() as f64 * (entries.len() as f64 + GAP);
    let reach = drawn.iter().flat_map(|group| group.means_s.iter().copied()).fold(0.0, f64::max);
    let series = drawn.iter().enumerate().flat_map(|(nth, group)| {
        let top = height - nth as f64 * (entries.len() as f64 + GAP) - GAP / 2.0;
        let bars = entries.iter().zip(&group.means_s).enumerate();
        bars.map(move |(at, (entry, mean_s))| Series {
            // The name of the group stands at its first bar.
            label: if at == 0 { group.name.into() } else { String::new() },
            tone: tone_of(entry),
            shape: Shape::Bar { place: top - at as f64 - 0.5, value: Some(*mean_s), text: format::duration(*mean_s) },
        })
    });
    let key: Vec<(Tone, String)> = entries.iter().map(|entry| (tone_of(entry), label_of(entry))).collect();
    let more = groups.len().saturating_sub(GROUPS_DRAWN) as u64;
    let more = (more > 0).then(|| format!("{} more in the table", format::count(more)));
    let without = (left_out > 0 && !groups.is_empty()).then(|| {
        let jobs = words::counted(left_out, "job that does", "jobs that do");
        format!("Without {jobs} not complete under all")
    });
    Figure {
        name: by.name().into(),
        title: by.title().into(),
        summary: summary(by, drawn, &entries),
        x: Axis::from_zero(Scale::Time, reach),
        y: Axis { scale: Scale::Groups, from: 0.0, to: height.max(1.0), ..Axis::default() },
        series: series.collect(),
        key,
        notes: more.into_iter().chain(without).collect(),
        table: table(by, &groups, &entries),
        ..Figure::default()
    }
}

/// The groups with means of the jobs that complete under all runs, those with the most jobs first, and how many jobs
/// are left out.
fn groups<'a>(by: By, entries: &[&RunEntry], trace: &'a Trace) -> (Vec<Group<'a>>, u64) {
    let mut sums: BTreeMap<&str, (u64, Vec<f64>)> = BTreeMap::new();
    let mut left_out = 0;
    for (id, job) in trace.iter() {
        let times_s = entries.iter().map(|entry| jct_s(entry, id, job));
        let Some(times_s) = times_s.collect::<Option<Vec<f64>>>() else {
            left_out += 1;
            continue;
        };
        let (jobs, sum_s) = sums.entry(by.of(job, trace)).or_insert_with(|| (0, vec![0.0; entries.len()]));
        *jobs += 1;
        sum_s.iter_mut().zip(times_s).for_each(|(sum_s, time_s)| *sum_s += time_s);
    }
    let mean = |(name, (jobs, sums_s)): (&'a str, (u64, Vec<f64>))| {
        let means_s = sums_s.into_iter().map(|sum_s| sum_s / jobs as f64).collect();
        Group { name, jobs, means_s }
    };
    let mut groups: Vec<Group> = if entries.is_empty() { Vec::new() } else { sums.into_iter().map(mean).collect() };
    sort_by(&mut groups, |a, b| b.jobs.cmp(&a.jobs).then(a.name.cmp(b.name)));
    (groups, left_out)
}

/// The completion time of a job under a run, if it completes.
fn jct_s(entry: &RunEntry, id: JobId, job: &Job) -> Option<f64> {
    let jobs = &entry.result.as_ref()?.run.jobs;
    let is_completed = *jobs.outcome.get(id.index())? == elastiplan_engine::Outcome::Completed;
    is_completed.then_some(())?;
    Some((*jobs.end_s.get(id.index())?)? - job.submit_s)
}

fn summary(by: By, groups: &[Group], entries: &[&RunEntry]) -> String {
    let of_group = |group: &Group| {
        let means = entries.iter().zip(&group.means_s);
        let means: Vec<String> =
            means.map(|(entry, mean_s)| format!("{} {}", entry.letter(), format::duration(*mean_s))).collect();
        format!("{}: {}", group.name, means.join(", "))
    };
    let groups: Vec<String> = groups.iter().map(of_group).collect();
    format!("{}. {}", by.title(), groups.join("; "))
}

fn table(by: By, groups: &[Group], entries: &[&RunEntry]) -> Table {
    let heads = entries.iter().map(|entry| Column::from((label_of(entry), format!("{}_s", entry.name()))));
    let columns = [by.column(), Column::from(("Jobs", "jobs"))].into_iter().chain(heads);
    let row = |group: &Group| {
        let jobs = Cell::Written(group.jobs as f64, format::count(group.jobs));
        let means = group.means_s.iter().map(|mean_s| Cell::Time(*mean_s));
        [Cell::Text(group.name.into()), jobs].into_iter().chain(means).collect()
    };
    Table::new(columns, groups.iter().map(row))
}

#[cfg(test)]
mod tests {
    use elastiplan_engine::Outcome;

    use super::*;
    use crate::figure::table::Copied;
    use crate::testing::sample_runs;

    #[test]
    fn means_are_those_of_the_jobs_that_all_complete() {
        let (mut runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        // One run drops a job.
        let mut dropping = runs[1].result.as_deref().unwrap().clone();
        dropping.run.jobs.outcome[7] = Outcome::Dropped;
        runs[1].result = Some(dropping.into());
        let figure = by_group(By::Model, &runs, &workload);
        let trace = workload.trace();
        for row in &figure.table.rows {
            let Cell::Text(model) = &row[0] else { panic!("{row:?}") };
            for (run, entry) in runs.iter().enumerate() {
                let jobs = &entry.result.as_ref().unwrap().run.jobs;
                let is_counted = |(id, job): &(JobId, &Job)| {
                    id.index() != 7 && trace.model_name(job.model) == *model && jobs.end_s[id.index()].is_some()
                };
                let times_s: Vec<f64> = trace
                    .iter()
                    .filter(is_counted)
                    .map(|(id, job)| jobs.end_s[id.index()].unwrap() - job.submit_s)
                    .collect();
                let naive = times_s.iter().sum::<f64>() / times_s.len() as f64;
                assert_eq!(row[2 + run], Cell::Time(naive), "{model} {}", entry.letter());
            }
        }
        assert_eq!(figure.notes, ["Without 1 job that does not complete under all"]);
    }

    #[test]
    fn every_group_has_its_name_and_a_bar_for_every_run_shown() {
        let (mut runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        runs[1].is_hidden = true;
        let figure = by_group(By::Model, &runs, &workload);
        let names: Vec<&str> =
            figure.series.iter().map(|series| &*series.label).filter(|label| !label.is_empty()).collect();
        let rows: Vec<String> = figure.table.rows.iter().map(|row| row[0].words()).collect();
        assert_eq!(names, rows, "all groups, in the order of the table");
        assert_eq!(figure.series.len(), 2 * names.len());
        let places: Vec<f64> = figure.series.iter().map(place).collect();
        assert!(
            places.is_sorted_by(|a, b| a > b) && places.iter().all(|at| (0.5..figure.y.to).contains(at)),
            "{places:?}"
        );
        let key: Vec<&str> = figure.key.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(key, ["A fixed", "C elastic-dp"]);
        assert!(figure.table.copied(Copied::Csv).starts_with("model,jobs,fixed_s,elastic-dp_s\n"));
    }

    fn place(series: &Series) -> f64 {
        let Shape::Bar { place, .. } = series.shape else { panic!("not a bar") };
        place
    }

    #[test]
    fn nothing_that_ran_is_empty() {
        let (runs, workload) = sample_runs(&[]);
        assert!(by_group(By::User, &runs, &workload).is_empty());
    }
}
