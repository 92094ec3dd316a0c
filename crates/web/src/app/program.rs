//! Decisions as programs: asking a worker to write one, and what it answers.

use std::rc::Rc;

use elastiplan_policies::PolicySpec;
use elastiplan_worker::messages::{Failure, Request, ShownProgram, pack, unpack};

use super::App;
use crate::view::Sheet;

/// A decision that is being written as a program, or is.
#[derive(Clone, PartialEq)]
pub struct Wording {
    /// Of which run, by its place.
    pub slot: usize,
    /// The run's policy.
    pub policy: PolicySpec,
    /// At which time it holds, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Whether node by node.
    pub node_by_node: bool,
    /// `None` as long as it is being written.
    pub answer: Option<Result<Rc<ShownProgram>, String>>,
    request: Option<u32>,
}

impl App {
    /// Has a worker write the decision of a run that holds at a time.
    pub(super) fn write_program(&mut self, slot: usize, time_s: f64, node_by_node: bool) {
        self.close_sheet();
        let Some(set) = self.planner.shown.as_ref() else { return };
        let Some(entry) = set.entries.iter().find(|entry| entry.slot == slot) else { return };
        let policy = entry.policy.clone();
        let packed = pack(&(set.inputs.scenario().without_data(), &*set.bound.workload));
        let sent = packed.map_err(|error| error.to_string()).and_then(|scenario| {
            let policy = policy.to_string();
            self.pool.send(|id| Request::Program { id, scenario, policy, time_s, node_by_node })
        });
        let (request, answer) = match sent {
            Ok(request) => (Some(request), None),
            Err(message) => (None, Some(Err(message))),
        };
        self.wording = Some(Wording { slot, policy, time_s, node_by_node, answer, request });
        self.sheet = Some(Sheet::Program);
    }

    /// Closes what lies above the page. A worker that still writes would be busy for as long as the run takes.
    pub(super) fn close_sheet(&mut self) {
        self.sheet = None;
        if let Some(request) = self.wording.take().and_then(|wording| wording.request) {
            self.pool.terminate(request);
        }
    }

    pub(super) fn program_came(&mut self, request: u32, packed: &[u8]) {
        self.answer(request, unpack::<ShownProgram>(packed).map(Rc::new).map_err(|error| error.to_string()));
    }

    pub(super) fn program_failed(&mut self, request: u32, failure: &Failure) {
        self.answer(request, Err(failure.message.clone()));
    }

    fn answer(&mut self, request: u32, answer: Result<Rc<ShownProgram>, String>) {
        if let Some(wording) = self.wording.as_mut().filter(|wording| wording.request == Some(request)) {
            wording.request = None;
            wording.answer = Some(answer);
        }
    }
}
