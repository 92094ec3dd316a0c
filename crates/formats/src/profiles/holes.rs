//! Findings about what a profile was not measured on, with the values used instead.

use std::collections::BTreeMap;

use elastiplan_model::{Diagnostic, Profile, ProfileStep, Severity};
use elastiplan_text::format::count;

use crate::parts::about_file;

/// The largest number of placements that a finding counts.
const COUNTED: u64 = 1_000_000;
const MEANS: &str =
    "Means over placements with as many nodes and GPUs stand in, or the straight line between those next";

/// Findings about placements that are missing among those on as many nodes, or that were measured with fewer samples
/// than others.
pub(crate) fn find<'s>(
    path: &str,
    steps: impl Iterator<Item = &'s ProfileStep>,
    profile: &Profile,
    batch_max: Option<u32>,
) -> Vec<Diagnostic> {
    let mut largest: BTreeMap<&[u32], f64> = BTreeMap::new();
    for step in steps {
        if let Some(shape) = &step.shape {
            let known = largest.entry(shape).or_default();
            *known = known.max(step.times.batch_per_gpu);
        }
    }
    let missing = missing_placements(path, &largest, profile.gpus_per_node());
    missing.into_iter().chain(short_placements(path, &largest, profile.batch_per_gpu().1, batch_max)).collect()
}

/// A finding where a single number of samples on each GPU was measured, from which no other follows.
pub(crate) fn single_batch(path: &str, profile: &Profile) -> Option<Diagnostic> {
    let (least, most) = profile.batch_per_gpu();
    if least < most {
        return None;
    }
    let rule = "Two numbers of samples on a GPU or more say how a step grows";
    let outcome = format!("Only {most} on each GPU are trained with");
    Some(about_file(path, Severity::Info, rule, &outcome, "Measure other numbers of samples too"))
}

fn missing_placements(path: &str, known: &BTreeMap<&[u32], f64>, gpus_per_node: u32) -> Option<Diagnostic> {
    let nodes = known.keys().map(|shape| shape.len()).max()?;
    let all = (1..=nodes).fold(0, |sum: u128, nodes| sum.saturating_add(rings(nodes as u32, gpus_per_node)));
    let missing = all.saturating_sub(known.len() as u128);
    if missing == 0 {
        return None;
    }
    let nodes_in_words = if nodes == 1 { "1 node".into() } else { format!("{nodes} nodes") };
    let rule = format!("All placements on up to {nodes_in_words} of {gpus_per_node} GPUs");
    let finding = about_file(path, Severity::Warning, &rule, MEANS, "Measure the missing ones, if they are used");
    let counted = u64::try_from(all).ok().filter(|all| *all <= COUNTED).zip(u64::try_from(missing).ok());
    let number = match counted {
        Some((all, missing)) => format!("{} of {} missing", count(missing), count(all)),
        None => "most of them missing".into(),
    };
    let example = first_missing(known, nodes, gpus_per_node).map(|shape| format!(", such as {}", written(&shape)));
    let count = counted.map_or(1, |(_, missing)| missing);
    Some(Diagnostic { value: Some(number + &example.unwrap_or_default()), count, ..finding })
}

/// How many rings of so many nodes there are with 1 to `gpus` GPUs on each (Burnside: one for each way to turn them).
fn rings(nodes: u32, gpus: u32) -> u128 {
    let common = |mut a: u32, mut b: u32| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let turned = (0..nodes).map(|by| u128::from(gpus).saturating_pow(common(by, nodes)));
    turned.fold(0, u128::saturating_add) / u128::from(nodes.max(1))
}

/// The first placement in order of nodes and digits that is not known.
fn first_missing(known: &BTreeMap<&[u32], f64>, nodes: usize, gpus_per_node: u32) -> Option<Vec<u32>> {
    /// So many are looked at: the first missing one comes early.
    const LOOKED_AT: usize = 20_000;
    let mut shape = vec![1];
    for _ in 0..LOOKED_AT {
        if !known.contains_key(shape.as_slice()) && Profile::first_rotation(&shape) == shape {
            return Some(shape);
        }
        match shape.iter().rposition(|&gpus| gpus < gpus_per_node) {
            Some(at) => {
                for (index, gpus) in shape.iter_mut().enumerate().skip(at) {
                    *gpus = if index == at { *gpus + 1 } else { 1 };
                }
            }
            None if shape.len() < nodes => shape = vec![1; shape.len() + 1],
            None => return None,
        }
    }
    None
}

/// Placements with room for more samples, by the largest batch, that others were measured with.
fn short_placements(
    path: &str,
    known: &BTreeMap<&[u32], f64>,
    most: u32,
    batch_max: Option<u32>,
) -> Option<Diagnostic> {
    let batch_max = f64::from(batch_max.unwrap_or(u32::MAX));
    let has_room = |shape: &[u32], samples: f64| samples * f64::from(shape.iter().sum::<u32>()) < batch_max;
    let mut short =
        known.iter().filter(|(shape, samples)| **samples < f64::from(most) && has_room(shape, **samples)).peekable();
    let (shape, samples) = *short.peek()?;
    let value = format!("placement {} with at most {samples}", written(shape));
    let rule = format!("Step times with up to {most} samples on a GPU, as other placements have");
    let finding = about_file(path, Severity::Info, &rule, MEANS, "Measure them, if they are used");
    Some(Diagnostic { value: Some(value), count: short.count() as u64, ..finding })
}

fn written(shape: &[u32]) -> String {
    shape.iter().map(u32::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_counted_as_they_are_listed() {
        for (nodes, gpus) in [(1, 4), (2, 4), (3, 4), (4, 4), (6, 2), (5, 3)] {
            let mut listed = std::collections::BTreeSet::new();
            for number in 0..u32::pow(gpus, nodes) {
                let digit = |place: u32| number / u32::pow(gpus, place) % gpus + 1;
                listed.insert(Profile::first_rotation(&(0..nodes).map(digit).collect::<Vec<_>>()));
            }
            assert_eq!(rings(nodes, gpus), listed.len() as u128, "{nodes} {gpus}");
        }
        assert_eq!(rings(64, 9), u128::MAX / 64);
    }
}
