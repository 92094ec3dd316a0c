//! Durations and numbers of GPUs in the explanations of policies.

pub(crate) use elastiplan_model::gpus_in_words as gpus;

/// A duration in one unit, as exact as a person needs: `40 s`, `12 min`, `3.5 h`, `2.1 days`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds.abs() {
        size if size < 90.0 => format!("{:.0} s", seconds.ceil()),
        size if size < 5_400.0 => format!("{:.0} min", (seconds / 60.0).ceil()),
        size if size < 172_800.0 => format!("{:.1} h", tenths_up(seconds / 3_600.0)),
        size if size.is_finite() => format!("{:.1} days", tenths_up(seconds / 86_400.0)),
        _ => "for ever".into(),
    }
}

/// Rounds up: a deadline that is later by the duration written must be late enough.
fn tenths_up(value: f64) -> f64 {
    (value * 10.0).ceil() / 10.0
}
