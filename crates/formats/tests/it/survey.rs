//! Tables as the mapping step shows them: columns, rows before and after, counts, and what is missing.

use std::fmt::Write;

use elastiplan_formats::mapping::{
    Distinct, Mapping, Repair, RowOutcome, Sureness, Survey, SurveyColumn, SurveyError, survey,
};
use elastiplan_formats::{Options, Source};
use expect_test::{Expect, expect};

/// Surveys a table, by a mapping or by the one that its columns suggest.
fn surveyed(bytes: &[u8], mapping: Option<&str>) -> Result<Survey, SurveyError> {
    let mapping = mapping.map(|text| Mapping::partial(text).unwrap());
    let found = survey(Source::from_bytes("x.csv", bytes), mapping.as_ref(), &Options::default(), &mut |_| {});
    if let Ok(found) = &found {
        // It crosses from the worker to the page.
        let bytes = postcard::to_allocvec(found).unwrap();
        assert_eq!(postcard::from_bytes::<Survey>(&bytes).as_ref(), Ok(found));
        let out: u64 = found.counts.left_out.iter().map(|out| out.rows).sum();
        assert_eq!(found.counts.rows, found.counts.jobs + out, "{found:?}");
    }
    found
}

fn check(input: &str, mapping: Option<&str>, expected: Expect) {
    let text = match surveyed(input.as_bytes(), mapping) {
        Ok(survey) => as_text(&survey),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&text);
}

fn as_text(survey: &Survey) -> String {
    let mut text = format!("{}\n", survey.mapping);
    let header = survey.header_row.map_or("no header".into(), |row| format!("header in row {row}"));
    writeln!(text, "{:?}, {header}, guess {}", survey.delimiter, survey.is_guess).unwrap();
    for issue in &survey.issues {
        writeln!(text, "x {issue}").unwrap();
    }
    for (column, own) in survey.columns.iter().zip(&survey.uses.columns) {
        writeln!(text, "| {}", column_as_text(column, &own.role.label())).unwrap();
    }
    for row in &survey.rows {
        write!(text, "{} {}: ", row.row, row.cells.join(" ")).unwrap();
        match &row.outcome {
            RowOutcome::Job(job) => writeln!(text, "{job:?}").unwrap(),
            RowOutcome::LeftOut { reason, column } => writeln!(text, "left out: {reason}, column {column:?}").unwrap(),
        }
    }
    writeln!(text, "{} of {} rows", survey.counts.jobs, survey.counts.rows).unwrap();
    for out in &survey.counts.left_out {
        let repair = match &out.repair {
            Repair::Mapping { label, mapping } => format!("{label}: {mapping}"),
            Repair::Advice(advice) => advice.clone(),
        };
        writeln!(text, "- {} {}, rows {:?}. {repair}", out.rows, out.reason, out.first_rows).unwrap();
    }
    for assumed in survey.counts.assumed.iter().filter(|assumed| !assumed.is_all || assumed.field == "zone") {
        writeln!(text, "! {} {}: {}, rows {:?}", assumed.rows, assumed.field, assumed.what, assumed.first_rows)
            .unwrap();
    }
    let jobs = &survey.jobs;
    writeln!(text, "{:?}", jobs.span).unwrap();
    writeln!(text, "{:?} GPU-h, {:?} at once, {:?} nodes of 8", jobs.gpu_hours, jobs.peak_gpus, jobs.nodes_needed(8))
        .unwrap();
    writeln!(text, "{:?}", survey.known_point).unwrap();
    text
}

fn column_as_text(column: &SurveyColumn, role: &str) -> String {
    let sureness = match column.sureness {
        Some(Sureness::Sure) => " (sure)",
        Some(Sureness::Guessed) => " (guessed)",
        None => "",
    };
    let Distinct { count, has_more } = column.distinct;
    let more = if has_more { "+" } else { "" };
    let values: Vec<String> =
        column.values.iter().take(4).map(|value| format!("{} {}", value.rows, value.value)).collect();
    format!(
        "{} [{}] {}{more} of {:?}: {role}{sureness}. {}. {}",
        column.name,
        column.first_values.join(", "),
        count,
        column.content,
        column.follows,
        values.join(", ")
    )
}

const TABLE: &str = "\
job,start_time,end_time,num_gpus,team,state
j-1,2026-07-01T00:14:17,2026-07-01T00:42:53,2,vision,COMPLETED
j-2,2026-07-01T00:20:00,2026-07-01T01:20:00,4,speech,FAILED
j-3,2026-07-01T00:30:00,2026-07-01T02:30:00,8,vision,COMPLETED
j-4,2026-07-01T00:31:00,2026-07-01T00:36:00,0,,TIMEOUT
j-5,2026-07-01T00:40:00,2026-07-01T00:39:00,1,vision,COMPLETED
j-6,2026-07-01T00:45:00,2026-07-01T01:45:00,1,,COMPLETED
j-7,2026-07-01T00:50:00,,1,speech,COMPLETED
broken,line
j-8,2026-07-01T00:55:00,2026-07-01T01:45:00,one,speech,CANCELLED
";

#[test]
fn a_table_with_a_guessed_mapping() {
    check(
        TABLE,
        None,
        expect![[r#"
            job_id=job submit_s=start_time gpus=num_gpus duration_s=end_time-start_time user=team where state=COMPLETED|TIMEOUT
            ',', header in row 1, guess true
            | job [j-1, j-2, j-3] 8 of Text: Job name (sure). 8 different names. 1 j-1, 1 j-2, 1 j-3, 1 j-4
            | start_time [2026-07-01T00:14:17, 2026-07-01T00:20:00, 2026-07-01T00:30:00] 8 of Dates: Submitted (guessed). No submission time: arrival = start. 1 2026-07-01T00:14:17, 1 2026-07-01T00:20:00, 1 2026-07-01T00:30:00, 1 2026-07-01T00:31:00
            | end_time [2026-07-01T00:42:53, 2026-07-01T01:20:00, 2026-07-01T02:30:00] 6 of Dates: End of run (guessed). Run time = end − submitted, 1 empty. 2 2026-07-01T01:45:00, 1 2026-07-01T00:42:53, 1 2026-07-01T01:20:00, 1 2026-07-01T02:30:00
            | num_gpus [2, 4, 8] 6 of Numbers: GPUs asked for (guessed). 0 to 8, so GPUs and not nodes. 3 1, 1 2, 1 4, 1 8
            | team [vision, speech] 2 of Text: User (guessed). 2 teams, 2 empty. 3 vision, 3 speech
            | state [COMPLETED, FAILED, TIMEOUT] 4 of Text: Keep only if (guessed). 2 of 4 values kept. 5 COMPLETED, 1 FAILED, 1 TIMEOUT, 1 CANCELLED
            2 j-1 2026-07-01T00:14:17 2026-07-01T00:42:53 2 vision COMPLETED: ConvertedJob { name: "j-1", submit_s: Some(1782864857.0), gpus: Some(2), duration_s: Some(1716.0), gpu_hours: Some(0.9533333333333334), deadline_s: None, model: None, user: Some("vision"), is_defaulted: false }
            4 j-3 2026-07-01T00:30:00 2026-07-01T02:30:00 8 vision COMPLETED: ConvertedJob { name: "j-3", submit_s: Some(1782865800.0), gpus: Some(8), duration_s: Some(7200.0), gpu_hours: Some(16.0), deadline_s: None, model: None, user: Some("vision"), is_defaulted: false }
            7 j-6 2026-07-01T00:45:00 2026-07-01T01:45:00 1  COMPLETED: ConvertedJob { name: "j-6", submit_s: Some(1782866700.0), gpus: Some(1), duration_s: Some(3600.0), gpu_hours: Some(1.0), deadline_s: None, model: None, user: None, is_defaulted: false }
            3 j-2 2026-07-01T00:20:00 2026-07-01T01:20:00 4 speech FAILED: left out: state is FAILED, column Some(5)
            5 j-4 2026-07-01T00:31:00 2026-07-01T00:36:00 0  TIMEOUT: left out: uses no GPU, column Some(3)
            6 j-5 2026-07-01T00:40:00 2026-07-01T00:39:00 1 vision COMPLETED: left out: ends before it starts, column Some(2)
            8 j-7 2026-07-01T00:50:00  1 speech COMPLETED: left out: has no end, column Some(2)
            9 : left out: has more or fewer fields than the header, column None
            3 of 9 rows
            - 2 state is FAILED or CANCELLED, rows [3, 10]. Keep them: job_id=job submit_s=start_time gpus=num_gpus duration_s=end_time-start_time user=team
            - 1 uses no GPU, rows [5]. Nothing to do: a job without a GPU competes for none
            - 1 ends before it starts, rows [6]. Correct one of the two times
            - 1 has more or fewer fields than the header, rows [9]. Add the missing fields, or put text that holds a delimiter in double quotes
            - 1 has no end, rows [8]. End them with the last one: job_id=job submit_s=start_time gpus=num_gpus duration_s=min(end_time,1782873000)-start_time user=team where state=COMPLETED|TIMEOUT
            ! 3 zone: Dates without a zone are taken as UTC, rows []
            ! 1 team: No user, rows [7]
            Some(TimeSpan { first_submit_s: 1782864857.0, last_submit_s: 1782866700.0, last_end_s: 1782873000.0, is_dates: true })
            Some(17.953333333333333) GPU-h, Some(10) at once, Some(2) nodes of 8
            Some(KnownPoint { name: "j-3", row: 4, gpus: 8, duration_s: 7200.0 })
        "#]],
    );
}

#[test]
fn a_mapping_that_lacks_fields_is_surveyed_as_far_as_it_goes() {
    check(
        TABLE,
        Some("submit_s=start_time where state=COMPLETED"),
        expect![[r#"
        submit_s=start_time where state=COMPLETED
        ',', header in row 1, guess false
        x GPUs: choose a column, or 1 for every job
        x Run time: choose a column, or the end of the run
        | job [j-1, j-2, j-3] 8 of Text: Not used. text, 8 values. 1 j-1, 1 j-2, 1 j-3, 1 j-4
        | start_time [2026-07-01T00:14:17, 2026-07-01T00:20:00, 2026-07-01T00:30:00] 8 of Dates: Submitted (guessed). No submission time: arrival = start. 1 2026-07-01T00:14:17, 1 2026-07-01T00:20:00, 1 2026-07-01T00:30:00, 1 2026-07-01T00:31:00
        | end_time [2026-07-01T00:42:53, 2026-07-01T01:20:00, 2026-07-01T02:30:00] 6 of Dates: Not used. dates, 2026-07-01. 2 2026-07-01T01:45:00, 1 2026-07-01T00:42:53, 1 2026-07-01T01:20:00, 1 2026-07-01T02:30:00
        | num_gpus [2, 4, 8] 6 of Numbers: Not used. mostly numbers, 0 to 8. 3 1, 1 2, 1 4, 1 8
        | team [vision, speech] 2 of Text: Not used. text, 2 values. 3 vision, 3 speech
        | state [COMPLETED, FAILED, TIMEOUT] 4 of Text: Keep only if. 1 of 4 values kept. 5 COMPLETED, 1 FAILED, 1 TIMEOUT, 1 CANCELLED
        2 j-1 2026-07-01T00:14:17 2026-07-01T00:42:53 2 vision COMPLETED: ConvertedJob { name: "row-2", submit_s: Some(1782864857.0), gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        4 j-3 2026-07-01T00:30:00 2026-07-01T02:30:00 8 vision COMPLETED: ConvertedJob { name: "row-4", submit_s: Some(1782865800.0), gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        6 j-5 2026-07-01T00:40:00 2026-07-01T00:39:00 1 vision COMPLETED: ConvertedJob { name: "row-6", submit_s: Some(1782866400.0), gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        7 j-6 2026-07-01T00:45:00 2026-07-01T01:45:00 1  COMPLETED: ConvertedJob { name: "row-7", submit_s: Some(1782866700.0), gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        8 j-7 2026-07-01T00:50:00  1 speech COMPLETED: ConvertedJob { name: "row-8", submit_s: Some(1782867000.0), gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        3 j-2 2026-07-01T00:20:00 2026-07-01T01:20:00 4 speech FAILED: left out: state is FAILED, column Some(5)
        9 : left out: has more or fewer fields than the header, column None
        5 of 9 rows
        - 3 state is FAILED, TIMEOUT or CANCELLED, rows [3, 5, 10]. Keep them: submit_s=start_time
        - 1 has more or fewer fields than the header, rows [9]. Add the missing fields, or put text that holds a delimiter in double quotes
        ! 5 zone: Dates without a zone are taken as UTC, rows []
        Some(TimeSpan { first_submit_s: 1782864857.0, last_submit_s: 1782867000.0, last_end_s: 1782867000.0, is_dates: true })
        None GPU-h, None at once, None nodes of 8
        None
    "#]],
    );
    check(
        TABLE,
        Some(""),
        expect![[r#"

        ',', header in row 1, guess false
        x Submitted: choose a column, or 0 s for every job
        x GPUs: choose a column, or 1 for every job
        x Run time: choose a column, or the end of the run
        | job [j-1, j-2, j-3] 8 of Text: Not used. text, 8 values. 1 j-1, 1 j-2, 1 j-3, 1 j-4
        | start_time [2026-07-01T00:14:17, 2026-07-01T00:20:00, 2026-07-01T00:30:00] 8 of Dates: Not used. dates, 2026-07-01. 1 2026-07-01T00:14:17, 1 2026-07-01T00:20:00, 1 2026-07-01T00:30:00, 1 2026-07-01T00:31:00
        | end_time [2026-07-01T00:42:53, 2026-07-01T01:20:00, 2026-07-01T02:30:00] 6 of Dates: Not used. dates, 2026-07-01. 2 2026-07-01T01:45:00, 1 2026-07-01T00:42:53, 1 2026-07-01T01:20:00, 1 2026-07-01T02:30:00
        | num_gpus [2, 4, 8] 6 of Numbers: Not used. mostly numbers, 0 to 8. 3 1, 1 2, 1 4, 1 8
        | team [vision, speech] 2 of Text: Not used. text, 2 values. 3 vision, 3 speech
        | state [COMPLETED, FAILED, TIMEOUT] 4 of Text: Not used. text, 4 values. 5 COMPLETED, 1 FAILED, 1 TIMEOUT, 1 CANCELLED
        2 j-1 2026-07-01T00:14:17 2026-07-01T00:42:53 2 vision COMPLETED: ConvertedJob { name: "row-2", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        3 j-2 2026-07-01T00:20:00 2026-07-01T01:20:00 4 speech FAILED: ConvertedJob { name: "row-3", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        4 j-3 2026-07-01T00:30:00 2026-07-01T02:30:00 8 vision COMPLETED: ConvertedJob { name: "row-4", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        5 j-4 2026-07-01T00:31:00 2026-07-01T00:36:00 0  TIMEOUT: ConvertedJob { name: "row-5", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        6 j-5 2026-07-01T00:40:00 2026-07-01T00:39:00 1 vision COMPLETED: ConvertedJob { name: "row-6", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        7 j-6 2026-07-01T00:45:00 2026-07-01T01:45:00 1  COMPLETED: ConvertedJob { name: "row-7", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        9 : left out: has more or fewer fields than the header, column None
        8 of 9 rows
        - 1 has more or fewer fields than the header, rows [9]. Add the missing fields, or put text that holds a delimiter in double quotes
        None
        None GPU-h, None at once, None nodes of 8
        None
    "#]],
    );
}

#[test]
fn a_mapping_that_names_no_column() {
    check(
        "a,b\n1,2\n",
        Some("submit_s=when gpus=b duration_s=b"),
        expect![[r#"
            submit_s=when gpus=b duration_s=b
            ',', header in row 1, guess false
            x There is no column when
            | a [1] 1 of Numbers: Not used. numbers, 1. 1 1
            | b [2] 1 of Numbers: GPUs asked for. 2 GPUs. 1 2
            2 1 2: ConvertedJob { name: "row-2", submit_s: None, gpus: Some(2), duration_s: Some(2.0), gpu_hours: Some(0.0011111111111111111), deadline_s: None, model: None, user: None, is_defaulted: false }
            1 of 1 rows
            None
            Some(0.0011111111111111111) GPU-h, None at once, None nodes of 8
            Some(KnownPoint { name: "row-2", row: 2, gpus: 2, duration_s: 2.0 })
        "#]],
    );
}

#[test]
fn nothing_loads() {
    check(
        "at,took,n\n1,5,0\n2,5,0\n3,0,1\n",
        Some("submit_s=at duration_s=took gpus=n"),
        expect![[r#"
            submit_s=at duration_s=took gpus=n
            ',', header in row 1, guess false
            x No row becomes a job. Most often: uses no GPU
            | at [1, 2, 3] 3 of Numbers: Submitted. 1s to 3s. 1 1, 1 2, 1 3
            | took [5, 0] 2 of Numbers: Run time. 0s to 5s. 2 5, 1 0
            | n [0, 1] 2 of Numbers: GPUs asked for. 0 to 1, so GPUs and not nodes. 2 0, 1 1
            2 1 5 0: left out: uses no GPU, column Some(2)
            4 3 0 1: left out: runs for 0 s, column Some(1)
            0 of 3 rows
            - 2 uses no GPU, rows [2, 3]. Nothing to do: a job without a GPU competes for none
            - 1 runs for 0 s, rows [4]. Nothing to do: a job of 0 s uses no GPU time
            None
            None GPU-h, None at once, None nodes of 8
            None
        "#]],
    );
    check(
        "at,took,n\n",
        Some("submit_s=at duration_s=took gpus=n"),
        expect![[r#"
        submit_s=at duration_s=took gpus=n
        ',', header in row 1, guess false
        x There are no rows below the header
        | at [] 0 of Empty: Submitted. . 
        | took [] 0 of Empty: Run time. . 
        | n [] 0 of Empty: GPUs asked for. . 
        0 of 0 rows
        None
        None GPU-h, None at once, None nodes of 8
        None
    "#]],
    );
}

#[test]
fn a_table_without_a_header() {
    check(
        "a,2026-07-01 10:00:00,3600,8\nb,2026-07-01 11:00:00,60,1\n",
        None,
        expect![[r#"

        ',', no header, guess true
        x Submitted: choose a column, or 0 s for every job
        x GPUs: choose a column, or 1 for every job
        x Run time: choose a column, or the end of the run
        | column 1 [a, b] 2 of Text: Not used. text, 2 values. 1 a, 1 b
        | column 2 [2026-07-01 10:00:00, 2026-07-01 11:00:00] 2 of Dates: Not used. dates, 2026-07-01. 1 2026-07-01 10:00:00, 1 2026-07-01 11:00:00
        | column 3 [3600, 60] 2 of Numbers: Not used. numbers, 60 to 3,600. 1 3600, 1 60
        | column 4 [8, 1] 2 of Numbers: Not used. numbers, 1 to 8. 1 8, 1 1
        1 a 2026-07-01 10:00:00 3600 8: ConvertedJob { name: "row-1", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        2 b 2026-07-01 11:00:00 60 1: ConvertedJob { name: "row-2", submit_s: None, gpus: None, duration_s: None, gpu_hours: None, deadline_s: None, model: None, user: None, is_defaulted: false }
        2 of 2 rows
        None
        None GPU-h, None at once, None nodes of 8
        None
    "#]],
    );
    check(
        "5,0,3600,8\n6,60,60,1\n",
        Some("submit_s=\"column 2\" duration_s=column_3 gpus=\"column 4\""),
        expect![[r#"
            submit_s="column 2" duration_s=column_3 gpus="column 4"
            ',', no header, guess false
            | column 1 [5, 6] 2 of Numbers: Not used. numbers, 5 to 6. 1 5, 1 6
            | column 2 [0, 60] 2 of Numbers: Submitted. 0s to 1m 00s. 1 0, 1 60
            | column 3 [3600, 60] 2 of Numbers: Run time. 1m 00s to 1h 00m. 1 3600, 1 60
            | column 4 [8, 1] 2 of Numbers: GPUs asked for. 1 to 8 GPUs. 1 8, 1 1
            1 5 0 3600 8: ConvertedJob { name: "row-1", submit_s: Some(0.0), gpus: Some(8), duration_s: Some(3600.0), gpu_hours: Some(8.0), deadline_s: None, model: None, user: None, is_defaulted: false }
            2 6 60 60 1: ConvertedJob { name: "row-2", submit_s: Some(60.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            2 of 2 rows
            Some(TimeSpan { first_submit_s: 0.0, last_submit_s: 60.0, last_end_s: 3600.0, is_dates: false })
            Some(8.016666666666667) GPU-h, Some(9) at once, Some(2) nodes of 8
            Some(KnownPoint { name: "row-1", row: 1, gpus: 8, duration_s: 3600.0 })
        "#]],
    );
}

#[test]
fn repeated_and_unnamed_columns_have_numbers() {
    check(
        "n,t,n,,took\n1,5,8,x,60\n",
        Some("submit_s=t gpus=\"column 3\" duration_s=took user=\"column 4\""),
        expect![[r#"
            submit_s=t gpus="column 3" duration_s=took user="column 4"
            ',', header in row 1, guess false
            | n [1] 1 of Numbers: Not used. numbers, 1. 1 1
            | t [5] 1 of Numbers: Submitted. 5s. 1 5
            | column 3 [8] 1 of Numbers: GPUs asked for. 8 GPUs. 1 8
            | column 4 [x] 1 of Text: User. 1 user. 1 x
            | took [60] 1 of Numbers: Run time. 1m 00s. 1 60
            2 1 5 8 x 60: ConvertedJob { name: "row-2", submit_s: Some(5.0), gpus: Some(8), duration_s: Some(60.0), gpu_hours: Some(0.13333333333333333), deadline_s: None, model: None, user: Some("x"), is_defaulted: false }
            1 of 1 rows
            Some(TimeSpan { first_submit_s: 5.0, last_submit_s: 5.0, last_end_s: 65.0, is_dates: false })
            Some(0.13333333333333333) GPU-h, Some(8) at once, Some(1) nodes of 8
            Some(KnownPoint { name: "row-2", row: 2, gpus: 8, duration_s: 60.0 })
        "#]],
    );
}

#[test]
fn day_and_month_are_told_apart_or_asked_for() {
    // A day above 12 decides.
    check(
        "submit_time,runtime_s,gpus\n03.04.2026 10:00,60,1\n31.01.2026 9:05,60,1\n",
        None,
        expect![[r#"
            submit_s=submit_time dmy gpus=gpus duration_s=runtime_s
            ',', header in row 1, guess true
            | submit_time [03.04.2026 10:00, 31.01.2026 9:05] 2 of Dates: Submitted (sure). 2026-01-31 to 2026-04-03. 1 03.04.2026 10:00, 1 31.01.2026 9:05
            | runtime_s [60] 1 of Numbers: Run time (sure). 1m 00s. 2 60
            | gpus [1] 1 of Numbers: GPUs asked for (sure). 1 GPU. 2 1
            2 03.04.2026 10:00 60 1: ConvertedJob { name: "row-2", submit_s: Some(1775210400.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            3 31.01.2026 9:05 60 1: ConvertedJob { name: "row-3", submit_s: Some(1769850300.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            2 of 2 rows
            ! 2 zone: Dates without a zone are taken as UTC, rows []
            Some(TimeSpan { first_submit_s: 1769850300.0, last_submit_s: 1775210400.0, last_end_s: 1775210460.0, is_dates: true })
            Some(0.03333333333333333) GPU-h, Some(1) at once, Some(1) nodes of 8
            None
        "#]],
    );
    check(
        "submit_time,runtime_s,gpus\n03/04/2026 10:00 PM,60,1\n1/31/2026,60,1\n",
        None,
        expect![[r#"
            submit_s=submit_time mdy gpus=gpus duration_s=runtime_s
            ',', header in row 1, guess true
            | submit_time [03/04/2026 10:00 PM, 1/31/2026] 2 of Dates: Submitted (sure). 2026-01-31 to 2026-03-04. 1 03/04/2026 10:00 PM, 1 1/31/2026
            | runtime_s [60] 1 of Numbers: Run time (sure). 1m 00s. 2 60
            | gpus [1] 1 of Numbers: GPUs asked for (sure). 1 GPU. 2 1
            2 03/04/2026 10:00 PM 60 1: ConvertedJob { name: "row-2", submit_s: Some(1772661600.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            3 1/31/2026 60 1: ConvertedJob { name: "row-3", submit_s: Some(1769817600.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            2 of 2 rows
            ! 2 zone: Dates without a zone are taken as UTC, rows []
            Some(TimeSpan { first_submit_s: 1769817600.0, last_submit_s: 1772661600.0, last_end_s: 1772661660.0, is_dates: true })
            Some(0.03333333333333333) GPU-h, Some(1) at once, Some(1) nodes of 8
            None
        "#]],
    );
    // Nothing decides.
    check(
        "submit_time,runtime_s,gpus\n03/04/2026,60,1\n05/06/2026,60,1\n",
        None,
        expect![[r#"
            submit_s=submit_time gpus=gpus duration_s=runtime_s
            ',', header in row 1, guess true
            x submit_time: choose how 03/04/2026 is read, day first or month first
            | submit_time [03/04/2026, 05/06/2026] 2 of Dates: Submitted (guessed). . 1 03/04/2026, 1 05/06/2026
            | runtime_s [60] 1 of Numbers: Run time (sure). 1m 00s. 2 60
            | gpus [1] 1 of Numbers: GPUs asked for (sure). 1 GPU. 2 1
            2 03/04/2026 60 1: left out: submit_time: day and month in which order?, column Some(0)
            0 of 2 rows
            - 2 submit_time: day and month in which order?, rows [2, 3]. Write dmy or mdy behind the column in the mapping, as in: start dmy
            None
            None GPU-h, None at once, None nodes of 8
            None
        "#]],
    );
}

#[test]
fn decimal_commas_and_thousands_are_told_apart_or_asked_for() {
    check(
        "submit_s;runtime_h;gpus\n0;1,5;8\n60;0,25;1\n",
        None,
        expect![[r#"
        submit_s=submit_s gpus=gpus duration_s=runtime_h comma h
        ';', header in row 1, guess true
        | submit_s [0, 60] 2 of Numbers: Submitted (sure). 0s to 1m 00s. 1 0, 1 60
        | runtime_h [1,5, 0,25] 2 of Numbers: Run time (sure). 15m to 1h 30m. 1 1,5, 1 0,25
        | gpus [8, 1] 2 of Numbers: GPUs asked for (sure). 1 to 8 GPUs. 1 8, 1 1
        2 0 1,5 8: ConvertedJob { name: "row-2", submit_s: Some(0.0), gpus: Some(8), duration_s: Some(5400.0), gpu_hours: Some(12.0), deadline_s: None, model: None, user: None, is_defaulted: false }
        3 60 0,25 1: ConvertedJob { name: "row-3", submit_s: Some(60.0), gpus: Some(1), duration_s: Some(900.0), gpu_hours: Some(0.25), deadline_s: None, model: None, user: None, is_defaulted: false }
        2 of 2 rows
        Some(TimeSpan { first_submit_s: 0.0, last_submit_s: 60.0, last_end_s: 5400.0, is_dates: false })
        Some(12.25) GPU-h, Some(9) at once, Some(2) nodes of 8
        Some(KnownPoint { name: "row-2", row: 2, gpus: 8, duration_s: 5400.0 })
    "#]],
    );
    check(
        "submit_s,runtime_s,gpus\n0,\"1,234.5\",8\n60,\"12,000\",1\n",
        None,
        expect![[r#"
        submit_s=submit_s gpus=gpus duration_s=runtime_s point
        ',', header in row 1, guess true
        | submit_s [0, 60] 2 of Numbers: Submitted (sure). 0s to 1m 00s. 1 0, 1 60
        | runtime_s [1,234.5, 12,000] 2 of Numbers: Run time (sure). 21m to 3h 20m. 1 1,234.5, 1 12,000
        | gpus [8, 1] 2 of Numbers: GPUs asked for (sure). 1 to 8 GPUs. 1 8, 1 1
        2 0 1,234.5 8: ConvertedJob { name: "row-2", submit_s: Some(0.0), gpus: Some(8), duration_s: Some(1234.5), gpu_hours: Some(2.743333333333333), deadline_s: None, model: None, user: None, is_defaulted: false }
        3 60 12,000 1: ConvertedJob { name: "row-3", submit_s: Some(60.0), gpus: Some(1), duration_s: Some(12000.0), gpu_hours: Some(3.3333333333333335), deadline_s: None, model: None, user: None, is_defaulted: false }
        2 of 2 rows
        Some(TimeSpan { first_submit_s: 0.0, last_submit_s: 60.0, last_end_s: 12060.0, is_dates: false })
        Some(6.076666666666667) GPU-h, Some(9) at once, Some(2) nodes of 8
        Some(KnownPoint { name: "row-2", row: 2, gpus: 8, duration_s: 1234.5 })
    "#]],
    );
    check(
        "submit_s;runtime_s;gpus\n0;1,234;8\n60;2,500;1\n",
        None,
        expect![[r#"
            submit_s=submit_s gpus=gpus duration_s=runtime_s
            ';', header in row 1, guess true
            x runtime_s: choose how 1,234 is read, decimal comma or decimal point
            | submit_s [0, 60] 2 of Numbers: Submitted (sure). 0s to 1m 00s. 1 0, 1 60
            | runtime_s [1,234, 2,500] 2 of Numbers: Run time (guessed). . 1 1,234, 1 2,500
            | gpus [8, 1] 2 of Numbers: GPUs asked for (sure). 1 to 8 GPUs. 1 8, 1 1
            2 0 1,234 8: left out: runtime_s: a comma or a point before the decimals?, column Some(1)
            0 of 2 rows
            - 2 runtime_s: a comma or a point before the decimals?, rows [2, 3]. Write comma or point behind the column in the mapping, as in: hours comma
            None
            None GPU-h, None at once, None nodes of 8
            None
        "#]],
    );
}

#[test]
fn dates_have_the_zone_of_the_mapping() {
    let table = "at,took,n\n2026-07-01 02:00:00,60,1\n2026-07-01T00:00:00Z,60,1\n";
    check(
        table,
        Some("submit_s=at duration_s=took gpus=n zone=+02:00"),
        expect![[r#"
            submit_s=at duration_s=took gpus=n zone=+02:00
            ',', header in row 1, guess false
            | at [2026-07-01 02:00:00, 2026-07-01T00:00:00Z] 2 of Dates: Submitted. 2026-07-01. 1 2026-07-01 02:00:00, 1 2026-07-01T00:00:00Z
            | took [60] 1 of Numbers: Run time. 1m 00s. 2 60
            | n [1] 1 of Numbers: GPUs asked for. 1 GPU. 2 1
            2 2026-07-01 02:00:00 60 1: ConvertedJob { name: "row-2", submit_s: Some(1782864000.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            3 2026-07-01T00:00:00Z 60 1: ConvertedJob { name: "row-3", submit_s: Some(1782864000.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            2 of 2 rows
            Some(TimeSpan { first_submit_s: 1782864000.0, last_submit_s: 1782864000.0, last_end_s: 1782864060.0, is_dates: true })
            Some(0.03333333333333333) GPU-h, Some(2) at once, Some(1) nodes of 8
            None
        "#]],
    );
    check(
        table,
        Some("submit_s=at duration_s=took gpus=n"),
        expect![[r#"
            submit_s=at duration_s=took gpus=n
            ',', header in row 1, guess false
            | at [2026-07-01 02:00:00, 2026-07-01T00:00:00Z] 2 of Dates: Submitted. 2026-07-01. 1 2026-07-01 02:00:00, 1 2026-07-01T00:00:00Z
            | took [60] 1 of Numbers: Run time. 1m 00s. 2 60
            | n [1] 1 of Numbers: GPUs asked for. 1 GPU. 2 1
            2 2026-07-01 02:00:00 60 1: ConvertedJob { name: "row-2", submit_s: Some(1782871200.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: false }
            3 2026-07-01T00:00:00Z 60 1: ConvertedJob { name: "row-3", submit_s: Some(1782864000.0), gpus: Some(1), duration_s: Some(60.0), gpu_hours: Some(0.016666666666666666), deadline_s: None, model: None, user: None, is_defaulted: true }
            2 of 2 rows
            ! 1 at: Times without one are taken as UTC, rows [3]
            Some(TimeSpan { first_submit_s: 1782864000.0, last_submit_s: 1782871200.0, last_end_s: 1782871260.0, is_dates: true })
            Some(0.03333333333333333) GPU-h, Some(1) at once, Some(1) nodes of 8
            None
        "#]],
    );
}

#[test]
fn different_values_are_counted_up_to_a_limit() {
    let mut table = String::from("id,at,took,n,note\n");
    (0..1500).for_each(|at| table += &format!("j{at},{at},60,1,n{at}\n"));
    let found = surveyed(table.as_bytes(), Some("job_id=id submit_s=at duration_s=took gpus=n")).unwrap();
    let follows: Vec<&str> = found.columns.iter().map(|column| column.follows.as_str()).collect();
    assert_eq!(follows, ["1,500 different names", "0s to 25m", "1m 00s", "1 GPU", "text, more than 1,000 values"]);
    assert_eq!(found.columns[4].distinct, Distinct { count: 1000, has_more: true });
    assert_eq!(found.jobs.peak_gpus, Some(60));
}

#[test]
fn no_tables() {
    check(
        "",
        None,
        expect![[r#"
        The file is empty. Check that it was saved or downloaded to the end
    "#]],
    );
    check(
        "just some words\nand more\n",
        None,
        expect![[r#"
        This is not a table. Drop a CSV file
    "#]],
    );
    check(
        "{\"a\": 1}",
        None,
        expect![[r#"
        JSON files cannot be read here. Export the table as CSV and drop it again
    "#]],
    );
}

/// What a survey counts is what an import with the same mapping loads.
#[test]
fn a_survey_counts_what_an_import_loads() {
    for (input, mapping) in [
        (TABLE, "submit_s=start_time duration_s=end_time-start_time gpus=num_gpus user=team where state=COMPLETED"),
        (TABLE, "job_id=job submit_s=start_time duration_s=min(end_time,1782873000)-start_time gpus=num_gpus"),
    ] {
        let survey = surveyed(input.as_bytes(), Some(mapping)).unwrap();
        let import = crate::read_mapped("x.csv", input.as_bytes(), mapping);
        let (file, jobs) = (&import.files[0], import.trace.as_ref().unwrap().jobs());
        assert_eq!((survey.counts.rows, survey.counts.jobs), (file.rows_read, file.jobs), "{mapping}");
        let gpu_s = |job: &elastiplan_model::Job| job.work.amount() * f64::from(job.gpus_requested);
        assert_eq!(survey.jobs.gpu_hours, Some(jobs.iter().map(gpu_s).sum::<f64>() / 3600.0));
        assert_eq!(survey.jobs.span.unwrap().first_submit_s, jobs[0].submit_s);
    }
}
