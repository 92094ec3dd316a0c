//! Durations and numbers of GPUs in the explanations of policies.

pub(crate) use elastiplan_model::gpus_in_words as gpus;
use elastiplan_text::format;

/// A duration as it is written elsewhere, rounded up: a deadline that is later by what is written must be late enough.
pub(crate) fn duration(seconds: f64) -> String {
    let unit_s = match seconds {
        seconds if !seconds.is_finite() => return "for ever".into(),
        seconds if seconds <= 600.0 => 1.0,
        seconds if seconds <= 86_400.0 => 60.0,
        seconds if seconds <= 100.0 * 86_400.0 => 3_600.0,
        _ => 86_400.0,
    };
    format::duration((seconds / unit_s).ceil() * unit_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_elsewhere_and_rounded_up() {
        let check = |seconds: f64, expected: &str| assert_eq!(duration(seconds), expected, "{seconds}");
        check(0.0, "0s");
        check(0.2, "1s");
        check(599.5, "10m");
        check(600.5, "11m");
        check(17_240.0, "4h 48m");
        check(2_941.0, "50m");
        check(86_341.0, "1d 00h");
        check(86_401.0, "1d 01h");
        check(9e6, "105d");
        check(f64::INFINITY, "for ever");
    }
}
