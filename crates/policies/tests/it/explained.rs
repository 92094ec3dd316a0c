//! What policies say when they are asked why.

use elastiplan_engine::Simulation;
use elastiplan_model::JobId;
use elastiplan_policies::PolicySpec;
use expect_test::{Expect, expect};

use crate::drawing;

/// What is said of every job after the first decision.
fn check(policy: &str, expected: Expect) {
    let case = drawing::parse(
        "
        4 GPUs
        a gpus=3 work=9
        b gpus=2 work=8 min=2
        c gpus=1 work=2 max=1
        ",
    );
    let spec: PolicySpec = policy.parse().unwrap();
    let policy = spec.build(0).unwrap();
    let mut simulation =
        Simulation::new(&case.workload, case.cluster, case.settings.clone(), spec.to_string(), policy).unwrap();
    simulation.step().unwrap();
    let said = |job: u32| simulation.explain(JobId(job)).unwrap() + "\n";
    expected.assert_eq(&(0..3).map(said).collect::<String>());
    assert_eq!(simulation.explain(JobId(9)), None);
}

#[test]
fn every_policy_says_why() {
    check(
        "fixed",
        expect![[r#"
        Has the 3 it asked for until it is done
        Next in line: asks for 2, 1 free
        Asks for 1; 1 in line before it
    "#]],
    );
    check(
        "shortest-first",
        expect![[r#"
        Has the 3 it asked for until it is done
        The shortest in line: asks for 2, 0 free
        Has the 1 it asked for until it is done
    "#]],
    );
    check(
        "equal-share",
        expect![[r#"
        4 GPUs shared by 3, at least 1 for it
        4 GPUs shared by 3, at least 2 for it
        4 GPUs shared by 3, at most 1 for it
    "#]],
    );
    check(
        "bftrainer",
        expect![[r#"
            4 GPUs: it makes use of no more
            Waits: others gain more with the GPUs in the next 2m 00s
            Waits: others gain more with the GPUs in the next 2m 00s
        "#]],
    );
    check(
        "bftrainer[max_trainers=1]",
        expect![[r#"
        4 GPUs: it makes use of no more
        Waits: as many jobs as may share the cluster came before it
        Waits: as many jobs as may share the cluster came before it
    "#]],
    );
    check(
        "equal-share[share=replayer]",
        expect![[r#"
        4 GPUs shared by 1 since nodes last came or went
        Waits: an equal share is not above its minimum, and those before it take the rest
        Waits: an equal share is not above its minimum, and those before it take the rest
    "#]],
    );
    check(
        "elastic-dp",
        expect![[r#"
            Its last GPU adds 1.00 to the sum of speed-ups, one more would add 1.00
            Its 2 GPUs, the fewest it runs on, add 2.00 to the sum of speed-ups, one more would add 1.00
            Its last GPU adds 1.00 to the sum of speed-ups, and it gets no more
        "#]],
    );
    check(
        "edf",
        expect![[r#"
            Has the 4 it can use; no job comes before it
            Waits: no deadline of its own, and 1 before it
            Waits: no deadline of its own, and 2 before it
        "#]],
    );
    check(
        "tiresias",
        expect![[r#"
        Runs on the 3 it asked for, from queue 1: has had 0 GPU-seconds
        Waits in queue 1 for 2, 2 before it: has had 0 GPU-seconds
        Runs on the 1 it asked for, from queue 1: has had 0 GPU-seconds
    "#]],
    );
    check(
        "gandiva",
        expect![[r#"
        Has the 3 it asked for: 1 in room for 1
        Waits until enough nodes are free for its 2
        Waits until enough nodes are free for its 1
    "#]],
    );
}

#[test]
fn policies_that_decide_in_rounds_say_why() {
    check(
        "themis",
        expect![[r#"
        Waits: fair would be 53% of the time from now on, and it had 0 rounds
        Runs: fair would be 80% of the time from now on, and it had 1 round
        Runs: fair would be 80% of the time from now on, and it had 1 round
    "#]],
    );
    check(
        "chronus",
        expect![[r#"
            No deadline: waits for unleased GPUs
            No deadline: runs on unleased GPUs
            No deadline: runs on unleased GPUs
        "#]],
    );
    check(
        "throughput-autoscaling",
        expect![[r#"
        1.00 times the throughput of one GPU: utility 1.00
        2.00 times the throughput of one GPU: utility 1.00
        1.00 times the throughput of one GPU: utility 1.00
    "#]],
    );
    check(
        "spot[patience_h=0.001]",
        expect![[r#"
            4 GPUs at 1.00 $ an hour: the least cost with 4s left
            Waits: those due before it take the GPUs
            Waits: those due before it take the GPUs
        "#]],
    );
    check(
        "spot[goal=budget,budget_per_h=2.5]",
        expect![[r#"
        2.5 $ an hour buy 2 GPUs at 1.00 $
        Waits: needs 2, and 2.5 $ an hour buy 2 GPUs at 1.00 $
        Waits: needs 1, and 2.5 $ an hour buy 2 GPUs at 1.00 $
    "#]],
    );
}
