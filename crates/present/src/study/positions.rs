//! Where the values of an axis lie in a figure.

use super::AxisView;
use super::names::{short, with_unit};
use crate::figure::axis::{Axis, Scale, Tick};

/// Values of which the largest step is more than so many times the smallest do not stand in equal steps.
const EVEN: f64 = 1.5;
/// Steps of which the largest factor is less than so many times the smallest are doublings, or the like.
const ALIKE: f64 = 1.35;

/// The number of a value in a figure: itself, or its place where values are no numbers.
pub fn position(axis: &AxisView, place: usize) -> f64 {
    let numbers = is_of_numbers(axis);
    axis.values.get(place).and_then(|value| value.number).filter(|_| numbers).unwrap_or(place as f64)
}

/// The values of an axis from left to right, true to scale: on a logarithmic axis where each is so many times the one
/// before. Only values are labelled, the last with its unit.
pub fn across(axis: &AxisView) -> Axis {
    let count = axis.values.len();
    let positions: Vec<f64> = (0..count).map(|place| position(axis, place)).collect();
    let scale = if is_of_numbers(axis) && is_logarithmic(&positions) { Scale::LogNumber } else { Scale::Number };
    let (from, to) = match (positions.first(), positions.last()) {
        (Some(from), Some(to)) if to > from => (*from, *to),
        // One value has room on both sides.
        (Some(only), _) => (only - 0.5, only + 0.5),
        _ => (0.0, 1.0),
    };
    let last = count.saturating_sub(1);
    let tick = |(place, value): (usize, &f64)| {
        let label = if place == last { with_unit(axis, place) } else { short(axis, place) };
        Tick { value: *value, label }
    };
    let named = positions.iter().enumerate().map(tick).collect();
    Axis { scale, from, to, named, caption: String::new() }
}

/// The values of an axis as the columns or rows of a map, one unit each.
pub fn cells(axis: &AxisView) -> Axis {
    let tick = |place: usize| Tick { value: place as f64 + 0.5, label: short(axis, place) };
    let count = axis.values.len();
    let named = (0..count).map(tick).collect();
    Axis { scale: Scale::Number, to: count.max(1) as f64, named, ..Axis::default() }
}

/// Whether all values are numbers, which rise.
pub fn is_of_numbers(axis: &AxisView) -> bool {
    axis.values.iter().all(|value| value.number.is_some_and(f64::is_finite))
        && axis.values.windows(2).all(|pair| matches!(pair, [a, b] if a.number < b.number))
}

fn is_logarithmic(values: &[f64]) -> bool {
    if values.len() < 3 || values.iter().any(|value| *value <= 0.0) {
        return false;
    }
    let spread = |steps: Vec<f64>| {
        let (least, most) = steps.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), step| (a.min(*step), b.max(*step)));
        most / least
    };
    let pairs = || values.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    spread(pairs().map(|(a, b)| b - a).collect()) > EVEN && spread(pairs().map(|(a, b)| b / a).collect()) < ALIKE
}

#[cfg(test)]
mod tests {
    use super::super::AxisPlace;
    use super::*;

    fn axis(key: &str, values: &[&str]) -> AxisView {
        let value = |text: &&str| AxisPlace {
            text: text.to_string(),
            shown: text.to_string(),
            number: elastiplan_text::number(text),
        };
        AxisView {
            key: key.into(),
            label: "x".into(),
            values: values.iter().map(value).collect(),
            ignored_by: Vec::new(),
        }
    }

    #[test]
    fn values_lie_true_to_scale() {
        let check = |values: &[&str], scale: Scale, shares: &[f64]| {
            let axis = axis("cluster.nodes", values);
            let figure = across(&axis);
            let found: Vec<f64> = (0..values.len()).map(|place| figure.share(position(&axis, place))).collect();
            let near = found.iter().zip(shares).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(figure.scale == scale && near && found.len() == shares.len(), "{values:?}: {found:?}");
        };
        check(&["40", "42", "44"], Scale::Number, &[0.0, 0.5, 1.0]);
        check(&["1", "2", "5"], Scale::LogNumber, &[0.0, libm::log(2.0) / libm::log(5.0), 1.0]);
        check(&["8", "16", "32"], Scale::LogNumber, &[0.0, 0.5, 1.0]);
        check(&["1", "2", "3", "9"], Scale::Number, &[0.0, 0.125, 0.25, 1.0]);
        check(&["-1", "0", "3"], Scale::Number, &[0.0, 0.25, 1.0]);
        check(&["topology", "packed", "7"], Scale::Number, &[0.0, 0.5, 1.0]);
        check(&["5"], Scale::Number, &[0.5]);
    }

    #[test]
    fn only_values_are_labelled_and_the_last_says_what_they_are() {
        let check = |values: &[&str], width_px: f64, expected: &[&str]| {
            let ticks = across(&axis("cluster.nodes", values)).ticks_across(width_px);
            assert_eq!(ticks.iter().map(|tick| &*tick.label).collect::<Vec<_>>(), expected);
        };
        let nodes: Vec<String> = (20..=40).map(|half| (half * 2).to_string()).collect();
        let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
        check(&nodes, 620.0, &["40", "44", "48", "52", "56", "60", "64", "68", "72", "76", "80 nodes"]);
        check(&nodes, 150.0, &["40", "60", "80 nodes"]);
        check(&["8", "16", "32", "64"], 600.0, &["8", "16", "32", "64 nodes"]);
        check(&["8"], 600.0, &["8 nodes"]);
    }
}
