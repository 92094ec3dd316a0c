//! Which jobs the user wants to see, and in which order.

use elastiplan_compare::{Arrangement, Badge, Direction, GroupBy, Jobs, OrderBy, Query};
use elastiplan_model::JobId;

use crate::part::{self, Slot};

type Find = fn(&str, &Jobs<'_>) -> Vec<JobId>;

thread_local! {
    // Queries come from dialogs and panels, which are for later like this.
    static FIND: Slot<Find> = const { Slot::new(find) };
}

/// Puts in what queries need.
pub fn fill() {
    FIND.with(|slot| slot.fill(find));
}

/// The jobs that match a query; all where it cannot be read, or asks for a run that is not there.
fn find(query: &str, jobs: &Jobs<'_>) -> Vec<JobId> {
    match query.parse::<Query>() {
        Ok(query) => query.find(jobs),
        Err(_) => jobs.ids().collect(),
    }
}

/// Which jobs have a row, and in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Only jobs that match; all where it is empty.
    pub query: String,
    /// Jobs that come first, whatever else is wanted.
    pub pinned: Vec<JobId>,
    /// The groups.
    pub group: GroupBy,
    /// The order within each group.
    pub order: OrderBy,
    /// Which end comes first.
    pub direction: Direction,
}

impl Wanted {
    /// Whether that is all jobs in order of submission.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Puts a job first, or back among the others.
    pub fn pin(&mut self, job: JobId) {
        if !self.pinned.contains(&job) {
            return self.pinned.push(job);
        }
        self.pinned.retain(|pinned| *pinned != job);
    }

    /// Sorts by something; asked twice, from the other end. Large differences, waits and completions come first.
    pub fn sort(&mut self, order: OrderBy) {
        let first = match order {
            OrderBy::Submission => Direction::Rising,
            OrderBy::Jct(_) | OrderBy::Wait(_) | OrderBy::Difference(_) | OrderBy::Gpus => Direction::Falling,
        };
        self.direction = match (self.order == order, self.direction) {
            (true, Direction::Rising) => Direction::Falling,
            (true, Direction::Falling) => Direction::Rising,
            (false, _) => first,
        };
        self.order = order;
    }

    /// The run by which jobs are ordered.
    pub fn ordered_by(&self) -> Option<Badge> {
        match self.order {
            OrderBy::Jct(badge) | OrderBy::Wait(badge) | OrderBy::Difference(badge) => Some(badge),
            OrderBy::Submission | OrderBy::Gpus => None,
        }
    }

    /// The jobs. A query that cannot be read, or asks for a run that is not there, finds all.
    pub fn arrange(&self, jobs: &Jobs<'_>) -> Arrangement {
        let find = part::get(&FIND).filter(|_| !self.query.is_empty());
        let found = find.map_or_else(|| jobs.ids().collect(), |find| find(&self.query, jobs));
        Arrangement::of(jobs, &found, self.group, self.order, self.direction).with_pinned(&self.pinned)
    }

    /// The ids of the commands that make rows as they are: their order, and their groups.
    pub fn commands(&self) -> [&'static str; 2] {
        let order = match self.order {
            OrderBy::Submission => "sort-submission",
            OrderBy::Jct(_) => "sort-completion",
            OrderBy::Wait(_) => "sort-waiting",
            OrderBy::Difference(_) => "sort-difference",
            OrderBy::Gpus => "sort-gpus",
        };
        let group = match self.group {
            GroupBy::Nothing => "group-none",
            GroupBy::Model => "group-model",
            GroupBy::User => "group-user",
            GroupBy::Outcome(_) => "group-outcome",
            GroupBy::Difference(_) => "group-difference",
        };
        [order, group]
    }

    /// The order of rows in words; `None` for submission, which needs none.
    pub fn order_words(&self) -> Option<String> {
        let (what, falling, rising) = match self.order {
            OrderBy::Submission if self.direction == Direction::Rising => return None,
            OrderBy::Submission => ("submission".into(), "latest first", ""),
            OrderBy::Jct(badge) => (format!("completion under {badge}"), "longest first", "shortest first"),
            OrderBy::Wait(badge) => (format!("waiting under {badge}"), "longest first", "shortest first"),
            OrderBy::Difference(badge) => (format!("difference under {badge}"), "latest first", "soonest first"),
            OrderBy::Gpus => ("GPUs asked for".to_string(), "most first", "fewest first"),
        };
        let end = if self.direction == Direction::Falling { falling } else { rising };
        Some(format!("{what}, {end}"))
    }

    /// The groups in words.
    pub fn group_words(&self) -> Option<String> {
        match self.group {
            GroupBy::Nothing => None,
            GroupBy::Model => Some("model".into()),
            GroupBy::User => Some("user".into()),
            GroupBy::Outcome(badge) => Some(format!("outcome under {badge}")),
            GroupBy::Difference(badge) => Some(format!("difference under {badge}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_opens_under_the_run_that_jobs_are_ordered_by() {
        let mut wanted = Wanted::default();
        assert_eq!(wanted.ordered_by(), None);
        wanted.sort(OrderBy::Difference(Badge::of_slot(3).unwrap()));
        assert_eq!(wanted.ordered_by().map(Badge::slot), Some(3));
    }

    #[test]
    fn every_order_and_group_is_that_of_a_command() {
        let mut wanted = Wanted::default();
        assert_eq!(wanted.commands(), ["sort-submission", "group-none"]);
        wanted.sort(OrderBy::Wait(Badge::BASELINE));
        wanted.group = GroupBy::User;
        assert_eq!(wanted.commands(), ["sort-waiting", "group-user"]);
        assert!(wanted.commands().into_iter().all(|id| crate::state::command::registry::by_id(id).is_some()));
    }

    #[test]
    fn what_is_asked_twice_is_turned_round() {
        let mut wanted = Wanted::default();
        wanted.sort(OrderBy::Gpus);
        assert_eq!(wanted.order_words().as_deref(), Some("GPUs asked for, most first"));
        wanted.sort(OrderBy::Gpus);
        assert_eq!(wanted.order_words().as_deref(), Some("GPUs asked for, fewest first"));
        wanted.sort(OrderBy::Submission);
        assert!(wanted.is_everything());
        wanted.pin(JobId(3));
        wanted.pin(JobId(1));
        assert_eq!(wanted.pinned, [JobId(3), JobId(1)]);
        wanted.pin(JobId(3));
        assert_eq!(wanted.pinned, [JobId(1)]);
    }
}
