//! Mixed-integer programs as plain data, every variable with its value in the optimum; written in the LP format of
//! CPLEX, which Gurobi, HiGHS, CBC and SCIP read. Nothing here is solved.

mod lp;

/// A program with its optimum: find values of the variables that keep all constraints and make the objective greatest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The decision and the meaning of its names: a line each.
    pub about: Vec<String>,
    /// A picture of it as text, in lines that are not to be broken: at most 250 characters. Empty where there is none.
    pub picture: Vec<String>,
    /// The sum that is to be greatest.
    pub objective: Vec<Term>,
    /// What the objective is, and which equation of the paper.
    pub objective_says: &'static str,
    /// What must hold, by the equation from which it is.
    pub sections: Vec<Section>,
    /// What is to be found.
    pub variables: Vec<Variable>,
}

/// Constraints of one kind: one equation of the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The number of the equation; of several, all of them.
    pub equation: &'static str,
    /// What it says, in words.
    pub says: &'static str,
    /// Where it is not as printed: what is otherwise, and why. Empty where it is.
    pub otherwise: &'static str,
    /// The inequalities, one or more for each thing it is about.
    pub constraints: Vec<Constraint>,
}

/// A sum that is to be at most, at least or exactly a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Its name in the program.
    pub name: String,
    /// The sum.
    pub terms: Vec<Term>,
    /// The comparison.
    pub sense: Sense,
    /// The number.
    pub right: f64,
}

/// So many times a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// How many times.
    pub factor: f64,
    /// The place of the variable in [`Program::variables`].
    pub variable: usize,
}

/// The comparison of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// It is not more.
    AtMost,
    /// It is not less.
    AtLeast,
    /// It is the same.
    Exactly,
}

/// One thing to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name in the program.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// Its value in the optimum.
    pub value: f64,
}

/// What values a variable takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1.
    Binary,
    /// A whole number from 0 on.
    Integer,
    /// Any number from 0 on.
    Positive,
    /// Any number.
    Free,
}

impl Program {
    /// The objective in the optimum.
    pub fn optimum(&self) -> f64 {
        self.sum(&self.objective)
    }

    /// What a sum comes to in the optimum.
    pub fn sum(&self, terms: &[Term]) -> f64 {
        let value =
            |term: &Term| self.variables.get(term.variable).map_or(0.0, |variable| term.factor * variable.value);
        terms.iter().map(value).sum()
    }

    /// The variable's name; empty for one that is not there.
    pub fn name_of(&self, term: &Term) -> &str {
        self.variables.get(term.variable).map_or("", |variable| &variable.name)
    }

    /// Adds a binary.
    pub(crate) fn add_binary(&mut self, name: String, is_set: bool) -> usize {
        self.add(name, Kind::Binary, f64::from(u8::from(is_set)))
    }

    pub(crate) fn add(&mut self, name: String, kind: Kind, value: f64) -> usize {
        self.variables.push(Variable { name, kind, value });
        self.variables.len() - 1
    }

    /// Nothing is added without constraints.
    pub(crate) fn section(
        &mut self,
        equation: &'static str,
        says: &'static str,
        otherwise: &'static str,
        constraints: Vec<Constraint>,
    ) {
        if !constraints.is_empty() {
            self.sections.push(Section { equation, says, otherwise, constraints });
        }
    }
}

/// A name for readers on one line.
pub(crate) fn without_controls(name: &str) -> String {
    name.replace(char::is_control, " ")
}

impl Constraint {
    pub(crate) fn new(name: String, terms: impl IntoIterator<Item = (f64, usize)>, sense: Sense, right: f64) -> Self {
        let terms = terms.into_iter().filter(|(factor, _)| *factor != 0.0);
        Self { name, terms: terms.map(|(factor, variable)| Term { factor, variable }).collect(), sense, right }
    }
}
