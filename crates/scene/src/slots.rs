//! Which model has which colour: a slot by order of appearance, the same in every strip and chart.

use elastiplan_model::{ModelId, Trace};

/// A model's place among the model colours: 0 to 7, or "other".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelSlot(u8);

impl ModelSlot {
    /// What the ninth and later models share.
    pub const OTHER: ModelSlot = ModelSlot(8);
    /// How many slots there are, "other" among them.
    pub const COUNT: usize = 9;

    /// The slot of this number; "other" from 8.
    pub fn new(number: usize) -> Self {
        Self(number.min(8) as u8)
    }

    /// Its number; 8 is "other".
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether it is the one that models share.
    pub fn is_other(self) -> bool {
        self == Self::OTHER
    }
}

/// The slot of every model of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSlots {
    slots: Vec<ModelSlot>,
}

impl ModelSlots {
    /// Slots in order of appearance.
    pub fn new(trace: &Trace) -> Self {
        Self { slots: (0..trace.models().len()).map(ModelSlot::new).collect() }
    }

    /// The slot of a model; "other" for a model that is not in the trace.
    pub fn of(&self, model: ModelId) -> ModelSlot {
        self.slots.get(model.0 as usize).copied().unwrap_or(ModelSlot::OTHER)
    }
}
