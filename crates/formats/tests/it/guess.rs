//! Mappings that the columns of other systems' exports suggest: by their names, or by their values alone.

use elastiplan_formats::mapping::{Sureness, survey};
use elastiplan_formats::{Options, Source};
use expect_test::{Expect, expect};

use crate::read;

/// Compares the mapping that a table suggests, with the reasons of all fields that are in doubt. Nothing of what is in
/// doubt is used without being asked for.
fn check(table: &str, expected: Expect) {
    let import = read(&[("x.csv", table.as_bytes())]);
    let file = &import.files[0];
    let used = if file.not_used.is_none() { "read" } else { "asked" };
    let mapping = file.mapping.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{used}: {mapping}\n");
    for guess in file.guesses.iter().filter(|guess| guess.sureness == Sureness::Guessed) {
        text += &format!("? {}={}: {}\n", guess.field, guess.value, guess.reason);
    }
    expected.assert_eq(&text);
}

#[test]
fn exports_of_schedulers() {
    // PBS and Torque, accounting as a table.
    check(
        "jobname,user,queue,qtime,start,end,Resource_List.ngpus,resources_used.walltime,Exit_status\n\
         a,ann,gpu,1700000000,1700000060,1700003660,4,01:00:00,0\nb,bob,gpu,1700000100,1700000160,1700000760,1,00:10:00,1\n",
        expect![[r#"
            read: job_id=jobname submit_s=qtime gpus=Resource_List.ngpus duration_s=resources_used.walltime user=user
        "#]],
    );
    // LSF, bjobs -o.
    check(
        "JOBID,JOB_NAME,USER,STAT,SUBMIT_TIME,START_TIME,FINISH_TIME,NGPUS\n\
         1,a,ann,DONE,2026-07-01 00:00:00,2026-07-01 00:01:00,2026-07-01 01:00:00,4\n\
         2,b,bob,EXIT,2026-07-01 00:10:00,2026-07-01 00:11:00,2026-07-01 01:00:00,8\n",
        expect![[r#"
            read: job_id=JOBID submit_s=SUBMIT_TIME gpus=NGPUS duration_s=FINISH_TIME-START_TIME user=USER
        "#]],
    );
    // Grid Engine, qacct.
    check(
        "jobnumber,jobname,owner,qsub_time,start_time,end_time,ru_wallclock,slots,failed\n\
         1,a,ann,2026-07-01 00:00:00,2026-07-01 00:01:00,2026-07-01 01:01:00,3600,4,0\n\
         2,b,bob,2026-07-01 00:10:00,2026-07-01 00:11:00,2026-07-01 01:11:00,3600,8,0\n",
        expect![[r#"
            asked: job_id=jobnumber submit_s=qsub_time gpus=slots duration_s=ru_wallclock user=owner
            ? gpus=slots: By its name, but a slot may be a processor
        "#]],
    );
    // AWS Batch, in milliseconds.
    check(
        "jobId,jobName,status,createdAt,startedAt,stoppedAt,gpuCount\n\
         1,a,SUCCEEDED,1782864000000,1782864060000,1782867660000,4\n2,b,FAILED,1782864100000,1782864160000,1782867760000,8\n",
        expect![[r#"
            read: job_id=jobId submit_s=createdAt ms gpus=gpuCount duration_s=(stoppedAt-startedAt) ms
        "#]],
    );
    // SageMaker.
    check(
        "TrainingJobName,CreationTime,TrainingStartTime,TrainingEndTime,TrainingTimeInSeconds,InstanceCount,GPUsPerInstance\n\
         a,2026-07-01T00:00:00Z,2026-07-01T00:01:00Z,2026-07-01T01:01:00Z,3600,2,8\n\
         b,2026-07-01T00:10:00Z,2026-07-01T00:11:00Z,2026-07-01T00:21:00Z,600,1,8\n",
        expect![[r#"
            read: job_id=TrainingJobName submit_s=CreationTime gpus=GPUsPerInstance*InstanceCount duration_s=TrainingTimeInSeconds
        "#]],
    );
    // Run:ai.
    check(
        "Workload,Submitted by,Project,Creation time,Requested GPUs,Run duration (hours)\n\
         a,ann,nlp,2026-07-01 00:00:00,4,1.5\nb,bob,vision,2026-07-01 01:00:00,8,0.25\n",
        expect![[r#"
            read: submit_s="Creation time" gpus="Requested GPUs" duration_s="Run duration (hours)" h user="Submitted by"
            ? model=Workload: By its name, but it may name a data set or a script
        "#]],
    );
}

#[test]
fn exports_of_trackers() {
    // Weights & Biases.
    check(
        "Name,State,User,Created,Runtime,GPU Count\n\
         a,finished,ann,2026-07-01T00:00:00Z,3600,4\nb,crashed,bob,2026-07-01T00:10:00Z,60,8\n",
        expect![[r#"
            asked: job_id=Name submit_s=Created gpus="GPU Count" duration_s=Runtime user=User
            ? duration_s=Runtime: By its name; seconds, unless its unit is another (min, h, ms)
        "#]],
    );
    // MLflow: a run has a start and no submission.
    check(
        "run_id,start_time,end_time,status,user_id,n_gpu\n\
         a,1782864000000,1782867600000,FINISHED,ann,4\nb,1782864100000,1782867700000,FAILED,bob,8\n",
        expect![[r#"
            asked: job_id=run_id submit_s=start_time ms gpus=n_gpu duration_s=(end_time-start_time) ms user=user_id
            ? submit_s=start_time ms: By its name; milliseconds since 1970, by their size, but there is no time of submission; jobs are taken to arrive when they start
        "#]],
    );
    // Determined.
    check(
        "experimentId,startedAt,finishedAt,slots_per_trial,username\n\
         1,2026-07-01T00:00:00Z,2026-07-01T01:00:00Z,4,ann\n2,2026-07-01T00:10:00Z,2026-07-01T01:00:00Z,8,bob\n",
        expect![[r#"
            asked: job_id=experimentId submit_s=startedAt gpus=slots_per_trial duration_s=finishedAt-startedAt user=username
            ? submit_s=startedAt: By its name; dates, but there is no time of submission; jobs are taken to arrive when they start
        "#]],
    );
}

#[test]
fn names_of_a_users_own() {
    check(
        "ticket,who,enqueued,began,finished,cards,outcome\n\
         1,ann,2026-07-01 00:00,2026-07-01 00:01,2026-07-01 01:00,4,ok\n\
         2,bob,2026-07-01 00:10,2026-07-01 00:11,2026-07-01 01:00,8,lost\n",
        expect![[r#"
            read: submit_s=enqueued gpus=cards duration_s=finished-began user=who
        "#]],
    );
    check(
        "job,submittedMs,Elapsed (min),accelerators\na,1782864000000,60,4\nb,1782864100000,5,8\n",
        expect![[r#"
        read: job_id=job submit_s=submittedMs ms gpus=accelerators duration_s="Elapsed (min)" min
    "#]],
    );
    check(
        "job,queued_at,walltime [h],devices,owner\na,2026-07-01 00:00,1.5,4,ann\nb,2026-07-01 00:10,0.5,8,bob\n",
        expect![[r#"
            read: job_id=job submit_s=queued_at gpus=devices duration_s="walltime [h]" h user=owner
        "#]],
    );
    // Milliseconds by the names of both.
    check(
        "job,submit_ms,begin_ms,end_ms,ngpus\na,0,10,900010,4\nb,5000,9000,200000,8\n",
        expect![[r#"
        read: job_id=job submit_s=submit_ms ms gpus=ngpus duration_s=(end_ms-begin_ms) ms
    "#]],
    );
    // Whether, and not when.
    check(
        "job,submitted,completed,hours,gpus\na,2026-07-01,1,2,4\nb,2026-07-02,0,1,8\nc,2026-07-03,1,1,8\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=gpus duration_s=hours h
            ? duration_s=hours h: By its name; h, by its name or by start and end, but the name says only a unit
        "#]],
    );
    // The same number in two ways is no doubt; two numbers are.
    check(
        "job,submitted,hours,num_gpus,nodes,gpus_per_node\na,2026-07-01,2,8,2,4\nb,2026-07-02,1,8,1,8\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=num_gpus duration_s=hours h
            ? duration_s=hours h: By its name; h, by its name or by start and end, but the name says only a unit
        "#]],
    );
    check(
        "job,submitted,hours,num_gpus,nodes,gpus_per_node\na,2026-07-01,2,1,2,4\nb,2026-07-02,1,8,1,8\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=gpus_per_node*nodes duration_s=hours h
            ? gpus=gpus_per_node*nodes: GPUs of each worker, times the workers; num_gpus could be meant as well
            ? duration_s=hours h: By its name; h, by its name or by start and end, but the name says only a unit
        "#]],
    );
    // A type of GPU is no number of them.
    check(
        "job,submitted,hours,gpu,num_cards\na,2026-07-01,2,A100,2\nb,2026-07-02,1,H100,4\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=num_cards duration_s=hours h
            ? duration_s=hours h: By its name; h, by its name or by start and end, but the name says only a unit
        "#]],
    );
}

/// Columns whose names say nothing.
#[test]
fn values_alone_are_never_more_than_a_guess() {
    let table = "job,submitted,xx,finished,yy,zz\n\
                 a,2026-07-01 00:00:00,2026-07-01 00:10:00,2026-07-01 01:10:00,60,4\n\
                 b,2026-07-01 00:05:00,2026-07-01 00:05:00,2026-07-01 02:05:00,120,16\n\
                 c,2026-07-01 00:07:00,2026-07-01 01:00:00,2026-07-01 01:30:00,30,1\n";
    check(
        table,
        expect![[r#"
        asked: job_id=job submit_s=submitted gpus=zz duration_s=finished-xx
        ? gpus=zz: Guessed from the values: small powers of two, and no other column says how many GPUs
        ? duration_s=finished-xx: From start to end; dates. Guessed from the values: in every row xx lies between submission and end
    "#]],
    );
    // On the page these are amber until they are touched.
    let survey = survey(Source::from_bytes("x.csv", table.as_bytes()), None, &Options::default(), &mut |_| {}).unwrap();
    let marks = survey.columns.iter().zip(&survey.uses.columns);
    let marks: Vec<_> = marks.map(|(column, own)| (column.name.as_str(), own.role.label(), column.sureness)).collect();
    let (sure, guessed) = (Some(Sureness::Sure), Some(Sureness::Guessed));
    assert_eq!(
        marks,
        [
            ("job", "Job name".into(), sure),
            ("submitted", "Submitted".into(), sure),
            ("xx", "Start".into(), guessed),
            ("finished", "End of run".into(), guessed),
            ("yy", "Not used".into(), None),
            ("zz", "GPUs asked for".into(), guessed),
        ]
    );
    // A number that is a power of two in every row but one says nothing.
    check(
        "job,submitted,hours,zz\na,2026-07-01,2,4\nb,2026-07-02,1,12\nc,2026-07-02,1,8\n",
        expect![[r#"
        asked: 
    "#]],
    );
    // Nor does one that never changes, or two rows, or what another name claims.
    check(
        "job,submitted,hours,zz\na,2026-07-01,2,1\nb,2026-07-02,1,1\nc,2026-07-02,1,1\n",
        expect![[r#"
        asked: 
    "#]],
    );
    check(
        "job,submitted,hours,zz\na,2026-07-01,2,1\nb,2026-07-02,1,2\n",
        expect![[r#"
        asked: 
    "#]],
    );
    check(
        "job,submitted,hours,cpus\na,2026-07-01,2,1\nb,2026-07-02,1,2\nc,2026-07-02,1,8\n",
        expect![[r#"
        asked: 
    "#]],
    );
    // Of two columns both are named.
    check(
        "job,submitted,hours,p,q\na,2026-07-01,2,1,2\nb,2026-07-02,1,2,4\nc,2026-07-02,1,8,4\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=p duration_s=hours h
            ? gpus=p: Guessed from the values: small powers of two, and no other column says how many GPUs
            ? duration_s=hours h: By its name; h, by its name or by start and end, but the name says only a unit
        "#]],
    );
    // One row in which it lies outside decides against a start.
    check(
        "job,submitted,xx,finished,gpus\na,2026-07-01,2026-07-02,2026-07-03,1\nb,2026-07-01,2026-07-02,2026-07-03,1\n\
         c,2026-07-02,2026-07-01,2026-07-03,2\n",
        expect![[r#"
            asked: job_id=job submit_s=submitted gpus=gpus
        "#]],
    );
}
