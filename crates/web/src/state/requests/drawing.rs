//! Drawing in a worker, for the edits that need it. What the user does meanwhile waits, so that all edits are made in the
//! order in which they were asked for.

use elastiplan_scenario::fields::Value;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;
use elastiplan_workloads::Drawn;

use crate::state::drawing::PendingDrawing;
use crate::state::drawn_edit::DrawnEdit;
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::state::pool::{Client, Pool};
use crate::state::wanted::Wanted;

impl Page {
    /// Makes an edit, at once or when a worker has drawn what it needs.
    pub fn edit<C: Client>(&mut self, pool: &mut Pool<C>, edit: Edit) {
        match edit {
            // Jobs that are drawn follow the seed.
            Edit::Field("seed", Value::Whole(seed)) if self.planner.inputs().data.trace_origin.is_drawn() => {
                self.draw(pool, DrawnEdit::Seed(seed));
            }
            mut edit => {
                let is_scenario = matches!(&edit, Edit::Preset(_));
                if let (Edit::Preset(inputs), Some(hooks)) = (&mut edit, self.work_hooks) {
                    inputs.work = (hooks.next)(self);
                }
                if edit.brings_other_jobs(self.planner.inputs()) {
                    self.wanted = Wanted::default();
                }
                if matches!(&edit, Edit::Preset(preset) if preset.study.is_some()) {
                    self.screen = Screen::Study;
                }
                let after = self.planner.edit(edit, self.now_ms);
                self.after(after);
                if let Some(hooks) = self.work_hooks.filter(|_| is_scenario) {
                    (hooks.begin)(self);
                }
            }
        }
    }

    /// Has a worker draw what an edit needs. The inputs of a preset are made only once.
    pub fn draw<C: Client>(&mut self, pool: &mut Pool<C>, edit: DrawnEdit) {
        if let DrawnEdit::Preset(name) = &edit
            && let Some(inputs) = self.presets.made(name)
        {
            return self.edit(pool, Edit::Preset(Box::new(inputs)));
        }
        let Some(drawing) = edit.drawing(self.planner.inputs(), &self.presets) else { return };
        let packed = Packed::of(&drawing).map_err(String::from);
        match packed.and_then(|drawing| pool.send(Request::Draw(drawing))) {
            Ok(request) => self.drawing = Some(PendingDrawing { request, edit, drawing, waiting: Vec::new() }),
            Err(message) => self.say_not_drawn(&message),
        }
    }

    /// Keeps what the user does while something is being drawn; returns what does not have to wait.
    pub fn keep_waiting(&mut self, message: Msg) -> Option<Msg> {
        let changes =
            matches!(
                message,
                Msg::Edit(_) | Msg::Draw(_) | Msg::Undo | Msg::Redo | Msg::Run | Msg::AutoRun(_) | Msg::PinRun
            ) || matches!(message, Msg::Vary(_) | Msg::BackToStudy | Msg::GoToStep(_) | Msg::CompareWithStep(_));
        match &mut self.drawing {
            Some(pending) if changes => {
                pending.waiting.push(message);
                None
            }
            _ => Some(message),
        }
    }

    /// Receives what was drawn, or why it was not, and makes the edit. Returns what has waited; `None` if nothing waits
    /// for this request.
    pub fn drawn<C: Client>(
        &mut self,
        pool: &mut Pool<C>,
        request: u32,
        drawn: Result<Drawn, String>,
    ) -> Option<Vec<Msg>> {
        let PendingDrawing { edit, drawing, waiting, .. } = self.drawing.take_if(|asked| asked.request == request)?;
        match drawn.map(|drawn| edit.edit(self.planner.inputs(), &self.presets, &drawing, drawn)) {
            Ok(Some(edit)) => self.edit(pool, edit),
            Ok(None) => {}
            Err(message) => self.say_not_drawn(&message),
        }
        Some(waiting)
    }

    /// Gives up drawing. Returns what has waited.
    pub fn stop_drawing<C: Client>(&mut self, pool: &mut Pool<C>) -> Vec<Msg> {
        let Some(pending) = self.drawing.take() else { return Vec::new() };
        pool.terminate(pending.request);
        pending.waiting
    }

    fn say_not_drawn(&mut self, message: &str) {
        self.say(format!("The workload could not be drawn: {message}. What was loaded stays"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{fail, page_with_pool};

    fn twenty_jobs() -> DrawnEdit {
        DrawnEdit::Generate("elasticflow[jobs=20]".parse().unwrap(), 3)
    }

    /// What a worker draws for the edit that waits.
    fn drawn(page: &Page) -> Result<Drawn, String> {
        Ok(page.drawing.as_ref().unwrap().drawing.draw())
    }

    #[test]
    fn what_the_user_does_while_jobs_are_drawn_waits_for_them() {
        let (mut page, mut pool, log) = page_with_pool();
        page.draw(&mut pool, twenty_jobs());
        assert!(page.keep_waiting(Msg::Edit(Edit::Nodes(20))).is_none() && page.keep_waiting(Msg::Run).is_none());
        assert!(page.keep_waiting(Msg::TogglePanel).is_some(), "what changes no inputs does not wait");
        let drawn = drawn(&page);
        assert!(page.drawn(&mut pool, 7, drawn.clone()).is_none(), "another request");
        let waiting = page.drawn(&mut pool, 1, drawn).unwrap();
        assert!(matches!(&waiting[..], [Msg::Edit(Edit::Nodes(20)), Msg::Run]));
        let inputs = page.planner.inputs();
        assert_eq!((inputs.name.as_str(), inputs.data.trace.jobs().len()), ("Generated by elasticflow, 20 jobs", 20));
        assert!(page.keep_waiting(Msg::Run).is_some());
        assert_eq!(*log.borrow(), ["1: draw 1"]);
    }

    #[test]
    fn filters_and_groups_stay_until_other_jobs_come() {
        let (mut page, mut pool, _) = page_with_pool();
        page.wanted.group = elastiplan_compare::GroupBy::Model;
        page.edit(&mut pool, Edit::Nodes(3));
        page.edit(&mut pool, Edit::Field("what_if.arrival_rate", Value::Number(2.0)));
        assert!(!page.wanted.is_everything());
        page.draw(&mut pool, twenty_jobs());
        let drawn = drawn(&page);
        page.drawn(&mut pool, 1, drawn);
        assert!(page.wanted.is_everything());
    }

    #[test]
    fn jobs_that_are_drawn_follow_the_seed() {
        let (mut page, mut pool, _) = page_with_pool();
        page.edit(&mut pool, Edit::Field("seed", Value::Whole(9)));
        let sample = page.planner.inputs().clone();
        let drawn = drawn(&page);
        page.drawn(&mut pool, 1, drawn);
        let inputs = page.planner.inputs();
        assert_eq!(inputs.conditions.seed, 9);
        assert!(inputs.data.trace_origin.is_sample() && *inputs.data.trace != *sample.data.trace);
        assert!(std::sync::Arc::ptr_eq(&inputs.data.curves, &sample.data.curves));
    }

    #[test]
    fn a_worker_that_fails_is_reported_and_what_waited_goes_on() {
        let (mut page, mut pool, log) = page_with_pool();
        let before = page.planner.inputs().clone();
        page.draw(&mut pool, twenty_jobs());
        page.keep_waiting(Msg::Run);
        let message = fail(&mut pool, 1, 1);
        assert_eq!(page.drawn(&mut pool, 1, Err(message)).unwrap().len(), 1);
        let expected = "The workload could not be drawn: A background worker stopped. What was loaded stays";
        assert!(page.status.text == expected && *page.planner.inputs() == before);
        page.draw(&mut pool, twenty_jobs());
        page.keep_waiting(Msg::Undo);
        assert_eq!(page.stop_drawing(&mut pool).len(), 1);
        assert_eq!(*log.borrow(), ["1: draw 1", "1: end", "2: draw 2", "2: end"]);
        assert!(page.drawn(&mut pool, 2, Err("late".into())).is_none());
    }

    #[test]
    fn inputs_of_a_preset_are_made_once() {
        let (mut page, mut pool, log) = page_with_pool();
        page.presets_sent(&elastiplan_worker::PRESETS.into());
        let preset = || DrawnEdit::Preset("elasticflow-11".into());
        page.draw(&mut pool, preset());
        let drawn = drawn(&page);
        page.drawn(&mut pool, 1, drawn);
        let first = page.planner.inputs().clone();
        page.draw(&mut pool, preset());
        assert!(page.planner.inputs().same_runs(&first) && log.borrow().len() == 1);
        page.draw(&mut pool, DrawnEdit::Preset("no such thing".into()));
        assert!(page.drawing.is_none());
    }
}
