//! Axes: where a value lies, and which values are labelled.

use elastiplan_scene::{TextSize, TimeScale, TimeWindow, axis};
use elastiplan_text::format;

/// The least distance of two labels across.
const APART_PX: f64 = 62.0;
/// The least distance of two labels up.
const APART_UP_PX: f64 = 30.0;
/// Labels up at most, 0 included.
const LABELS_UP: f64 = 5.0;
/// The least distance of two labels of a logarithmic axis.
const APART_LOG_PX: f64 = 34.0;
/// Between two labels of named values across, and the height of one with its gap.
const NAMED_GAP_PX: f64 = 14.0;
const NAMED_UP_PX: f64 = 17.0;
/// Times that people count in, about as far apart as each other on a logarithmic axis: multiples of units in seconds.
const LOG_TIMES_S: [(f64, &[f64]); 5] = [
    (1.0, &[0.01, 0.1, 1.0, 5.0, 20.0]),
    (60.0, &[1.0, 5.0, 20.0]),
    (3_600.0, &[1.0, 4.0, 12.0]),
    (86_400.0, &[1.0, 3.0, 10.0, 30.0, 100.0]),
    (31_536_000.0, &[1.0, 10.0]),
];

/// Powers of ten on a logarithmic axis of numbers at most.
const POWERS: i32 = 40;

/// The unit and spacing of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Seconds from 0 on, written as durations.
    #[default]
    Time,
    /// Seconds, each step so many times the one before.
    LogTime,
    /// Percent.
    Percent,
    /// Whole numbers.
    Count,
    /// Other numbers.
    Number,
    /// Other numbers, each step so many times the one before.
    LogNumber,
    /// Percent, each step so many times the one before; what is 0 lies at the lower end, which is labelled so.
    LogPercent,
    /// Dollars.
    Dollars,
    /// Places for bars, one at each half: nothing is labelled.
    Places,
    /// Places for bars in groups, lower than those.
    Groups,
}

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences are equally far.
    Linear,
    /// Equal ratios are equally far.
    Log,
}

impl Scale {
    /// How values lie along an axis of this scale.
    pub fn spacing(self) -> Spacing {
        if matches!(self, Scale::LogTime | Scale::LogNumber | Scale::LogPercent) {
            Spacing::Log
        } else {
            Spacing::Linear
        }
    }

    /// Whether it has places for bars instead of values.
    pub fn is_of_bars(self) -> bool {
        matches!(self, Scale::Places | Scale::Groups)
    }

    /// A value on an axis of this scale as the page writes it.
    pub fn words(self, value: f64) -> String {
        match self {
            Scale::Time | Scale::LogTime => format::duration(value),
            Scale::Percent | Scale::LogPercent => format::percent(value / 100.0),
            Scale::Dollars => format!("${}", format::short(value)),
            _ => format::number(value),
        }
    }
}

/// An axis from one value to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its scale.
    pub scale: Scale,
    /// The left or lower end.
    pub from: f64,
    /// The other end.
    pub to: f64,
    /// Written at its end, where the title does not say it.
    pub caption: String,
    /// The only values that may be labelled, in rising order, if there are any; labelled are as many as find room.
    pub named: Vec<Tick>,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Which.
    pub value: f64,
    /// As it is written; empty for a gridline alone.
    pub label: String,
}

impl Axis {
    /// An axis from 0 to a round number that is at least `reach`.
    pub fn from_zero(scale: Scale, reach: f64) -> Self {
        let reach = if reach.is_finite() && reach > 0.0 { reach } else { 1.0 };
        let to = match scale {
            Scale::Time => {
                // Rounded up to a fifth of the step between labels on an axis of usual width.
                let step_s = time_step_s(reach, 320.0, APART_PX) / 5.0;
                (reach / step_s).ceil() * step_s
            }
            Scale::Percent if reach > 75.0 && reach <= 100.0 => 100.0,
            Scale::Percent | Scale::Number | Scale::Count | Scale::Dollars => {
                let step = round_step(scale, reach);
                (reach / step - 1e-9).ceil() * step
            }
            _ => reach,
        };
        Self { scale, to, ..Self::default() }
    }

    /// An axis of times that need not begin at 0.
    pub fn times(from_s: f64, to_s: f64) -> Self {
        let to_s = if to_s > from_s { to_s } else { from_s + 1.0 };
        Self { from: from_s, to: to_s, ..Self::default() }
    }

    /// An axis from 0 to 100 %.
    pub fn percent() -> Self {
        Self { scale: Scale::Percent, to: 100.0, ..Self::default() }
    }

    /// A logarithmic axis with some room about the least and the greatest of these times; what is not above 0 has no
    /// place on it.
    pub fn log_time(times_s: impl Iterator<Item = f64>) -> Option<Self> {
        Self::log(Scale::LogTime, times_s)
    }

    /// The same for a quantity of this scale.
    pub fn log(scale: Scale, values: impl Iterator<Item = f64>) -> Option<Self> {
        let (least, most) = values
            .filter(|value| *value > 0.0 && value.is_finite())
            .fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        let scale = if scale == Scale::Time { Scale::LogTime } else { scale };
        let axis = Self { scale, from: least / 1.3, to: most * 1.3, ..Self::default() };
        (least <= most).then_some(axis)
    }

    /// An axis between round numbers about these values; from 0 where that is near.
    pub fn about(scale: Scale, low: f64, high: f64) -> Self {
        let (low, high) = if low.is_finite() && high >= low { (low, high) } else { (0.0, 1.0) };
        // Equal values have some room too.
        let least_reach = if high.abs() > 0.0 { high.abs() * 0.02 } else { 1.0 };
        let reach = (high - low).max(least_reach);
        let low = if (0.0..0.35 * reach).contains(&low) { 0.0 } else { low };
        let reach = (high - low).max(least_reach);
        let step = match scale {
            Scale::Time => time_step_s(reach, 150.0, APART_UP_PX),
            _ => round_step(scale, reach),
        };
        let (mut from, mut to) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        if scale == Scale::Percent {
            (from, to) = (from.max(0.0), if high <= 100.0 { to.min(100.0) } else { to });
        }
        if to <= from {
            to = from + step;
        }
        Self { scale, from, to, ..Self::default() }
    }

    /// The same with these as the only labels.
    pub fn named(self, named: Vec<Tick>) -> Self {
        Self { named, ..self }
    }

    /// The same with this at its end.
    pub fn captioned(self, caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..self }
    }

    /// The position of a value, 0 to 1 from one end to the other.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::LogTime | Scale::LogNumber | Scale::LogPercent => {
                // What takes no time at all lies at the end of the axis.
                let value = value.max(self.from);
                libm::log(value / self.from) / libm::log(self.to / self.from)
            }
            _ => (value - self.from) / (self.to - self.from),
        }
    }

    /// Which value lies there; at the ends exactly theirs.
    pub fn value(&self, share: f64) -> f64 {
        match self.scale {
            _ if share == 1.0 => self.to,
            Scale::LogTime | Scale::LogNumber | Scale::LogPercent => {
                self.from * libm::exp(share * libm::log(self.to / self.from))
            }
            _ => self.from + share * (self.to - self.from),
        }
    }

    /// The labelled values of an axis across that is so long.
    pub fn ticks_across(&self, length_px: f64) -> Vec<Tick> {
        if !self.named.is_empty() {
            return self.fitting(length_px, |label| TextSize::Caption.width_px(label) + NAMED_GAP_PX);
        }
        self.ticks(length_px, APART_PX, APART_LOG_PX)
    }

    /// The labelled values of an axis up that is so high; some are gridlines only.
    pub fn ticks_up(&self, length_px: f64) -> Vec<Tick> {
        if !self.named.is_empty() {
            return self.fitting(length_px, |_| NAMED_UP_PX);
        }
        if self.scale == Scale::Percent && (self.from, self.to) == (0.0, 100.0) {
            let label = |value: f64| if value % 50.0 == 0.0 { value.to_string() } else { String::new() };
            return [0.0, 25.0, 50.0, 75.0, 100.0].map(|value| Tick { value, label: label(value) }).into();
        }
        self.ticks(length_px, APART_UP_PX, APART_UP_PX)
    }

    fn ticks(&self, length_px: f64, apart_px: f64, apart_log_px: f64) -> Vec<Tick> {
        match self.scale {
            Scale::Time => {
                let step_s = time_step_s(self.to - self.from, length_px, apart_px);
                steps(step_s, self.from, self.to, |time_s| format::axis_label(time_s, step_s))
            }
            Scale::LogTime => {
                let times_s =
                    LOG_TIMES_S.into_iter().flat_map(|(unit_s, counts)| counts.iter().map(move |n| unit_s * n));
                self.log_ticks(times_s, length_px, apart_log_px)
            }
            Scale::LogNumber | Scale::LogPercent => {
                let power = libm::floor(libm::log10(self.from)) as i32;
                let powers = (power..=power + POWERS).map(|power| libm::pow(10.0, f64::from(power)));
                self.log_ticks(powers.flat_map(|ten| [ten, 2.0 * ten, 5.0 * ten]), length_px, apart_log_px)
            }
            Scale::Places | Scale::Groups => Vec::new(),
            Scale::Percent | Scale::Count | Scale::Number | Scale::Dollars => self.round_ticks(length_px / apart_px),
        }
    }

    fn round_ticks(&self, most: f64) -> Vec<Tick> {
        let reach = self.to - self.from;
        let mut step = round_step(self.scale, reach);
        while reach / step > most.max(1.0) {
            step *= 2.0;
        }
        let (sign, unit) = match self.scale {
            Scale::Percent => ("", "%"),
            Scale::Dollars => ("$", ""),
            _ => ("", ""),
        };
        steps(step, self.from, self.to, |value| format!("{sign}{}{unit}", format::short(value)))
    }

    /// Of the named values, those that find room: every one, or every so many, or else from the first on.
    fn fitting(&self, length_px: f64, room_px: impl Fn(&str) -> f64) -> Vec<Tick> {
        let named = &self.named;
        let fits = |a: &Tick, b: &Tick| {
            let apart = (self.share(b.value) - self.share(a.value)).abs() * length_px;
            apart >= (room_px(&a.label) + room_px(&b.label)) / 2.0
        };
        let every = |step: usize| -> Option<Vec<Tick>> {
            let kept: Vec<&Tick> = named.iter().step_by(step).collect();
            let all = kept.windows(2).all(|pair| matches!(pair, [a, b] if fits(a, b)));
            all.then(|| kept.into_iter().cloned().collect())
        };
        let last = named.len().saturating_sub(1);
        let steps = || 1..=last.max(1);
        if let Some(first) = steps().find(|step| every(*step).is_some_and(|kept| kept.len() > 2 || kept.len() > last)) {
            // A step somewhat longer may reach the last value as well.
            let whole = (first..=2 * first).find(|step| last % step == 0 && every(*step).is_some());
            return every(whole.unwrap_or(first)).unwrap_or_default();
        }
        let mut kept: Vec<Tick> = Vec::new();
        for tick in named {
            if kept.last().is_none_or(|before| fits(before, tick)) {
                kept.push(tick.clone());
            }
        }
        kept
    }

    /// Labels at those of these round values that are far enough from each other.
    fn log_ticks(&self, round: impl Iterator<Item = f64>, length_px: f64, apart_px: f64) -> Vec<Tick> {
        let is_time = self.scale == Scale::LogTime;
        let inside = round.filter(|value| (self.from..=self.to).contains(value));
        let mut ticks: Vec<Tick> = Vec::new();
        if self.scale == Scale::LogPercent {
            ticks.push(Tick { value: self.from, label: "0".into() });
        }
        for value in inside {
            let far = |last: &Tick| (self.share(value) - self.share(last.value)) * length_px >= apart_px;
            if ticks.last().is_none_or(far) {
                let label = match self.scale {
                    Scale::LogPercent => format!("{}%", format::short(value)),
                    _ if is_time => format::axis_label(value, value),
                    _ => format::short(value),
                };
                ticks.push(Tick { value, label });
            }
        }
        // Where everything takes about as long, the ends have to do.
        if ticks.is_empty() {
            let end = |value: f64| Tick { value, label: self.scale.words(value) };
            ticks = vec![end(self.from), end(self.to)];
        }
        ticks
    }
}

fn time_step_s(reach_s: f64, length_px: f64, apart_px: f64) -> f64 {
    axis::step_s(&TimeScale::new(TimeWindow::new(0.0, reach_s), 0.0, length_px.max(1.0)), apart_px)
}

/// Labels at the multiples of a step.
fn steps(step: f64, from: f64, to: f64, label: impl Fn(f64) -> String) -> Vec<Tick> {
    let first = (from / step - 1e-9).ceil().max(0.0);
    let count = (to / step + 1e-9).floor() - first;
    let tick = |at: u32| {
        let value = (first + f64::from(at)) * step;
        Tick { value, label: label(value) }
    };
    if count < 0.0 { Vec::new() } else { (0..=count.min(64.0) as u32).map(tick).collect() }
}

/// 1, 2 or 5 times a power of ten, so that a few of them reach `reach`.
fn round_step(scale: Scale, reach: f64) -> f64 {
    let least = reach / (LABELS_UP - 1.0);
    let power = libm::pow(10.0, libm::floor(libm::log10(least)));
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    let step = step.unwrap_or(power * 10.0);
    if scale == Scale::Count { step.max(1.0) } else { step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn labels_are_round() {
        let check = |scale: Scale, reach: f64, to: f64, expected: &[&str]| {
            let axis = Axis::from_zero(scale, reach);
            assert_eq!(
                (axis.to, labels(axis.ticks_across(320.0))),
                (to, expected.iter().map(|s| s.to_string()).collect())
            );
        };
        check(Scale::Time, 3.9 * 3600.0, 4.0 * 3600.0, &["0h", "1h", "2h", "3h", "4h"]);
        check(Scale::Count, 14.0, 15.0, &["0", "5", "10", "15"]);
        check(Scale::Count, 2.0, 2.0, &["0", "1", "2"]);
        check(Scale::Count, 128.0, 150.0, &["0", "50", "100", "150"]);
        check(Scale::Number, 0.7, 0.8, &["0", "0.2", "0.4", "0.6", "0.8"]);
        check(Scale::Percent, 42.0, 60.0, &["0%", "20%", "40%", "60%"]);
        check(Scale::Percent, 91.0, 100.0, &["0%", "50%", "100%"]);
    }

    #[test]
    fn times_may_begin_late() {
        let axis = Axis::times(3.5 * 3600.0, 7.2 * 3600.0);
        assert_eq!(labels(axis.ticks_across(320.0)), ["4h", "5h", "6h", "7h"]);
        assert!((axis.share(axis.value(0.3)) - 0.3).abs() < 1e-12);
        assert!(Axis::times(5.0, 5.0).to > 5.0);
    }

    #[test]
    fn what_has_no_size_still_has_an_axis() {
        for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Axis::from_zero(Scale::Number, reach).to > 0.0);
        }
        assert_eq!(Axis::log_time([0.0, f64::NAN].into_iter()), None);
    }

    #[test]
    fn logarithmic_steps_are_equally_far() {
        let axis = Axis { scale: Scale::LogTime, from: 60.0, to: 6_000.0, ..Axis::default() };
        assert!((axis.share(600.0) - 0.5).abs() < 1e-12);
        assert!((axis.value(0.5) - 600.0).abs() < 1e-9);
        assert_eq!(axis.share(0.0), 0.0, "no time at all lies at the end");
        assert_eq!(labels(axis.ticks_across(300.0)), ["1m", "5m", "20m", "1h"]);
    }

    #[test]
    fn numbers_have_logarithmic_axes_too() {
        let axis = Axis::log(Scale::LogNumber, [0.0, 0.5, 40.0].into_iter()).unwrap();
        assert_eq!(labels(axis.ticks_across(300.0)), ["0.5", "1", "2", "5", "10", "20", "50"]);
        assert_eq!((axis.scale.spacing(), Scale::Number.spacing()), (Spacing::Log, Spacing::Linear));
    }

    #[test]
    fn times_that_are_all_alike_label_the_ends() {
        let axis = Axis::log_time([500.0].into_iter()).unwrap();
        assert_eq!(labels(axis.ticks_across(300.0)), ["6m 25s", "11m"]);
    }
}
