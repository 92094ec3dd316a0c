//! Drawing jobs, and binding them to curves.

use elastiplan_scenario::Scenario;
use elastiplan_workloads::Drawing;

use crate::Packed;
use crate::messages::{MessageError, Response};
use crate::serve::{fail, post};

/// Draws and posts what was drawn.
pub(crate) fn draw(id: u32, drawing: &Packed) {
    let drawn = drawing.unpack().and_then(|drawing: Drawing| Packed::of(&drawing.draw()));
    answer(id, drawn.map(|drawn| Response::Drawn { id, drawn }));
}

/// Binds the jobs of a scenario and posts the workload.
pub(crate) fn bind(id: u32, scenario: &Packed) {
    answer(id, scenario.unpack().and_then(|scenario: Scenario| Response::bound(id, &scenario)));
}

impl Response {
    /// The jobs of a scenario, bound.
    pub fn bound(id: u32, scenario: &Scenario) -> Result<Self, MessageError> {
        let (workload, diagnostics) = scenario.workload();
        Ok(Response::Bound { id, workload: Packed::of(&workload)?, diagnostics: Packed::of(&diagnostics)? })
    }
}

fn answer(id: u32, response: Result<Response, MessageError>) {
    match response {
        Ok(response) => post(&response),
        Err(error) => fail(Some(id), error.into()),
    }
}
