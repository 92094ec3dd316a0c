//! Values of metrics in studies: on which scale they are drawn, and how they are written beside a goal.

use elastiplan_metrics::{Better, MetricInfo, Metrics, Unit};
use elastiplan_text::format;

use super::{Against, GoalView, PointEstimate, StudyView};
use crate::figure::axis::Scale;
use crate::goal::short_duration;
use crate::quantity::Quantity;
use crate::run_table::words::change;

/// A metric of a study with its goal.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    /// Its entry in the catalogue.
    pub info: &'static MetricInfo,
    /// The goal about it.
    pub goal: Option<&'a GoalView>,
}

/// How a difference is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Better than the baseline, with confidence.
    Better,
    /// Worse, with confidence.
    Worse,
    /// Neither.
    Unclear,
}

impl<'a> Measure<'a> {
    /// The metric of a key; `None` for a key that the catalogue does not have.
    pub fn of(view: &'a StudyView, key: &str) -> Option<Self> {
        let info = Metrics::info(key)?;
        Some(Self { info, goal: view.goals.iter().find(|goal| goal.metric == info.key) })
    }

    /// Its name with its unit: `Deadlines met, %`.
    pub fn title(&self) -> String {
        match self.unit() {
            "" => self.info.label.into(),
            unit => format!("{}, {unit}", self.info.label),
        }
    }

    /// The unit of its values in a chart, where they do not have it themselves.
    pub fn unit(&self) -> &'static str {
        match self.info.unit {
            Unit::Ratio => "%",
            Unit::GpuHours | Unit::GpuSeconds => "GPU-h",
            Unit::NodeHours => "node-h",
            Unit::Samples => "samples",
            Unit::SamplesPerSecond => "samples/s",
            _ => "",
        }
    }

    /// The scale on which it is drawn.
    pub fn scale(&self) -> Scale {
        match self.info.unit {
            Unit::Ratio => Scale::Percent,
            Unit::Seconds => Scale::Time,
            Unit::Dollars => Scale::Dollars,
            _ => Scale::Number,
        }
    }

    /// A value on that scale.
    pub fn drawn(&self, value: f64) -> f64 {
        match self.info.unit {
            Unit::Ratio => value * 100.0,
            Unit::GpuSeconds => value / 3_600.0,
            _ => value,
        }
    }

    /// A value as it is written, never on the other side of the goal than it is: against 95%, 94.97% is `94.9%`.
    pub fn text(&self, value: f64) -> String {
        let quantity = Quantity::of(self.info.unit);
        match self.goal {
            Some(goal) => quantity.beside_limit(value, |shown| goal.is_met_by(shown)),
            None => quantity.value(value),
        }
    }

    /// The same in a cell of a map: without its unit, and a share far from the goal without digits after the point.
    pub fn cell_text(&self, value: f64) -> String {
        if self.info.unit == Unit::Ratio {
            let percent = value * 100.0;
            let is_near = self.goal.is_some_and(|goal| (percent - goal.limit * 100.0).abs() < 7.5);
            if percent == 100.0 || percent == 0.0 || (!is_near && (0.5..99.0).contains(&percent)) {
                return format!("{percent:.0}");
            }
        }
        let short = one_unit(value).filter(|_| self.info.unit == Unit::Seconds);
        let is_honest = |shown: f64| self.goal.is_none_or(|goal| goal.is_met_by(shown) == goal.is_met_by(value));
        match short.filter(|(_, shown)| is_honest(*shown)) {
            Some((text, _)) => text,
            None => self.text(value).trim_end_matches('%').into(),
        }
    }

    /// How far the interval reaches from the mean at most: `± 4.5`, in percentage points for shares.
    pub fn half(&self, estimate: &PointEstimate) -> Option<String> {
        let (low, high) = self.info.within_range(estimate.interval?);
        let half = (high - estimate.mean).max(estimate.mean - low);
        let text = match self.info.unit {
            Unit::Ratio if half * 100.0 >= 10.0 => format!("{:.0}", half * 100.0),
            Unit::Ratio => format!("{:.1}", half * 100.0),
            unit => Quantity::of(unit).value(half),
        };
        half.is_finite().then(|| format!("± {text}"))
    }

    /// A difference from the baseline with how far its interval reaches, and how to judge it: `+28.3pt ± 3.7`.
    pub fn paired(&self, against: &Against) -> (String, Option<String>, Judged) {
        let half = (against.high - against.mean).max(against.mean - against.low);
        let half_text = match (against.is_ratio, self.info.unit) {
            (true, _) | (false, Unit::Ratio) => format!("{:.1}", half * 100.0),
            (false, unit) => Quantity::of(unit).value(half),
        };
        let half_text = (half.is_finite() && half > 0.0).then(|| format!("± {half_text}"));
        (self.difference_text(against.mean, against.is_ratio), half_text, self.judged(against))
    }

    /// A difference from the baseline, or a ratio to it, as a change: `+28.3pt`, `−12%`, `+3`.
    pub fn difference_text(&self, difference: f64, is_ratio: bool) -> String {
        match (is_ratio, self.info.unit) {
            // A ratio of 0.9 is 10% less.
            (true, _) => change(difference, 1.0).unwrap_or("0%".into()),
            (false, Unit::Ratio) => points(difference),
            (false, unit) => format!("{}{}", sign(difference), Quantity::of(unit).value(difference.abs())),
        }
    }

    /// Whether a difference is for the better or for the worse, with confidence.
    pub fn judged(&self, against: &Against) -> Judged {
        let none = if against.is_ratio { 1.0 } else { 0.0 };
        match (self.info.better, against.low > none, against.high < none) {
            (Better::Higher, true, _) | (Better::Lower, _, true) => Judged::Better,
            (Better::Higher, _, true) | (Better::Lower, true, _) => Judged::Worse,
            _ => Judged::Unclear,
        }
    }
}

impl GoalView {
    /// Whether a value keeps the limit.
    pub fn is_met_by(&self, value: f64) -> bool {
        if self.is_least { value >= self.limit } else { value <= self.limit }
    }

    /// Its limit as it is written, exactly: `95%`, `2h 30m`, `$400`.
    pub fn limit_text(&self) -> String {
        let unit = Metrics::info(&self.metric).map(|info| info.unit);
        match unit {
            // A share such as 0.07 has more digits as a percentage than it was written with.
            Some(Unit::Ratio) => format!("{}%", (self.limit * 1e10).round() / 1e8),
            Some(Unit::Seconds) => short_duration(self.limit),
            Some(Unit::Dollars) => format!("${}", format::number(self.limit)),
            Some(unit) => Quantity::of(unit).with_unit(self.limit),
            None => format::number(self.limit),
        }
    }
}

/// A duration in one unit, with the seconds that are shown: `22m`, `2.1h`, `3.6d`.
fn one_unit(seconds: f64) -> Option<(String, f64)> {
    let (unit_s, unit, decimals) = match seconds {
        size if !(0.0..1e12).contains(&size) => return None,
        size if size < 99.5 => (1.0, "s", 0),
        size if size < 99.5 * 60.0 => (60.0, "m", 0),
        size if size < 9.95 * 3_600.0 => (3_600.0, "h", 1),
        size if size < 47.5 * 3_600.0 => (3_600.0, "h", 0),
        size if size < 9.95 * 86_400.0 => (86_400.0, "d", 1),
        _ => (86_400.0, "d", 0),
    };
    let text = format!("{:.decimals$}", seconds / unit_s);
    // What takes some time is not written as none.
    let shown = elastiplan_text::number(&text).filter(|shown| *shown > 0.0 || seconds == 0.0)?;
    Some((text + unit, shown * unit_s))
}

/// A difference of shares: `+28.3pt`, `−0.8pt`.
fn points(difference: f64) -> String {
    let points = difference * 100.0;
    match points.abs() {
        size if size < 0.05 => "0pt".into(),
        size => format!("{}{size:.1}pt", sign(points)),
    }
}

fn sign(value: f64) -> char {
    if value < 0.0 { '−' } else { '+' }
}
