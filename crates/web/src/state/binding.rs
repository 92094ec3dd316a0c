//! Binding jobs to curves in a worker, and what follows it.

use elastiplan_model::Diagnostic;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;

use super::data::Bound;
use super::inputs::Inputs;
use super::page::Page;
use super::pool::{Client, Pool};

/// The binding of jobs that a worker is making, if any, and what follows it.
#[derive(Default)]
pub struct Binding {
    /// The request and the inputs it was made for. There is one at a time: those of later inputs are bound after it.
    pub(super) pending: Option<(u32, Inputs)>,
    /// What follows once the present jobs are bound.
    pub(super) next: Next,
}

/// What follows once jobs are bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing.
    #[default]
    Nothing,
    /// Runs start.
    Launch,
    /// Runs start, unless the user has to confirm a warning first.
    LaunchUnlessWarned,
}

impl Page {
    /// Binds the present jobs to the present curves. Returns whether that is known already; if not, a worker does it.
    pub fn bind<C: Client>(&mut self, pool: &mut Pool<C>) -> bool {
        let is_known = self.planner.use_known_binding();
        if !is_known && self.binding.pending.is_none() {
            let inputs = self.planner.inputs().clone();
            let packed = Packed::of(&inputs.scenario()).map_err(String::from);
            match packed.and_then(|scenario| pool.send(|id| Request::Bind { id, scenario })) {
                Ok(request) => self.binding.pending = Some((request, inputs)),
                Err(message) => self.stop_binding(&message),
            }
        }
        is_known
    }

    /// Receives bound jobs. Returns whether the present jobs are bound: those of earlier inputs are dropped, and a worker
    /// binds the present ones.
    pub fn bound<C: Client>(
        &mut self,
        pool: &mut Pool<C>,
        request: u32,
        (workload, diagnostics): (Packed, &Packed),
    ) -> bool {
        let Some((_, inputs)) = self.binding.pending.take_if(|(asked, _)| *asked == request) else { return false };
        let diagnostics = diagnostics.unpack::<Vec<Diagnostic>>();
        match diagnostics.and_then(|diagnostics| Bound::of(&inputs, workload, diagnostics)) {
            Ok(bound) if bound.is_of(self.planner.inputs()) => self.planner.bound = bound,
            Ok(_) => {}
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
    pub(super) fn go_on<C: Client>(&mut self, pool: &mut Pool<C>) {
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
