//! Values of a goal's metric as text, rounded so that no text is on the other side of the goal than its value.

use elastiplan_text::format;

use super::{Goal, GoalKind};

/// A value of the goal's metric: `94.9%`, `5h 54m`, `$387k`. It never seems to meet a goal that it misses, or to miss
/// one that it meets: against 95%, 94.97% is `94.9%`. A share is written as all or nothing only if it is.
pub fn value_text(goal: &Goal, value: f64) -> String {
    if !value.is_finite() {
        return format::DASH.into();
    }
    let candidates = match goal.kind {
        GoalKind::Deadlines => shares(value),
        GoalKind::MeanCompletion | GoalKind::P95Waiting => durations(value),
        GoalKind::Cost => dollars(value),
    };
    let is_honest = |shown: f64| goal.is_met_by(shown) == goal.is_met_by(value);
    let honest = candidates.iter().find(|(_, shown)| is_honest(*shown)).or(candidates.last());
    honest.map_or_else(|| format::DASH.into(), |(text, _)| text.clone())
}

/// A duration without a second unit that is 0: `14d`, `6h`, `1h 30m`.
pub(crate) fn short_duration(seconds: f64) -> String {
    let text = format::duration(seconds);
    let zeros = [" 00h", " 00m", " 00s"];
    zeros.iter().find_map(|zero| text.strip_suffix(zero)).unwrap_or(&text).into()
}

/// Texts with the value that each shows, the shortest first.
type Candidates = Vec<(String, f64)>;

/// One digit after the point, or as many as are needed.
fn shares(value: f64) -> Candidates {
    let percent = value * 100.0;
    let mut candidates = Candidates::new();
    for decimals in 1..=9 {
        let unit = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9].get(decimals - 1).copied().unwrap_or(1e1);
        for rounded in [(percent * unit).round(), (percent * unit).floor(), (percent * unit).ceil()] {
            let shown = rounded / unit;
            let is_extreme = |of: f64| of == 0.0 || of == 100.0;
            if !is_extreme(shown) {
                candidates.push((format!("{shown:.decimals$}%"), shown / 100.0));
            } else if is_extreme(percent) {
                candidates.push((format!("{shown}%"), shown / 100.0));
            }
        }
    }
    candidates
}

/// Two units, or as many as are needed.
fn durations(value: f64) -> Candidates {
    let texts = [format::duration(value), format::moment(value, 1.0), format::moment(value, 1e-3)];
    texts.into_iter().map(|text| (seconds(&text), text)).map(|(shown, text)| (text, shown)).collect()
}

/// The seconds of a duration as it is written: `2h 05m 10s 250ms`.
fn seconds(text: &str) -> f64 {
    let unit_s = |unit: &str| match unit {
        "d" => 86_400.0,
        "h" => 3_600.0,
        "m" => 60.0,
        "ms" => 0.001,
        _ => 1.0,
    };
    let word = |word: &str| {
        let digits = word.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(word.len());
        let (number, unit) = word.split_at(digits);
        number.replace(',', "").parse::<f64>().unwrap_or(f64::NAN) * unit_s(unit)
    };
    text.split(' ').map(word).sum()
}

/// Three digits from ten thousand on, whole dollars from a hundred, cents below; or all of it where that is needed.
fn dollars(value: f64) -> Candidates {
    let with = |text: String, shown: f64| (format!("${text}"), shown);
    let whole = with(format::count(value.max(0.0).round() as u64), value.round());
    let cents = with(format!("{value:.2}"), (value * 100.0).round() / 100.0);
    let exact = with(format!("{value}"), value);
    match value {
        // Written in thousands or millions with three digits.
        value if value >= 9_999.5 => {
            let digits = libm::pow(10.0, libm::floor(libm::log10(value)) - 2.0);
            let short = with(format::short(value), (value / digits).round() * digits);
            vec![short, whole, cents, exact]
        }
        value if value >= 99.995 => vec![whole, cents, exact],
        0.0 => vec![with("0".into(), 0.0)],
        _ => vec![cents, exact],
    }
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
        check("mean completion ≤ 2h", 7200.25, "2h 00m 00s 250ms");
        check("p95 waiting ≤ 7199s", 7199.0, "1h 59m 59s");
        check("cost ≤ $387k", 387_200.0, "$387,200");
        check("cost ≤ $387k", 387_000.4, "$387000.40");
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
