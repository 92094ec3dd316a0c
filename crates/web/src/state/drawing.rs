//! Edits for which a worker draws jobs, curves or a log of nodes first. What the user does meanwhile waits, so that all
//! edits are made in the order in which they were asked for.

use elastiplan_scenario::fields::Value;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::Request;
use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::{Drawing, Drawn, DrawnJobs};

use super::edit::Edit;
use super::inputs::Inputs;
use super::message::Msg;
use super::page::Page;
use super::pool::{Client, Pool};
use super::preset::Presets;

/// An edit that needs something drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnEdit {
    /// Jobs of a generator with a seed, and the curves of their models, in place of what was loaded.
    Generate(GeneratorSpec, u64),
    /// The present jobs drawn anew with another seed.
    Seed(u64),
    /// The preset of this name in place of everything.
    Preset(String),
}

impl DrawnEdit {
    /// What has to be drawn; `None` if the edit cannot be made.
    pub fn drawing(&self, inputs: &Inputs, presets: &Presets) -> Option<Drawing> {
        match self {
            Self::Generate(generator, seed) => Some(Drawing {
                jobs: Some((DrawnJobs::Generated(generator.clone()), *seed)),
                curves: Some(generator.generator().curves.into()),
                idle_nodes: None,
            }),
            Self::Seed(seed) => inputs.data.redrawing(*seed),
            Self::Preset(name) => Some(presets.named(name)?.drawing.clone()),
        }
    }

    /// The edit with what was drawn for it.
    pub fn edit(&self, inputs: &Inputs, presets: &Presets, drawing: &Drawing, drawn: Drawn) -> Option<Edit> {
        match self {
            Self::Generate(_, seed) => Some(Edit::Generate(inputs.data.with_drawn(drawing, drawn), *seed)),
            Self::Seed(seed) => Some(Edit::Seed(inputs.data.with_drawn(drawing, drawn), *seed)),
            Self::Preset(name) => Some(Edit::Preset(Box::new(presets.make(name, drawn)?))),
        }
    }
}

/// A drawing that a worker is making.
pub(super) struct PendingDrawing {
    pub(super) request: u32,
    edit: DrawnEdit,
    drawing: Drawing,
    /// What the user has done since.
    waiting: Vec<Msg>,
}

impl Page {
    /// Makes an edit, at once or when a worker has drawn what it needs.
    pub fn edit<C: Client>(&mut self, pool: &mut Pool<C>, edit: Edit) {
        match edit {
            // Jobs that are drawn follow the seed.
            Edit::Field("seed", Value::Whole(seed)) if self.planner.inputs().data.trace_origin.is_drawn() => {
                self.draw(pool, DrawnEdit::Seed(seed));
            }
            edit => {
                let after = self.planner.edit(edit, self.now_ms);
                self.after(after);
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
        match packed.and_then(|drawing| pool.send(|id| Request::Draw { id, drawing })) {
            Ok(request) => self.drawing = Some(PendingDrawing { request, edit, drawing, waiting: Vec::new() }),
            Err(message) => self.say_not_drawn(&message),
        }
    }

    /// Keeps what the user does while something is being drawn; returns what does not have to wait.
    pub fn keep_waiting(&mut self, message: Msg) -> Option<Msg> {
        let changes = matches!(
            message,
            Msg::Edit(_) | Msg::Draw(_) | Msg::Seal | Msg::Undo | Msg::Redo | Msg::Run | Msg::AutoRun(_)
        );
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
