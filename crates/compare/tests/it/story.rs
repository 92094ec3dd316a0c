//! Stories by hand, and what holds of the story of every job of random runs.

use elastiplan_compare::{GROUPED_WITHIN_S, Happening, Story};
use elastiplan_engine::{Outcome, SpanState};
use elastiplan_model::JobId;
use proptest::prelude::*;

use crate::runs::random;
use crate::stories::{JobStory, job, nodes_that_come_and_go, record, three_jobs};
use Outcome::{Completed, Unfinished};
use SpanState::{Preempted, Rescaling, Running, Waiting};

/// The story as the page shows it.
fn told(jobs: &[JobStory], number: u32, within_s: f64) -> String {
    let (run, workload) = record(4, jobs);
    lines(&Story::of(&run, &workload, JobId(number), within_s).unwrap())
}

fn lines(story: &Story) -> String {
    let line = |event: &elastiplan_compare::StoryEvent| {
        format!("{} {}: {}", event.time_s, event.heading(), event.detail()).trim_end_matches(": ").to_string()
    };
    story.events.iter().map(line).collect::<Vec<String>>().join("\n")
}

#[test]
fn a_job_that_waits_grows_and_misses_its_deadline() {
    let (run, workload) = three_jobs();
    let story = Story::of(&run, &workload, JobId(1), 0.0).unwrap();
    let expected = "0 Submitted: waits 10s, 3 GPUs free\n\
                    10 Starts on 2 GPUs: 18 samples/s\n\
                    20 Grows from 2 to 3 GPUs: rescale 2s, 24 samples/s\n\
                    30 Deadline passes: on 3 GPUs\n\
                    31 Completed: 1s late";
    // It asked for one GPU, of which there were three.
    assert_eq!(lines(&story), expected.replace("3 GPUs free", "though 3 GPUs were free"));
    assert_eq!((story.gpus.time_s, story.gpus.value), (vec![0.0, 10.0, 20.0, 31.0], vec![0, 2, 3, 0]));
    let speeds = vec![None, Some(18.0), Some(0.0), Some(24.0), None];
    assert_eq!((story.samples_per_s.time_s, story.samples_per_s.value), (vec![0.0, 10.0, 20.0, 22.0, 31.0], speeds));
    assert_eq!((story.summary.jct_s, story.summary.late_s, story.summary.waited_s), (Some(31.0), Some(1.0), 10.0));
    assert_eq!((story.summary.resizes, story.summary.gpu_seconds), (1, 53.0));
}

#[test]
fn a_job_that_is_dropped_and_one_that_is_left_over() {
    let (run, workload) = three_jobs();
    let dropped = Story::of(&run, &workload, JobId(2), 0.0).unwrap();
    assert_eq!(
        lines(&dropped),
        "10 Submitted: starts at once\n10 Declined by the policy".replace(": starts at once", "")
    );
    assert_eq!(dropped.summary.meets_deadline, None);
    let left = [job(0.0, None, &[(Waiting, 0, 5.0)], Unfinished)];
    assert_eq!(told(&left, 0, 0.0), "0 Submitted: waits 5s, though 4 GPUs were free\n5 Unfinished when the run ended");
    assert_eq!(Story::of(&run, &workload, JobId(3), 0.0), None);
}

#[test]
fn changes_within_moments_are_one() {
    let story = [
        (Running, 1, 10.0),
        (Rescaling, 2, 2.0),
        (Running, 2, 3.0),
        (Rescaling, 4, 2.0),
        (Running, 4, 3.0),
        (Rescaling, 3, 2.0),
        (Running, 3, 3.0),
        (Preempted, 0, 60.0),
        (Rescaling, 3, 2.0),
        (Running, 3, 100.0),
        (Rescaling, 3, 1.0),
        (Running, 3, 1.0),
    ];
    let jobs = [job(0.0, Some(200.0), &story, Completed)];
    let before = "0 Submitted: starts at once\n0 Starts on 1 GPU: 10 samples/s\n";
    let after = "20 Shrinks from 4 to 3 GPUs: rescale 2s, 24 samples/s\n\
                 25 Preempted: 60s off\n\
                 85 Resumes on 3 GPUs: rescale 2s, 24 samples/s\n\
                 187 Moves to other 3 GPUs: rescale 1s\n\
                 189 Completed: 11s early";
    let one = "10 Grows 1, 2, 4 GPUs: rescale 2 × 2s, 28 samples/s\n";
    let two =
        "10 Grows from 1 to 2 GPUs: rescale 2s, 18 samples/s\n15 Grows from 2 to 4 GPUs: rescale 2s, 28 samples/s\n";
    let after = after.replace("60s off", "1m 00s off");
    assert_eq!(told(&jobs, 0, GROUPED_WITHIN_S), format!("{before}{one}{after}"));
    assert_eq!(told(&jobs, 0, 1.0), format!("{before}{two}{after}"));
}

#[test]
fn a_node_that_leaves_takes_work_with_it() {
    let (run, workload) = nodes_that_come_and_go();
    let expected = "0 Submitted: starts at once\n\
                    0 Starts on 4 GPUs: 28 samples/s\n\
                    10 Grows from 4 to 8 GPUs: rescale 6s, 34.5 samples/s\n\
                    20 Work lost: 16 GPU-s\n\
                    20 Preempted, a node left: 1s off\n\
                    21 Resumes on 4 GPUs: rescale 1s, 28 samples/s\n\
                    30 Cancelled by its user";
    assert_eq!(lines(&Story::of(&run, &workload, JobId(0), 0.0).unwrap()), expected);
}

/// Four events of a long run must not all read "28d 10h".
#[test]
fn times_of_a_story_tell_its_events_apart() {
    let waits_s = 28.0 * 86_400.0 + 36_000.0;
    let story = [(Waiting, 0, waits_s), (Running, 1, 300.0), (Rescaling, 2, 60.0), (Running, 2, 86_400.0)];
    let (run, workload) = record(4, &[job(0.0, None, &story, Completed)]);
    let story = Story::of(&run, &workload, JobId(0), 0.0).unwrap();
    assert_eq!(story.times(0.0), ["0s", "28d 10h 00m", "28d 10h 05m", "29d 10h"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(700) })]

    #[test]
    fn a_story_adds_up_to_the_record((runs, workload) in random(1), within_s in prop_oneof![Just(0.0), 0.0..40.0_f64]) {
        let run = &runs[0];
        for (id, job) in workload.trace().iter() {
            let story = Story::of(run, &workload, id, within_s).unwrap();
            let alone = Story::of(run, &workload, id, -1.0).unwrap();
            prop_assert!(story.events.windows(2).all(|pair| pair[0].time_s <= pair[1].time_s), "{:?}", story.events);
            prop_assert!(story.events.iter().all(|event| !event.heading().is_empty()));
            if job.submit_s > run.end_s {
                prop_assert!(story.events.is_empty());
                continue;
            }
            let submitted = matches!(story.events[0].what, Happening::Submitted { .. });
            prop_assert!(submitted);
            // What is held follows from the events.
            let held = holds(&alone);
            let spans: Vec<(f64, u32)> = run.spans.of(id).map(|span| (span.start_s, span.gpus)).collect();
            for (time_s, gpus) in spans {
                let last = held.iter().rev().find(|(since_s, _)| *since_s <= time_s).map_or(0, |(_, gpus)| *gpus);
                prop_assert_eq!(last, gpus, "at {} of {:?}", time_s, alone.events);
            }
            // Costs are the GPU-seconds without progress.
            let unpaid = |state| -> f64 {
                let spans = run.spans.of(id).filter(|span| span.state == state);
                spans.map(|span| f64::from(span.gpus) * (span.end_s - span.start_s)).sum()
            };
            let paid: f64 = story.events.iter().map(|event| paid(&event.what)).sum();
            let expected = unpaid(SpanState::Rescaling) + unpaid(SpanState::Recovering);
            prop_assert!((paid - expected).abs() <= 1e-9 * (1.0 + expected), "{} {}", paid, expected);
            // Starts and preemptions that lasted are told, and never more than there were.
            let count = |wanted: fn(&Happening) -> bool| story.events.iter().filter(|e| wanted(&e.what)).count();
            let preempted = count(|what| matches!(what, Happening::Preempted { .. })) as u32;
            prop_assert!(preempted <= run.jobs.preemptions[id.index()]);
            prop_assert_eq!(count(|what| matches!(what, Happening::Ended { .. })) == 1,
                run.finished || run.jobs.end_s[id.index()].is_some());
            let evicted = count(|what| matches!(what, Happening::NodeLeft { .. } | Happening::Preempted { node_left: true, .. }));
            prop_assert!(evicted as u32 <= run.jobs.evictions[id.index()], "{:?}", story.events);
        }
    }
}

fn holds(story: &Story) -> Vec<(f64, u32)> {
    let gpus = |what: &Happening| match what {
        Happening::Started { gpus, .. } | Happening::Moved { gpus, .. } | Happening::Resumed { gpus, .. } => {
            Some(*gpus)
        }
        Happening::Resized { gpus, .. } => gpus.last().copied(),
        Happening::NodeLeft { to, .. } => Some(*to),
        Happening::Preempted { .. } | Happening::Ended { .. } => Some(0),
        _ => None,
    };
    story.events.iter().filter_map(|event| Some((event.time_s, gpus(&event.what)?))).collect()
}

fn paid(what: &Happening) -> f64 {
    match what {
        Happening::Started { paid, .. }
        | Happening::Moved { paid, .. }
        | Happening::Resumed { paid, .. }
        | Happening::NodeLeft { paid, .. } => paid.gpu_seconds,
        Happening::Resized { paid, .. } => paid.iter().map(|paid| paid.gpu_seconds).sum(),
        _ => 0.0,
    }
}
