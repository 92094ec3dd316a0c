//! Results in the dialect of the input: the same source reads them back as the jobs of the run.

use elastiplan_formats::{Dialect, Options, Source, import};
use elastiplan_model::{Cluster, Curves, Trace, Work};
use elastiplan_planner::{PolicyRun, in_dialect, run};
use elastiplan_scenario::Scenario;
use expect_test::{Expect, expect};

const SACCT: &str = "JobID|User|State|Submit|ElapsedRaw|AllocTRES\n\
    7|ann|COMPLETED|2026-07-01T00:00:00|3600|cpu=8,gres/gpu=8\n\
    8_3|bo|FAILED|2026-07-01T00:01:00|1801|cpu=8,gres/gpu=4\n\
    9||COMPLETED|2026-07-01T00:02:00|600|gres/gpu=16\n\
    10|ann|COMPLETED|2026-07-03T00:00:00|600|gres/gpu=1\n";
const SWF: &str = "; UnixStartTime: 843480031\n\
    1 0 11464 4000 8 -1 -1 8 4000 -1 1 17 17 -1 -1 -1 -1 -1\n\
    3 10 0 25 4 -1 -1 8 60 -1 0 18 1 -1 -1 -1 -1 -1\n\
    9 20 0 600 16 -1 -1 16 60 -1 1 18 1 -1 -1 -1 -1 -1\n";

fn read(log: &[u8]) -> (Trace, Option<Dialect>) {
    let found = import(vec![Source::from_bytes("x", log)], &Options::default(), &mut |_| {});
    (found.trace.unwrap(), found.files[0].dialect())
}

/// Runs the jobs of a log on 8 GPUs with a law for a speed, ends the run at a time, and compares the log of its jobs with
/// what is expected. Jobs that ran are read back from it with their submission, run time and GPUs.
fn check(log: &str, policy: &str, until_s: Option<f64>, expected: Expect) {
    let (trace, dialect) = read(log.as_bytes());
    let mut scenario = Scenario::new(trace, Curves::default(), Cluster::new(1, 8).unwrap());
    scenario.conditions.law = Some("amdahl:0.05".parse().unwrap());
    scenario.conditions.until_s = until_s;
    let workload = scenario.workload().0;
    let run = run(&scenario, &workload, &policy.parse().unwrap()).unwrap();
    let written = in_dialect(dialect.unwrap(), &run, &workload);
    expected.assert_eq(std::str::from_utf8(&written).unwrap());
    let (back, same) = read(&written);
    assert_eq!(same, dialect);
    assert_eq!(jobs_of(&back), jobs_of_run(&run, workload.trace()));
}

/// Name, submission, run time and GPUs.
type JobFacts = (String, f64, f64, u32);

fn jobs_of(trace: &Trace) -> Vec<JobFacts> {
    let fact = |job: &elastiplan_model::Job| {
        assert!(matches!(job.work, Work::DurationOnRequested(_)), "{job:?}");
        (job.name.clone(), job.submit_s, job.work.amount(), job.gpus_requested)
    };
    trace.jobs().iter().map(fact).collect()
}

/// The same of the record, for jobs that ran.
fn jobs_of_run(run: &PolicyRun, trace: &Trace) -> Vec<JobFacts> {
    let fact = |(id, job): (elastiplan_model::JobId, &elastiplan_model::Job)| {
        let start_s = run.run.jobs.start_s[id.index()]?;
        let spans = run.run.spans.range_of(id);
        let end_s = run.run.jobs.end_s[id.index()].unwrap_or(run.run.spans.end_s[spans.end - 1]);
        let gpus = run.run.spans.gpus[spans].iter().copied().max().unwrap();
        Some((job.name.clone(), job.submit_s, end_s.round() - start_s.round(), gpus))
    };
    trace.iter().filter_map(fact).collect()
}

#[test]
fn jobs_of_sacct_as_sacct_has_them() {
    check(
        SACCT,
        "fixed",
        None,
        expect![[r#"
        JobID|User|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES
        7|ann|COMPLETED|2026-07-01T00:00:00|2026-07-01T00:00:00|2026-07-01T01:00:00|3600|gres/gpu=8|gres/gpu=8
        8_3|bo|COMPLETED|2026-07-01T00:01:00|2026-07-01T01:00:00|2026-07-01T01:30:01|1801|gres/gpu=4|gres/gpu=4
        9||CANCELLED|2026-07-01T00:02:00|None|2026-07-01T00:02:00|0|gres/gpu=16|
        10|ann|COMPLETED|2026-07-03T00:00:00|2026-07-03T00:00:00|2026-07-03T00:10:00|600|gres/gpu=1|gres/gpu=1
    "#]],
    );
    check(
        SACCT,
        "equal-share",
        None,
        expect![[r#"
        JobID|User|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES
        7|ann|COMPLETED|2026-07-01T00:00:00|2026-07-01T00:00:00|2026-07-01T01:24:33|5073|gres/gpu=8|gres/gpu=8
        8_3|bo|COMPLETED|2026-07-01T00:01:00|2026-07-01T00:01:00|2026-07-01T00:39:30|2310|gres/gpu=4|gres/gpu=4
        9||COMPLETED|2026-07-01T00:02:00|2026-07-01T00:02:00|2026-07-01T00:45:45|2625|gres/gpu=16|gres/gpu=4
        10|ann|COMPLETED|2026-07-03T00:00:00|2026-07-03T00:00:00|2026-07-03T00:01:41|101|gres/gpu=1|gres/gpu=8
    "#]],
    );
    // One job still runs at the end, and one has not been submitted.
    check(
        SACCT,
        "equal-share",
        Some(1_782_864_000.0 + 1000.0),
        expect![[r#"
        JobID|User|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES
        7|ann|RUNNING|2026-07-01T00:00:00|2026-07-01T00:00:00|Unknown|1000|gres/gpu=8|gres/gpu=8
        8_3|bo|RUNNING|2026-07-01T00:01:00|2026-07-01T00:01:00|Unknown|940|gres/gpu=4|gres/gpu=4
        9||RUNNING|2026-07-01T00:02:00|2026-07-01T00:02:00|Unknown|880|gres/gpu=16|gres/gpu=2
        10|ann|PENDING|2026-07-03T00:00:00|None|Unknown|0|gres/gpu=1|
    "#]],
    );
}

#[test]
fn jobs_of_the_standard_workload_format_in_its_columns() {
    check(
        SWF,
        "fixed",
        None,
        expect![[r#"
            ; Version: 2.2
            ; UnixStartTime: 843480031
            ; Note: a processor is a GPU
            1 0 0 4000 8 -1 -1 8 -1 -1 1 17 -1 -1 -1 -1 -1 -1
            3 10 3990 25 4 -1 -1 4 -1 -1 1 18 -1 -1 -1 -1 -1 -1
            9 20 -1 -1 -1 -1 -1 16 -1 -1 5 18 -1 -1 -1 -1 -1 -1
        "#]],
    );
    check(
        SWF,
        "equal-share",
        Some(843_480_031.0 + 300.0),
        expect![[r#"
            ; Version: 2.2
            ; UnixStartTime: 843480031
            ; Note: a processor is a GPU
            1 0 0 300 8 -1 -1 8 -1 -1 -1 17 -1 -1 -1 -1 -1 -1
            3 10 0 59 4 -1 -1 4 -1 -1 1 18 -1 -1 -1 -1 -1 -1
            9 20 0 280 4 -1 -1 16 -1 -1 -1 18 -1 -1 -1 -1 -1 -1
        "#]],
    );
}
