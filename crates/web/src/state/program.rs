//! Decisions as programs: requested from a worker, shown in a sheet.

use std::rc::Rc;

use elastiplan_policies::PolicySpec;
use elastiplan_worker::messages::{Request, ShownProgram, pack, unpack};

use super::message::Sheet;
use super::page::Page;
use super::pool::{Client, Pool};

/// A decision as a program, once it is written.
#[derive(Clone, PartialEq)]
pub struct DecisionProgram {
    /// The slot of the run.
    pub slot: usize,
    /// The run's policy.
    pub policy: PolicySpec,
    /// The time at which the decision holds, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Whether it is written node by node rather than by counts.
    pub node_by_node: bool,
    /// `None` while it is being written.
    pub answer: Option<Result<Rc<ShownProgram>, String>>,
    request: Option<u32>,
}

impl Page {
    /// Has a worker write the decision of a run that holds at a time.
    pub fn write_program<C: Client>(&mut self, pool: &mut Pool<C>, slot: usize, time_s: f64, node_by_node: bool) {
        self.close_sheet(pool);
        let Some(set) = self.planner.shown.as_ref() else { return };
        let Some(entry) = set.entries.iter().find(|entry| entry.slot == slot) else { return };
        let policy = entry.policy.clone();
        let packed = pack(&(set.inputs.scenario().without_data(), &*set.bound.workload));
        let sent = packed.map_err(|error| error.to_string()).and_then(|scenario| {
            let policy = policy.to_string();
            pool.send(|id| Request::Program { id, scenario, policy, time_s, node_by_node })
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
        self.sheet = None;
        if let Some(request) = self.program.take().and_then(|program| program.request) {
            pool.terminate(request);
        }
    }

    /// Receives a program.
    pub fn program_written(&mut self, request: u32, packed: &[u8]) {
        self.answer(request, unpack::<ShownProgram>(packed).map(Rc::new).map_err(|error| error.to_string()));
    }

    /// Receives the reason that a program could not be written.
    pub fn program_failed(&mut self, request: u32, message: &str) {
        self.answer(request, Err(message.into()));
    }

    fn answer(&mut self, request: u32, answer: Result<Rc<ShownProgram>, String>) {
        if let Some(program) = self.program.as_mut().filter(|program| program.request == Some(request)) {
            program.request = None;
            program.answer = Some(answer);
        }
    }
}
