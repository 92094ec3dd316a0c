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
        | job [j-1, j-2, j-3] 8 of Text: Job name (sure). 8 different names; repeated ones get a number. 1 j-1, 1 j-2, 1 j-3, 1 j-4
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
