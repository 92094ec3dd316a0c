//! Durations, counts, shares and differences as text. A missing value is a dash, never a zero.

/// The sign of a missing value.
pub const DASH: &str = "—";

const MINUS: &str = "−";

/// The units of time: name, milliseconds, digits after the first unit.
const UNITS: [(&str, u64, usize); 5] =
    [("d", 86_400_000, 1), ("h", 3_600_000, 2), ("m", 60_000, 2), ("s", 1_000, 2), ("ms", 1, 3)];

/// A duration in at most two units: `0.3s`, `12s`, `4m 05s`, `42m`, `1h 17m`, `3d 04h`, `412d`. From ten minutes,
/// seconds are left out; what is not nothing is not written as nothing: `<0.1s`.
pub fn duration(seconds: f64) -> String {
    let length_s = seconds.abs();
    if !length_s.is_finite() {
        return DASH.into();
    }
    let whole = |unit_s: f64| (length_s / unit_s).round();
    let text = if whole(0.001) == 0.0 {
        "0s".into()
    } else if whole(0.1) < 1.0 {
        return "<0.1s".into();
    } else if whole(0.1) < 10.0 {
        format!("0.{}s", whole(0.1))
    } else if whole(1.0) < 60.0 {
        format!("{}s", whole(1.0))
    } else if whole(1.0) < 600.0 {
        format!("{}m {:02}s", (whole(1.0) / 60.0).floor(), whole(1.0) % 60.0)
    } else if whole(60.0) < 60.0 {
        format!("{}m", whole(60.0))
    } else if whole(60.0) < 1_440.0 {
        format!("{}h {:02}m", (whole(60.0) / 60.0).floor(), whole(60.0) % 60.0)
    } else if whole(3_600.0) < 2_400.0 {
        format!("{}d {:02}h", (whole(3_600.0) / 24.0).floor(), whole(3_600.0) % 24.0)
    } else {
        format!("{}d", grouped(&format!("{:.0}", whole(86_400.0))))
    };
    if seconds < 0.0 && text != "0s" { format!("{MINUS}{text}") } else { text }
}

/// A moment since the first submission, as exact as pixels of `s_per_px` can tell: `3d 04h`, `2h 33m`, and, zoomed in,
/// `2h 33m 12s`. The one place with more than two units: a cursor that cannot tell two spans apart is of no use.
pub fn moment(since_zero_s: f64, s_per_px: f64) -> String {
    let finest = match s_per_px {
        s if s >= 600.0 => 1,
        s if s >= 5.0 => 2,
        s if s >= 0.01 => 3,
        _ => 4,
    };
    let unit_ms = UNITS.get(finest).map_or(1, |unit| unit.1);
    let Some((negative, units)) = split(since_zero_s, unit_ms) else {
        return DASH.into();
    };
    let first = units.iter().position(|&amount| amount > 0).unwrap_or(finest).min(finest);
    written(negative, &units, (first..=finest).collect())
}

/// Moments in order of time, each with as many units as tell it apart from those beside it: `28d 10h`, but
/// `28d 10h 05m` beside `28d 10h 21m`. Moments at the same millisecond read the same.
pub fn told_apart(times_s: &[f64]) -> Vec<String> {
    let written_at = |time_s: f64, fineness: usize| match fineness {
        0 => duration(time_s),
        _ => moment(time_s, FINENESS_S_PER_PX.get(fineness - 1).copied().unwrap_or(0.0)),
    };
    let is_same = |a: f64, b: f64| (a - b).abs() < 0.5e-3;
    let reads_like = |time_s: f64, other: Option<&f64>, fineness: usize| {
        let others = other.filter(|other| !is_same(time_s, **other));
        others.is_some_and(|other| written_at(*other, fineness) == written_at(time_s, fineness))
    };
    // The moments beside it are the next ones that differ: several events may share a time.
    let different = |at: usize, time_s: f64| {
        let before = times_s.iter().take(at).rev().find(|other| !is_same(time_s, **other));
        let after = times_s.iter().skip(at + 1).find(|other| !is_same(time_s, **other));
        (before, after)
    };
    let one = |(at, &time_s): (usize, &f64)| {
        let (before, after) = different(at, time_s);
        let is_clear =
            |fineness: &usize| !reads_like(time_s, before, *fineness) && !reads_like(time_s, after, *fineness);
        written_at(time_s, (0..=FINENESS_S_PER_PX.len()).find(is_clear).unwrap_or(FINENESS_S_PER_PX.len()))
    };
    times_s.iter().enumerate().map(one).collect()
}

/// Seconds a pixel with which [`moment`] writes minutes, seconds and milliseconds.
const FINENESS_S_PER_PX: [f64; 3] = [60.0, 1.0, 0.001];

/// A moment as an axis with steps of `step_s` labels it, with only what changes: `2h 15m`, then `3h`; `15m 10s`, then
/// `16m`.
pub fn axis_label(since_zero_s: f64, step_s: f64) -> String {
    let Some((negative, units)) = split(since_zero_s, 1) else {
        return DASH.into();
    };
    let Some(smallest) = units.iter().rposition(|&amount| amount > 0) else {
        let step_ms = (step_s * 1e3).round() as u64;
        let unit = UNITS.iter().find(|unit| unit.1 <= step_ms).map_or("ms", |unit| unit.0);
        return format!("0{unit}");
    };
    let bigger = (0..smallest).rev().find(|&at| units.get(at).is_some_and(|&amount| amount > 0));
    written(negative, &units, bigger.into_iter().chain([smallest]).collect())
}

/// Amounts of each unit, after rounding to `unit_ms`, and whether the time is negative.
fn split(seconds: f64, unit_ms: u64) -> Option<(bool, [u64; 5])> {
    if !seconds.is_finite() || seconds.abs() > 1e15 {
        return None;
    }
    let mut left_ms = (seconds.abs() * 1e3 / unit_ms as f64).round() as u64 * unit_ms;
    let negative = seconds < 0.0 && left_ms > 0;
    let amounts = UNITS.map(|(_, unit_ms, _)| {
        let amount = left_ms / unit_ms;
        left_ms %= unit_ms;
        amount
    });
    Some((negative, amounts))
}

/// The amounts at these places, padded after the first.
fn written(negative: bool, amounts: &[u64; 5], places: Vec<usize>) -> String {
    let word = |(nth, place): (usize, usize)| {
        let (Some(amount), Some((unit, _, digits))) = (amounts.get(place), UNITS.get(place)) else {
            return String::new();
        };
        if nth == 0 { format!("{}{unit}", count(*amount)) } else { format!("{amount:0digits$}{unit}") }
    };
    let words: Vec<String> = places.into_iter().enumerate().map(word).collect();
    format!("{}{}", if negative { MINUS } else { "" }, words.join(" "))
}

/// A count with thousands commas: `12,699`.
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A number to three significant digits, its whole part in full, and to two below a tenth: `0.012`, `1.5`, `84.2`,
/// `1,235`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !size.is_finite() {
        return DASH.into();
    }
    if size != 0.0 && !(1e-4..1e15).contains(&size) {
        return format!("{value:.2e}").replace('-', MINUS);
    }
    let decimals = match size {
        s if s >= 100.0 || s == 0.0 => 0,
        s if s >= 10.0 => 1,
        s if s >= 1.0 => 2,
        s if s >= 0.1 => 3,
        s if s >= 0.01 => 3,
        s if s >= 0.001 => 4,
        _ => 5,
    };
    let text = format!("{size:.decimals$}");
    let text = match text.split_once('.') {
        Some((whole, fraction)) => match fraction.trim_end_matches('0') {
            "" => grouped(whole),
            fraction => format!("{}.{fraction}", grouped(whole)),
        },
        None => grouped(&text),
    };
    if value < 0.0 { format!("{MINUS}{text}") } else { text }
}

/// Puts a comma between every three digits.
fn grouped(digits: &str) -> String {
    let length = digits.len();
    let mut text = String::with_capacity(length + length / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (length - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with k, M, G or T from a thousand: `1.2k`.
pub fn short(value: f64) -> String {
    let mut scaled = value;
    for unit in ["", "k", "M", "G"] {
        if scaled.abs() < 999.5 || !scaled.is_finite() {
            return format!("{}{unit}", number(scaled));
        }
        scaled /= 1_000.0;
    }
    format!("{}T", number(scaled))
}

/// A share as percent: `71%`. What is neither nothing nor all is not written as either: `0.4%`, `99.7%`, `>99.9%`.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    match value.abs() {
        size if !size.is_finite() => DASH.into(),
        size if size > 0.0 && size < 0.05 => "<0.1%".into(),
        size if size > 99.95 && size < 100.0 => ">99.9%".into(),
        size => format!("{}{}%", if value < 0.0 { MINUS } else { "" }, near_ends(size)),
    }
}

/// Digits of a percentage: none after the point, but one where rounding would say "nothing" or "all".
fn near_ends(size: f64) -> String {
    let decimals = usize::from((size > 0.0 && size < 1.0) || (size > 99.0 && size < 100.0));
    grouped_fixed(size, decimals)
}

fn grouped_fixed(size: f64, decimals: usize) -> String {
    if !(1e3..1e15).contains(&size) { format!("{size:.decimals$}") } else { grouped(&format!("{size:.0}")) }
}

/// A difference of shares in percentage points: `+15pt`, `−3pt`, `+0.4pt`.
pub fn points(difference: f64) -> String {
    signed(difference * 100.0, "pt")
}

/// A difference of counts: `+4`, `−2`, `0`.
pub fn signed_count(difference: i64) -> String {
    let sign = match difference {
        0 => "",
        1.. => "+",
        _ => MINUS,
    };
    format!("{sign}{}", count(difference.unsigned_abs()))
}

/// A difference of durations: `+1h 41m`, `−12s`, `0s`.
pub fn signed_duration(difference_s: f64) -> String {
    let text = if difference_s.abs() < 0.05 { "0s".into() } else { duration(difference_s) };
    if difference_s > 0.0 && text != "0s" && text != DASH { format!("+{text}") } else { text }
}

/// The difference of a value from its baseline: `−34%`, `+66%`, above twice `×6.3`, from a hundred times `>×100`; a dash
/// on a baseline of zero.
pub fn change(value: f64, baseline: f64) -> String {
    let ratio = value / baseline;
    if !ratio.is_finite() || baseline <= 0.0 {
        return DASH.into();
    }
    match ratio {
        // From next to nothing, how many times more means no more than that it is many.
        ratio if ratio >= 99.5 => ">×100".into(),
        ratio if ratio >= 9.95 => format!("×{}", grouped_fixed(ratio, 0)),
        ratio if ratio > 2.0 => format!("×{ratio:.1}"),
        _ => signed((ratio - 1.0) * 100.0, "%"),
    }
}

/// A sign, the digits of a percentage, a unit.
fn signed(value: f64, unit: &str) -> String {
    let size = value.abs();
    match value {
        _ if !size.is_finite() => DASH.into(),
        _ if size < 0.05 => format!("0{unit}"),
        value if value > 0.0 => format!("+{}{unit}", near_ends(size)),
        _ => format!("{MINUS}{}{unit}", near_ends(size)),
    }
}

/// GPU-time in hours, or in seconds where it is less than a tenth of one: `34 GPU-h`, `12 GPU-s`.
pub fn gpu_hours(gpu_seconds: f64) -> String {
    let hours = gpu_seconds / 3_600.0;
    match gpu_seconds.abs() {
        size if !size.is_finite() => DASH.into(),
        size if size > 0.0 && size < 360.0 => format!("{} GPU-s", number(gpu_seconds)),
        _ => format!("{} GPU-h", number(hours)),
    }
}

/// Throughput: `472 samples/s`, `1.2k samples/s`.
pub fn samples_per_s(samples_per_s: f64) -> String {
    if samples_per_s.is_finite() { format!("{} samples/s", short(samples_per_s)) } else { DASH.into() }
}

/// GPUs, with the word in the right number: `1 GPU`, `128 GPUs`.
pub fn gpus(gpus: u32) -> String {
    format!("{} {}", count(gpus.into()), if gpus == 1 { "GPU" } else { "GPUs" })
}

/// The value written, or a dash if it is missing.
pub fn or_dash<T>(value: Option<T>, write: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| DASH.into(), write)
}
