//! Binding jobs to curves in a worker, and what follows it.

use elastiplan_model::Diagnostic;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;

use crate::state::binding::Next;
use crate::state::data::Bound;
use crate::state::page::Page;
use crate::state::pool::{Client, Pool};

impl Page {
    /// Binds the jobs of all runs to their curves. Returns whether they are bound already; if not, a worker does it, one
    /// set of jobs after the other.
    pub fn bind<C: Client>(&mut self, pool: &mut Pool<C>) -> bool {
        let Some(world) = self.planner.next_unbound() else { return true };
        if self.binding.pending.is_none() {
            let packed = Packed::of(&world.scenario()).map_err(String::from);
            match packed.and_then(|scenario| pool.send(Request::Bind(scenario))) {
                Ok(request) => self.binding.pending = Some((request, world)),
                Err(message) => self.stop_binding(&message),
            }
        }
        false
    }

    /// Receives bound jobs. Returns whether the jobs of all runs are bound: those of earlier inputs are dropped, and a
    /// worker binds the present ones.
    pub fn bound<C: Client>(
        &mut self,
        pool: &mut Pool<C>,
        request: u32,
        (workload, diagnostics): (Packed, &Packed),
    ) -> bool {
        let Some((_, world)) = self.binding.pending.take_if(|(asked, _)| *asked == request) else { return false };
        let diagnostics = diagnostics.unpack::<Vec<Diagnostic>>();
        match diagnostics.and_then(|diagnostics| Bound::of(&world, workload, diagnostics)) {
            Ok(bound) => self.planner.add_bound(bound),
            Err(error) => {
                self.stop_binding(&error.to_string());
                return false;
            }
        }
        let is_bound = self.bind(pool);
        if is_bound {
            self.go_on(pool);
        }
        is_bound
    }

    /// Starts the runs that wait for the present jobs to be bound.
    pub(in crate::state) fn go_on<C: Client>(&mut self, pool: &mut Pool<C>) {
        match std::mem::take(&mut self.binding.next) {
            Next::Nothing => {}
            Next::LaunchUnlessWarned if self.planner.warning().is_some() => self.auto_run = None,
            Next::Launch | Next::LaunchUnlessWarned => self.launch(pool),
        }
    }

    /// Reports that jobs could not be bound, if this is the request for it. The next launch tries again. Returns whether
    /// it was.
    pub fn binding_failed(&mut self, request: u32, message: &str) -> bool {
        let is_this = self.binding.pending.take_if(|(asked, _)| *asked == request).is_some();
        if is_this {
            self.stop_binding(message);
        }
        is_this
    }

    fn stop_binding(&mut self, message: &str) {
        self.binding.next = Next::Nothing;
        self.say(format!("The jobs could not be bound to their curves: {message}. Press Ctrl Enter to try again"));
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;
    use elastiplan_worker::messages::Response;

    use super::*;
    use crate::state::edit::Edit;
    use crate::state::inputs::Inputs;
    use crate::state::pool::Received;
    use crate::state::testing::{Fake, bind, fail, many_jobs, page_with_pool};

    fn set_arrival_rate<C: Client>(page: &mut Page, pool: &mut Pool<C>, rate: f64) {
        page.edit(pool, Edit::Field("what_if.arrival_rate", Value::Number(rate)));
    }

    fn answer(page: &mut Page, pool: &mut Pool<Fake>, (worker, id): (u32, u32), inputs: &Inputs) -> bool {
        let (workload, diagnostics) = bind(pool, (worker, id), inputs);
        page.bound(pool, id, (workload, &diagnostics))
    }

    #[test]
    fn runs_start_when_their_jobs_are_bound_and_nothing_is_bound_twice() {
        let (mut page, mut pool, log) = page_with_pool();
        set_arrival_rate(&mut page, &mut pool, 2.0);
        page.launch(&mut pool);
        page.launch(&mut pool);
        assert_eq!(*log.borrow(), ["1: bind 1"]);
        let inputs = page.planner.inputs().clone();
        assert!(answer(&mut page, &mut pool, (1, 1), &inputs));
        // A worker that can do everything runs policies too.
        assert_eq!(log.borrow()[1..], ["1: run 2 fixed", "2: run 3 equal-share", "3: run 4 elastic-dp"]);
        assert!(page.planner.is_running());
        page.launch(&mut pool);
        assert!(!log.borrow().iter().skip(1).any(|line| line.contains("bind")));
    }

    #[test]
    fn the_sample_is_bound_already() {
        let (mut page, mut pool, log) = page_with_pool();
        page.launch(&mut pool);
        assert_eq!(log.borrow().len(), 3, "runs and nothing else");
        let set = page.planner.shown.as_ref().unwrap();
        assert_eq!(*set.bound.workload, *page.planner.inputs().bind().workload);
    }

    #[test]
    fn a_binding_of_earlier_inputs_is_dropped_and_the_present_ones_are_bound() {
        let (mut page, mut pool, log) = page_with_pool();
        set_arrival_rate(&mut page, &mut pool, 2.0);
        page.launch(&mut pool);
        let earlier = page.planner.inputs().clone();
        set_arrival_rate(&mut page, &mut pool, 3.0);
        page.launch(&mut pool);
        assert!(!answer(&mut page, &mut pool, (1, 1), &earlier));
        assert_eq!(*log.borrow(), ["1: bind 1", "1: bind 2"]);
        assert!(!page.planner.bound.is_of(&earlier.world()) && !page.planner.is_running());
        let present = page.planner.inputs().clone();
        assert!(answer(&mut page, &mut pool, (1, 2), &present));
        assert!(page.planner.bound.is_of(&present.world()) && page.planner.is_running());
        assert!(!page.binding_failed(2, "late"), "nothing waits for it any more");
    }

    #[test]
    fn a_cancel_or_an_edit_during_binding_starts_no_runs() {
        for is_edit in [false, true] {
            let (mut page, mut pool, log) = page_with_pool();
            set_arrival_rate(&mut page, &mut pool, 2.0);
            page.launch(&mut pool);
            match is_edit {
                true => set_arrival_rate(&mut page, &mut pool, 1.0),
                false => page.cancel_runs(&pool),
            }
            let mut inputs = page.planner.inputs().clone();
            Edit::Field("what_if.arrival_rate", Value::Number(2.0)).apply(&mut inputs);
            assert!(answer(&mut page, &mut pool, (1, 1), &inputs), "the present jobs are bound");
            assert_eq!(*log.borrow(), ["1: bind 1"]);
        }
    }

    #[test]
    fn runs_with_other_jobs_are_bound_on_their_own_one_after_the_other() {
        let (mut page, mut pool, log) = page_with_pool();
        for (id, key, value) in [
            (1, "cluster.nodes", Value::Whole(20)),
            (2, "what_if.work", Value::Number(2.0)),
            (3, "what_if.work", Value::Number(2.0)),
        ] {
            page.edit(&mut pool, Edit::Differ(id, key, Some(value)));
        }
        page.launch(&mut pool);
        let worlds = page.planner.inputs().worlds();
        for (id, world) in [(1, &worlds[0]), (2, &worlds[1])] {
            assert!(!page.planner.is_running());
            let received = Received {
                worker: 1,
                id: Some(id),
                response: Response::bound(&world.scenario()).unwrap(),
                memory_bytes: 0,
            };
            pool.settle(&received);
            let Response::Bound { workload, diagnostics } = received.response else { unreachable!() };
            page.bound(&mut pool, id, (workload, &diagnostics));
        }
        assert_eq!(log.borrow()[..3], ["1: bind 1", "1: bind 2", "1: run 3 fixed"]);
        let entries = &page.planner.shown.as_ref().unwrap().entries;
        let own: Vec<bool> = entries.iter().map(|entry| entry.own_workload.is_some()).collect();
        assert_eq!(own, [false, true, true]);
        let rcs = |slot: usize| entries[slot].own_workload.clone().unwrap();
        assert!(std::rc::Rc::ptr_eq(&rcs(1), &rcs(2)), "the same jobs are shared");
    }

    #[test]
    fn a_worker_that_fails_is_reported_and_the_next_launch_tries_again() {
        let (mut page, mut pool, log) = page_with_pool();
        set_arrival_rate(&mut page, &mut pool, 2.0);
        page.launch(&mut pool);
        let message = fail(&mut pool, 1, 1);
        assert!(page.binding_failed(1, &message));
        let expected = "The jobs could not be bound to their curves: A background worker stopped. Press Ctrl Enter to \
            try again";
        assert_eq!(page.status.text, expected);
        page.launch(&mut pool);
        let inputs = page.planner.inputs().clone();
        assert!(answer(&mut page, &mut pool, (2, 2), &inputs) && page.planner.is_running());
        assert_eq!(log.borrow()[..3], ["1: bind 1", "1: end", "2: bind 2"]);
    }

    #[test]
    fn jobs_that_may_need_too_much_memory_are_bound_though_not_run() {
        let (mut page, mut pool, log) = page_with_pool();
        let edit = many_jobs(page.planner.inputs());
        let _ = page.planner.edit(edit, 0.0);
        assert!(!page.launch_or_wait(&mut pool));
        let inputs = page.planner.inputs().clone();
        assert!(answer(&mut page, &mut pool, (1, 1), &inputs));
        assert_eq!(page.planner.bound.jobs_bound(), 67_200);
        // The worker has told that it needs little memory: it is kept.
        assert_eq!(*log.borrow(), ["1: bind 1"]);
    }
}
