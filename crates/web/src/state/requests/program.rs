//! Decisions as programs, written by a worker.

use std::rc::Rc;

use elastiplan_worker::messages::{Request, ShownProgram};

use crate::state::message::Sheet;
use crate::state::page::Page;
use crate::state::pool::{Client, Pool};
use crate::state::program::DecisionProgram;

impl Page {
    /// Has a worker write the decision of a run that holds at a time.
    pub fn write_program<C: Client>(&mut self, pool: &mut Pool<C>, slot: usize, time_s: f64, node_by_node: bool) {
        self.close_sheet(pool);
        let Some(set) = self.planner.shown.as_ref() else { return };
        let Some(entry) = set.entries.iter().find(|entry| entry.slot == slot) else { return };
        let policy = entry.policy.clone();
        let Some(packed) = set.packed(slot) else { return };
        let sent = packed.map_err(String::from).and_then(|scenario| {
            let policy = policy.to_string();
            pool.send(Request::Program { scenario, policy, time_s, node_by_node })
        });
        let (request, answer) = match sent {
            Ok(request) => (Some(request), None),
            Err(message) => (None, Some(Err(message))),
        };
        self.program = Some(DecisionProgram { slot, policy, time_s, node_by_node, answer, request });
        self.sheet = Some(Sheet::Program);
    }

    /// Closes the sheet. A worker that is still writing would be busy for as long as the run takes: it is terminated.
    pub fn close_sheet<C: Client>(&mut self, pool: &mut Pool<C>) {
        if self.sheet.take() == Some(Sheet::Opened) {
            self.asked.clear();
        }
        if let Some(request) = self.program.take().and_then(|program| program.request) {
            pool.terminate(request);
        }
    }

    /// Receives a program, or the reason that it could not be written.
    pub fn program_written(&mut self, request: u32, answer: Result<ShownProgram, String>) {
        if let Some(program) = self.program.as_mut().filter(|program| program.request == Some(request)) {
            program.request = None;
            program.answer = Some(answer.map(Rc::new));
        }
    }
}
