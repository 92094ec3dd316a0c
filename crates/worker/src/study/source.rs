//! The scenarios of a study by seed.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use elastiplan_scenario::Scenario;
use elastiplan_study::{Study, StudyError};

use super::StudyOrder;

/// Drawn scenarios that are kept: as many as the seeds that a study usually has.
const DRAWN_MAX: usize = 48;
/// Jobs of drawn scenarios that are kept together.
const JOBS_MAX: usize = 200_000;

/// A study with the scenario that it varies.
pub struct Source {
    /// The study.
    pub study: Study,
    order: StudyOrder,
    /// Drawn scenarios by seed, the latest last.
    drawn: RefCell<VecDeque<(u64, Scenario)>>,
}

impl Source {
    /// Checks an order.
    pub fn new(order: StudyOrder) -> Result<Self, StudyError> {
        let study = Study::new(&order.spec, &order.policies, order.scenario.conditions.seed)?;
        let source = Self { study, order, drawn: RefCell::default() };
        source.study.check_goals(|seed| source.with_seed(seed))?;
        Ok(source)
    }

    /// The order.
    pub fn order(&self) -> &StudyOrder {
        &self.order
    }

    /// What is worth knowing of its seeds.
    pub fn note_on_draws(&self) -> Option<String> {
        self.study.note_on_draws(&self.order.scenario, self.order.drawn.is_some())
    }

    /// Whether drawing whole days anew would give each seed jobs of its own, where nothing does so now.
    pub fn could_draw_days(&self) -> bool {
        self.study.could_draw_days(&self.order.scenario, self.order.drawn.is_some())
    }

    /// The scenario with another seed: its jobs, where they are drawn by it.
    pub fn with_seed(&self, seed: u64) -> Scenario {
        let mut drawn = self.drawn.borrow_mut();
        if let Some((_, scenario)) = drawn.iter().find(|(known, _)| *known == seed) {
            return scenario.clone();
        }
        let mut scenario = self.order.scenario.clone();
        scenario.conditions.seed = seed;
        let Some(jobs) = &self.order.drawn else { return scenario };
        scenario.trace = Arc::new(jobs.trace(seed));
        let jobs =
            |drawn: &VecDeque<(u64, Scenario)>| drawn.iter().map(|(_, known)| known.trace.jobs().len()).sum::<usize>();
        while !drawn.is_empty() && (drawn.len() >= DRAWN_MAX || jobs(&drawn) > JOBS_MAX) {
            drawn.pop_front();
        }
        drawn.push_back((seed, scenario.clone()));
        scenario
    }
}
