//! Values of a goal's metric as text, rounded so that no text is on the other side of the goal than its value.

use elastiplan_text::format;

use super::Goal;
use crate::quantity::Quantity;

/// A value of the goal's metric: `94.9%`, `5h 54m`, `$387k`. It never seems to meet a goal that it misses, or to miss
/// one that it meets: against 95%, 94.97% is `94.9%`. A share is written as all or nothing only if it is.
pub fn value_text(goal: &Goal, value: f64) -> String {
    Quantity::of_goal(*goal).value(value)
}

/// A duration without a second unit that is 0: `14d`, `6h`, `1h 30m`.
pub fn short_duration(seconds: f64) -> String {
    let text = format::duration(seconds);
    let zeros = [" 00h", " 00m", " 00s"];
    zeros.iter().find_map(|zero| text.strip_suffix(zero)).unwrap_or(&text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(goal: &str, value: f64, expected: &str) {
        assert_eq!(value_text(&goal.parse().unwrap(), value), expected, "{value} for {goal}");
    }

    #[test]
    fn rounding_never_crosses_the_goal() {
        check("deadlines ≥ 95%", 0.9497, "94.9%");
        check("deadlines ≥ 95%", 0.95, "95.0%");
        check("deadlines ≥ 95%", 0.9494, "94.9%");
        check("deadlines ≥ 99.95%", 0.9996, "99.96%");
        check("deadlines ≥ 99.95%", 0.9994, "99.9%");
        check("mean completion ≤ 2h", 7200.0, "2h 00m");
        check("mean completion ≤ 2h", 7201.0, "2h 00m 01s");
        check("mean completion ≤ 2h", 7200.25, "2h 00m 00.3s");
        check("p95 waiting ≤ 7199s", 7199.0, "1h 59m 59s");
        check("cost ≤ $387k", 387_200.0, "$387,200");
        check("cost ≤ $387k", 387_000.4, "$387,000.40");
        check("cost ≤ $387k", 386_900.0, "$387k");
    }

    #[test]
    fn shares_are_all_or_nothing_only_if_they_are() {
        check("deadlines", 1.0, "100%");
        check("deadlines", 0.9999, "99.9%");
        check("deadlines", 0.0, "0%");
        check("deadlines", 0.0001, "0.1%");
        check("deadlines", 0.577, "57.7%");
    }

    #[test]
    fn values_have_as_many_digits_as_mean_something() {
        check("cost", 371_234.5, "$371k");
        check("cost", 2423.4, "$2,423");
        check("cost", 12.3456, "$12.35");
        check("cost", 0.0, "$0");
        check("mean completion", 21_240.0, "5h 54m");
        check("mean completion", f64::INFINITY, "—");
    }
}
