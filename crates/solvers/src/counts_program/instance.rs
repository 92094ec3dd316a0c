//! The instance of a decision.

use super::ProgramError;
use crate::program::without_controls;
use crate::{Allocation, choose_counts};
use elastiplan_model::order::sort_by_key;

/// A decision that is to be taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// T_fwd: seconds for which a decision is taken to last.
    pub t_fwd_s: f64,
    /// The pool. Names are of letters, digits and underscores, each once.
    pub nodes: Vec<String>,
    /// The Trainers to decide about.
    pub trainers: Vec<Trainer>,
}

/// A Trainer with the nodes that it could hold and their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trainer {
    /// Its name, for readers of the program.
    pub name: String,
    /// Which nodes it holds, as places in [`Instance::nodes`]; rising.
    pub holds: Vec<u32>,
    /// O_j: what it gains a second on 0, 1, 2, ... nodes; not finite where it cannot run.
    pub gains: Vec<f64>,
    /// R_j: seconds without progress if it goes to 0, 1, 2, ... nodes.
    pub change_s: Vec<f64>,
}

impl Instance {
    /// Eq. 16 for each Trainer on 0, 1, 2, ... nodes.
    pub fn values(&self) -> Vec<Vec<f64>> {
        self.trainers.iter().map(|trainer| trainer.values(self.t_fwd_s)).collect()
    }

    /// The best counts.
    pub fn best(&self) -> Allocation {
        let values = self.values();
        let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
        choose_counts(&values, self.nodes.len() as u32)
    }

    /// What makes it no decision at all.
    pub(super) fn check(&self) -> Result<(), ProgramError> {
        if self.trainers.is_empty() {
            return Err(ProgramError::NoJobs);
        }
        let mut names: Vec<&str> = self.nodes.iter().map(String::as_str).collect();
        sort_by_key(&mut names, |name| *name);
        let twice = names.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first());
        let is_plain =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(name) = names.iter().find(|name| !is_plain(name)).or(twice) {
            return Err(ProgramError::NodeName((*name).into()));
        }
        let mut is_held = vec![false; self.nodes.len()];
        for trainer in &self.trainers {
            for node in &trainer.holds {
                let free = is_held.get_mut(*node as usize).filter(|is_held| !**is_held);
                *free.ok_or_else(|| ProgramError::Holds(trainer.name.clone()))? = true;
            }
        }
        Ok(())
    }

    /// For each node the index of the Trainer that holds it in the optimum. Trainers never migrate: one that shrinks
    /// keeps the first of its nodes, one that grows keeps all and takes free ones, in order.
    pub(super) fn holders(&self, counts: &[u32]) -> Vec<Option<usize>> {
        let mut holders = vec![None; self.nodes.len()];
        for (at, (trainer, count)) in self.trainers.iter().zip(counts).enumerate() {
            for node in trainer.holds.iter().take(*count as usize) {
                if let Some(holder) = holders.get_mut(*node as usize) {
                    *holder = Some(at);
                }
            }
        }
        for (at, (trainer, count)) in self.trainers.iter().zip(counts).enumerate() {
            let more = (*count as usize).saturating_sub(trainer.holds.len());
            for holder in holders.iter_mut().filter(|holder| holder.is_none()).take(more) {
                *holder = Some(at);
            }
        }
        holders
    }

    /// The meaning of names, as text.
    pub(super) fn about(&self, best: &Allocation) -> Vec<String> {
        let nodes = |count: usize| if count == 1 { "1 node".to_string() } else { format!("{count} nodes") };
        let mut lines = vec![format!("Pool of {}, T_fwd {} s", nodes(self.nodes.len()), self.t_fwd_s)];
        for (number, (trainer, count)) in (1..).zip(self.trainers.iter().zip(&best.units)) {
            let name = without_controls(&trainer.name);
            let (now, gain) = (nodes(trainer.holds.len()), trainer.gain_now());
            lines.push(format!(
                "Trainer {number}: {name}, gains {gain} a second on {now}; best on {}",
                nodes(*count as usize)
            ));
        }
        lines.push(format!("Optimum {}", best.value));
        lines
    }
}

impl Trainer {
    /// O_j(C_j): what it gains a second on what it holds; nothing where it cannot run on so few.
    pub fn gain_now(&self) -> f64 {
        self.gains.get(self.holds.len()).copied().filter(|gain| gain.is_finite()).unwrap_or(0.0)
    }

    /// Eq. 16 for 0, 1, 2, ... nodes.
    pub fn values(&self, t_fwd_s: f64) -> Vec<f64> {
        let (now, gain_now) = (self.holds.len(), self.gain_now());
        let change_s = |nodes: usize| self.change_s.get(nodes).copied().filter(|_| nodes != now).unwrap_or(0.0);
        (0..).zip(&self.gains).map(|(nodes, gain)| t_fwd_s * gain - gain_now * change_s(nodes)).collect()
    }
}
