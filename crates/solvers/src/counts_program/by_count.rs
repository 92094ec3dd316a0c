//! The program over counts.

use super::{Constraint, Instance, Program, ProgramError, Sense, Term};

const OBJECTIVE: &str = "(16) What each Trainer gains in T_fwd on so many nodes, less what the change costs it. A factor \
                         is all of (11) to (15) for one count";

/// A binary `y_j_n` for each Trainer `j` and each number `n` of nodes that it can have.
///
/// Which nodes those are need not be said: idle nodes are alike, and without migration (eq. 6 to 10) a Trainer
/// that grows keeps its nodes and a Trainer that shrinks releases some of them.
pub fn by_count(instance: &Instance) -> Result<Program, ProgramError> {
    instance.check()?;
    let (best, pool) = (instance.best(), instance.nodes.len());
    let mut program = Program { about: instance.about(&best), objective_says: OBJECTIVE, ..Program::default() };
    let (mut one_each, mut held) = (Vec::new(), Vec::new());
    for (number, (values, chosen)) in (1..).zip(instance.values().into_iter().zip(&best.units)) {
        let mut choices = Vec::new();
        for count in 0..values.len().clamp(1, pool + 1) {
            let value = values.get(count).copied().unwrap_or(f64::NEG_INFINITY);
            // Every Trainer can hold none.
            let value = if count == 0 && !value.is_finite() { 0.0 } else { value };
            if value.is_finite() {
                let choice = program.add_binary(format!("y_{number}_{count}"), count == *chosen as usize);
                program.objective.push(Term { factor: value, variable: choice });
                choices.push((1.0, choice));
                held.push((count as f64, choice));
            }
        }
        one_each.push(Constraint::new(format!("one_{number}"), choices, Sense::Exactly, 1.0));
    }
    let pool = Constraint::new("pool".into(), held, Sense::AtMost, pool as f64);
    let pool = if pool.terms.is_empty() { Vec::new() } else { vec![pool] };
    program.section("3, 4", "Each Trainer has one number of nodes: none, or one on which it can run", "", one_each);
    program.section("5", "No more nodes than there are", "", pool);
    Ok(program)
}
