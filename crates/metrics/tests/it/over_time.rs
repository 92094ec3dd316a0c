//! Values over time by hand.

use elastiplan_engine::{Outcome, SpanState};
use elastiplan_metrics::{Line, Steps, over_time};

use crate::stories::{job, nodes_that_come_and_go, record, three_jobs};

fn rows<T: Copy>(steps: &Steps<T>) -> Vec<(f64, T)> {
    steps.time_s.iter().copied().zip(steps.value.iter().copied()).collect()
}

fn points(line: &Line) -> Vec<(f64, f64)> {
    line.time_s.iter().copied().zip(line.value.iter().copied()).collect()
}

#[test]
fn three_jobs_by_hand() {
    let (run, workload) = three_jobs();
    assert_eq!(rows(&over_time::gpus_present(&run)), [(0.0, 4.0)]);
    assert_eq!(rows(&over_time::gpus_in_use(&run)), [(0.0, 1.0), (10.0, 3.0), (31.0, 0.0)]);
    assert_eq!(rows(&over_time::jobs_running(&run)), [(0.0, 1.0), (10.0, 2.0), (20.0, 1.0), (31.0, 0.0)]);
    assert_eq!(rows(&over_time::jobs_waiting(&run)), [(0.0, 1.0), (10.0, 0.0)]);
    let throughput = over_time::throughput(&run, &workload);
    assert_eq!(rows(&throughput), [(0.0, 1.0), (10.0, 2.8), (20.0, 0.0), (22.0, 2.4), (31.0, 0.0)]);
    assert_eq!((throughput.at(-1.0), throughput.at(15.0), throughput.at(99.0)), (None, Some(2.8), Some(0.0)));
    let efficiency = over_time::cluster_efficiency(&run, &workload);
    let expected = [(0.0, 0.25), (10.0, 0.7), (20.0, 0.0), (22.0, 0.6), (31.0, 0.0)];
    assert_eq!(rows(&efficiency), expected.map(|(time_s, value)| (time_s, Some(value))));
    assert_eq!(rows(&over_time::jobs_completed(&run)), [(0.0, 0.0), (20.0, 1.0), (31.0, 2.0)]);
    assert_eq!(rows(&over_time::jobs_submitted(&run, &workload)), [(0.0, 2.0), (10.0, 3.0)]);
    assert_eq!(rows(&over_time::jobs_dropped(&run)), [(0.0, 0.0), (10.0, 1.0)]);
    assert_eq!(rows(&over_time::jobs_admitted(&run)), [(0.0, 1.0), (10.0, 2.0)]);
    let rescaling = over_time::rescale_gpu_seconds(&run);
    assert_eq!(points(&rescaling), [(0.0, 0.0), (20.0, 0.0), (22.0, 6.0), (31.0, 6.0)]);
    assert_eq!((rescaling.at(21.0), rescaling.at(31.0), rescaling.at(31.5)), (Some(3.0), Some(6.0), None));
}

#[test]
fn nodes_that_come_and_go_by_hand() {
    let (run, workload) = nodes_that_come_and_go();
    assert_eq!(rows(&over_time::gpus_present(&run)), [(0.0, 4.0), (10.0, 8.0), (20.0, 4.0), (30.0, 0.0)]);
    let efficiency = over_time::cluster_efficiency(&run, &workload);
    assert_eq!((efficiency.at(5.0), efficiency.at(12.0)), (Some(Some(0.7)), Some(Some(0.0))));
    assert_eq!((efficiency.at(19.0), efficiency.at(30.0)), (Some(Some(3.45 / 8.0)), Some(None)));
    let preemption = over_time::preemption_gpu_seconds(&run);
    let expected = [(0.0, 0.0), (20.0, 0.0), (20.0, 16.0), (21.0, 16.0), (22.0, 20.0), (30.0, 20.0)];
    assert_eq!(points(&preemption), expected);
    assert_eq!((preemption.at(19.9), preemption.at(20.0), preemption.at(21.5)), (Some(0.0), Some(16.0), Some(18.0)));
}

#[test]
fn throughput_is_exactly_0_while_no_job_runs() {
    let story = |length_s| {
        job(0.0, None, &[(SpanState::Running, 2, length_s), (SpanState::Running, 3, 0.5)], Outcome::Completed)
    };
    let (run, workload) = record(9, &[1.0, 2.0, 3.0].map(story));
    let throughput = over_time::throughput(&run, &workload);
    // What is added and taken away again leaves 4e-16 in floating point.
    assert_eq!(throughput.at(3.5), Some(0.0));
}

#[test]
fn a_run_without_jobs_is_flat() {
    let (run, workload) = record(4, &[]);
    assert_eq!(rows(&over_time::throughput(&run, &workload)), [(0.0, 0.0)]);
    assert_eq!(points(&over_time::rescale_gpu_seconds(&run)), [(0.0, 0.0)]);
    assert_eq!(rows(&over_time::cluster_efficiency(&run, &workload)), [(0.0, None)]);
}
