//! The variables and constraints of one job.

use super::{Constraint, Job, Kind, Program, Sense, Term};
use Sense::{AtLeast, AtMost, Exactly};

/// What there is to be found for one job.
pub(super) struct Row<'a> {
    number: usize,
    job: &'a Job,
    /// By step.
    pub steps: Vec<Step>,
    /// M: eqs. 16 and 17 leave a number open by taking it from one side.
    big: f64,
}

/// And for one step.
pub(super) struct Step {
    number: usize,
    pub nodes: usize,
    served: usize,
    /// For each number that it may hold: whether it has at most, and at least, so many.
    pairs: Vec<(usize, usize)>,
}

impl<'a> Row<'a> {
    /// Adds its variables, with what they are where it holds so many in each step.
    pub fn add(program: &mut Program, number: usize, job: &'a Job, held: &[u32]) -> Self {
        let mut served = 0.0;
        let mut steps = Vec::with_capacity(held.len());
        for (at, held) in (1..).zip(held) {
            let done = job.options.iter().find(|option| option.units == *held).map_or(0.0, |option| option.work);
            served = job.work.min(served + done);
            let nodes = program.add(format!("n_{number}_{at}"), Kind::Integer, f64::from(*held));
            let served = program.add(format!("s_{number}_{at}"), Kind::Positive, served);
            let pair = |units: u32| {
                let mut binary = |name: &str, is| program.add_binary(format!("{name}_{number}_{at}_{units}"), is);
                (binary("dm", *held <= units), binary("dp", *held >= units))
            };
            let pairs = job.options.iter().map(|option| option.units).map(pair).collect();
            steps.push(Step { number: at, nodes, served, pairs });
        }
        Self { number, job, steps, big: f64::from(job.nodes_max().max(1)) }
    }

    /// Its part of the objective.
    pub fn progress(&self) -> Vec<Term> {
        self.steps.iter().map(|step| Term { factor: 1.0 / self.job.work, variable: step.served }).collect()
    }

    pub fn work(&self) -> Vec<Constraint> {
        self.each("c2", |step| (vec![(1.0, step.served)], AtMost, self.job.work))
    }

    pub fn most(&self) -> Vec<Constraint> {
        self.each("c5", |step| (vec![(1.0, step.nodes)], AtMost, f64::from(self.job.nodes_max())))
    }

    pub fn least(&self) -> Vec<Constraint> {
        self.each("c15", |step| (vec![(1.0, step.nodes)], AtLeast, f64::from(self.job.nodes_min())))
    }

    /// `(1 - dm) / M - M dm <= n - k <= M (1 - dm)`.
    pub fn at_most(&self) -> Vec<Constraint> {
        self.between("c16", 1.0, |pair| pair.0)
    }

    /// `(1 - dp) / M - M dp <= k - n <= M (1 - dp)`.
    pub fn at_least(&self) -> Vec<Constraint> {
        self.between("c17", -1.0, |pair| pair.1)
    }

    fn between(&self, name: &str, sign: f64, of: impl Fn(&(usize, usize)) -> usize) -> Vec<Constraint> {
        let mut all = Vec::new();
        for step in &self.steps {
            for (option, pair) in self.job.options.iter().zip(&step.pairs) {
                let named = |side| format!("{name}{side}_{}_{}_{}", self.number, step.number, option.units);
                let (big, right) = (self.big, sign * f64::from(option.units));
                let with = |factor| [(sign, step.nodes), (factor, of(pair))];
                all.push(Constraint::new(named("a"), with(big + 1.0 / big), AtLeast, right + 1.0 / big));
                all.push(Constraint::new(named("b"), with(big), AtMost, right + big));
            }
        }
        all
    }

    pub fn one(&self) -> Vec<Constraint> {
        self.each("c18", |step| {
            let (at_most, at_least) = (step.pairs.iter().map(|pair| pair.0), step.pairs.iter().map(|pair| pair.1));
            (at_most.chain(at_least).map(|binary| (1.0, binary)).collect(), Exactly, step.pairs.len() as f64 + 1.0)
        })
    }

    /// Eq. 19 for the first step, eq. 20 for those that follow: `s <= s before + sum of work (dm + dp - 1)`.
    pub fn done(&self) -> Vec<Constraint> {
        let all: f64 = self.job.options.iter().map(|option| option.work).sum();
        let before = std::iter::once(None).chain(self.steps.iter().map(|step| Some((-1.0, step.served))));
        let row = |(step, before): (&Step, Option<(f64, usize)>)| {
            let works = self.job.options.iter().zip(&step.pairs);
            let works = works.flat_map(|(option, pair)| [(-option.work, pair.0), (-option.work, pair.1)]);
            let name = if before.is_none() { "c19" } else { "c20" };
            let terms = std::iter::once((1.0, step.served)).chain(before).chain(works);
            Constraint::new(format!("{name}_{}_{}", self.number, step.number), terms, AtMost, -all)
        };
        self.steps.iter().zip(before).map(row).collect()
    }

    /// A constraint for each step.
    fn each(&self, name: &str, of: impl Fn(&Step) -> (Vec<(f64, usize)>, Sense, f64)) -> Vec<Constraint> {
        let constraint = |step: &Step| {
            let (terms, sense, right) = of(step);
            Constraint::new(format!("{name}_{}_{}", self.number, step.number), terms, sense, right)
        };
        self.steps.iter().map(constraint).collect()
    }
}
