//! Known logs read by a mapping that was given, packed, and as the mapping step shows them.

use std::fmt::Write;

use elastiplan_formats::mapping::{Mapping, Repair, survey};
use elastiplan_formats::{Options, Source};
use expect_test::{Expect, expect};

use crate::packed::{gzip, zip};
use crate::{as_text, given, read, read_mapped};

const SACCT: &str = "JobID|JobName|State|Submit|ElapsedRaw|AllocTRES\n\
                     1|name|with|bars|COMPLETED|2026-07-01T00:00:00|60|cpu=8,gres/gpu=4\n\
                     2|plain|FAILED|2026-07-01T00:01:00|30|cpu=8,gres/gpu=1\n";
const SACCT_JSON: &str = r#"{"jobs": [{"account": "lab", "job_id": 7, "array": {"job_id": 0, "task_id": {"set": false, "number": 0}},
    "user": "ann", "state": {"current": ["COMPLETED"]}, "other": {"deep": [1, {"gpus": [null]}]},
    "time": {"submission": {"set": true, "infinite": false, "number": 1782864000}, "elapsed": 60},
    "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}, {"type": "cpu", "count": 64}]}}]}"#;
const PHILLY: &str = r#"[{"status": "Pass", "vc": "v", "jobid": "a", "user": "ann", "submitted_time": "2017-10-07 01:27:05",
    "attempts": [{"start_time": "2017-10-07 01:27:20", "end_time": "2017-10-07 01:36:54",
                  "detail": [{"ip": "m95", "gpus": ["gpu0", "gpu1"]}, {"ip": "m96", "gpus": ["gpu0"]}]},
                 {"start_time": "2017-10-07 02:00:00", "end_time": "None", "detail": []}]}]"#;
const HELIOS: &str = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n\
                      1,uA,vc,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-09 19:41:01,3600,0\n\
                      2,uB,vc,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n";
const TASKS: &str = "4f057009a5d481acec67b088,worker,1.0,Terminated,110.0,510.0,600.0,29.3,100.0,MISC\n\
                     4f057009a5d481acec67b088,evaluator,2.0,Terminated,120.0,700.0,600.0,29.3,100.0,MISC\n\
                     5f057009a5d481acec67b088,worker,1.0,Running,130.0,,600.0,29.3,100.0,MISC\n\
                     6f057009a5d481acec67b088,worker,1.0,Waiting,,,600.0,29.3,100.0,MISC\n\
                     7f057009a5d481acec67b088,worker,1.0,Terminated,140.0,510.0,600.0,29.3,50.0,MISC\n";

/// What a survey counts, by the mapping that is given or suggested.
fn surveyed(input: &str, mapping: Option<&str>) -> String {
    let mapping = mapping.map(|text| Mapping::partial(text).unwrap());
    let found = survey(Source::from_bytes("x", input.as_bytes()), mapping.as_ref(), &Options::default(), &mut |_| {});
    let found = match found {
        Ok(found) => found,
        Err(error) => return format!("{error}\n"),
    };
    let mut text = format!("{}\n", found.mapping);
    writeln!(text, "{} of {} rows, {:?} GPU-h", found.counts.jobs, found.counts.rows, found.jobs.gpu_hours).unwrap();
    found.issues.iter().for_each(|issue| writeln!(text, "x {issue}").unwrap());
    for out in &found.counts.left_out {
        let repair = match &out.repair {
            Repair::Mapping { label, mapping } => format!("{label}: {mapping}"),
            Repair::Advice(advice) => advice.clone(),
        };
        writeln!(text, "- {} {}, rows {:?}. {repair}", out.rows, out.reason, out.first_rows).unwrap();
    }
    for assumed in found.counts.assumed.iter().filter(|assumed| !assumed.is_all) {
        writeln!(text, "! {} {}: {}, rows {:?}", assumed.rows, assumed.field, assumed.what, assumed.first_rows)
            .unwrap();
    }
    text
}

#[test]
fn known_logs_are_read_packed() {
    let check = |text: &str, expected: Expect| {
        let plain = read(&[("x", text.as_bytes())]);
        expected.assert_eq(&format!("{}{}", plain.files[0].source.clone().unwrap() + "\n", given(&plain)));
        for (name, bytes) in [("x.gz", gzip(text.as_bytes())), ("x.zip", zip(&[("a/x", text.as_bytes())]))] {
            let packed = read(&[(name, &bytes)]);
            assert_eq!(packed.files[0].source, plain.files[0].source, "{name}");
            assert_eq!(given(&packed), given(&plain), "{name}");
            assert_eq!(packed.diagnostics.len(), plain.diagnostics.len(), "{name}");
        }
    };
    check(
        SACCT,
        expect![[r#"
        Slurm accounting (sacct)
        = 1 row 2 at 1782864000 unknown on 4, 60 s
        = 2 row 3 at 1782864060 unknown on 1, 30 s
    "#]],
    );
    check(
        SACCT_JSON,
        expect![[r#"
        Slurm accounting (sacct --json)
        = 7 row 1 at 1782864000 unknown on 8, 60 s, by ann
    "#]],
    );
    check(
        PHILLY,
        expect![[r#"
        Philly job log
        = a row 1 at 1507339625 unknown on 3, 574 s, by ann
    "#]],
    );
    check(
        HELIOS,
        expect![[r#"
        Helios job log
        = 1 row 2 at 1591728061 unknown on 1, 3600 s, by uA
        = 2 row 3 at 1591728087 unknown on 4, 249 s, by uB
    "#]],
    );
    check(
        TASKS,
        expect![[r#"
        Alibaba PAI task table (2020)
        = 4f057009a5d481acec67b088 row 1 at 110 unknown on 3, 590 s
    "#]],
    );
}

#[test]
fn mappings_of_known_logs_may_say_the_zone() {
    let check = |text: &str, mapping: &str, expected: Expect| {
        let import = read_mapped("x", text.as_bytes(), mapping);
        crate::assert_adds_up(&import);
        let told = as_text(&import);
        let lines = told.lines().filter(|line| !line.contains(". No ")).map(|line| format!("{line}\n"));
        expected.assert_eq(&lines.collect::<String>());
    };
    check(
        HELIOS,
        "job_id=job_id submit_s=submit_time duration_s=duration s gpus=gpu_num user=user zone=+08:00",
        expect![[r#"
            x: Job table by a mapping, 2 jobs; 2 rows read
            i x, row 1: vc, cpu_num, node_num, state, start_time and 2 more. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
            = 1 row 2 at 1591699261 unknown on 1, 3600 s, by uA
            = 2 row 3 at 1591699287 unknown on 4, 249 s, by uB
        "#]],
    );
    // Names with bars in them are joined as without a mapping.
    check(
        SACCT,
        "job_id=JobID submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=') zone=-05:00 \
         where State=COMPLETED",
        expect![[r#"
            x: Job table by a mapping, 1 job; 2 rows read, 1 with values filled in, 1 left out
            i x, row 1. Columns are separated by vertical bars. Read so. Nothing to do
            i x, row 1: JobName. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
            i x, row 2, JobName: name|with|bars. As many fields as the header has. The fields in excess are part of this one. Nothing to do, if the text is right
            i x, row 3, State: FAILED. Rows that the mapping keeps (where). Row left out. Change what follows where in the mapping to keep more
            = 1 row 2 at 1782882000 unknown on 4, 60 s
        "#]],
    );
}

/// What a survey and a reading make of a log of Slurm with steps and with runs of requeued jobs, by a mapping.
#[test]
fn steps_and_requeued_runs_of_slurm_are_folded_by_a_mapping_as_without() {
    const LOG: &str = "JobID|JobName|State|Submit|ElapsedRaw|AllocTRES\n\
                       1|a|REQUEUED|2026-07-01T00:00:00|600|cpu=8,gres/gpu=4\n\
                       1.batch|batch|CANCELLED|2026-07-01T00:00:00|600|cpu=8,gres/gpu=4\n\
                       2|b|COMPLETED|2026-07-01T00:01:00|30|cpu=8,gres/gpu=1\n\
                       1|a|COMPLETED|2026-07-01T00:20:00|3600|cpu=8,gres/gpu=4\n\
                       1.0|python|COMPLETED|2026-07-01T00:20:00|3600|cpu=8,gres/gpu=4\n";
    const BY_HAND: &str = "job_id=JobID submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')";
    let check = |mapping: &str, jobs: u64| {
        let import = read_mapped("x", LOG.as_bytes(), mapping);
        crate::assert_adds_up(&import);
        let mapping = Mapping::partial(mapping).unwrap();
        let found = survey(Source::from_bytes("x", LOG.as_bytes()), Some(&mapping), &Options::default(), &mut |_| {});
        let found = found.unwrap();
        let loaded = import.trace.unwrap();
        assert_eq!((found.counts.jobs, loaded.jobs().len() as u64), (jobs, jobs), "{mapping}");
        let left_out: u64 = found.counts.left_out.iter().map(|own| own.rows).sum();
        assert_eq!(left_out + found.counts.jobs, found.counts.rows, "{mapping}");
        let shown: Vec<&str> = found.rows.iter().map(|row| row.cells[0].as_str()).collect();
        let gpu_hours = crate::known::gpu_seconds(loaded.jobs()) / 3600.0;
        assert!((found.jobs.gpu_hours.unwrap() - gpu_hours).abs() < 1e-9, "{mapping}: {gpu_hours}");
        shown.join(" ")
    };
    let plain = read(&[("x", LOG.as_bytes())]);
    assert_eq!(given(&read_mapped("x", LOG.as_bytes(), BY_HAND)), given(&plain));
    assert_eq!(check(BY_HAND, 2), "2 1 1 1.batch");
    // Names that are no ids are not folded: each row is a job, but for what has one name.
    check("job_id=JobName submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')", 4);
    check("submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')", 5);
    let reasons = surveyed(LOG, Some(BY_HAND));
    expect![[r#"
        job_id=JobID submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')
        2 of 5 rows, Some(4.008333333333334) GPU-h
        - 2 is a step of a job, rows [3, 6]. Nothing to do: the job's own row counts; sacct -X writes no steps
        - 1 is an earlier run of a job that was requeued, rows [2]. Nothing to do, if runs begin anew; else add the lost time to the job
    "#]].assert_eq(&reasons);
}

#[test]
fn a_mapping_says_why_a_log_that_is_no_table_cannot_be_read_by_it() {
    let check = |text: &str, expected: Expect| {
        expected.assert_eq(&as_text(&read_mapped("x", text.as_bytes(), "submit_s=a gpus=b duration_s=c")));
    };
    check(
        SACCT_JSON,
        expect![[r#"
            x: Not used. Slurm accounting (sacct --json): no table, so that no mapping fits it
            x x. Slurm accounting (sacct --json): no table, so that no mapping fits it. File not used. Read it without a mapping
        "#]],
    );
    check(
        PHILLY,
        expect![[r#"
            x: Not used. Philly job log: no table, so that no mapping fits it
            x x. Philly job log: no table, so that no mapping fits it. File not used. Read it without a mapping
        "#]],
    );
}

#[test]
fn surveys_of_known_logs() {
    let check = |text: &str, mapping: Option<&str>, expected: Expect| expected.assert_eq(&surveyed(text, mapping));
    check(
        HELIOS,
        None,
        expect![[r#"
        job_id=job_id submit_s=submit_time duration_s=duration s gpus=gpu_num user=user
        2 of 2 rows, Some(1.2766666666666666) GPU-h
    "#]],
    );
    check(
        HELIOS,
        Some("submit_s=submit_time where state=COMPLETED"),
        expect![[r#"
        submit_s=submit_time where state=COMPLETED
        1 of 2 rows, None GPU-h
        x GPUs: choose a column, or 1 for every job
        x Run time: choose a column, or the end of the run
        - 1 state is FAILED, rows [3]. Keep them: submit_s=submit_time
    "#]],
    );
    check(
        TASKS,
        None,
        expect![[r#"
        job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s gpus=inst_num*max(plan_gpu,0)/100 where status!=Waiting and status!=Running
        1 of 5 rows, Some(0.43333333333333335) GPU-h
        - 1 is a further part of a job, rows [2]. Nothing to do: the job keeps its GPUs
        - 1 status is Waiting, rows [4]. Keep them: job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s gpus=inst_num*max(plan_gpu,0)/100 where status!=Running
        - 1 status is Running, rows [3]. Keep them: job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s gpus=inst_num*max(plan_gpu,0)/100 where status!=Waiting
        - 1 uses part of a GPU, rows [5]. Round up: job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s gpus=ceil(inst_num*max(plan_gpu,0)/100) where status!=Waiting and status!=Running
    "#]],
    );
    check(
        TASKS,
        Some(
            "job_id=job_name submit_s=start_time duration_s=end_time-start_time gpus=ceil(inst_num*max(plan_gpu,0)/100)",
        ),
        expect![[r#"
            job_id=job_name submit_s=start_time duration_s=end_time-start_time gpus=ceil(inst_num*max(plan_gpu,0)/100)
            2 of 5 rows, Some(0.5361111111111111) GPU-h
            - 1 has no end, rows [3]. End them with the last one: job_id=job_name submit_s=start_time duration_s=min(end_time,700)-start_time gpus=ceil(inst_num*max(plan_gpu,0)/100)
            - 1 is a further part of a job, rows [2]. Nothing to do: the job keeps its GPUs
            - 1 has no submission, rows [4]. Fill in the values
        "#]],
    );
    check(
        SACCT,
        Some("job_id=JobID submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')"),
        expect![[r#"
            job_id=JobID submit_s=Submit duration_s=ElapsedRaw s gpus=after(AllocTRES,'gres/gpu=')
            2 of 2 rows, Some(0.075) GPU-h
            ! 1 JobName: The fields in excess are part of this one, rows [2]
        "#]],
    );
    check(
        SACCT_JSON,
        Some("submit_s=a"),
        expect![[r#"
            Slurm accounting (sacct --json): no table, so that no mapping fits it. Read it without a mapping
        "#]],
    );
}

#[test]
fn a_survey_tells_a_line_that_is_cut_off_from_ragged_ones() {
    let expected = expect![[r#"
        submit_s=at duration_s=took gpus=n
        1 of 3 rows, Some(0.001388888888888889) GPU-h
        - 1 has more or fewer fields than the header, rows [3]. Add the missing fields, or put text that holds a delimiter in double quotes
        - 1 is cut off at the end of the file, rows [4]. Check that the file was saved or downloaded to the end
    "#]];
    expected.assert_eq(&surveyed("at,took,n\n1,5,1\n2,5\n3,", Some("submit_s=at duration_s=took gpus=n")));
}
