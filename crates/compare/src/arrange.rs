//! Which jobs stand together, and in which order.

use elastiplan_engine::Outcome;
use elastiplan_metrics::Ending;
use elastiplan_model::order::{rising_bits, sort_by, sort_by_rank, sort_by_wide_rank};
use elastiplan_model::{JobId, ModelId};

use crate::badge::Badge;
use crate::jobs::Jobs;

/// The property by which jobs are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    /// By nothing: one group.
    #[default]
    Nothing,
    /// Their model, in the order of the trace.
    Model,
    /// Their user, by name; jobs without a user last.
    User,
    /// How they end under a run.
    Outcome(Badge),
    /// Whether they end sooner or later under a run than under the baseline.
    Difference(Badge),
}

/// The order of jobs in a group; ties keep the order of submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    /// When they were submitted.
    #[default]
    Submission,
    /// Completion time under a run.
    Jct(Badge),
    /// Time without GPUs under a run.
    Wait(Badge),
    /// Completion minus completion under the baseline.
    Difference(Badge),
    /// GPUs they asked for.
    Gpus,
}

/// Which end comes first. A value that is missing comes last either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    #[default]
    Rising,
    /// The greatest first.
    Falling,
}

/// The common property of a group's jobs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// Nothing.
    All,
    /// The user wants to see them first.
    Pinned,
    /// Their model.
    Model(ModelId),
    /// Their user.
    User(Option<String>),
    /// Their outcome; `None` where there is no such run.
    Outcome(Option<Outcome>),
    /// The difference; `None` where it is not known.
    Difference(Option<Ending>),
}

/// Jobs that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their common property.
    pub key: GroupKey,
    /// Its name for the user.
    pub name: String,
    /// Where its jobs begin.
    pub first: usize,
    /// How many there are; never none.
    pub count: usize,
}

/// Jobs in order, group after group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The jobs.
    pub jobs: Vec<JobId>,
    /// The groups: they follow each other and together are all jobs.
    pub groups: Vec<Group>,
}

impl Arrangement {
    /// Puts the jobs of `found` together by `group`, and sorts each group.
    pub fn of(jobs: &Jobs<'_>, found: &[JobId], group: GroupBy, order: OrderBy, direction: Direction) -> Self {
        let place = group_places(jobs, found, group);
        let mut rows: Vec<(usize, Option<f64>, JobId)> =
            found.iter().zip(&place).map(|(job, place)| (*place, value(jobs, order, *job), *job)).collect();
        // Missing values come last, in either direction.
        let rank = |value: Option<f64>| match (value.map(rising_bits), direction) {
            (Some(bits), Direction::Rising) => u128::from(bits),
            (Some(bits), Direction::Falling) => u128::from(!bits),
            (None, _) => u128::from(u64::MAX) + 1,
        };
        sort_by_rank(&mut rows, |row| row.2.index() as u64);
        sort_by_wide_rank(&mut rows, |row| (row.0 as u128) << 65 | rank(row.1));
        let mut arranged = Self { jobs: rows.iter().map(|row| row.2).collect(), groups: Vec::new() };
        let mut first = 0;
        for rows in rows.chunk_by(|a, b| a.0 == b.0) {
            let Some((_, _, job)) = rows.first() else { continue };
            let key = key(jobs, group, *job);
            arranged.groups.push(Group { name: name(jobs, &key), key, first, count: rows.len() });
            first += rows.len();
        }
        arranged
    }

    /// The same with these jobs first, in a group of their own, in the order given. Jobs that were not found are there
    /// too: who pins a job wants to see it.
    pub fn with_pinned(mut self, pinned: &[JobId]) -> Self {
        let (mut groups, mut first) = (Vec::new(), pinned.len());
        if first > 0 {
            groups.push(Group { key: GroupKey::Pinned, name: "Pinned".into(), first: 0, count: first });
        }
        let is_pinned = |job: &JobId| pinned.contains(job);
        for group in self.groups {
            let rows = self.jobs.get(group.first..group.first + group.count).unwrap_or_default();
            let count = rows.iter().filter(|job| !is_pinned(job)).count();
            if count > 0 {
                let name = if group.key == GroupKey::All && first > 0 { "Other jobs".into() } else { group.name };
                groups.push(Group { key: group.key, name, first, count });
                first += count;
            }
        }
        self.jobs.retain(|job| !is_pinned(job));
        self.jobs.splice(..0, pinned.iter().copied());
        Self { jobs: self.jobs, groups }
    }
}

/// The place of each job's group among the groups.
fn group_places(jobs: &Jobs<'_>, found: &[JobId], group: GroupBy) -> Vec<usize> {
    let place = |job: &JobId| match key(jobs, group, *job) {
        GroupKey::Model(model) => model.0 as usize,
        GroupKey::Outcome(outcome) => {
            OUTCOMES.iter().position(|other| Some(*other) == outcome).unwrap_or(OUTCOMES.len())
        }
        GroupKey::Difference(ending) => ending.map_or(usize::MAX, |ending| ending as usize),
        GroupKey::All | GroupKey::Pinned | GroupKey::User(_) => 0,
    };
    if group != GroupBy::User {
        return found.iter().map(place).collect();
    }
    let user = |job: &JobId| jobs.job(*job).and_then(|job| job.user.as_deref());
    let mut users: Vec<&str> = found.iter().filter_map(user).collect();
    sort_by(&mut users, |a, b| a.cmp(b));
    users.dedup();
    found.iter().map(|job| user(job).and_then(|user| users.binary_search(&user).ok()).unwrap_or(users.len())).collect()
}

/// In the order of groups.
const OUTCOMES: [Outcome; 5] =
    [Outcome::Completed, Outcome::Unfinished, Outcome::Dropped, Outcome::Failed, Outcome::Cancelled];

fn key(jobs: &Jobs<'_>, group: GroupBy, job: JobId) -> GroupKey {
    match group {
        GroupBy::Nothing => GroupKey::All,
        GroupBy::Model => jobs.job(job).map_or(GroupKey::All, |job| GroupKey::Model(job.model)),
        GroupBy::User => GroupKey::User(jobs.job(job).and_then(|job| job.user.clone())),
        GroupBy::Outcome(badge) => GroupKey::Outcome(jobs.outcome(badge, job)),
        GroupBy::Difference(badge) => GroupKey::Difference(jobs.ending(badge, job)),
    }
}

fn name(jobs: &Jobs<'_>, key: &GroupKey) -> String {
    match key {
        GroupKey::All => "All jobs".into(),
        GroupKey::Pinned => "Pinned".into(),
        GroupKey::Model(model) => jobs.trace().model_name(*model).into(),
        GroupKey::User(user) => user.clone().unwrap_or_else(|| "No user".into()),
        GroupKey::Outcome(None) | GroupKey::Difference(None) => "Not known yet".into(),
        GroupKey::Outcome(Some(Outcome::Completed)) => "Completed".into(),
        GroupKey::Outcome(Some(Outcome::Unfinished)) => "Unfinished".into(),
        GroupKey::Outcome(Some(Outcome::Dropped)) => "Dropped".into(),
        GroupKey::Outcome(Some(Outcome::Failed)) => "Failed".into(),
        GroupKey::Outcome(Some(Outcome::Cancelled)) => "Cancelled".into(),
        GroupKey::Difference(Some(Ending::Sooner)) => "Sooner".into(),
        GroupKey::Difference(Some(Ending::Equal)) => "Equal".into(),
        GroupKey::Difference(Some(Ending::Later)) => "Later".into(),
    }
}

fn value(jobs: &Jobs<'_>, order: OrderBy, job: JobId) -> Option<f64> {
    match order {
        OrderBy::Submission => jobs.submit_s(job),
        OrderBy::Jct(badge) => jobs.jct_s(badge, job),
        OrderBy::Wait(badge) => jobs.wait_s(badge, job),
        OrderBy::Difference(badge) => jobs.difference(badge, job)?.seconds(),
        OrderBy::Gpus => jobs.job(job).map(|job| f64::from(job.gpus_requested)),
    }
}
