//! Tables of any columns, read by a mapping that is given or guessed.

use elastiplan_formats::mapping::{Mapping, fingerprint};
use expect_test::{Expect, expect};

use crate::data_pack::folder;
use crate::{as_text, read, read_mapped};

/// Reads a table by a mapping, and compares what comes of it. What is assumed for all rows, which is the same for most
/// mappings, is left out.
fn check(mapping: &str, input: &str, expected: Expect) {
    let import = read_mapped("x.csv", input.as_bytes(), mapping);
    crate::assert_adds_up(&import);
    let text = as_text(&import);
    let lines = text.lines().filter(|line| !line.contains(". No ")).map(|line| format!("{line}\n"));
    expected.assert_eq(&lines.collect::<String>());
}

/// Reads a table without a mapping: the mapping that is guessed, with its reasons.
fn check_guess(input: &str, expected: Expect) {
    let import = read(&[("x.csv", input.as_bytes())]);
    crate::assert_adds_up(&import);
    let file = &import.files[0];
    let mut text = format!("{}\n", file.summary);
    if let Some(mapping) = &file.mapping {
        text += &format!("{mapping}\n");
    }
    for guess in &file.guesses {
        let sign = if guess.sureness == elastiplan_formats::mapping::Sureness::Sure { '=' } else { '?' };
        text += &format!("{sign} {}={}: {}", guess.field, guess.value, guess.reason);
        text += &if guess.others.is_empty() { "\n".into() } else { format!(" ({})\n", guess.others.join(", ")) };
    }
    expected.assert_eq(&text);
}

fn check_error(mapping: &str, expected: Expect) {
    expected.assert_eq(&mapping.parse::<Mapping>().unwrap_err().to_string());
}

#[test]
fn columns_by_other_names() {
    check(
        "job_id=job submit_s=start duration_s=run gpus=n model=net user=team",
        "job,start,run,n,net,team,note\na,0,3600,4,bert,vision,x\nb,60,120,1,resnet50,,y\n",
        expect![[r#"
            x.csv: Job table by a mapping, 2 jobs; 2 rows read
            i x.csv, row 1: note. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
            = a row 2 at 0 bert on 4, 3600 s, by vision
            = b row 3 at 60 resnet50 on 1, 120 s
        "#]],
    );
}

#[test]
fn arithmetic_units_and_functions() {
    check(
        "submit_s=at ms duration_s=(end-start) min gpus=ceil(max(per*workers,1)/2)+0 deadline_s=at ms+2 h",
        "at,start,end,per,workers\n2000,10,12.5,4,2\n3500,0,60,0,9\n",
        expect![[r#"
            x.csv: Job table by a mapping, 2 jobs; 2 rows read
            = row-2 row 2 at 2 unknown on 4, 150 s, until 7202
            = row-3 row 3 at 3.5 unknown on 1, 3600 s, until 7203.5
        "#]],
    );
}

#[test]
fn dates_durations_and_zones() {
    check(
        "submit_s=at duration_s=took gpus=n",
        "at,took,n\n2026-07-01 00:00:00,1-00:00:01,1\n2026-07-01T02:00:00+02:00,1:30,1\n2026/07/01,00:00:10,1\nnoon,10,1\n\
         2026-07-01,Unknown,1\n",
        expect![[r#"
            x.csv: Job table by a mapping, 3 jobs; 5 rows read, 1 with values filled in, 2 left out
            x x.csv, row 5, at: noon. A number, a date as 2026-07-01 14:30:00, or a duration as 1:30:00. Row left out. Correct the value, or leave such rows out (where)
            x x.csv, row 6, took: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            ! x.csv, row 3, at: 2026-07-01T02:00:00+02:00. A time zone in all times of a file, as in the first, or in none. Times without one are taken as UTC. Write all times with their zone, or all without
            = row-2 row 2 at 1782864000 unknown on 1, 86401 s
            = row-3 row 3 at 1782864000 unknown on 1, 90 s
            = row-4 row 4 at 1782864000 unknown on 1, 10 s
        "#]],
    );
}

#[test]
fn rows_that_the_mapping_keeps() {
    check(
        "submit_s=at duration_s=took gpus=n where state=completed|'TIMED OUT' and n>0 and took!=7",
        "at,took,n,state\n0,5,1,COMPLETED\n1,5,1,Timed Out\n2,5,1,FAILED\n3,5,0,COMPLETED\n4,7,1,COMPLETED\n5,5,x,COMPLETED\n",
        expect![[r#"
            x.csv: Job table by a mapping, 2 jobs; 6 rows read, 4 left out
            i x.csv, row 4, state: FAILED. Rows that the mapping keeps (where). Row left out. Change what follows where in the mapping to keep more
            i x.csv, rows 5, 7, n: 0, x. Rows that the mapping keeps (where). Row left out. Change what follows where in the mapping to keep more
            i x.csv, row 6, took: 7. Rows that the mapping keeps (where). Row left out. Change what follows where in the mapping to keep more
            = row-2 row 2 at 0 unknown on 1, 5 s
            = row-3 row 3 at 1 unknown on 1, 5 s
        "#]],
    );
}

#[test]
fn rows_that_cannot_be_used() {
    check(
        "submit_s=at duration_s=end-at gpus=n/nodes",
        "at,end,n,nodes\n0,60,8,1\n60,0,8,1\n60,60,8,1\n0,60,8,0\n0,60,1,2\n0,60,0,1\n0,60,many,1\n0,,8,1\n0,60,-8,1\n1e308,60,8,1\n",
        expect![[r#"
            x.csv: Job table by a mapping, 1 job; 10 rows read, 9 left out
            x x.csv, rows 3, 11, end-at: -60, -100000000000000000000000000000000000000…. An end after its start. Row left out. Correct one of the two times
            x x.csv, row 6, n/nodes: 0.5. Whole GPUs. Row left out. Round up in the mapping: gpus=ceil(...), or leave such jobs out (where)
            x x.csv, row 8, n: many. A number, a date as 2026-07-01 14:30:00, or a duration as 1:30:00. Row left out. Correct the value, or leave such rows out (where)
            x x.csv, row 9, end-at: empty. Number above 0, at most 1e18. Row left out. Fill in the value
            x x.csv, row 10, n/nodes: -8. Whole number from 1 to 65,536. Row left out. Correct the value
            i x.csv, row 4, end-at: 0. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            i x.csv, row 7, n/nodes: 0. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            = row-2 row 2 at 0 unknown on 8, 60 s
        "#]],
    );
}

#[test]
fn a_value_that_is_not_needed_is_treated_as_missing() {
    check(
        "submit_s=at duration_s=took gpus=n deadline_s=due gpus_max=most priority=1/rank",
        "at,took,n,due,most,rank\n0,5,1,100,8,2\n0,5,1,soon,many,0\n",
        expect![[r#"
            x.csv: Job table by a mapping, 2 jobs; 2 rows read, 1 with values filled in
            ! x.csv, row 3, most: many. A number, a date as 2026-07-01 14:30:00, or a duration as 1:30:00. Treated as missing. Correct the value, or leave such rows out (where)
            ! x.csv, row 3, due: soon. A number, a date as 2026-07-01 14:30:00, or a duration as 1:30:00. Treated as missing. Correct the value, or leave such rows out (where)
            i x.csv, row 3, most: empty. An empty cell means the default. The largest measured number of GPUs is used. Fill in the value where another one is meant
            i x.csv, row 3, 1/rank: empty. An empty cell means the default. 1 is used. Fill in the value where another one is meant
            = row-2 row 2 at 0 unknown on 1 (None to Some(8)), 5 s, until 100, priority 0.5
            = row-3 row 3 at 0 unknown on 1, 5 s
        "#]],
    );
}

#[test]
fn the_gpus_among_slurms_resources() {
    check(
        "job_id=JobID submit_s=Submit duration_s=ElapsedRaw gpus=after(AllocTRES,'gres/gpu=')",
        "JobID|Submit|ElapsedRaw|AllocTRES\n1|2024-03-10T01:00:00|9000|cpu=64,gres/gpu:a100=4,gres/gpu=8,mem=512G\n\
         2|2024-03-10T01:00:00|10|cpu=64,mem=512G\n",
        expect![[r#"
            x.csv: Job table by a mapping, 1 job; 2 rows read, 1 left out
            i x.csv, row 1. Columns are separated by vertical bars. Read so. Nothing to do
            i x.csv, row 3, after(AllocTRES,'gres/gpu='): empty. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            = 1 row 2 at 1710032400 unknown on 8, 9000 s
        "#]],
    );
}

#[test]
fn a_mapping_that_does_not_fit_the_table() {
    check(
        "submit_s=at duration_s=end-at gpus=num_gpu",
        "at,end,num_gpus\n0,1,1\n",
        expect![[r#"
        x.csv: Not used. The mapping names a column that is not there: num_gpu
        x x.csv. The mapping names a column that is not there: num_gpu. File not used. Write num_gpus, if that is meant
    "#]],
    );
    check(
        "submit_s=at duration_s=end-at gpus=whatever",
        "at,end,num_gpus\n0,1,1\n",
        expect![[r#"
        x.csv: Not used. The mapping names a column that is not there: whatever
        x x.csv. The mapping names a column that is not there: whatever. File not used. The columns are at, end, num_gpus
    "#]],
    );
    check(
        "submit_s=at gpus=num_gpus",
        "at,end,num_gpus\n0,1,1\n",
        expect![[r#"
        x.csv: Not used. The mapping does not give duration_s
        x x.csv. The mapping does not give duration_s. File not used. Add it to the mapping. The columns are at, end, num_gpus
    "#]],
    );
}

#[test]
fn names_in_quotes_and_constants() {
    check(
        "job_id=\"the job\" submit_s=\"when \"\"UTC\"\"\" duration_s=60 gpus=8 model='it''s one'",
        "the job,\"when \"\"UTC\"\"\"\na,5\n",
        expect![[r#"
            x.csv: Job table by a mapping, 1 job; 1 row read
            = a row 2 at 5 it's one on 8, 60 s
        "#]],
    );
}

#[test]
fn mappings_that_are_none() {
    check_error("", expect!["the mapping, letter 1: expected a field, such as submit_s=submit_time"]);
    check_error("gpu=n", expect!["the mapping, letter 1, gpu: there is no such field; did you mean gpus?"]);
    check_error(
        "whatever=n",
        expect![
            "the mapping, letter 1, whatever: there is no such field. There are: job_id, submit_s, model, gpus, samples, iterations, duration_s, gpu_seconds, epochs, samples_per_epoch, trainings, batch_global, batch_min, batch_max, gpus_min, gpus_max, deadline_s, best_effort, user, rescale_up_s, rescale_down_s, priority"
        ],
    );
    check_error("gpus=n gpus=m", expect!["the mapping, letter 8, gpus: the field is given twice"]);
    check_error("gpus=(n", expect!["the mapping, letter 8: expected a closing parenthesis"]);
    check_error("gpus=n*", expect!["the mapping, letter 8: expected a column, a number or text in single quotes"]);
    check_error("gpus n", expect!["the mapping, letter 6, n: expected ="]);
    check_error(
        "gpus='4'",
        expect![
            "the mapping, letter 6, '4': text in single quotes is no number; put names of columns in double quotes"
        ],
    );
    check_error("gpus=\"n", expect![[r#"the mapping, letter 6, "n: the quote is not closed"#]]);
    check_error(
        "gpus=n%2",
        expect![
            "the mapping, letter 7, %2: this sign has no meaning here; put names with other letters in double quotes"
        ],
    );
    check_error(
        "gpus=sqrt(n)",
        expect!["the mapping, letter 6, sqrt: expected a function: min, max, ceil, floor, round, positive or after"],
    );
    check_error(
        "model=a+b",
        expect!["the mapping, letter 7, a: the field is text: a column, or text in single quotes"],
    );
    check_error(
        "gpus=n where",
        expect!["the mapping, letter 13: expected a column, a number or text in single quotes"],
    );
    check_error("gpus=n where state", expect!["the mapping, letter 19: expected one of = != < <= > >="]);
    check_error(
        "gpus=n where a+b=c",
        expect!["the mapping, letter 14, a: expected a column alone, where it is compared to texts"],
    );
    check_error("gpus=n where a=b c=d", expect!["the mapping, letter 18, c: expected the word and, or the end"]);
    check_error("gpus=n where a>b", expect!["the mapping, letter 16, b: expected a number"]);
    check_error(
        "gpus=n zone=Europe/Berlin",
        expect!["the mapping, letter 13, Europe: expected a zone without summer time: UTC, +02:00, -05:30"],
    );
    check_error(
        "gpus=n zone=+25:00",
        expect!["the mapping, letter 13, +: expected a zone without summer time: UTC, +02:00, -05:30"],
    );
    check_error(
        "gpus=n zone=02:00",
        expect!["the mapping, letter 13, 02: expected a zone without summer time: UTC, +02:00, -05:30"],
    );
    check_error("zone=UTC gpus=n zone=UTC", expect!["the mapping, letter 17, zone: the field is given twice"]);
    check_error(
        "gpus=8 dmy",
        expect![
            "the mapping, letter 8, dmy: there is no such field. There are: job_id, submit_s, model, gpus, samples, iterations, duration_s, gpu_seconds, epochs, samples_per_epoch, trainings, batch_global, batch_min, batch_max, gpus_min, gpus_max, deadline_s, best_effort, user, rescale_up_s, rescale_down_s, priority"
        ],
    );
    check_error("gpus=1e999", expect!["the mapping, letter 6, 1e999: the number is too large"]);
    check_error(
        &format!("gpus={}n{}", "(".repeat(40), ")".repeat(40)),
        expect!["the mapping, letter 38, (: there are too many parentheses within each other"],
    );
    check_error(
        &format!("gpus={}", "n+".repeat(20_000)),
        expect!["the mapping, letter 1: it is longer than 20000 bytes"],
    );
}

#[test]
fn a_start_stands_for_the_submission_only_if_one_says_so() {
    check_guess(
        "job,start_time,end_time,num_gpus\na,2026-07-01T00:14:17,2026-07-01T00:42:53,2\nb,2026-07-01T01:14:17,2026-07-01T02:42:53,8\n",
        expect![[r#"
            Not used. Columns not recognised: job, start_time, end_time, num_gpus
            job_id=job submit_s=start_time gpus=num_gpus duration_s=end_time-start_time
            = job_id=job: By its name
            ? submit_s=start_time: By its name; dates, but there is no time of submission; jobs are taken to arrive when they start
            = gpus=num_gpus: By its name; small whole numbers
            = duration_s=end_time-start_time: From start to end; dates
        "#]],
    );
}

#[test]
fn a_table_without_a_doubt_is_read_at_once() {
    check_guess(
        "job_id,user,gpu_num,state,submit_time,start_time,end_time,duration\n\
         1,u1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848\n\
         2,u2,4,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249\n",
        expect![[r#"
            Job table by a mapping, 2 jobs
            job_id=job_id submit_s=submit_time gpus=gpu_num duration_s=duration user=user
            = job_id=job_id: By its name
            = submit_s=submit_time: By its name; dates (start_time)
            = gpus=gpu_num: By its name; small whole numbers
            = duration_s=duration: By its name; as long as from start to end (end_time-start_time)
            = user=user: By its name
        "#]],
    );
}

#[test]
fn units_are_found_or_asked_for() {
    // In the name.
    check_guess(
        "name,submitted_ms,runtime_min,gpus\na,1700000000000,5,1\nb,1700000001000,7,1\n",
        expect![[r#"
        Job table by a mapping, 2 jobs
        job_id=name submit_s=submitted_ms ms gpus=gpus duration_s=runtime_min min
        = job_id=name: By its name
        = submit_s=submitted_ms ms: By its name; ms, as the name says
        = gpus=gpus: By its name; small whole numbers
        = duration_s=runtime_min min: By its name; min, by its name or by start and end
    "#]],
    );
    // By start and end: minutes.
    check_guess(
        "name,submit_time,start,end,duration,gpus\na,1700000000,1700000000,1700006000,100,1\nb,1700000000,1700000000,1700003000,50,1\n",
        expect![[r#"
            Job table by a mapping, 2 jobs
            job_id=name submit_s=submit_time gpus=gpus duration_s=duration min
            = job_id=name: By its name
            = submit_s=submit_time: By its name; seconds since 1970, by their size (start)
            = gpus=gpus: By its name; small whole numbers
            = duration_s=duration min: By its name; min, by its name or by start and end (end-start)
        "#]],
    );
    // Nowhere.
    check_guess(
        "name,submit_time,duration,gpus\na,0,5,1\nb,10,7,1\n",
        expect![[r#"
        Not used. Columns not recognised: name, submit_time, duration, gpus
        job_id=name submit_s=submit_time gpus=gpus duration_s=duration
        = job_id=name: By its name
        ? submit_s=submit_time: By its name; seconds, unless its unit is another (min, ms)
        = gpus=gpus: By its name; small whole numbers
        ? duration_s=duration: By its name; seconds, unless its unit is another (min, h, ms)
    "#]],
    );
}

#[test]
fn dates_that_can_be_read_in_two_ways_are_asked_for() {
    check_guess(
        "id,submit_time,runtime_s,gpus\na,03/04/2026,5,1\nb,05/06/2026,7,1\n",
        expect![[r#"
        Not used. Columns not recognised: id, submit_time, runtime_s, gpus
        job_id=id submit_s=submit_time gpus=gpus duration_s=runtime_s
        = job_id=id: By its name
        ? submit_s=submit_time: By its name; dates, but 03/04/2026 can be read day first or month first: write dmy or mdy behind the column
        = gpus=gpus: By its name; small whole numbers
        = duration_s=runtime_s: By its name; seconds, as the name says
    "#]],
    );
    check_guess(
        "id,submit_time,runtime_s,gpus\na,03/04/2026,5,1\nb,13/06/2026,7,1\n",
        expect![[r#"
        Job table by a mapping, 2 jobs
        job_id=id submit_s=submit_time dmy gpus=gpus duration_s=runtime_s
        = job_id=id: By its name
        = submit_s=submit_time dmy: By its name; dates, day first as in 13/06/2026
        = gpus=gpus: By its name; small whole numbers
        = duration_s=runtime_s: By its name; seconds, as the name says
    "#]],
    );
    check(
        "submit_s=at dmy duration_s=took comma gpus=n",
        "at;took;n\n03/04/2026 10:00;1,5;1\n04/13/2026;2;1\n2026-04-03;1.234,5;1\n05.04.2026;1.5;1\n",
        expect![[r#"
            x.csv: Job table by a mapping, 2 jobs; 4 rows read, 2 left out
            x x.csv, row 3, at: 04/13/2026. Dates of one column with day and month in one order, as the mapping says. Row left out. Correct the value, or leave such rows out (where)
            x x.csv, row 5, took: 1.5. Numbers of one column with one decimal sign, as the mapping says. Row left out. Correct the value, or leave such rows out (where)
            i x.csv, row 1. Columns are separated by semicolons. Read so. Nothing to do
            = row-4 row 4 at 1775174400 unknown on 1, 1234.5 s
            = row-2 row 2 at 1775210400 unknown on 1, 1.5 s
        "#]],
    );
    check(
        "submit_s=at duration_s=took gpus=n",
        "at,took,n\n03/04/2026,5,1\n0,\"1,5\",1\n",
        expect![[r#"
        x x.csv, row 2, at: 03/04/2026. A date whose order of day and month is known. Row left out. Write dmy or mdy behind the column in the mapping, as in: start dmy
        x x.csv, row 3, took: 1,5. A number whose decimal sign is known. Row left out. Write comma or point behind the column in the mapping, as in: hours comma
    "#]],
    );
}

#[test]
fn dates_without_a_zone_have_that_of_the_mapping() {
    check(
        "zone=-05:30 submit_s=at duration_s=60 gpus=1",
        "at,x\n2026-07-01 00:00:00,\n2026-07-01T05:30:00Z,\n1782884000,\n",
        expect![[r#"
            x.csv: Job table by a mapping, 3 jobs; 3 rows read
            i x.csv, row 1: x. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
            = row-2 row 2 at 1782883800 unknown on 1, 60 s
            = row-3 row 3 at 1782883800 unknown on 1, 60 s
            = row-4 row 4 at 1782884000 unknown on 1, 60 s
        "#]],
    );
}

#[test]
fn a_plain_trace_with_a_column_by_another_name_suggests_a_mapping() {
    check_guess(
        "job_id,submit_s,model,num_gpus,samples,priority\na,0,bert,8,1000,2\n",
        expect![[r#"
        Plain job trace? Not used. No column gpus
        job_id=job_id submit_s=submit_s gpus=num_gpus model=model samples=samples priority=priority
        = job_id=job_id: By its name
        = submit_s=submit_s: By its name; seconds, as the name says
        = gpus=num_gpus: By its name; small whole numbers
        = model=model: By its name
        = samples=samples: By its name
        = priority=priority: By its name
    "#]],
    );
    check_guess(
        "job_id,arrival,model,gpus,epochs,samples_per_epoch\na,0,bert,8,10,1000\n",
        expect![[r#"
        Plain job trace? Not used. No column submit_s
        job_id=job_id submit_s=arrival gpus=gpus model=model epochs=epochs samples_per_epoch=samples_per_epoch
        = job_id=job_id: By its name
        ? submit_s=arrival: By its name; seconds, unless its unit is another (min, ms)
        = gpus=gpus: By its name; small whole numbers
        = model=model: By its name
        = epochs=epochs: By its name
        = samples_per_epoch=samples_per_epoch: By its name
    "#]],
    );
    // Throughput curves are no jobs.
    check_guess(
        "model,gpus,speed\nbert,8,1000\n",
        expect![[r#"
        Plain throughput curves? Not used. No column samples_per_s or iterations_per_s
    "#]],
    );
}

#[test]
fn two_columns_for_one_field_are_a_doubt() {
    check_guess(
        "id,submit_time,runtime_s,num_gpus,gpu_count\na,1700000000,5,1,2\nb,1700000001,7,1,2\n",
        expect![[r#"
            Not used. Columns not recognised: id, submit_time, runtime_s, num_gpus, gpu_count
            job_id=id submit_s=submit_time gpus=num_gpus duration_s=runtime_s
            = job_id=id: By its name
            = submit_s=submit_time: By its name; seconds since 1970, by their size
            ? gpus=num_gpus: By its name; small whole numbers; gpu_count could be meant as well (gpu_count)
            = duration_s=runtime_s: By its name; seconds, as the name says
        "#]],
    );
}

#[test]
fn workers_multiply_gpus() {
    check_guess(
        "job_name,organization,gpu_kind,cpu_request,gpu_request,worker_num,submit_time,duration,class\n\
         239255,13,A10,20,1,1,0,2764799,HP\n437260,57,A100-SXM4-80GB,15,1,16,9589663,41060,Spot\n",
        expect![[r#"
            Not used. Columns not recognised: job_name, organization, gpu_kind, cpu_request, gpu_request and 4 more
            job_id=job_name submit_s=submit_time gpus=gpu_request*worker_num duration_s=duration user=organization
            = job_id=job_name: By its name
            ? submit_s=submit_time: By its name; seconds, unless its unit is another (min, ms)
            = gpus=gpu_request*worker_num: GPUs of each worker, times the workers
            ? duration_s=duration: By its name; seconds, unless its unit is another (min, h, ms)
            ? user=organization: By its name, but several users
        "#]],
    );
}

#[test]
fn a_broken_row_does_not_change_the_guess() {
    check_guess(
        "JobID|JobName|Submit|ElapsedRaw|AllocTRES\n1|a|2024-03-10T01:00:00|9000|gres/gpu=8\n\
         2|b|c|2024-03-10T01:00:00|9000|gres/gpu=8\n3|d|2024-03-10T02:00:00|60|gres/gpu=1\n",
        expect![[r#"
            Slurm accounting (sacct), 3 jobs
        "#]],
    );
}

#[test]
fn nothing_is_guessed_of_other_tables() {
    check_guess(
        "name,gpu,model\nn1,8,A100\n",
        expect![[r#"
        Not used. Columns not recognised: name, gpu, model
    "#]],
    );
    check_guess(
        "a,b,c\n1,2,3\n",
        expect![[r#"
        Not used. Columns not recognised: a, b, c
    "#]],
    );
}

#[test]
fn one_fingerprint_whatever_the_order() {
    assert_eq!(fingerprint(["job_id", "Num GPUs"]), fingerprint(["num-gpus ", "JOB_ID"]));
    assert_ne!(fingerprint(["job_id", "gpus"]), fingerprint(["job_id", "gpu"]));
    assert_ne!(fingerprint(["a"]), fingerprint(["a", "a"]));
}

/// Reads a file of the pack, and sums up what came of it.
fn summary(name: &str, mapping: Option<&str>) -> Option<String> {
    let (dir, file) = name.split_once('/')?;
    let bytes = std::fs::read(folder(dir)?.join(file)).unwrap();
    let import = match mapping {
        Some(mapping) => read_mapped(file, &bytes, mapping),
        None => read(&[(file, &bytes)]),
    };
    crate::assert_adds_up(&import);
    let mut text = format!("{}\n", import.files[0]);
    for found in import.diagnostics.iter().filter(|found| !found.rule.starts_with("No ")) {
        text += &format!("{} rows: {found}\n", found.count);
    }
    let jobs = import.trace.as_ref().map(|trace| trace.jobs()).unwrap_or_default();
    let gpu_s = |job: &elastiplan_model::Job| job.work.amount() * f64::from(job.gpus_requested);
    let gpu_hours = jobs.iter().map(gpu_s).sum::<f64>() / 3600.0;
    let span_s = jobs.last().zip(jobs.first()).map_or(0.0, |(last, first)| last.submit_s - first.submit_s);
    text += &format!("{gpu_hours:.1} GPU-h submitted in {:.2} days\n", span_s / 86_400.0);
    Some(text)
}

fn check_file(name: &str, mapping: Option<&str>, expected: Expect) {
    if let Some(text) = summary(name, mapping) {
        expected.assert_eq(&text);
    }
}

#[test]
fn philly_by_a_mapping() {
    let mapping = "submit_s=timestamp duration_s=duration gpus=num_gpus user=cluster";
    check_file(
        "philly/philly.csv",
        Some(mapping),
        expect![[r#"
        philly.csv: Job table by a mapping, 82,247 jobs; 82,247 rows read
        1 rows: philly.csv, row 1: gpu_time. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
        978078.5 GPU-h submitted in 108.90 days
    "#]],
    );
}

#[test]
fn slurm_and_spot_gpus_by_a_mapping() {
    let sacct = "job_id=JobIDRaw submit_s=Submit duration_s=ElapsedRaw gpus=after(AllocTRES,'gres/gpu=') user=User \
                 where User!=''";
    check_file(
        "slurm-sacct/SYNTHETIC-sacct.parsable2.txt",
        Some(sacct),
        expect![[r#"
            SYNTHETIC-sacct.parsable2.txt: Job table by a mapping, 8 jobs; 16 rows read, 1 with values filled in, 8 left out
            1 rows: SYNTHETIC-sacct.parsable2.txt, row 1. Columns are separated by vertical bars. Read so. Nothing to do
            1 rows: SYNTHETIC-sacct.parsable2.txt, row 1: JobID, JobName, Account, Partition, QOS and 12 more. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
            3 rows: SYNTHETIC-sacct.parsable2.txt, rows 3, 4, 5, User: empty. Rows that the mapping keeps (where). Row left out. Change what follows where in the mapping to keep more
            2 rows: SYNTHETIC-sacct.parsable2.txt, rows 6, 14, after(AllocTRES,'gres/gpu='): empty. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            2 rows: SYNTHETIC-sacct.parsable2.txt, rows 8, 11, ElapsedRaw: 0. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            1 rows: SYNTHETIC-sacct.parsable2.txt, row 16, JobName: name|with|pipe. As many fields as the header has. The fields in excess are part of this one. Nothing to do, if the text is right
            1 rows: SYNTHETIC-sacct.parsable2.txt, row 12: 1012. One run for a job: the last, where it was requeued. Row left out. Nothing to do, if runs begin anew; else add the lost time to the job
            1947.0 GPU-h submitted in 0.38 days
        "#]],
    );
    let spot =
        "job_id=job_name submit_s=submit_time duration_s=duration s gpus=gpu_request*worker_num user=organization";
    check_file(
        "alibaba-spot-gpu-v2026/job_info_df.readme-sample.csv",
        Some(spot),
        expect![[r#"
        job_info_df.readme-sample.csv: Job table by a mapping, 4 jobs; 4 rows read
        1 rows: job_info_df.readme-sample.csv, row 1: gpu_model, cpu_request, job_type. Columns of the mapping. Not used. Use them in the mapping, if one of them should count
        7239.1 GPU-h submitted in 110.99 days
    "#]],
    );
}

/// Each mapping in the docs makes of the table before it the plain trace behind it.
#[test]
fn the_examples_in_the_docs_are_read_as_they_say() {
    let text = include_str!("../../../../docs/import.md");
    let blocks: Vec<(&str, &str)> = text
        .split("\n```")
        .filter_map(|block| block.split_once('\n'))
        .filter(|(kind, _)| ["csv", "text"].contains(kind))
        .collect();
    let mut examples = 0;
    for window in blocks.windows(3) {
        let [("csv", table), ("text", mapping), ("csv", expected)] = window else { continue };
        let import = read_mapped("x.csv", table.as_bytes(), mapping);
        let written = elastiplan_formats::export::write_jobs(&import.trace.unwrap());
        assert_eq!(String::from_utf8(written).unwrap().trim_end(), *expected, "{mapping}");
        examples += 1;
    }
    assert_eq!(examples, text.matches("```text").count());
}

/// Each log of a known source in the docs gives the plain trace behind it.
#[test]
fn the_logs_in_the_docs_are_read_as_they_say() {
    let text = include_str!("../../../../docs/import.md");
    let mut examples = 0;
    for block in text.split("\n```log\n").skip(1) {
        let (log, rest) = block.split_once("\n```").unwrap();
        let expected = rest.split_once("```csv\n").unwrap().1.split_once("\n```").unwrap().0;
        let import = read(&[("x", log.as_bytes())]);
        let trace = import.trace.unwrap_or_else(|| panic!("{}", import.files[0]));
        let written = elastiplan_formats::export::write_jobs(&trace);
        assert_eq!(String::from_utf8(written).unwrap().trim_end(), expected, "{log}");
        assert!(import.files[0].source.is_some(), "{log}");
        examples += 1;
    }
    assert!(examples > 10);
}

#[test]
fn a_unit_of_a_unit_multiplies_the_value_step_by_step() {
    // 11 * 0.001 * 3600 is not 11 * 3.6 in the last digit.
    check(
        "submit_s=at duration_s=(took ms) h gpus=1",
        "at,took\n0,11\n",
        expect![[r#"
            x.csv: Job table by a mapping, 1 job; 1 row read
            = row-2 row 2 at 0 unknown on 1, 39.599999999999994 s
        "#]],
    );
}
