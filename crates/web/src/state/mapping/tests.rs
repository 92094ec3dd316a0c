//! The step as a user and a worker drive it, with the survey of the worker made here.

use elastiplan_formats::mapping::{RowOutcome, Zone, survey};
use elastiplan_formats::{Options, Source, import, import_mapped};
use elastiplan_model::Cluster;
use elastiplan_scenario::Scenario;

use super::*;
use crate::state::inputs::Inputs;

const JOBS: &str = "job,start_time,end_time,num_gpus,team,state\n\
    a,2026-07-01 00:00:00,2026-07-01 01:00:00,8,vision,COMPLETED\n\
    b,2026-07-01 00:10:00,2026-07-01 00:40:00,1,speech,FAILED\n\
    c,2026-07-01 00:20:00,2026-07-01 02:20:00,0,vision,COMPLETED\n\
    d,2026-07-01 00:30:00,2026-07-01 00:20:00,4,search,TIMEOUT\n\
    e,2026-07-01 00:40:00,2026-07-01 02:40:00,4,,COMPLETED\n";

fn table(path: &str) -> Table {
    Table { path: path.into(), ..Table::default() }
}

fn step() -> MappingStep {
    MappingStep::open(table("jobs.csv"), None, Assumptions::of(&Inputs::sample()))
}

/// What a worker answers.
fn answer(text: &'static str, ask: &Ask) -> Result<Survey, SurveyError> {
    let mapping = ask.mapping.as_ref().map(|text| Mapping::partial(text).unwrap());
    survey(Source::from_bytes("jobs.csv", text.as_bytes()), mapping.as_ref(), &Options::default(), &mut |_| {})
}

/// Answers until nothing is asked any more. Returns the number of questions.
fn settle(step: &mut MappingStep, text: &'static str) -> u32 {
    let mut questions = 0;
    while let Some(ask) = step.next().cloned() {
        questions += 1;
        step.asked(questions);
        assert!(step.surveyed(questions, answer(text, &ask)));
    }
    questions
}

/// A step whose table is surveyed.
fn opened(text: &'static str) -> MappingStep {
    let mut step = step();
    assert_eq!(settle(&mut step, text), 1);
    step
}

fn column(step: &MappingStep, name: &str) -> usize {
    step.uses.columns.iter().position(|own| own.name == name).unwrap()
}

fn marks(step: &MappingStep) -> Vec<Mark> {
    step.rows().iter().map(|row| row.mark).collect()
}

#[test]
fn a_table_opens_with_what_its_columns_suggest() {
    let step = opened(JOBS);
    assert_eq!(step.heading(), "2 of 5 rows become jobs");
    assert!(step.second_line().starts_with("jobs.csv has no known format. Say what its columns are"));
    assert!(step.can_load());
    assert_eq!(step.load_label(), "Load 2 jobs");
    use Mark::{Guessed, Sure};
    assert_eq!(marks(&step), [Sure, Guessed, Guessed, Sure, Guessed, Guessed]);
}

#[test]
fn headings_say_what_would_come_of_it() {
    let check = |text: &'static str, edits: &[MappingEdit], heading: &str, second_line: &str| {
        let mut step = opened(text);
        for edit in edits {
            step.edit(edit.clone());
        }
        settle(&mut step, text);
        assert_eq!(step.heading(), heading, "{edits:?}");
        assert!(step.second_line().contains(second_line), "{edits:?}: {}", step.second_line());
        assert_eq!(step.can_load(), second_line == "Nothing has changed", "{edits:?}");
    };
    use MappingEdit::{Formula, Keep, Role as Use, Take};
    check(JOBS, &[], "2 of 5 rows become jobs", "Nothing has changed");
    check(JOBS, &[Keep(5, "FAILED".into(), true)], "3 of 5 rows become jobs", "Nothing has changed");
    check(JOBS, &[Use(3, Role::NotUsed)], "A column is missing", "GPUs: choose a column, or 1 for every job.");
    check(
        JOBS,
        &[Use(3, Role::NotUsed), Formula("gpus".into(), Some("1".into()))],
        "3 of 5 rows become jobs",
        "Nothing has changed",
    );
    check(JOBS, &[Use(0, Role::Submitted)], "No row becomes a job", "Submitted is taken twice.");
    check(JOBS, &[Take("submit_s=start_time gpus=num_gpus where team=x".into())], "No row becomes a job", "Run time");
}

#[test]
fn nothing_is_said_to_load_while_something_stands_in_the_way() {
    let check = |edits: &[MappingEdit], expected: Option<&str>| {
        let mut step = opened(JOBS);
        for edit in edits {
            step.edit(edit.clone());
        }
        settle(&mut step, JOBS);
        assert_eq!(step.obstacle().as_deref(), expected, "{edits:?}");
        assert_eq!(step.can_load(), expected.is_none());
    };
    use MappingEdit::{Role as Use, Take};
    check(&[], None);
    check(&[Use(3, Role::NotUsed)], Some("No row becomes a job: GPUs missing"));
    check(&[Take("user=team".into())], Some("No row becomes a job: Submitted, GPUs, Run time missing"));
    check(&[Use(0, Role::Gpus)], Some("No row becomes a job: GPUs asked for is taken twice"));
    check(
        &[Take("submit_s=start_time duration_s=60 gpus=num_gpus where state=x".into())],
        Some("No row becomes a job"),
    );
}

/// What the rows show is what is drawn when the jobs are bound.
#[test]
fn deadlines_that_are_drawn_are_those_of_the_run() {
    const MANY: &str = "job,at,run_s,gpus,due\na,0,600,2,\nb,60,1200,4,5000\nc,120,60,8,\nd,180,3600,1,\n";
    let mut step = opened(MANY);
    let tightness = "1.2..2".parse().unwrap();
    step.edit(MappingEdit::Take("job_id=job submit_s=at duration_s=run_s gpus=gpus deadline_s=due".into()));
    step.edit(MappingEdit::Deadlines(Some(tightness)));
    settle(&mut step, MANY);
    let survey = step.survey.clone().unwrap();
    let shown = |row: &elastiplan_formats::mapping::SurveyRow| match &row.outcome {
        RowOutcome::Job(job) => step.assumptions.drawn_deadline_s(job).or(job.deadline_s),
        RowOutcome::LeftOut { .. } => None,
    };
    let shown: Vec<Option<f64>> = survey.rows.iter().map(shown).collect();

    let mapping = step.mapping.clone();
    let sources = vec![Source::from_bytes("jobs.csv", MANY.as_bytes())];
    let import = import_mapped(sources, &[(0, mapping)], &Options::default(), &mut |_| {});
    let curves = elastiplan_model::Curves::default();
    let mut scenario = Scenario::new(import.trace.unwrap(), curves, Cluster::new(4, 8).unwrap());
    let conditions = &mut scenario.conditions;
    (conditions.law, conditions.seed) = (step.assumptions.law, step.assumptions.seed);
    (conditions.deadline_tightness, conditions.deadline_slack) = (Some(tightness), step.assumptions.deadline_slack);
    let (workload, _) = scenario.workload();
    let bound: Vec<Option<f64>> = workload.trace().jobs().iter().map(|job| job.deadline_s).collect();
    assert_eq!(shown, bound);
    assert_eq!(shown[1], Some(5000.0), "the file's own");
    assert!(bound.iter().all(Option::is_some));
}

#[test]
fn two_columns_for_one_role_are_both_in_conflict_until_one_goes() {
    let mut step = opened(JOBS);
    step.edit(MappingEdit::Role(0, Role::Gpus));
    settle(&mut step, JOBS);
    assert_eq!([marks(&step)[0], marks(&step)[3]], [Mark::Conflict; 2]);
    step.edit(MappingEdit::Role(3, Role::NotUsed));
    settle(&mut step, JOBS);
    assert_eq!([marks(&step)[0], marks(&step)[3]], [Mark::Chosen, Mark::Unused]);
}

#[test]
fn a_guess_stays_one_until_it_is_touched() {
    let mut step = opened(JOBS);
    let start = column(&step, "start_time");
    step.edit(MappingEdit::Confirm(start));
    assert_eq!(settle(&mut step, JOBS), 0, "nothing is another");
    assert_eq!(marks(&step)[start], Mark::Chosen);
}

#[test]
fn the_latest_edit_wins_and_earlier_answers_are_dropped() {
    let mut step = opened(JOBS);
    let shown = step.survey.clone();
    step.edit(MappingEdit::Keep(5, "FAILED".into(), true));
    let first = step.next().cloned().unwrap();
    step.asked(7);
    step.edit(MappingEdit::Keep(5, "TIMEOUT".into(), false));
    assert_eq!(step.next(), None, "one question at a time");
    assert!(!step.surveyed(6, answer(JOBS, &first)), "an answer to another question");
    assert!(step.surveyed(7, answer(JOBS, &first)));
    assert_eq!(step.survey, shown, "what is shown stays");
    let second = step.next().cloned().unwrap();
    assert!(second.mapping.as_ref().unwrap().ends_with("where state=COMPLETED|FAILED"));
    settle(&mut step, JOBS);
    assert!(step.is_settled() && step.survey != shown);
}

#[test]
fn of_a_large_table_the_first_part_comes_first() {
    let large = Table { is_large: true, ..table("jobs.csv") };
    let mut step = MappingStep::open(large, None, Assumptions::of(&Inputs::sample()));
    let ask = step.next().cloned().unwrap();
    assert_eq!(ask, Ask { mapping: None, is_part: true });
    step.asked(1);
    // Cut within a row.
    step.surveyed(1, answer(&JOBS[..JOBS.len() - 14], &ask));
    assert_eq!((step.heading().as_str(), step.is_settled()), ("1 of 4 rows becomes a job so far", false));
    let ask = step.next().cloned().unwrap();
    assert!(!ask.is_part);
    step.asked(2);
    step.edit(MappingEdit::Keep(5, "FAILED".into(), true));
    assert_eq!(step.give_up(), Some(2), "the whole of a large file is not waited for");
    assert!(step.next().is_some_and(|ask| ask.is_part));
    assert_eq!(settle(&mut step, JOBS), 2);
    assert_eq!(step.heading(), "3 of 5 rows become jobs");
}

#[test]
fn loading_waits_for_the_last_survey_and_for_nothing_else() {
    let mut step = opened(JOBS);
    assert_eq!(step.load_order(), None);
    step.edit(MappingEdit::Keep(5, "FAILED".into(), true));
    step.load();
    assert_eq!(step.load_order(), None);
    settle(&mut step, JOBS);
    let order = step.load_order().unwrap();
    assert_eq!(
        order.mapping,
        (
            0,
            "job_id=job submit_s=start_time gpus=num_gpus duration_s=end_time-start_time user=team where \
             state=COMPLETED|FAILED|TIMEOUT"
                .into()
        )
    );
    let keys: Vec<&str> = order.fields.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, ["conditions.law", "conditions.deadline_tightness", "conditions.model_mix", "cluster.nodes"]);
    let (_, line) = order.remembered.unwrap();
    assert!(line.unwrap().ends_with("--law amdahl:0.05"));
    assert_eq!(step.load_order(), None, "once");
}

#[test]
fn what_stands_in_the_way_is_seen_before_anything_loads() {
    let mut step = opened(JOBS);
    step.edit(MappingEdit::Role(3, Role::NotUsed));
    step.load();
    settle(&mut step, JOBS);
    assert_eq!(step.load_order(), None);
    step.edit(MappingEdit::Formula("gpus".into(), Some("2".into())));
    settle(&mut step, JOBS);
    assert_eq!(step.load_order(), None, "the wish is forgotten");
    step.load();
    assert!(step.load_order().is_some());
}

#[test]
fn a_line_is_taken_over_whole() {
    let mut step = opened(JOBS);
    step.edit(MappingEdit::Line(
        "gpus=num_gpus submit_s=start_time duration_s=600 --law linear --deadlines 1..2".into(),
    ));
    settle(&mut step, JOBS);
    assert_eq!(step.line(), "--map 'gpus=num_gpus submit_s=start_time duration_s=600' --law linear --deadlines 1..2");
    assert_eq!(step.heading(), "4 of 5 rows become jobs");
    step.edit(MappingEdit::Line("gpus=two words".into()));
    assert!(step.fault.is_some() && step.line().contains("duration_s=600"), "what is no line changes nothing");
    step.edit(MappingEdit::Remember(false));
    assert_eq!(step.fault, None);
}

#[test]
fn dates_and_numbers_are_read_as_chosen() {
    const DATES: &str = "id;submitted;hours;gpus\na;03/04/2026;1,5;8\nb;05/04/2026;2,25;4\n";
    let mut step = opened(DATES);
    assert!(!step.can_load());
    let at = column(&step, "submitted");
    assert_eq!(step.rows()[at].mark, Mark::Conflict);
    let reading = Some(elastiplan_formats::mapping::Reading::DayFirst);
    step.edit(MappingEdit::Role(at, Role::Submitted));
    step.edit(MappingEdit::ReadAs(at, ReadAs { reading, ..ReadAs::default() }));
    step.edit(MappingEdit::Zone(Zone::ahead_by(120)));
    settle(&mut step, DATES);
    assert!(step.line().contains("submit_s=submitted dmy") && step.line().contains("zone=+02:00"), "{}", step.line());
}

#[test]
fn a_column_in_another_role_is_read_as_its_cells_suggest() {
    let check = |name: &str, role: Role, expected: &str| {
        const CELLS: &str = "id,at_ms,nodes,kind\na,1782864000000,2,x\nb,1782864060000,1,y\n";
        let mut step = opened(CELLS);
        step.edit(MappingEdit::Role(column(&step, name), role));
        let line = step.line();
        assert!(line.contains(expected), "{name}: {line}");
    };
    check("at_ms", Role::Submitted, "submit_s=at_ms ms");
    check("nodes", Role::Nodes, "gpus=nodes*8");
    check("kind", Role::KeepIf, "kind=x|y");
    check("nodes", Role::Gpus, "gpus=nodes");
}

#[test]
fn the_last_value_that_is_kept_stays() {
    let mut step = opened(JOBS);
    step.edit(MappingEdit::Keep(5, "TIMEOUT".into(), false));
    step.edit(MappingEdit::Keep(5, "COMPLETED".into(), false));
    assert!(step.line().contains("where state=COMPLETED'"), "{}", step.line());
}

#[test]
fn a_table_that_cannot_be_read_says_so() {
    let mut step = step();
    step.asked(1);
    let error = SurveyError { reason: "The file is empty".into(), repair: "Drop another".into() };
    assert!(step.surveyed(1, Err(error)));
    assert_eq!(step.heading(), "jobs.csv cannot be read as a table");
    assert_eq!(step.second_line(), "The file is empty. Drop another");
    assert!(!step.can_load());
}

#[test]
fn the_step_is_for_tables_that_are_read_with_doubt() {
    let check = |files: &[(&str, &'static str)], expected: Option<&str>| {
        let sources = files.iter().map(|(path, text)| Source::from_bytes(*path, text.as_bytes())).collect();
        let import = import(sources, &Options::default(), &mut |_| {});
        let file = to_map(&import.files, import.trace.is_some());
        assert_eq!(file.map(|file| file.path.as_str()), expected, "{files:?}");
    };
    let plain = ("plain.csv", "job_id,submit_s,model,gpus,samples\na,0,bert,2,1000\n");
    let curves = ("curves.csv", "model,gpus,samples_per_s\nbert,1,10\n");
    let german = ("auftraege.csv", "auftrag;beginn;dauer;karten\na;0;60;1\n");
    check(&[plain], None);
    check(&[("jobs.csv", JOBS)], Some("jobs.csv"));
    check(&[curves, ("jobs.csv", JOBS)], Some("jobs.csv"));
    check(&[german, ("jobs.csv", JOBS)], Some("jobs.csv"));
    check(&[german], Some("auftraege.csv"));
    check(&[german, plain], None);
    check(&[curves], None);
    check(&[("bare.csv", "a,0,3600,8\nb,60,600,1\n")], Some("bare.csv"));
}
