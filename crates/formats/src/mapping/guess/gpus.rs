//! Which column says how many GPUs a job asks for.

use super::{Candidate, Guesser, NamedColumn};
use crate::mapping::content::Kind;
use crate::mapping::expression::{Expression, Operator};
use crate::mapping::synonyms::{GPUS_PER_NODE, Meaning, NODES, RESOURCES, WORKERS};
use crate::text::header::Column;

/// The most GPUs that a small number is.
const GPUS_MAX: f64 = 65_536.0;

impl Guesser<'_> {
    /// Columns with numbers of GPUs; of a table that has nothing else to be guessed, by their values alone.
    pub(super) fn gpus(&self, is_of_jobs: bool) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self.of_each_worker().into_iter().collect();
        for NamedColumn { column, meaning, .. } in self.columns("gpus") {
            let (value, kind, written) = self.written(&column);
            let fits = matches!(kind, Kind::Whole(most) if most <= GPUS_MAX);
            let own = match meaning {
                Meaning::Clear if fits => Candidate::sure(value, "By its name; small whole numbers"),
                Meaning::Clear => Candidate::guessed(value, "By its name, but not all are small whole numbers"),
                // What stands beside the number of workers is no second choice; and what is text is no number.
                Meaning::Doubtful(_) if !candidates.is_empty() || !is_number(kind) => continue,
                Meaning::Doubtful(reason) => Candidate::guessed(value, format!("By its name, but {reason}")),
            };
            candidates.push(own.written(written));
        }
        for column in RESOURCES.iter().filter_map(|name| self.header.find(name)) {
            let value = Expression::After(column.name, "gres/gpu=".into());
            if candidates.is_empty() {
                candidates.push(Candidate::sure(value, "The GPUs among the resources of Slurm"));
            }
        }
        if candidates.is_empty() && is_of_jobs {
            candidates.extend(self.powers_of_two().into_iter().map(|column| {
                let reason = "Guessed from the values: small powers of two, and no other column says how many GPUs";
                Candidate::guessed(Expression::column(&column.name), reason)
            }));
        }
        candidates
    }

    /// GPUs of each worker or node, times these; not where another column says the same.
    fn of_each_worker(&self) -> Option<Candidate> {
        let listed = WORKERS.iter().find_map(|(gpus, workers)| self.header.find_all([gpus, workers]));
        let [gpus, workers] = listed.or_else(|| {
            let first =
                |field| self.columns(field).into_iter().map(|own| own.column).find(|column| self.counts(column));
            Some([first(GPUS_PER_NODE)?, first(NODES)?])
        })?;
        let mut named = self.columns("gpus").into_iter().filter(|own| own.meaning == Meaning::Clear);
        if named.any(|own| self.sample.is_product(own.column.index, gpus.index, workers.index)) {
            return None;
        }
        let value = |column: &Column| Expression::column(&column.name);
        // As roles are told apart: by the word GPU, or by their order.
        let (left, right) =
            if gpus.name.to_ascii_lowercase().contains("gpu") { (gpus, workers) } else { (workers, gpus) };
        let product = Expression::binary(Operator::Multiply, value(&left), value(&right));
        Some(Candidate::sure(product, "GPUs of each worker, times the workers"))
    }

    /// Whether a column holds numbers.
    fn counts(&self, column: &Column) -> bool {
        is_number(self.written(column).1)
    }
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Whole(_) | Kind::Numbers(_))
}
