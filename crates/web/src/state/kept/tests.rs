use elastiplan_scenario::fields::Value;
use elastiplan_worker::keeping::ListedRun;

use super::*;
use crate::state::edit::Edit;
use crate::state::testing::{Fake, page_with_pool};

fn cost(cost_s: f64) -> Edit {
    Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s))
}

fn kept(revision: u32, id: &str, name: &str) -> Kept {
    Kept { id: id.into(), name: name.into(), revision, changed_ms: 0.0, sources: Vec::new() }
}

/// Saves what was edited last; the request is the one that was sent last.
fn save(page: &mut Page, pool: &mut Pool<Fake>, edit: u32) {
    page.note_kept(5.0);
    page.save_work(pool, Some(edit), 5.0);
}

#[test]
fn looking_keeps_nothing_and_the_last_edit_is_saved() {
    let (mut page, mut pool, log) = page_with_pool();
    page.note_kept(1.0);
    assert_eq!((page.kept.clone(), page.timers.len()), (KeptState::Nothing, 0));
    page.edit(&mut pool, cost(40.0));
    page.note_kept(2.0);
    page.edit(&mut pool, cost(50.0));
    page.note_kept(3.0);
    assert_eq!(page.kept, KeptState::Unsaved);
    page.save_work(&mut pool, Some(1), 4.0);
    assert!(log.borrow().is_empty(), "another edit followed");
    page.save_work(&mut pool, Some(2), 4.0);
    page.save_work(&mut pool, None, 4.0);
    assert_eq!(*log.borrow(), ["1: other"], "one at a time");
    page.saved(&mut pool, 1, Ok(kept(1, "a", "Sample")), 5.0);
    assert_eq!((page.kept.clone(), page.kept_id().as_deref()), (KeptState::Saved, Some("a")));
    page.save_work(&mut pool, None, 6.0);
    assert_eq!(log.borrow().len(), 1, "nothing has changed");
}

#[test]
fn trouble_is_told_until_saving_succeeds() {
    let (mut page, mut pool, _) = page_with_pool();
    page.edit(&mut pool, cost(40.0));
    save(&mut page, &mut pool, 1);
    page.saved(&mut pool, 1, Err(NotKept::Full), 9.0);
    assert_eq!(page.kept, KeptState::Full(5.0));
    page.edit(&mut pool, cost(50.0));
    page.note_kept(10.0);
    assert_eq!(page.kept, KeptState::Full(5.0));
    page.save_work(&mut pool, None, 11.0);
    page.saved(&mut pool, 2, Ok(kept(1, "a", "Sample")), 12.0);
    assert_eq!(page.kept, KeptState::Saved);
}

#[test]
fn work_that_another_tab_changed_goes_on_as_a_copy() {
    let (mut page, mut pool, _) = page_with_pool();
    page.edit(&mut pool, cost(40.0));
    save(&mut page, &mut pool, 1);
    page.saved(&mut pool, 1, Ok(kept(1, "a", "Sample")), 6.0);
    page.edit(&mut pool, cost(50.0));
    save(&mut page, &mut pool, 2);
    page.saved(&mut pool, 2, Ok(kept(1, "b", "Sample (2)")), 7.0);
    assert_eq!((page.kept_id().as_deref(), page.planner.inputs().name.as_str()), (Some("b"), "Sample (2)"));
    assert!(page.status.text.contains("goes on as Sample (2)") && page.kept == KeptState::Saved);
}

#[test]
fn another_scenario_is_another_work_and_undo_goes_back_to_the_one_before() {
    let (mut page, mut pool, _) = page_with_pool();
    page.note_kept(0.0);
    page.edit(&mut pool, cost(40.0));
    save(&mut page, &mut pool, 1);
    page.saved(&mut pool, 1, Ok(kept(1, "a", "Sample")), 6.0);
    let mut preset = Inputs::sample();
    preset.name = "Preset".into();
    page.edit(&mut pool, Edit::Preset(Box::new(preset.clone())));
    save(&mut page, &mut pool, 2);
    page.saved(&mut pool, 2, Ok(kept(1, "b", "Preset")), 8.0);
    assert_eq!(page.kept_id().as_deref(), Some("b"));
    preset.name = "Next preset".into();
    page.edit(&mut pool, Edit::Preset(Box::new(preset)));
    assert_eq!(page.kept_id().as_deref(), Some("b"), "a preset that was only looked at makes room for the next");
    let _ = page.planner.undo(9.0);
    let _ = page.planner.undo(9.0);
    assert_eq!(page.kept_id().as_deref(), Some("a"));
}

#[test]
fn lists_of_runs_come_back_whole() {
    let (mut page, mut pool, _) = page_with_pool();
    for edit in [
        Edit::Pin(2, true),
        Edit::Nodes(20),
        Edit::Differ(1, "cluster.nodes", Some(Value::Whole(30))),
        Edit::Differ(1, "what_if.checkpoint_interval_s", Some(Value::Number(0.1))),
        Edit::Fork(3, "at=1h nodes=8".parse().unwrap()),
        Edit::Rename(3, "as today".into()),
        Edit::Hide(3, true),
        Edit::Add("edf".parse().unwrap()),
    ] {
        page.edit(&mut pool, edit);
    }
    let inputs = page.planner.inputs().clone();
    let (order, _) = page.work_order(&[]);
    let listed: Vec<ListedRun> = order.runs.clone();
    // What a worker would send back of the pinned run.
    let worlds = inputs.worlds();
    let mut opened = inputs.clone();
    let mut faults = Vec::new();
    let packed = |at: usize| {
        let world = worlds[at].scenario();
        elastiplan_workloads::PackedPreset {
            name: String::new(),
            title: "Sample".into(),
            about: String::new(),
            source: String::new(),
            paper: Vec::new(),
            packed: world.without_data(),
            drawing: Default::default(),
            policies: vec![inputs.runs()[at].policy.clone()],
            study: None,
        }
    };
    let pinned = elastiplan_worker::keeping::OpenedPinned {
        scenario: packed(0),
        drawn: elastiplan_workloads::Drawn { trace: None, curves: None, availability: None },
        shared: [Some(0), Some(0), None],
    };
    opened.take_list(&listed, vec![(1, pinned)], &mut faults);
    assert_eq!(faults, Vec::<String>::new());
    assert!(opened.same_runs(&inputs), "{:#?}", opened.runs());
    let told = |inputs: &Inputs| -> Vec<(Option<String>, bool, bool)> {
        inputs.runs().iter().map(|run| (run.name.clone(), run.is_hidden, run.is_pinned())).collect()
    };
    assert_eq!(told(&opened), told(&inputs));
}
