//! One pass over a table: what its columns hold, what becomes of its rows, and what the jobs come to.

use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Job, Work};

use super::column::SurveyColumn;
use super::follows::{Facts, follows};
use super::issue::MappingIssue;
use super::peak::Peak;
use super::reasons::{ReasonKey, run};
use super::row::{ConvertedJob, RowOutcome, SurveyRow};
use super::stats::{ColumnStats, DistinctHashes};
use super::totals::{Assumed, JobTotals, KnownPoint, LeftOut, RowCounts, TimeSpan};
use super::{COLUMNS_MAX, DISTINCT_MAX, KINDS_SHOWN, NAMES_MAX, ROWS_MORE, ROWS_SHOWN};
use crate::format::JobRows;
use crate::mapping::bind::{Bound, BoundExpression};
use crate::mapping::expression::Filter;
use crate::mapping::read::{RowReader, assume_missing};
use crate::mapping::{Mapping, Reading, Role, Uses};
use crate::sources::{EARLIER_RUN, Fold, PART, STEP, is_step};
use crate::text::findings::{Effect, Finding, Findings, Repair as Advice, RowFinding};
use crate::text::names::{Names, hash};
use crate::text::records::Row;
use crate::text::table::Table;
use crate::text::values::shown;

/// Values of rows that are left out for one reason that are counted one by one.
const VALUES_MAX: usize = 16;
/// First lines that are named.
const FIRST_ROWS: usize = 3;

/// Rows with something in common.
struct Tally {
    rows: u64,
    first_rows: Vec<u64>,
    values: Vec<(String, u64)>,
    finding: Finding,
    /// The first of the rows, with its cells.
    row: Option<SurveyRow>,
}

impl Tally {
    fn new(finding: Finding) -> Self {
        Self { rows: 0, first_rows: Vec::new(), values: Vec::new(), finding, row: None }
    }

    fn add(&mut self, line: u64, value: &str) {
        self.rows += 1;
        if self.first_rows.len() < FIRST_ROWS {
            self.first_rows.push(line);
        }
        let has_room = self.values.len() < VALUES_MAX;
        match self.values.iter_mut().find(|(own, _)| own == value) {
            Some((_, rows)) => *rows += 1,
            None if has_room => self.values.push((value.into(), 1)),
            None => {}
        }
    }

    /// The values, the most frequent first.
    fn values(&mut self) -> Vec<&str> {
        sort_by_key(&mut self.values, |(_, rows)| std::cmp::Reverse(*rows));
        self.values.iter().map(|(value, _)| value.as_str()).collect()
    }
}

/// The mapping of a survey, bound to its table.
pub(super) struct Plan<'t> {
    /// The whole mapping, which repairs change.
    pub mapping: &'t Mapping,
    /// What of it could be bound, with stand-ins for what every job needs.
    pub bound: &'t Bound,
    /// The fields that stand-ins give.
    pub stand_ins: &'t [&'static str],
    /// The conditions that could be bound.
    pub filters: &'t [Filter],
    pub uses: &'t Uses,
    /// The names of the columns.
    pub names: &'t [String],
    /// What becomes of several rows of one job.
    pub fold: Fold,
}

impl Plan<'_> {
    /// Whether the mapping gives a field, so that its values are no stand-ins.
    fn gives(&self, field: &str) -> bool {
        !self.stand_ins.contains(&field) && self.bound.fields.iter().any(|given| given.field == field)
    }
}

/// What is counted while a table is read.
pub(super) struct Collector<'t> {
    plan: Plan<'t>,
    columns: Vec<ColumnStats>,
    /// For each column how it is read, and how many of its different values are counted.
    read_as: Vec<(Option<Reading>, u32)>,
    shown: Vec<SurveyRow>,
    left_out: BTreeMap<ReasonKey, Tally>,
    assumed: BTreeMap<(usize, &'static str), Tally>,
    jobs: u64,
    totals: JobTotals,
    peak: Peak,
    gpu_s: f64,
    models: DistinctHashes,
    users: DistinctHashes,
    without_user: Tally,
    has_rescale: Option<Job>,
    last_end_s: Option<f64>,
    known_point: Option<KnownPoint>,
    /// The names of jobs of which rows are parts, by their hashes.
    names: BTreeSet<u64>,
    /// The last runs so far of jobs that can be requeued, and their places by the hashes of the jobs' names.
    runs: Vec<Run>,
    run_places: BTreeMap<u64, u32>,
}

/// A run of a job.
#[derive(Clone, Copy)]
struct Run {
    line: u64,
    gpu_s: f64,
}

/// What the survey takes from the rows.
pub(super) struct Collected {
    pub columns: Vec<ColumnStats>,
    pub rows: Vec<SurveyRow>,
    pub rows_more: Vec<SurveyRow>,
    pub counts: RowCounts,
    pub jobs: JobTotals,
    pub known_point: Option<KnownPoint>,
}

const NO_USER: Finding = Finding::new(Effect::Filled, "The user of a job", "No user", "Fill in the users");

/// Reads all rows of a table.
pub(super) fn collect(table: &mut Table<'_, '_>, plan: Plan<'_>) -> Collected {
    let width = table.header.names.len();
    let Some(mut reader) = RowReader::new(&table.header, plan.bound) else {
        return Collector::new(plan).finish(0, &[]);
    };
    let mut collector = Collector::new(plan);
    table.findings.watch();
    while let Some(mut cells) = table.next() {
        let row = cells.row;
        collector.cells(row);
        // Names would grow with the file; only their hashes are kept.
        let mut models = Names::default();
        let job = reader.job(&mut cells, &mut models);
        let is_defaulted = cells.findings.used_row().defaulted;
        let found = cells.findings.take_watched();
        collector.findings(&found, Some(row), width, job.is_some());
        if let Some(job) = job {
            if collector.plan.fold == Fold::LastRun && collector.is_step(&job, row, width) {
                continue;
            }
            let is_part = collector.plan.fold == Fold::Parts && !collector.names.insert(hash(&job.name));
            if is_part {
                let (line, value) = (job.source_row, shown(job.name.as_bytes()));
                collector.leave_out(&RowFinding { line, finding: PART, column: None, value }, Some(row), width);
            }
            let (key, line) = (hash(&job.name), job.source_row);
            // What a part holds counts all the same.
            let gpu_s = collector.job(&mut reader, row, job, &models, (is_part, is_defaulted));
            if collector.plan.fold == Fold::LastRun {
                collector.replace_run(key, Run { line, gpu_s }, width);
            }
        }
    }
    let rest = table.findings.take_watched();
    collector.findings(&rest, None, width, false);
    let Collector { has_rescale, .. } = &mut collector;
    let rows = JobRows { jobs: has_rescale.take().into_iter().collect(), ..JobRows::default() };
    assume_missing(&reader.header, collector.plan.bound, &mut table.findings, &rows);
    let (counts, assumptions, _) = std::mem::replace(&mut table.findings, Findings::new("")).finish();
    let zone =
        collector.assumes_zone().then(|| ("zone".to_string(), "Dates without a zone are taken as UTC".to_string()));
    let assumptions: Vec<(String, String)> =
        zone.into_iter().chain(assumptions.into_iter().map(|assumed| (assumed.column, assumed.used))).collect();
    collector.finish(counts.read, &assumptions)
}

impl<'t> Collector<'t> {
    fn new(plan: Plan<'t>) -> Self {
        let columns = plan.uses.columns.iter().take(COLUMNS_MAX);
        let limit = |role: &Role| if *role == Role::JobName { NAMES_MAX } else { DISTINCT_MAX };
        Self {
            read_as: columns.clone().map(|own| (own.read_as.reading, limit(&own.role))).collect(),
            columns: columns.map(|_| ColumnStats::new()).collect(),
            plan,
            shown: Vec::new(),
            left_out: BTreeMap::new(),
            assumed: BTreeMap::new(),
            jobs: 0,
            totals: JobTotals::default(),
            peak: Peak::default(),
            gpu_s: 0.0,
            models: DistinctHashes::default(),
            users: DistinctHashes::default(),
            without_user: Tally::new(NO_USER),
            has_rescale: None,
            last_end_s: None,
            known_point: None,
            names: BTreeSet::new(),
            runs: Vec::new(),
            run_places: BTreeMap::new(),
        }
    }

    /// Counts the cells of a row.
    fn cells(&mut self, row: Row<'_>) {
        for (index, (stats, (reading, limit))) in self.columns.iter_mut().zip(&self.read_as).enumerate() {
            stats.add(row.cell(index), *reading, *limit);
        }
    }

    /// Counts findings, the last of which are about the current row, if there is one; those before are about lines
    /// whose cells could not be told apart.
    fn findings(&mut self, found: &[RowFinding], current: Option<Row<'_>>, width: usize, is_job: bool) {
        let mut last_out = None;
        for finding in found {
            let row = current.filter(|row| row.line == finding.line);
            match finding.finding.effect {
                Effect::LeftOut | Effect::Excluded if last_out != Some(finding.line) => {
                    last_out = Some(finding.line);
                    self.leave_out(finding, row, width);
                }
                Effect::Filled | Effect::Repaired if is_job && row.is_some() => {
                    let key = (finding.column.unwrap_or(usize::MAX), finding.finding.outcome);
                    let tally = self.assumed.entry(key).or_insert_with(|| Tally::new(finding.finding));
                    tally.add(finding.line, "");
                }
                _ => {}
            }
        }
    }

    fn leave_out(&mut self, found: &RowFinding, row: Option<Row<'_>>, width: usize) {
        let key = ReasonKey::of(found, row, self.plan.bound, width);
        let tally = self.left_out.entry(key).or_insert_with(|| Tally::new(found.finding));
        tally.add(found.line, &found.value);
        if tally.row.is_none() {
            let reason = key.words(self.plan.bound, self.plan.names, &[&found.value]);
            let column = key.column.map(|column| column as u32);
            tally.row = Some(shown_row(found.line, row, RowOutcome::LeftOut { reason, column }));
        }
    }

    /// Whether a row is of a step of a job, which is left out then.
    fn is_step(&mut self, job: &Job, row: Row<'_>, width: usize) -> bool {
        let is_step = is_step(&job.name);
        if is_step {
            let value = shown(job.name.as_bytes());
            self.leave_out(&RowFinding { line: job.source_row, finding: STEP, column: None, value }, Some(row), width);
        }
        is_step
    }

    /// Takes a run in the place of an earlier one of the same job, which is left out then.
    fn replace_run(&mut self, key: u64, run: Run, width: usize) {
        let next = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        let place = *self.run_places.entry(key).or_insert(next);
        let Some(known) = self.runs.get_mut(place as usize) else { return self.runs.push(run) };
        let earlier = std::mem::replace(known, run);
        self.jobs = self.jobs.saturating_sub(1);
        self.gpu_s -= earlier.gpu_s;
        let found = RowFinding { line: earlier.line, finding: EARLIER_RUN, column: None, value: String::new() };
        let key = ReasonKey::of(&found, None, self.plan.bound, width);
        // Where it is shown as a job, it is shown as left out instead.
        let shown = self.shown.iter().position(|shown| shown.row == earlier.line).map(|at| self.shown.remove(at));
        self.leave_out(&found, None, width);
        if let Some(tally) = self.left_out.get_mut(&key)
            && let Some((own, shown)) = tally.row.as_mut().zip(shown).filter(|(own, shown)| own.row == shown.row)
        {
            own.cells = shown.cells;
        }
    }

    /// Counts a job, or a further part of one. Returns its GPU-seconds.
    fn job(
        &mut self,
        reader: &mut RowReader<'_>,
        row: Row<'_>,
        job: Job,
        models: &Names,
        (is_part, is_defaulted): (bool, bool),
    ) -> f64 {
        self.jobs += u64::from(!is_part);
        let has = |field: &str| self.plan.gives(field);
        let submit_s = has("submit_s").then_some(job.submit_s);
        let gpus = has("gpus").then_some(job.gpus_requested);
        let duration_s = match job.work {
            Work::DurationOnRequested(seconds) if has("duration_s") => Some(seconds),
            Work::GpuSeconds(amount) => gpus.map(|gpus| amount / f64::from(gpus)),
            _ => None,
        };
        let gpu_s = gpus.zip(duration_s).map(|(gpus, seconds)| f64::from(gpus) * seconds);
        let model = has("model").then(|| models.name(job.model.0).to_string());
        if let Some(model) = &model {
            self.models.add(model.as_bytes(), DISTINCT_MAX);
        }
        match &job.user {
            Some(user) => self.users.add(user.as_bytes(), DISTINCT_MAX),
            None if self.plan.gives("user") => self.without_user.add(job.source_row, ""),
            None => {}
        }
        self.gpu_s += gpu_s.unwrap_or(0.0);
        self.totals.gpu_hours = gpu_s.map(|_| 0.0).or(self.totals.gpu_hours);
        self.totals.gpus_max = self.totals.gpus_max.max(gpus);
        self.totals.with_deadline += u64::from(job.deadline_s.is_some());
        self.time(reader, row, submit_s, gpus.zip(duration_s));
        self.point(&job, gpus.zip(duration_s));
        if !is_part && self.shown.len() < ROWS_SHOWN + ROWS_MORE {
            let converted = ConvertedJob {
                name: job.name.clone(),
                submit_s,
                gpus,
                duration_s,
                gpu_hours: gpu_s.map(|gpu_s| gpu_s / 3600.0),
                deadline_s: job.deadline_s.filter(|_| submit_s.is_some()),
                model,
                user: job.user.clone(),
                is_defaulted,
            };
            self.shown.push(shown_row(job.source_row, Some(row), RowOutcome::Job(converted)));
        }
        if job.rescale.is_some() && self.has_rescale.is_none() {
            self.has_rescale = Some(job);
        }
        gpu_s.unwrap_or(0.0)
    }

    /// Counts when a job is submitted and runs.
    fn time(&mut self, reader: &mut RowReader<'_>, row: Row<'_>, submit_s: Option<f64>, run_of: Option<(u32, f64)>) {
        let duration = self.plan.bound.fields.iter().find(|given| given.field == "duration_s");
        let ends = duration.and_then(|given| run(&given.value));
        let mut at = |value: &BoundExpression, factor: f64| reader.value(value, row).map(|value| value * factor);
        let start_s = ends.and_then(|(_, (start, factor))| at(start, factor)).or(submit_s);
        let end_s = ends.and_then(|(end, (_, factor))| at(end, factor));
        self.last_end_s = self.last_end_s.max_of(end_s);
        let end_s = start_s.zip(run_of).map(|(start_s, (_, seconds))| start_s + seconds);
        if let Some(((start_s, end_s), (gpus, _))) = start_s.zip(end_s).zip(run_of) {
            self.peak.add(start_s, end_s, gpus);
        }
        let Some(submit_s) = submit_s else { return };
        let last = end_s.unwrap_or(submit_s).max(submit_s);
        let blank = TimeSpan { first_submit_s: submit_s, last_submit_s: submit_s, last_end_s: last, is_dates: false };
        let span = self.totals.span.get_or_insert(blank);
        span.first_submit_s = span.first_submit_s.min(submit_s);
        span.last_submit_s = span.last_submit_s.max(submit_s);
        span.last_end_s = span.last_end_s.max(last);
    }

    /// Takes the job as the known point if it has several GPUs and more GPU-hours than those before.
    fn point(&mut self, job: &Job, run_of: Option<(u32, f64)>) {
        let Some((gpus, duration_s)) = run_of.filter(|(gpus, _)| *gpus > 1) else { return };
        let gpu_s = |gpus: u32, seconds: f64| f64::from(gpus) * seconds;
        if self.known_point.as_ref().is_none_or(|own| gpu_s(own.gpus, own.duration_s) < gpu_s(gpus, duration_s)) {
            self.known_point = Some(KnownPoint { name: job.name.clone(), row: job.source_row, gpus, duration_s });
        }
    }

    /// Whether all dates were taken as UTC, as none names a zone; where only some do, rows say so.
    fn assumes_zone(&self) -> bool {
        let fields = || self.plan.bound.fields.iter().filter(|given| !given.is_text);
        let is_used = |index: usize| fields().any(|given| given.value.columns().iter().any(|own| own.index == index));
        let used = || self.columns.iter().enumerate().filter(|(index, _)| is_used(*index)).map(|(_, stats)| stats);
        let are_local = used().any(|stats| stats.has_local_dates) && !used().any(|stats| stats.has_zoned_dates);
        self.plan.bound.zone_s.is_none() && are_local
    }

    fn finish(self, rows: u64, assumptions: &[(String, String)]) -> Collected {
        let Self { plan, mut left_out, mut without_user, jobs, mut totals, .. } = self;
        let mut out: Vec<(LeftOut, Option<SurveyRow>)> = Vec::new();
        for (key, tally) in &mut left_out {
            let advice = match tally.finding.repair {
                Advice::Say(words) => words,
                Advice::Number if key.is_missing => "Fill in the values",
                Advice::Number => "Correct the values",
            };
            let bound = (plan.bound, plan.filters);
            let repair = key.repair(tally.finding, advice, bound, plan.mapping, self.last_end_s);
            let row = tally.row.take();
            let reason = key.words(plan.bound, plan.names, &tally.values());
            let column = key.column.map(|column| column as u32);
            let first_rows = std::mem::take(&mut tally.first_rows);
            out.push((LeftOut { reason, rows: tally.rows, first_rows, column, repair }, row));
        }
        sort_by_key(&mut out, |(left_out, _)| std::cmp::Reverse(left_out.rows));
        let mut shown = self.shown;
        let rows_more = shown.split_off(shown.len().min(ROWS_SHOWN));
        let mut kinds: Vec<SurveyRow> = out.iter_mut().filter_map(|(_, row)| row.take()).take(KINDS_SHOWN).collect();
        sort_by_key(&mut kinds, |row| row.row);
        shown.extend(kinds);
        let of_all = |(field, what): &(String, String)| Assumed {
            field: field.clone(),
            what: what.clone(),
            rows: jobs,
            is_all: true,
            first_rows: Vec::new(),
        };
        let mut assumed: Vec<Assumed> = assumptions.iter().filter(|_| jobs > 0).map(of_all).collect();
        let width = plan.names.len();
        let name_of = |column: usize| match column.checked_sub(width) {
            None => plan.names.get(column).cloned().unwrap_or_default(),
            Some(at) => crate::mapping::FIELDS.get(at).map(|field| (*field).to_string()).unwrap_or_default(),
        };
        let by_row = self.assumed.into_iter().map(|((column, what), tally)| (name_of(column), what, tally));
        let user = plan.bound.fields.iter().find(|given| given.field == "user").map(|given| given.label.clone());
        let user = (without_user.rows > 0).then(|| (user.unwrap_or_default(), NO_USER.outcome, without_user.take()));
        assumed.extend(by_row.chain(user).map(|(field, what, tally)| {
            let is_all = tally.rows == jobs;
            let first_rows = if is_all { Vec::new() } else { tally.first_rows };
            Assumed { field, what: what.into(), rows: tally.rows, is_all, first_rows }
        }));
        totals.gpu_hours = totals.gpu_hours.map(|_| self.gpu_s / 3600.0);
        totals.peak_gpus = self.peak.gpus();
        (totals.models, totals.users) = (self.models.count(), self.users.count());
        if let Some(span) = &mut totals.span {
            span.is_dates = elastiplan_text::calendar::is_unix_time(span.first_submit_s);
        }
        let left_out = out.into_iter().map(|(left_out, _)| left_out).collect();
        let counts = RowCounts { rows, jobs, left_out, assumed };
        Collected { columns: self.columns, rows: shown, rows_more, counts, jobs: totals, known_point: self.known_point }
    }
}

impl Tally {
    fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(NO_USER))
    }
}

/// The greater of two numbers that may be missing.
trait MaxOf {
    fn max_of(self, other: Self) -> Self;
}

impl MaxOf for Option<f64> {
    fn max_of(self, other: Self) -> Self {
        match (self, other) {
            (Some(own), Some(other)) => Some(own.max(other)),
            (own, other) => own.or(other),
        }
    }
}

fn shown_row(line: u64, row: Option<Row<'_>>, outcome: RowOutcome) -> SurveyRow {
    let text = |cell: &[u8]| if cell.is_empty() { String::new() } else { shown(cell) };
    let cells = row.map(|row| row.cells().take(COLUMNS_MAX).map(text).collect()).unwrap_or_default();
    SurveyRow { row: line, cells, outcome }
}

/// What stands in the way of loading a table that was read.
pub(super) fn issues_of_rows(collected: &Collected, uses: &Uses) -> Vec<MappingIssue> {
    let mut issues = Vec::new();
    for (column, (stats, own)) in (0..).zip(collected.columns.iter().zip(&uses.columns)) {
        let is_text = matches!(own.role, Role::JobName | Role::Model | Role::User);
        let is_read = !is_text && !matches!(own.role, Role::KeepIf | Role::Formula | Role::NotUsed);
        if is_read && own.read_as.reading.is_none() && stats.styles.odd > 0 && stats.styles.odd * 2 >= stats.filled() {
            let (name, value) = (own.name.clone(), stats.styles.example().to_string());
            issues.push(MappingIssue::Ambiguous { column, name, value, readings: stats.styles.readings() });
        }
    }
    if collected.counts.rows == 0 {
        issues.push(MappingIssue::NoRows);
    } else if collected.counts.jobs == 0 && issues.is_empty() {
        let first = collected.counts.left_out.first();
        issues.push(MappingIssue::NoJobs { reason: first.map(|out| out.reason.clone()).unwrap_or_default() });
    }
    issues
}

/// The columns of a survey.
pub(super) fn columns(stats: Vec<ColumnStats>, facts: &Facts<'_>) -> Vec<SurveyColumn> {
    let column = |(index, stats): (usize, ColumnStats)| {
        let own = facts.uses.columns.get(index);
        let test = own.and_then(|own| match &own.read_as.form {
            crate::mapping::ReadForm::Keep(test) => Some(test),
            _ => None,
        });
        let (content, content_share) = stats.content();
        SurveyColumn {
            name: own.map(|own| own.name.clone()).unwrap_or_default(),
            follows: follows(index, &stats, facts),
            content,
            content_share,
            range: stats.range,
            distinct: stats.distinct(),
            values: stats.values(|value| test.is_none_or(|test| super::keeps(test, value))),
            empty: stats.empty,
            first_values: stats.first_values,
            sureness: None,
            reason: String::new(),
        }
    };
    stats.into_iter().enumerate().map(column).collect()
}
