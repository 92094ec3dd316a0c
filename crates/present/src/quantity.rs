//! Values of metrics as text, by unit: with as many digits as mean something, and with as many more as tell runs apart.
//!
//! This is the one place for the page and the command line. A text is chosen by its *fineness*: 0 is how a value is
//! usually written, and every step above adds digits.

use elastiplan_metrics::{Better, MetricInfo, Unit};
use elastiplan_text::format;

use crate::goal::{Goal, GoalKind};
use crate::run_table::words::change;

/// The finest way in which a value is written.
const FINEST: usize = 4;
/// Shares that are less than this apart look alike: half of a tenth of a point.
const SEEN_SHARE: f64 = 0.0005;

/// How values of one metric are written.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// The unit.
    pub unit: Unit,
    /// The goal that rounding must not cross, for metrics that a goal can be about.
    pub goal: Option<Goal>,
}

/// A text, and the value that it shows.
type Shown = (String, f64);

impl Quantity {
    /// A quantity that no goal is about.
    pub const fn of(unit: Unit) -> Self {
        Self { unit, goal: None }
    }

    /// The quantity that a goal is about. Rounding never crosses the goal: against 95%, 94.97% is `94.9%`.
    pub const fn of_goal(goal: Goal) -> Self {
        let unit = match goal.kind {
            GoalKind::Deadlines => Unit::Ratio,
            GoalKind::MeanCompletion | GoalKind::P95Waiting => Unit::Seconds,
            GoalKind::Cost => Unit::Dollars,
        };
        Self { unit, goal: Some(goal) }
    }

    /// The quantity of a metric, with the goal that rounding must not cross where one is about it.
    pub fn of_metric(info: &MetricInfo, goal: Option<&Goal>) -> Self {
        // What is achievable stands beside what was met.
        let key = if info.key == "deadline_ratio_bound" { GoalKind::Deadlines.key() } else { info.key };
        let kind = GoalKind::ALL.into_iter().find(|kind| kind.key() == key);
        let chosen = goal.filter(|goal| Some(goal.kind) == kind).copied();
        Self { unit: info.unit, goal: chosen.or(kind.map(Goal::best)) }
    }

    /// A value by itself, without its unit where the name of the metric carries it.
    pub fn value(&self, value: f64) -> String {
        self.honest(value).next().map_or_else(|| format::DASH.into(), |(text, _)| text)
    }

    /// A value by itself that is written on the same side of a limit as it lies: `is_met` says whether a value keeps it.
    pub fn beside_limit(&self, value: f64, is_met: impl Fn(f64) -> bool) -> String {
        let written = |fineness: usize| match self.unit {
            Unit::Ratio => shares(value, fineness),
            Unit::Seconds => vec![duration(value, fineness)],
            Unit::Dollars => vec![dollars(value, fineness)],
            _ => {
                let usual = self.written(value, 0).into_iter().next().map(|(text, _)| (text, value));
                let rounded =
                    usual.iter().filter(|_| fineness == 0).map(|(text, _)| (text.clone(), plain(text, value)));
                rounded.chain([decimals_shown(value, fineness + 1)]).collect()
            }
        };
        let levels = (0..=FINEST).filter(|_| value.is_finite());
        let mut texts = levels.flat_map(|fineness| written(fineness).into_iter().map(move |shown| (fineness, shown)));
        let honest = texts.find(|(fineness, (_, shown))| *fineness == FINEST || is_met(*shown) == is_met(value));
        honest.map_or_else(|| format::DASH.into(), |(_, (text, _))| text)
    }

    /// A value with its unit: `4 GPU-h`, `1.2k samples`.
    pub fn with_unit(&self, value: f64) -> String {
        match self.unit {
            Unit::GpuHours => format::gpu_hours(value * 3_600.0),
            Unit::GpuSeconds => format::gpu_hours(value),
            Unit::NodeHours => self.value(value) + " node-h",
            Unit::Samples => self.value(value) + " samples",
            Unit::SamplesPerSecond => format::samples_per_s(value),
            _ => self.value(value),
        }
    }

    /// Values that stand beside each other. Two whose difference can be seen never read alike: `28m 00s` beside
    /// `28m 15s`. A missing value is a dash.
    pub fn told_apart(&self, values: &[Option<f64>]) -> Vec<String> {
        let levels: Vec<Vec<String>> = values.iter().map(|value| self.levels(*value)).collect();
        let text = |at: usize, level: usize| levels.get(at).and_then(|texts| texts.get(level).or(texts.last()));
        let is_clear = |at: usize, value: f64, level: usize| {
            let others = values.iter().enumerate().filter_map(|(other, value)| Some((other, (*value)?)));
            let mut unlike = others.filter(|(_, other)| self.differ(value, *other));
            unlike.all(|(other, _)| text(other, level) != text(at, level))
        };
        let one = |(at, value): (usize, &Option<f64>)| {
            let level = value.and_then(|value| (0..=FINEST).find(|level| is_clear(at, value, *level)));
            // Finer digits that tell nothing apart are noise.
            text(at, level.unwrap_or(0)).cloned().unwrap_or_else(|| format::DASH.into())
        };
        values.iter().enumerate().map(one).collect()
    }

    /// Whether the difference of two values can be seen: a tenth of a point of shares, a tenth of a percent of all else.
    pub fn differ(&self, one: f64, other: f64) -> bool {
        match self.unit {
            Unit::Ratio => (one - other).abs() >= SEEN_SHARE,
            Unit::Count => one != other,
            _ => change(one.max(other), one.min(other)).is_some() || (one != other && one.min(other) <= 0.0),
        }
    }

    /// The best of some values, and all that look as good.
    pub fn best<T: Copy>(&self, values: &[(T, f64)], better: Better) -> Vec<T> {
        let best = match better {
            Better::Lower => values.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
            Better::Higher => values.iter().max_by(|a, b| a.1.total_cmp(&b.1)),
            Better::Neither => None,
        };
        let Some((_, best)) = best else { return Vec::new() };
        values.iter().filter(|(_, value)| !self.differ(*value, *best)).map(|(of, _)| *of).collect()
    }

    /// The texts of a value, the usual one first.
    fn levels(&self, value: Option<f64>) -> Vec<String> {
        value.map(|value| self.honest(value).map(|(text, _)| text).collect()).unwrap_or_default()
    }

    /// The texts on the same side of the goal as the value, the usual one first; the finest of all where none is.
    fn honest(&self, value: f64) -> impl Iterator<Item = Shown> + '_ {
        let is_honest =
            move |shown: f64| self.goal.as_ref().is_none_or(|goal| goal.is_met_by(shown) == goal.is_met_by(value));
        (0..=FINEST).filter(move |_| value.is_finite()).filter_map(move |fineness| {
            let mut texts = self.written(value, fineness).into_iter();
            texts.find(|(_, shown)| fineness == FINEST || is_honest(*shown))
        })
    }

    /// Ways to write a value with so many more digits than usual, the nearest first.
    fn written(&self, value: f64, fineness: usize) -> Vec<Shown> {
        match self.unit {
            Unit::Seconds => vec![duration(value, fineness)],
            Unit::Ratio if self.goal.is_some() => shares(value, fineness),
            Unit::Ratio => vec![percent(value, fineness)],
            Unit::Dollars => vec![dollars(value, fineness)],
            Unit::Count if value.fract() == 0.0 => vec![(format::count(value.max(0.0) as u64), value)],
            Unit::GpuSeconds => vec![amount(value / 3_600.0, fineness)],
            Unit::GpuHours | Unit::NodeHours | Unit::Nodes => vec![amount(value, fineness)],
            Unit::Samples | Unit::SamplesPerSecond => vec![short(value, fineness)],
            Unit::Factor => vec![decimals(value, 2 + fineness)],
            Unit::Count | Unit::Jobs => vec![number(value, fineness)],
        }
    }
}

/// Two units, and with every step a finer one: `1d 04h`, `1d 04h 05m`, `1d 04h 05m 10s`, `1d 04h 05m 10.2s`.
fn duration(value: f64, fineness: usize) -> Shown {
    let usual = format::duration(value);
    if fineness == 0 || value == 0.0 {
        let shown = seconds(&usual);
        return (usual, shown);
    }
    let last = usual.chars().last().unwrap_or('s');
    let units_s = [86_400.0, 3_600.0, 60.0, 1.0, 0.1, 0.01, 0.001];
    let own = match last {
        'd' => 0,
        'h' => 1,
        'm' => 2,
        _ if value.abs() < 0.95 => 4,
        _ => 3,
    };
    let unit_s = units_s.get(own + fineness).copied().unwrap_or(0.001);
    let text = match unit_s {
        unit_s if unit_s >= 60.0 => format::moment(value, 60.0),
        1.0 => format::moment(value, 1.0),
        _ => fraction(value, unit_s),
    };
    let shown = seconds(&text);
    (text, shown)
}

/// A duration to fractions of a second: `4m 05.3s`.
fn fraction(value: f64, unit_s: f64) -> String {
    let rounded_s = (value / unit_s).round() * unit_s;
    let minutes = (rounded_s / 60.0).floor();
    let rest_s = rounded_s - minutes * 60.0;
    let digits = if unit_s >= 0.1 { 1 } else { 3 };
    match minutes {
        0.0 => format!("{rest_s:.digits$}s"),
        minutes => format!("{} {rest_s:0width$.digits$}s", format::moment(minutes * 60.0, 60.0), width = digits + 3),
    }
}

/// The seconds of a duration as it is written: `2h 05m 10s 250ms`, `4m 05.3s`.
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
        elastiplan_text::number(&number.replace(',', "")).unwrap_or(f64::NAN) * unit_s(unit)
    };
    text.split(' ').map(word).sum()
}

/// A share that a goal is about: one digit after the point, rounded, down and up; all or nothing only if it is.
fn shares(value: f64, fineness: usize) -> Vec<Shown> {
    let (percent, decimals) = (value * 100.0, 1 + fineness);
    let unit = power_of_ten(decimals);
    let is_extreme = |of: f64| of == 0.0 || of == 100.0;
    let text = |rounded: f64| {
        let shown = rounded / unit;
        match (is_extreme(shown), is_extreme(percent)) {
            (false, _) => Some((format!("{shown:.decimals$}%"), shown / 100.0)),
            (true, true) => Some((format!("{shown}%"), shown / 100.0)),
            (true, false) => None,
        }
    };
    [(percent * unit).round(), (percent * unit).floor(), (percent * unit).ceil()].into_iter().filter_map(text).collect()
}

/// A share: none after the point, where that does not say all or nothing of what is not.
fn percent(value: f64, fineness: usize) -> Shown {
    let usual = || (format::percent(value), value);
    let decimals = fineness;
    let shown = (value * 100.0 * power_of_ten(decimals)).round() / power_of_ten(decimals);
    if fineness == 0 || shown == 0.0 || shown == 100.0 {
        return usual();
    }
    let (text, _) = decimals_of(shown, decimals);
    (text + "%", shown / 100.0)
}

/// An amount: whole from a hundred on, with one digit from ten on, with two below; what is less than a hundredth is not
/// written as 0.
fn amount(value: f64, fineness: usize) -> Shown {
    match value {
        value if value > 0.0 && value < 0.005 && fineness == 0 => ("<0.01".into(), value),
        value if value.abs() < 10.0 => decimals(value, 2 + fineness),
        value => number(value, fineness),
    }
}

/// Three digits, whole parts in full; with every step one more after the point.
fn number(value: f64, fineness: usize) -> Shown {
    if fineness == 0 {
        return (format::number(value), value);
    }
    let usual = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    decimals(value, usual + fineness)
}

/// `12.3k`; with a step more the whole number, then digits after the point.
fn short(value: f64, fineness: usize) -> Shown {
    match fineness {
        0 => (format::short(value), value),
        fineness => number(value, fineness - 1),
    }
}

/// Three digits from ten thousand on, whole dollars from a hundred, cents below; or all of it where that is needed.
fn dollars(value: f64, fineness: usize) -> Shown {
    let with = |text: String, shown: f64| (format!("${text}"), shown);
    let (whole, cents) = (value.round(), (value * 100.0).round() / 100.0);
    let usual = match value {
        value if value >= 9_999.5 => 0,
        value if value >= 99.995 => 1,
        _ => 2,
    };
    match usual + fineness {
        _ if value == 0.0 => with("0".into(), 0.0),
        // Written in thousands or millions with three digits.
        0 => {
            let digits = libm::pow(10.0, libm::floor(libm::log10(value)) - 2.0);
            with(format::short(value), (value / digits).round() * digits)
        }
        1 => with(format::count(whole.max(0.0) as u64), whole),
        2 => with(grouped_cents(cents), cents),
        _ => with(format!("{value}"), value),
    }
}

/// `1,234.50`.
fn grouped_cents(dollars: f64) -> String {
    let text = format!("{dollars:.2}");
    match text.split_once('.').and_then(|(whole, cents)| Some((whole.parse().ok()?, cents))) {
        Some((whole, cents)) => format!("{}.{cents}", format::count(whole)),
        None => text,
    }
}

/// Digits after the point, without zeros at the end.
fn decimals(value: f64, decimals: usize) -> Shown {
    let unit = power_of_ten(decimals);
    decimals_of((value * unit).round() / unit, decimals)
}

/// The number that a plain text shows; the value itself where the text is in thousands or has a unit.
fn plain(text: &str, value: f64) -> f64 {
    text.replace(',', "").replace('−', "-").parse().unwrap_or(value)
}

/// The same as [`decimals`], with the number that is shown.
fn decimals_shown(value: f64, decimals: usize) -> Shown {
    let unit = power_of_ten(decimals);
    let shown = (value * unit).round() / unit;
    (decimals_of(shown, decimals).0, shown)
}

fn decimals_of(value: f64, decimals: usize) -> Shown {
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let size = whole.trim_start_matches('-');
    let size = size.parse().map_or_else(|_| size.to_string(), format::count);
    let sign = if text.starts_with('-') && (size != "0" || !fraction.is_empty()) { "−" } else { "" };
    (format!("{sign}{size}{point}{fraction}"), value)
}

fn power_of_ten(exponent: usize) -> f64 {
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].get(exponent).copied().unwrap_or(1e8)
}

#[cfg(test)]
mod tests;
