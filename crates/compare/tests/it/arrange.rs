//! Groups and orders: by hand, and what holds of every arrangement.

use elastiplan_compare::{Arrangement, Badge, Direction, GroupBy, Jobs, OrderBy};
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::JobId;
use proptest::prelude::*;

use crate::runs::{random, sampled, there};

#[test]
fn groups_of_the_sample() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    let runs = there(&runs);
    let jobs = Jobs::new(&workload, &runs, EQUAL_WITHIN_S);
    let found: Vec<JobId> = jobs.ids().collect();
    let second = Badge::of_slot(1).unwrap();
    let names = |group| -> Vec<String> {
        let arranged = Arrangement::of(&jobs, &found, group, OrderBy::Submission, Direction::Rising);
        arranged.groups.into_iter().map(|group| group.name).collect()
    };
    assert_eq!(names(GroupBy::Nothing), ["All jobs"]);
    assert_eq!(names(GroupBy::Model), workload.trace().models());
    assert_eq!(names(GroupBy::User), ["No user"]);
    assert_eq!(names(GroupBy::Outcome(second)), ["Completed"]);
    assert_eq!(names(GroupBy::Difference(second)), ["Sooner", "Later"]);
    let falling = Arrangement::of(&jobs, &found, GroupBy::Nothing, OrderBy::Difference(second), Direction::Falling);
    let differences: Vec<f64> =
        falling.jobs.iter().map(|job| jobs.difference(second, *job).unwrap().seconds().unwrap()).collect();
    assert!(differences.is_sorted_by(|a, b| a >= b), "{differences:?}");
    let none = Arrangement::of(&jobs, &[], GroupBy::Model, OrderBy::Submission, Direction::Rising);
    assert_eq!(none, Arrangement::default());
}

fn badge() -> impl Strategy<Value = Badge> {
    // One more than there are runs.
    (0..4_usize).prop_map(|slot| Badge::of_slot(slot).unwrap())
}

fn group() -> impl Strategy<Value = GroupBy> {
    prop_oneof![
        Just(GroupBy::Nothing),
        Just(GroupBy::Model),
        Just(GroupBy::User),
        badge().prop_map(GroupBy::Outcome),
        badge().prop_map(GroupBy::Difference),
    ]
}

fn order() -> impl Strategy<Value = OrderBy> {
    prop_oneof![
        Just(OrderBy::Submission),
        Just(OrderBy::Gpus),
        badge().prop_map(OrderBy::Jct),
        badge().prop_map(OrderBy::Wait),
        badge().prop_map(OrderBy::Difference),
    ]
}

fn value(jobs: &Jobs<'_>, order: OrderBy, job: JobId) -> Option<f64> {
    match order {
        OrderBy::Submission => jobs.submit_s(job),
        OrderBy::Gpus => Some(f64::from(jobs.job(job).unwrap().gpus_requested)),
        OrderBy::Jct(badge) => jobs.jct_s(badge, job),
        OrderBy::Wait(badge) => jobs.wait_s(badge, job),
        OrderBy::Difference(badge) => jobs.difference(badge, job).and_then(|difference| difference.seconds()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_job_is_in_one_group_and_in_order(
        (runs, workload) in random(3), group in group(), order in order(), falling in any::<bool>(), every in 1..3_usize,
    ) {
        let runs = there(&runs);
        let jobs = Jobs::new(&workload, &runs, EQUAL_WITHIN_S);
        let found: Vec<JobId> = jobs.ids().step_by(every).collect();
        let direction = if falling { Direction::Falling } else { Direction::Rising };
        let arranged = Arrangement::of(&jobs, &found, group, order, direction);
        let mut sorted = arranged.jobs.clone();
        #[allow(clippy::disallowed_methods)]
        sorted.sort_unstable();
        prop_assert_eq!(&sorted, &found);
        let mut next = 0;
        for group in &arranged.groups {
            prop_assert_eq!(group.first, next);
            prop_assert!(group.count > 0 && !group.name.is_empty());
            next += group.count;
            let of_group = &arranged.jobs[group.first..next];
            let in_order = |pair: &[JobId]| match (value(&jobs, order, pair[0]), value(&jobs, order, pair[1])) {
                (Some(a), Some(b)) if a == b => pair[0] < pair[1],
                (Some(a), Some(b)) => (a < b) != falling,
                (None, Some(_)) => false,
                (Some(_), None) => true,
                (None, None) => pair[0] < pair[1],
            };
            prop_assert!(of_group.windows(2).all(in_order), "{:?}", of_group);
        }
        prop_assert_eq!(next, found.len());
        let names: std::collections::BTreeSet<&String> = arranged.groups.iter().map(|group| &group.name).collect();
        prop_assert_eq!(names.len(), arranged.groups.len(), "no group is torn apart");
    }
}

#[test]
fn pinned_jobs_come_first_and_once() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    let runs = there(&runs);
    let jobs = Jobs::new(&workload, &runs, EQUAL_WITHIN_S);
    let found: Vec<JobId> = jobs.ids().take(20).collect();
    for group in [GroupBy::Nothing, GroupBy::Model] {
        let plain = Arrangement::of(&jobs, &found, group, OrderBy::Submission, Direction::Rising);
        assert_eq!(plain.clone().with_pinned(&[]), plain);
        // One of those that were found, and one that was not.
        let pinned = [JobId(30), JobId(7)];
        let arranged = plain.with_pinned(&pinned);
        assert_eq!(arranged.jobs[..2], pinned);
        assert_eq!(arranged.jobs.len(), 21);
        assert_eq!((arranged.groups[0].name.as_str(), arranged.groups[0].count), ("Pinned", 2));
        let follows = |pair: &[elastiplan_compare::Group]| pair[0].first + pair[0].count == pair[1].first;
        assert!(arranged.groups.windows(2).all(follows), "{:?}", arranged.groups);
        assert_eq!(arranged.groups.iter().map(|group| group.count).sum::<usize>(), 21);
        let mut all = arranged.jobs.clone();
        #[allow(clippy::disallowed_methods)]
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 21);
    }
}
