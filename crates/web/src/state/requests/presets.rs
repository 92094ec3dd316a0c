//! The presets, asked of a full worker.

use std::rc::Rc;

use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;

use crate::state::page::Page;
use crate::state::pool::{Client, Pool};
use crate::state::preset::Presets;

impl Page {
    /// Has a full worker send the presets, unless one has been asked. That also starts this worker ahead of other
    /// requests.
    pub fn fetch_presets<C: Client>(&mut self, pool: &mut Pool<C>) {
        if self.needs_presets() {
            // If that fails, the next launch or the next look at the list asks again.
            self.presets_request = pool.send(Request::Presets).ok();
        }
    }

    /// Whether the presets are missing and have not been asked for.
    pub(in crate::state) fn needs_presets(&self) -> bool {
        self.presets.all().is_empty() && self.presets_request.is_none()
    }

    /// Receives the presets.
    pub fn presets_sent(&mut self, packed: &Packed) {
        self.presets_request = None;
        match Presets::unpack(packed) {
            Ok(presets) => self.presets = Rc::new(presets.with_made(&self.presets)),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Forgets the request for the presets if it is the one that failed, so that they can be asked for again. Returns
    /// whether it was.
    pub fn presets_failed(&mut self, request: u32) -> bool {
        self.presets_request.take_if(|asked| *asked == request).is_some()
    }
}
