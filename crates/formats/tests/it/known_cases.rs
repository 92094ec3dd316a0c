//! Logs of known systems, in small: dialects, damage, and whatever else the published files do not have.

use std::fmt::Write;
use std::time::Instant;

use elastiplan_formats::Source;
use elastiplan_model::Work;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use proptest::sample::select;

use crate::known::gpu_seconds;
use crate::{as_text, read, read_mapped};

/// Compares what comes of a text with what is expected: all but what is assumed for every row.
fn check_text(text: &str, expected: Expect) {
    let import = read(&[("x.txt", text.as_bytes())]);
    crate::assert_adds_up(&import);
    let is_told = |line: &&str| {
        !line.contains(". No ") && !line.contains(". Read so; it has no ") && !line.contains("as this source")
    };
    let told = as_text(&import);
    expected.assert_eq(&told.lines().filter(is_told).map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn sacct_with_a_bar_at_the_end_and_columns_of_old_versions() {
    check_text(
        "JobID|User|State|Submit|Elapsed|NNodes|AllocGRES|Deadline|AllocTRES|\n\
         7|ann|COMPLETED|2026-07-01T00:00:00|1-00:00:10|2|gpu:a100:8|2026-07-03T00:00:00|cpu=4,node=2|\n\
         7.batch|||2026-07-01T00:00:00|1-00:00:10|1|gpu:a100:8|Unknown||\n\
         8_3|\"bob|FAILED|2026-07-01T00:01:00|02:00|1|gpu:1|Unknown||\n\
         9|bob|COMPLETED|2026-07-01T00:02:00|02:00|1||Unknown|cpu=4,node=1|\n\
         10|bob|COMPLETED|Unknown|02:00|1|gpu:2|Unknown||\n",
        expect![[r#"
            x.txt: Slurm accounting (sacct), 2 jobs; 5 rows read, 3 left out
            x x.txt, row 6, Submit: Unknown. Time in seconds, from 0 to 1e11. Row left out. Write a number
            i x.txt, row 3, JobID: 7.batch. A job, not a step of one. Row left out. Nothing to do: the job's own row counts; sacct -X writes no steps
            i x.txt, row 5, AllocTRES: 9. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            = 7 row 2 at 1782864000 unknown on 16, 86410 s, until 1783036800, by ann
            = 8_3 row 4 at 1782864060 unknown on 1, 120 s, by "bob
        "#]],
    );
}

#[test]
fn sacct_while_jobs_run_and_times_as_seconds() {
    check_text(
        "JobIDRaw|State|Submit|Start|End|AllocTRES|JobName\n\
         1|RUNNING|1782864000|1782864060|1782864120|gres/gpu=4|a\n\
         2|COMPLETED|1782864000|1782864060|1782864060|gres/gpu=4|b\n\
         3|COMPLETED|1782864000|1782864060|1782867660|gres/gpu:a100=4,gres/gpu:v100=1|c|d\n\
         3|COMPLETED|1782864000|1782868000|1782868100|gres/gpu:a100=4,gres/gpu:v100=1|c|d\n\
         4|COMPLETED|1782864000|1782864060|Unknown|gres/gpu=4|e\n",
        expect![[r#"
            x.txt: Slurm accounting (sacct), 2 jobs; 5 rows read, 2 with values filled in, 3 left out
            x x.txt, row 6, ElapsedRaw: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            ! x.txt, row 2, ElapsedRaw: 1. A job that ended. Taken to last as long as it had run when the log was written. Write the log again once it has ended, or take its row out
            i x.txt, row 3, ElapsedRaw: 2. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            i x.txt, rows 4, 5, JobName: c|d. As many fields as the header has. The fields in excess are part of this one. Nothing to do, if the text is right
            i x.txt, row 4: 3. One run for a job: the last, where it was requeued. Row left out. Nothing to do, if runs begin anew; else add the lost time to the job
            = 1 row 2 at 1782864000 unknown on 4, 60 s
            = 3 row 5 at 1782864000 unknown on 5, 100 s
        "#]],
    );
}

#[test]
fn sacct_without_what_jobs_need_is_refused_with_the_command() {
    check_text(
        "JobID|State|ElapsedRaw|AllocTRES\n1|COMPLETED|9|gres/gpu=1\n",
        expect![[r#"
        x.txt: Slurm accounting (sacct). Not used. This table of sacct has no column Submit
        x x.txt. This table of sacct has no column Submit. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt
    "#]],
    );
    check_text(
        "JobID|Submit|State|ElapsedRaw\n1|2026-07-01T00:00:00|COMPLETED|9\n",
        expect![[r#"
        x.txt: Slurm accounting (sacct). Not used. This table of sacct has no column AllocTRES
        x x.txt. This table of sacct has no column AllocTRES. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt
    "#]],
    );
    check_text(
        "JobID           JobName  Partition\n------------ ---------- ----------\n1            a+         gpu\n",
        expect![[r#"
            x.txt: Slurm accounting (sacct). Not used. sacct cuts columns to a width, unless it is given -P
            x x.txt. sacct cuts columns to a width, unless it is given -P. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt
        "#]],
    );
}

#[test]
fn sacct_as_json_of_two_versions() {
    check_text(
        r#"{"jobs": [
        {"account": "lab", "job_id": 1001, "array": {"job_id": 0, "task_id": {"set": false, "infinite": false, "number": 0}},
         "user": "u01", "state": {"current": ["COMPLETED"], "reason": "None"}, "steps": [{"tres": {}}],
         "time": {"elapsed": 9000, "submission": 1710032400, "start": 1710032700, "end": 1710041700, "limit": {"set": true, "number": 60}},
         "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": 64}, {"type": "gres", "name": "gpu", "id": 1001, "count": 8},
          {"type": "gres", "name": "gpu:a100", "id": 1002, "count": 8}], "requested": []}},
        {"account": "lab", "job_id": 1010, "array": {"job_id": 1005, "task_id": {"set": true, "number": 1}},
         "user": "u03", "state": {"current": "FAILED"}, "time": {"elapsed": 11, "submission": 1710043200},
         "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 1}]}},
        {"account": "lab", "job_id": 1011, "state": {"current": ["PENDING"]}, "time": {"elapsed": 0, "submission": 1710043200},
         "tres": {"allocated": [], "requested": [{"type": "gres", "name": "gpu", "count": 1}]}},
        {"account": "lab", "job_id": 1012, "state": {"current": ["COMPLETED"]}, "time": {"elapsed": 5, "submission": 1710043200},
         "tres": {"allocated": [{"type": "cpu", "name": "", "count": 1}]}},
        {"account": "lab", "job_id": 1013, "state": {"current": ["COMPLETED"]}, "time": {"elapsed": 5},
         "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 1}]}}
        ], "meta": {"Slurm": {}}, "errors": []}"#,
        expect![[r#"
            x.txt: Slurm accounting (sacct --json), 2 jobs; 5 rows read, 3 left out
            x x.txt, row 5, Submit: empty. Time in seconds, from 0 to 1e11. Row left out. Fill in the value
            i x.txt, row 3, JobID: 1011. A job that started. Row left out. Nothing to do: a job that never started used no GPU
            i x.txt, row 4, AllocTRES: 1012. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            = 1001 row 1 at 1710032400 unknown on 8, 9000 s, by u01
            = 1005_1 row 2 at 1710043200 unknown on 1, 11 s, by u03
        "#]],
    );
}

#[test]
fn json_that_breaks_off_keeps_what_came_before() {
    check_text(
        r#"{"meta": {"Slurm": {}}, "jobs": [{"account": "lab", "job_id": 1, "user": "u", "state": {"current": ["COMPLETED"]},
        "time": {"elapsed": 9, "submission": 17}, "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}]}},
        {"account": "lab", "job_id": NaN"#,
        expect![[r#"
            x.txt: Slurm accounting (sacct --json), 1 job; 1 row read
            x x.txt. JSON: expected value at line 3 column 38. Read up to there; the rest left out. Check that the file was saved to the end, and that it is JSON as the standard has it: without comments, NaN and commas before brackets
            = 1 row 1 at 17 unknown on 2, 9 s, by u
        "#]],
    );
    let deep = format!("{{\"meta\": \"Slurm\", \"other\": {}", "[".repeat(100_000));
    check_text(
        &deep,
        expect![[r#"
        x.txt: Slurm accounting (sacct --json). Not used. There are no rows below the header
        x x.txt. JSON: EOF while parsing a list at line 1 column 100027. Read up to there; the rest left out. Check that the file was saved to the end, and that it is JSON as the standard has it: without comments, NaN and commas before brackets
        x x.txt. There are no rows below the header. File not used. Check that the file was saved to the end
    "#]],
    );
}

#[test]
fn phillys_job_log() {
    check_text(
        r#"[{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_1", "attempts": [
          {"start_time": "2017-10-07 01:27:20", "end_time": "2017-10-07 01:36:54", "detail": [{"ip": "m95", "gpus": ["gpu0", "gpu1"]}, {"ip": "m96", "gpus": ["gpu0"]}]},
          {"start_time": "2017-10-07 02:00:00", "end_time": "2017-10-07 02:00:06", "detail": [{"ip": "m95", "gpus": ["gpu0", "gpu1"]}]}],
          "submitted_time": "2017-10-07 01:27:05", "user": "ce2f1f"},
        {"status": "Killed", "vc": "ee9e8c", "jobid": "application_1_2", "attempts": [], "submitted_time": "2017-10-07 01:30:00", "user": "ce2f1f"},
        {"status": "Killed", "vc": "ee9e8c", "jobid": "application_1_3", "attempts": [{"start_time": "2017-10-07 01:30:00", "end_time": null, "detail": []}],
          "submitted_time": "2017-10-07 01:30:00", "user": "x"},
        {"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_4", "attempts": [{"start_time": "2017-10-07 01:30:00", "end_time": "2017-10-07 01:30:00", "detail": []}],
          "submitted_time": "2017-10-07 01:30:00", "user": "x"},
        {"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_5", "attempts": [{"start_time": "2017-10-07 01:30:00", "end_time": "2017-10-07 01:31:00", "detail": []}],
          "submitted_time": "2017-10-07 01:30:00", "user": "x"},
        {"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_6", "attempts": [{"start_time": "2017-10-07 01:30:00", "end_time": "2017-10-07 01:31:00", "detail": [{"gpus": ["gpu0"]}]}],
          "submitted_time": "None", "user": "x"}]"#,
        expect![[r#"
            x.txt: Philly job log, 1 job; 6 rows read, 5 left out
            x x.txt, row 6, submitted_time: None. Time in seconds, from 0 to 1e11. Row left out. Fill in the value
            i x.txt, row 2, attempts: 0. A job that ran. Row left out. Nothing to do: a job that was never started used no GPU
            i x.txt, row 3, attempts: 1. An attempt that ended. Row left out. Nothing to do: how long it ran is not in the log
            i x.txt, row 4, attempts: 0. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            i x.txt, row 5, gpus: 0. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            = application_1_1 row 1 at 1507339625 unknown on 3, 580 s, by ce2f1f
        "#]],
    );
}

#[test]
fn tasks_of_pai_are_parts_of_their_jobs() {
    check_text(
        "4f057009a5d481acec67b088,ps,2.0,Terminated,100.0,500.0,600.0,29.3,,MISC\n\
         4f057009a5d481acec67b088,worker,4.0,Terminated,110.0,510.0,600.0,29.3,100.0,MISC\n\
         4f057009a5d481acec67b088,evaluator,2.0,Terminated,120.0,700.0,600.0,29.3,50.0,MISC\n\
         5f057009a5d481acec67b088,tensorflow,1.0,Terminated,100.0,500.0,600.0,29.3,25.0,T4\n\
         6f057009a5d481acec67b088,tensorflow,1.0,Failed,100.0,500.0,600.0,29.3,800.0,V100\n\
         7f057009a5d481acec67b088,tensorflow,1.0,Running,100.0,,600.0,29.3,800.0,V100\n\
         8f057009a5d481acec67b088,tensorflow,1.0,Waiting,,,600.0,29.3,800.0,V100\n",
        expect![[r#"
            x.txt: Alibaba PAI task table (2020), 2 jobs; 7 rows read, 5 left out
            x x.txt, row 4, inst_num*max(plan_gpu,0)/100: 0.25. Whole GPUs. Row left out. Round up in the mapping: gpus=ceil(...), or leave such jobs out (where)
            i x.txt, row 1, inst_num*max(plan_gpu,0)/100: 0. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            i x.txt, row 6, status: Running. A task that ended. Row left out. Nothing to do: how long it ran is not in the trace
            i x.txt, row 7, status: Waiting. A task that ran. Row left out. Nothing to do: a task that waited used no GPU
            i x.txt, row 3: 4f057009a5d481acec67b088. One row for a job. Added to the job's first row: GPUs together, from the first submission to the last end. Nothing to do: the job keeps its GPUs
            = 6f057009a5d481acec67b088 row 5 at 100 unknown on 8, 400 s
            = 4f057009a5d481acec67b088 row 2 at 110 unknown on 5, 590 s
        "#]],
    );
    check_text(
        "job_id,user,submit_time,num_inst,num_gpu,num_cpu,duration,wait_time\na,u,0,4,200,600,60,0\nb,u,5,1,50,600,60,0\n",
        expect![[r#"
            x.txt: Alibaba PAI simulator jobs (2020), 1 job; 2 rows read, 1 left out
            x x.txt, row 3, num_inst*num_gpu/100: 0.5. Whole GPUs. Row left out. Round up in the mapping: gpus=ceil(...), or leave such jobs out (where)
            = a row 2 at 0 unknown on 8, 60 s
        "#]],
    );
}

/// A mapping names the columns of a table without a header as its source does, and keeps its way with parts of jobs.
#[test]
fn curves_by_nodes_of_bftrainer() {
    check_text(
        "model,nodes,images_per_s\nAlexNet,0,0\nAlexNet,1,7115.3\nAlexNet,2,13071.7\nVGG,1,100\nVGG,1,90\nVGG,4,fast\nVGG,2,0\n",
        expect![[r#"
            x.txt: Curves by nodes (BFTrainer): 2 curves, 3 points; 7 rows read, 3 left out
            x x.txt, row 6, nodes: 1. One row for a model and number of nodes. The first is used; row left out. Remove one of them
            x x.txt, row 7, images_per_s: fast. Number from 0 to 1e18. Row left out. Write a number
            i x.txt, row 2, nodes: 0. A node at least. Row left out. Nothing to do: on no node a model does not run
            i x.txt, row 8, images_per_s: 0. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            ~ AlexNet 1:7115.3 2:13071.7
            ~ VGG 1:100 end
        "#]],
    );
}

#[test]
fn results_are_named_with_what_to_drop_instead() {
    let check = |text: &str, expected: Expect| {
        let import = read(&[("x.csv", text.as_bytes())]);
        let told = import.files[0].source.clone().unwrap_or_default();
        expected.assert_eq(&format!("{told}. {}", import.diagnostics[0]));
        assert!(import.trace.is_none() && import.files[0].not_used.is_some());
    };
    check(
        "idle_fragment_s\n1539\n718\n",
        expect![
            "Lengths of idle times. x.csv. Lengths of idle times, but neither their nodes nor when they began: no log of nodes. File not used. Drop a log of intervals: node, idle_start, idle_end"
        ],
    );
    check(
        "log,jobs,policy,t_fwd_s,max_trainers,metric,n,min,mean,max,sd\na,b,c,1,2,m,3,1,2,3,0\n",
        expect![
            "Results of BFTrainer's replayer. x.csv. Results of replayed policies: no jobs, curves or nodes. File not used. Drop the tables of Trainers (JNPs, Jbnd) and a log of nodes"
        ],
    );
    check(
        "job,start_s,done_s,samples\n1,0,5,100\n",
        expect![
            "Trainers of BFTrainer's replayer. x.csv. When replayed Trainers began and ended: results, without submission and nodes. File not used. Drop the tables of Trainers (JNPs, Jbnd)"
        ],
    );
    check(
        "t,job,state,reason,priority,planned_start,nodes\n1.0,a01,RUNNING,None,4294901759,,n1\n",
        expect![
            "States of Slurm's queue. x.csv. The states of jobs as squeue showed them, again and again: no run times. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt"
        ],
    );
    check(
        "JOBID|PARTITION|NAME|USER|ST|TIME|NODES|NODELIST(REASON)\n1|p|a|ann|R|0:10|1|n1\n",
        expect![
            "Slurm's queue (squeue). x.csv. Jobs that wait or run now: it is not said how long they take. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt"
        ],
    );
    check(
        "Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare\nlab|ann|1|0.5|10|0.1|0.7\n",
        expect![
            "Slurm's shares (sshare). x.csv. Shares and usage of accounts: no jobs. File not used. Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt"
        ],
    );
    check(
        "job,job_id,submit,eligible,start,end,nodes,gpus,state,scheduler,priority_last,restarts,preempt\n\
         a01,1,0,0,0,35,n1,n1:gpu:8(IDX:0-7),COMPLETED,Backfill,4294901759,0,\n",
        expect![
            "Jobs as Slurm ran them (scontrol). x.csv. What Slurm did with jobs: GPUs are named by node and index, and a submission is that of the last run. File not used. Drop jobs.csv of the same folder, or what sacct writes"
        ],
    );
    check(
        "{\"case\":\"one\",\"nodes\":[],\"admitted\":[],\"incoming\":{\"name\":\"in\"},\"queue\":\"q\",\"preempted\":[]}\n",
        expect![
            "Cases of preemption of Kueue. x.csv. Quotas, and which of a few workloads are preempted: no times of jobs. File not used. Write jobs that have finished: kubectl get workloads -A -o json"
        ],
    );
    check(
        "policy,workload,avg_jct_s,p50,p99,makespan_s\npollux,1,2,3,4,5\n",
        expect![
            "Results of policies. x.csv. Completion times that a policy reached: results, and no trace of jobs. File not used. Drop the trace of jobs that these results were made of"
        ],
    );
    // A trace that knows its completion times is one of jobs all the same.
    let jobs = "job_id,submit_time,runtime_s,num_gpus,jct_s\na,1700000000,5,1,9\n";
    assert_eq!(read(&[("x.csv", jobs.as_bytes())]).files[0].jobs, 1);
}

#[test]
fn a_mapping_of_a_source_without_a_header() {
    let tasks = "4f057009a5d481acec67b088,worker,1.0,Terminated,110.0,510.0,600.0,29.3,25.0,MISC\n\
                 4f057009a5d481acec67b088,evaluator,2.0,Terminated,120.0,700.0,600.0,29.3,150.0,MISC\n";
    let mapping = "job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s \
                   gpus=ceil(inst_num*max(plan_gpu,0)/100)";
    expect![[r#"
        = 4f057009a5d481acec67b088 row 1 at 110 unknown on 4, 590 s
    "#]]
    .assert_eq(&crate::given(&read_mapped("x", tasks.as_bytes(), mapping)));
    // As the refusal of the trace says.
    let synergy = "0,alexnet,.123,3349,4\n1,gnmt,.286,26435,1\n";
    let repair = read(&[("x", synergy.as_bytes())]).diagnostics[0].repair.clone();
    let mapping = repair.split_once("--map '").unwrap().1.split_once('\'').unwrap().0;
    expect![[r#"
        = 0 row 1 at 0.123 alexnet/1 on 4, 3349 iterations
        = 1 row 2 at 0.286 gnmt/1 on 1, 26435 iterations
    "#]]
    .assert_eq(&crate::given(&read_mapped("x", synergy.as_bytes(), mapping)));
}

#[test]
fn swf_with_damage() {
    check_text(
        "; Version: 2.2\n; UnixStartTime: soon\n;\n1 0 1 10 4 -1 -1 4 10 -1 1 7 1 -1 -1 -1 -1 -1\n\
         2 5 1 10 -1 -1 -1 2 10 -1 1 -1 1 -1 -1 -1 -1 -1\n3 5 1 -1 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1\n\
         4 5 1 0 4 -1 -1 4 10 -1 5 1 1 -1 -1 -1 -1 -1\n5 5 1 10 -1 -1 -1 -1 10 -1 1 1 1 -1 -1 -1 -1 -1\n\
         6 5 1 10 4\n7 x 1 ten 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1",
        expect![[r#"
            x.txt: Standard Workload Format, 2 jobs; 7 rows read, 5 left out
            x x.txt, row 9: 5 numbers. 18 numbers on a line, or more. Row left out. Check that the file was saved to the end
            x x.txt, row 10, submit time: x. Time in seconds, from 0 to 1e11. Row left out. Write a number
            x x.txt, row 10, run time: ten. Number above 0, at most 1e18. Row left out. Write a number
            ! x.txt, row 2: soon. UnixStartTime in seconds. Times count from the start of the log. Correct the comment to see dates
            i x.txt, row 6, run time: -1. A job whose run time is known. Row left out. Nothing to do: -1 means that it is not known
            i x.txt, row 7, run time: 0. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            i x.txt, row 8, processors: -1. A number of processors, allocated or requested. Row left out. Nothing to do: how many it had is not known
            = 1 row 4 at 0 unknown on 4, 10 s, by 7
            = 2 row 5 at 5 unknown on 2, 10 s
        "#]],
    );
}

#[test]
fn deadlines_of_shockwave() {
    let row = |slo: &str, at: u32| {
        format!("LM (batch size 10)\tpython3 x\tlm\t--steps\t1\t100\t2\tgns\t1\t{slo}\t60\t{at}\n")
    };
    check_text(
        &(row("-1.000000", 0) + &row("1.5", 10)),
        expect![[r#"
        x.txt: Shockwave trace, 2 jobs; 2 rows read
        = row-1 row 1 at 0 LM (batch size 10) on 2, 1000 samples, priority 1
        = row-2 row 2 at 10 LM (batch size 10) on 2, 1000 samples, until 100, priority 1
    "#]],
    );
}

/// Long logs are read whole; the time that takes is printed (`--nocapture`, best in a release build).
#[test]
fn long_logs() {
    const JOBS: usize = 10_000;
    let rows = |head: &str, row: fn(usize) -> String, end: &str| {
        head.to_string() + &(0..JOBS).map(row).collect::<Vec<_>>().join("") + end
    };
    let logs = [
        (
            "sacct",
            rows(
                "JobID|User|State|Submit|Start|End|ElapsedRaw|ReqTRES|AllocTRES\n",
                |at| {
                    let end = format!("{:02}:{:02}:00", at / 60 % 24, at % 60);
                    format!(
                        "{at}|u{}|COMPLETED|2026-07-01T{end}|2026-07-02T{end}|2026-07-03T{end}|86400||cpu=4,gres/gpu={}\n",
                        at % 97,
                        1 + at % 8
                    )
                },
                "",
            ),
        ),
        (
            "sacct --json",
            rows(
                "{\"meta\": {\"Slurm\": {}}, \"jobs\": [",
                |at| {
                    let comma = if at == 0 { "" } else { ",\n" };
                    format!(
                        "{comma}{{\"account\": \"lab\", \"job_id\": {at}, \"user\": \"u\", \"state\": {{\"current\": [\"COMPLETED\"]}}, \
                         \"steps\": [{{\"step\": {{\"id\": \"{at}.0\", \"name\": \"python\"}}, \"tres\": {{\"requested\": {{\"max\": []}}}}}}], \
                         \"time\": {{\"elapsed\": 60, \"submission\": {}}}, \
                         \"tres\": {{\"allocated\": [{{\"type\": \"gres\", \"name\": \"gpu\", \"count\": 2}}]}}}}",
                        1_700_000_000 + at
                    )
                },
                "]}",
            ),
        ),
        (
            "Philly",
            rows(
                "[",
                |at| {
                    let comma = if at == 0 { "" } else { ",\n" };
                    format!(
                        "{comma}{{\"status\": \"Pass\", \"vc\": \"ee9e8c\", \"jobid\": \"application_{at}\", \"attempts\": [{{\
                         \"start_time\": \"2017-10-07 01:27:20\", \"end_time\": \"2017-10-07 01:36:54\", \"detail\": [{{\
                         \"ip\": \"m95\", \"gpus\": [\"gpu0\", \"gpu1\", \"gpu2\", \"gpu3\"]}}]}}], \
                         \"submitted_time\": \"2017-10-07 01:27:05\", \"user\": \"ce2f1f\"}}"
                    )
                },
                "]",
            ),
        ),
        ("SWF", rows("; Version: 2\n", |at| format!("{at} {at} 1 60 4 -1 -1 4 60 -1 1 7 1 -1 -1 -1 -1 -1\n"), "")),
        (
            "PAI",
            rows(
                "",
                |at| format!("{:024x},worker,4.0,Terminated,{at}.0,{}.0,600.0,29.3,100.0,V100\n", at / 2, at + 60),
                "",
            ),
        ),
    ];
    for (name, text) in logs {
        let start = Instant::now();
        let import = read(&[("x", text.as_bytes())]);
        let took_s = start.elapsed().as_secs_f64();
        let mb = text.len() as f64 / 1e6;
        println!("{name}: {JOBS} rows, {mb:.1} MB in {:.0} ms, {:.0} MB/s", took_s * 1e3, mb / took_s);
        let jobs = if name == "PAI" { JOBS / 2 } else { JOBS };
        assert_eq!(import.files[0].jobs as usize, jobs, "{}", import.files[0]);
    }
}

/// The logs of the docs.
fn examples() -> Vec<&'static str> {
    let text = include_str!("../../../../docs/import.md");
    text.split("\n```log\n").skip(1).map(|block| block.split_once("\n```").unwrap().0).collect()
}

/// A change of a text: at a part of its length, so many bytes are replaced by others.
fn edits() -> impl Strategy<Value = Vec<(f64, usize, Vec<u8>)>> {
    let telling = select(b"0-.,|\t\n\"'{}[]: ;=nNau9\x00\xff".to_vec());
    prop::collection::vec((0.0..1.0, 0..12_usize, prop::collection::vec(telling, 0..6)), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever is damaged in a log, reading it ends with a report that adds up.
    #[test]
    fn damaged_logs_are_reported(at in 0..examples().len(), edits in edits()) {
        let mut text = examples()[at].as_bytes().to_vec();
        for (part, removed, added) in edits {
            let from = (part * text.len() as f64) as usize;
            let to = (from + removed).min(text.len());
            text.splice(from..to, added);
        }
        crate::assert_adds_up(&read(&[("x", &text)]));
    }

    /// GPU-seconds of any accounting are those that a simple reading of its rows gives.
    #[test]
    fn gpu_seconds_of_sacct(rows in prop::collection::vec((0..40_u32, 0..3_u32, 0..9_u32, 0..500_u32, 0..4_u32), 1..40)) {
        let mut text = String::from("JobID|State|Submit|ElapsedRaw|NNodes|AllocTRES|AllocGRES\n");
        let mut last = std::collections::BTreeMap::new();
        for (id, step, gpus, elapsed_s, kind) in rows {
            let name = if step == 0 { format!("{id}") } else { format!("{id}.{}", step - 1) };
            let state = if kind == 3 { "PENDING" } else { "COMPLETED" };
            let (resources, per_node) = match kind {
                0 => (format!("cpu=4,gres/gpu={gpus}"), String::new()),
                1 => (format!("gres/gpu:a100={gpus},cpu=4,gres/gpu:v100=1"), String::new()),
                _ => (String::new(), format!("gpu:{gpus}")),
            };
            writeln!(text, "{name}|{state}|2026-07-01T00:00:00|{elapsed_s}|3|{resources}|{per_node}").unwrap();
            let gpus = match kind {
                0 => gpus,
                1 => gpus + 1,
                _ => 3 * gpus,
            };
            if step == 0 && kind != 3 && gpus * elapsed_s > 0 {
                last.insert(id, f64::from(gpus * elapsed_s));
            }
        }
        let import = read(&[("x", text.as_bytes())]);
        crate::assert_adds_up(&import);
        let jobs = import.trace.as_ref().map(|trace| trace.jobs()).unwrap_or_default();
        prop_assert_eq!(jobs.len(), last.len());
        prop_assert_eq!(gpu_seconds(jobs), last.values().sum::<f64>());
    }

    /// Parts of a job have all their GPUs together, from the first start to the last end, in whatever order they stand.
    #[test]
    fn parts_of_pai(rows in prop::collection::vec((0..6_u32, 1..9_u32, 0..1000_u32, 1..1000_u32), 1..30)) {
        let mut text = String::new();
        let mut jobs = std::collections::BTreeMap::new();
        for (id, gpus, start_s, duration_s) in rows {
            let end_s = start_s + duration_s;
            writeln!(text, "{id:024x},worker,{gpus}.0,Terminated,{start_s}.0,{end_s}.0,600.0,1.0,100.0,V100").unwrap();
            let own = jobs.entry(format!("{id:024x}")).or_insert((0, u32::MAX, 0));
            *own = (own.0 + gpus, own.1.min(start_s), own.2.max(end_s));
        }
        let import = read(&[("x", text.as_bytes())]);
        crate::assert_adds_up(&import);
        let read: std::collections::BTreeMap<_, _> = import.trace.unwrap().jobs().iter().map(|job| {
            let Work::DurationOnRequested(duration_s) = job.work else { panic!("{job:?}") };
            (job.name.clone(), (job.gpus_requested, job.submit_s as u32, (job.submit_s + duration_s) as u32))
        }).collect();
        prop_assert_eq!(read, jobs);
    }
}

/// The rows around a finding are those of the table; of JSON, whose rows are no lines, there are none.
#[test]
fn excerpts_of_sources_without_a_header() {
    let tasks = "4f057009a5d481acec67b088,worker,1.0,Terminated,110.0,510.0,600.0,29.3,25.0,MISC\n";
    let excerpt = |text: &'static str| elastiplan_formats::excerpt(Source::from_bytes("x", text.as_bytes()), 1, 2);
    let shown = excerpt(tasks).unwrap();
    assert_eq!((shown.header[0].as_str(), shown.rows[0].row, shown.rows.len()), ("job_name", 1, 1));
    assert_eq!(excerpt("[{\"vc\": \"a\",\n\"attempts\": []}]"), None);
}
