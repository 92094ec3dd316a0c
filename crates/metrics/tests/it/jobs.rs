//! The table of jobs by hand.

use elastiplan_metrics::JobMetrics;

use crate::stories::{nodes_that_come_and_go, three_jobs};

#[test]
fn three_jobs_by_hand() {
    let (run, workload) = three_jobs();
    let table = JobMetrics::of(&run, &workload);
    assert_eq!(table.jct_s, [Some(20.0), Some(31.0), None]);
    assert_eq!(run.jobs.queueing_s, [0.0, 10.0, 0.0]);
    assert_eq!(table.run_s, [20.0, 21.0, 0.0]);
    assert_eq!(run.jobs.gpu_seconds, [20.0, 53.0, 0.0]);
    assert_eq!(table.rho[0], Some(20.0 / (200.0 / 18.0)));
    assert_eq!(table.rho[2], None);
    assert_eq!((run.jobs.rescales, run.jobs.rescale_gpu_seconds), (vec![0, 1, 0], vec![0.0, 6.0, 0.0]));
    assert_eq!(table.progress, [1.0, 1.0, 0.0]);
}

#[test]
fn a_job_that_loses_nodes() {
    let (run, workload) = nodes_that_come_and_go();
    let table = JobMetrics::of(&run, &workload);
    let work = 18.0 * 28.0 + 4.0 * 34.5;
    assert_eq!((run.jobs.queueing_s[0], table.run_s[0]), (1.0, 29.0));
    assert_eq!((run.jobs.preemptions[0], run.jobs.preemption_gpu_seconds[0]), (1, 20.0));
    assert_eq!(table.progress[0], (work - 2.0 * 34.5) / work);
    assert_eq!((table.jct_s[0], table.rho[0]), (None, None));
}
