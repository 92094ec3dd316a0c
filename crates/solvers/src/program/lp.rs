//! Programs as text: the LP format of CPLEX.

use super::{Constraint, Kind, Program, Sense, Term};

/// Lines are broken before they get longer. Readers take 255 characters and more.
const LINE_MAX: usize = 100;

impl Program {
    /// The program in LP format. Equations of the paper, the meaning of names and the values in the optimum are
    /// comments.
    pub fn to_lp(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for line in &self.about {
            comment(&mut lines, "\\ ", line);
        }
        lines.extend(self.picture.iter().map(|line| format!("\\ {line}")));
        lines.push("Maximize".into());
        comment(&mut lines, " \\ ", self.objective_says);
        self.sum_lines(&mut lines, "obj", &self.objective, "");
        lines.push("Subject To".into());
        for section in &self.sections {
            comment(&mut lines, " \\ ", &format!("({}) {}", section.equation, section.says));
            if !section.otherwise.is_empty() {
                comment(&mut lines, " \\     ", &format!("Otherwise than printed: {}", section.otherwise));
            }
            for constraint in &section.constraints {
                self.sum_lines(&mut lines, &constraint.name, &constraint.terms, &right_side(constraint));
            }
        }
        let of_kind = |kind| self.variables.iter().filter(move |variable| variable.kind == kind);
        let free: Vec<String> = of_kind(Kind::Free).map(|variable| format!(" {} free", variable.name)).collect();
        if !free.is_empty() {
            lines.push("Bounds".into());
            lines.extend(free);
        }
        if of_kind(Kind::Integer).next().is_some() {
            lines.push("Generals".into());
            wrap(&mut lines, " ", " ", of_kind(Kind::Integer).map(|variable| variable.name.clone()));
        }
        lines.push("Binaries".into());
        wrap(&mut lines, " ", " ", of_kind(Kind::Binary).map(|variable| variable.name.clone()));
        lines.push("\\ In the optimum, where not 0:".into());
        let set = self.variables.iter().filter(|variable| variable.value != 0.0);
        let values: Vec<String> = set.map(|variable| format!("{}={}", variable.name, number(variable.value))).collect();
        comment(&mut lines, "\\  ", &values.join(", "));
        lines.push("End\n".into());
        lines.join("\n")
    }

    /// ` name: 3 x - y <= 5`, on as many lines as it takes.
    fn sum_lines(&self, lines: &mut Vec<String>, name: &str, terms: &[Term], right: &str) {
        let first = std::iter::once(format!("{name}:"));
        let words = terms.iter().enumerate().map(|(at, term)| self.word(at == 0, term));
        let right = (!right.is_empty()).then(|| right.to_string());
        wrap(lines, " ", "   ", first.chain(words).chain(right));
    }

    fn word(&self, is_first: bool, term: &Term) -> String {
        let sign = match (term.factor < 0.0, is_first) {
            (true, _) => "- ",
            (false, true) => "",
            (false, false) => "+ ",
        };
        let size = term.factor.abs();
        let factor = if size == 1.0 { String::new() } else { number(size) + " " };
        format!("{sign}{factor}{}", self.name_of(term))
    }
}

fn right_side(constraint: &Constraint) -> String {
    let sense = match constraint.sense {
        Sense::AtMost => "<=",
        Sense::AtLeast => ">=",
        Sense::Exactly => "=",
    };
    format!("{sense} {}", number(constraint.right))
}

/// The shortest digits that say exactly this number.
fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-4..1e15).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}

fn comment(lines: &mut Vec<String>, begin: &str, text: &str) {
    wrap(lines, begin, begin, text.split(' ').map(String::from));
}

/// Words on lines, of which the first begins with `first` and the others with `next`.
fn wrap(lines: &mut Vec<String>, first: &str, next: &str, words: impl IntoIterator<Item = String>) {
    let mut line = first.to_string();
    let mut is_empty = true;
    for word in words {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > LINE_MAX {
            lines.push(std::mem::replace(&mut line, next.to_string()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word);
        is_empty = false;
    }
    if !is_empty {
        lines.push(line);
    }
}
