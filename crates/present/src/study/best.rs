//! The best policy along an axis, in words.

use elastiplan_metrics::Unit;
use elastiplan_study::{Axis, Best, Results, Study};
use elastiplan_text::words;

/// `Best deadlines met, to a point: elasticflow with 2 to 4 nodes; elasticflow or edf with 5 to 12 nodes.` Of studies with
/// one axis and several policies, where something is known.
pub fn best_words(study: &Study, results: &Results) -> Option<String> {
    let [axis] = study.axes.as_slice() else { return None };
    let best: Vec<Option<Best>> = (0..axis.values.len()).map(|point| study.best(results, point as u32)).collect();
    let metric = best.iter().flatten().next()?.metric;
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for (place, best) in best.iter().enumerate() {
        let Some(Best { left, .. }) = best else { continue };
        match stretches.last_mut() {
            Some(last) if last.left == left.as_slice() && last.to + 1 == place => last.to = place,
            _ => stretches.push(Stretch { left, from: place, to: place }),
        }
    }
    let parts: Vec<String> = stretches.iter().map(|stretch| stretch.words(study, axis)).collect();
    let within = if metric.unit == Unit::Ratio { "a point" } else { "2%" };
    Some(format!("Best {}, to {within}: {}.", metric.label.to_lowercase(), parts.join("; ")))
}

/// At how many points what is asked for is not compared, and why, in a sentence; `None` where all is.
pub fn not_compared_words(study: &Study, results: &Results) -> Option<String> {
    let points = Some(study.points_not_compared(results)).filter(|points| *points > 0)?;
    let baseline = study.policies.first().map(ToString::to_string).unwrap_or_default();
    Some(format!(
        "Times are over completed jobs: at {points} of {} points policies completed other jobs than {baseline}, and are not \
         compared there",
        study.grid.points(),
    ))
}

/// Neighbouring places with the same policies left.
struct Stretch<'a> {
    left: &'a [u32],
    from: usize,
    to: usize,
}

impl Stretch<'_> {
    fn words(&self, study: &Study, axis: &Axis) -> String {
        let names: Vec<String> =
            self.left.iter().filter_map(|&at| study.policies.get(at as usize)).map(ToString::to_string).collect();
        let value = |place: usize| axis.values.get(place).map_or("", |value| value.text.as_str());
        let values = match self.from == self.to {
            true => value(self.from).into(),
            false => format!("{} to {}", value(self.from), value(self.to)),
        };
        let names = words::list(&names.iter().map(String::as_str).collect::<Vec<_>>()).replace(" and ", " or ");
        format!("{names} with {}", axis.at(&values))
    }
}
