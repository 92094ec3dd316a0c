//! A program as data, handed to a solver that knows nothing of what it is about, and checked against its own optimum.

use elastiplan_solvers::counts_program::{Kind, Program, Sense, Variable};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

/// The optimum by microlp; `None` if there is no solution.
pub fn solve(program: &Program) -> Option<f64> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut factors = vec![0.0; program.variables.len()];
    program.objective.iter().for_each(|term| factors[term.variable] += term.factor);
    let add = |(variable, factor): (&Variable, f64)| match variable.kind {
        Kind::Binary => problem.add_binary_var(factor),
        Kind::Integer => problem.add_integer_var(factor, (0, i32::MAX)),
        Kind::Positive => problem.add_var(factor, (0.0, f64::INFINITY)),
        Kind::Free => problem.add_var(factor, (f64::NEG_INFINITY, f64::INFINITY)),
    };
    let variables: Vec<_> = program.variables.iter().zip(factors).map(add).collect();
    for constraint in program.sections.iter().flat_map(|section| &section.constraints) {
        let terms: Vec<_> = constraint.terms.iter().map(|term| (variables[term.variable], term.factor)).collect();
        let sense = match constraint.sense {
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
            Sense::Exactly => ComparisonOp::Eq,
        };
        problem.add_constraint(&terms, sense, constraint.right);
    }
    match problem.solve().ok()? {
        SolveOutcome::Solution(solution) => Some(solution.objective()),
        SolveOutcome::Interrupted(_) => panic!("interrupted"),
    }
}

/// The values that variables have in the optimum keep every constraint.
pub fn assert_is_possible(program: &Program, what: &str) {
    for variable in &program.variables {
        let fits = match variable.kind {
            Kind::Binary => [0.0, 1.0].contains(&variable.value),
            Kind::Integer => variable.value >= 0.0 && variable.value.fract() == 0.0,
            Kind::Positive => variable.value >= 0.0,
            Kind::Free => true,
        };
        assert!(fits, "{what}: {variable:?}");
    }
    for constraint in program.sections.iter().flat_map(|section| &section.constraints) {
        let sum = program.sum(&constraint.terms) - constraint.right;
        let holds = match constraint.sense {
            Sense::AtMost => sum <= 1e-9,
            Sense::AtLeast => sum >= -1e-9,
            Sense::Exactly => sum.abs() <= 1e-9,
        };
        assert!(holds, "{what}: {constraint:?} is off by {sum}\n{}", program.to_lp());
    }
}
