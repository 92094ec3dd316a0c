//! The list of runs, as the user sets it.

use std::rc::Rc;

use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Fork;
use elastiplan_scenario::fields::{Field, Value};

use super::world::World;

/// A run of the list. Its place in the list is its badge; the first is the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// Stays the same wherever it moves.
    pub id: u32,
    /// Its policy with its settings.
    pub policy: PolicySpec,
    /// What the user calls it.
    pub name: Option<String>,
    /// Fields, by their keys, that have another value for it than in the inputs.
    pub overrides: Vec<(&'static str, Value)>,
    /// What changes in the middle of it.
    pub forks: Vec<Fork>,
    /// The id of the run that it was forked from, which may be gone.
    pub origin: Option<u32>,
    /// Whether pictures and tables leave it out.
    pub is_hidden: bool,
    /// Whether it is hidden only as long as runs of a study stand side by side.
    pub is_set_aside: bool,
    /// What its inputs were when it was pinned.
    pub pinned: Option<Rc<Pinned>>,
}

/// Inputs that a pinned run keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Pinned {
    /// The inputs.
    pub world: World,
    /// What they were called.
    pub name: String,
    /// Whether the next edit of the inputs puts a run of the same policy beside it that follows them.
    pub wants_twin: bool,
    /// The point of a study that it is, if it is one.
    pub from_study: Option<StudyPoint>,
}

/// A point of a study with a seed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyPoint {
    /// What was varied: `54 nodes, rescale cost 60 s`.
    pub values: String,
    /// The seed.
    pub seed: u64,
}

impl RunSpec {
    /// A run that differs in nothing but its policy.
    pub fn new(id: u32, policy: PolicySpec) -> Self {
        Self {
            id,
            policy,
            name: None,
            overrides: Vec::new(),
            forks: Vec::new(),
            origin: None,
            is_hidden: false,
            is_set_aside: false,
            pinned: None,
        }
    }

    /// Whether its inputs are frozen.
    pub fn is_pinned(&self) -> bool {
        self.pinned.is_some()
    }

    /// The point of a study that it is, if it is one.
    pub fn study_point(&self) -> Option<&StudyPoint> {
        self.pinned.as_ref()?.from_study.as_ref()
    }

    /// Whether a study compares its policy: it follows the inputs and is not hidden by the user.
    pub fn is_in_studies(&self) -> bool {
        !self.is_pinned() && (!self.is_hidden || self.is_set_aside)
    }

    /// What decides it beside its policy, where these are the inputs.
    pub fn world(&self, inputs: &World) -> World {
        if let Some(pinned) = &self.pinned {
            return pinned.world.clone();
        }
        let mut world = inputs.clone();
        for (key, value) in &self.overrides {
            if let Some(field) = Field::named(key) {
                world.set(field, *value);
            }
        }
        world.conditions.forks.extend_from_slice(&self.forks);
        world
    }

    /// The run that is this one until a fork. One of a pinned run keeps its inputs too.
    pub fn forked(&self, id: u32, fork: Fork) -> Self {
        let mut run = Self { id, name: None, origin: Some(self.id), is_hidden: false, ..self.clone() };
        run.pinned = run.pinned.map(|pinned| {
            let mut pinned = Pinned { wants_twin: false, ..(*pinned).clone() };
            pinned.world.conditions.forks.push(fork.clone());
            Rc::new(pinned)
        });
        run.forks.push(fork);
        run
    }

    /// Gives a field another value than in the inputs, or with `None` the same again.
    pub fn override_field(&mut self, key: &'static str, value: Option<Value>) {
        match (self.overrides.iter_mut().find(|(known, _)| *known == key), value) {
            (Some(known), Some(value)) => known.1 = value,
            (None, Some(value)) => self.overrides.push((key, value)),
            (_, None) => self.overrides.retain(|(known, _)| *known != key),
        }
    }
}
