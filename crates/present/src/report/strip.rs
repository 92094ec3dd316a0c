//! GPUs in use over time: a strip for each run, all of one time and one height.

use elastiplan_metrics::Steps;
use elastiplan_metrics::over_time::{gpus_in_use, gpus_present};
use elastiplan_model::Workload;
use elastiplan_scene::{Paint, TimeScale, TimeWindow, axis};
use elastiplan_text::{calendar, format};

use super::html::{escaped, isolated, tag};
use super::tables::badge;
use crate::goal::short_duration;
use crate::palette::Palette;
use crate::runs::{RunEntry, shown};
use crate::verdict::names::Names;

/// Points of a strip, whatever the length of its run.
const COLUMNS: usize = 680;
/// The height of a strip in the units of its picture.
const HEIGHT: f64 = 60.0;
/// About how far ticks are apart.
const TICKS_APART_PX: f64 = 100.0;

/// The strips of all shown runs that have a record, with one time axis.
pub fn strips(entries: &[RunEntry], workload: &Workload) -> String {
    let runs = || shown(entries).filter_map(|entry| Some((entry, &entry.result.as_ref()?.run)));
    let start_s = runs().map(|(_, run)| run.start_s).fold(f64::INFINITY, f64::min);
    let end_s = runs().map(|(_, run)| run.end_s).fold(f64::NEG_INFINITY, f64::max);
    let most = runs().map(|(_, run)| run.gpus_total).max().unwrap_or_default();
    if !(start_s.is_finite() && end_s > start_s) || most == 0 {
        return String::new();
    }
    let (window, step_s) = whole_steps(start_s, end_s);
    let parts = ((window.1 - window.0) / step_s).round() as usize;
    let palette = Palette::light();
    let names = Names::of(shown(entries));
    let strip = |(entry, run): (&RunEntry, &elastiplan_engine::Run)| {
        let used = heights(&gpus_in_use(run), run.end_s, window, most);
        let present = heights(&gpus_present(run), run.end_s, window, most);
        let colour = palette.css(Paint::Policy(entry.colour_index()));
        let utilization = entry.result.as_ref().and_then(|result| result.summary.metrics.gpu_utilization);
        let about = [
            utilization.map(|share| format!("{} of GPUs busy on average", format::percent(share))),
            Some(format!("ends after {}", short_duration(run.end_s - run.start_s))),
        ];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let name = names.of_entry(entry);
        format!(
            "<div class=\"strip\"><p>{} {} <span>{}</span></p>\n\
             <svg viewBox=\"0 0 {COLUMNS} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">{}\
             <path d=\"{}\" fill=\"none\" stroke=\"#7d8796\" stroke-width=\"1\" stroke-dasharray=\"2 3\" vector-effect=\"non-scaling-stroke\"/>\
             <path d=\"{}\" fill=\"{colour}\" fill-opacity=\"0.2\" stroke=\"{colour}\" stroke-width=\"1\" vector-effect=\"non-scaling-stroke\"/></svg></div>\n",
            badge(entry.slot, &entry.letter()),
            isolated(&name),
            escaped(&about.join(", ")),
            escaped(&format!("GPUs in use under {name}, from 0 to {most}")),
            grid(parts),
            path(&present, None),
            path(&used, Some(HEIGHT)),
        )
    };
    let strips: String = runs().map(strip).collect();
    let caption = format!(
        "Height: {} GPUs, dashed where they are present. Each point is the mean of its time.",
        format::count(most.into())
    );
    strips + &labels(window, step_s, parts, workload.trace().start_s()) + &tag("p", "caption", &escaped(&caption))
}

/// The times from one tick to another that hold all runs, and how far ticks are apart.
fn whole_steps(start_s: f64, end_s: f64) -> ((f64, f64), f64) {
    let scale = TimeScale::new(TimeWindow::new(start_s, end_s), 0.0, COLUMNS as f64);
    let step_s = axis::step_s(&scale, TICKS_APART_PX);
    let zero_s = if calendar::is_unix_time(start_s) { (start_s / step_s).floor() * step_s } else { start_s };
    ((zero_s, zero_s + ((end_s - zero_s) / step_s).ceil().max(1.0) * step_s), step_s)
}

/// Lines at the ticks, without those at the ends.
fn grid(parts: usize) -> String {
    let line = |at: usize| {
        let x = (at * COLUMNS) as f64 / parts as f64;
        format!(
            "<path d=\"M{x:.1} 0V{HEIGHT}\" stroke=\"#dfe3e8\" stroke-width=\"1\" vector-effect=\"non-scaling-stroke\"/>"
        )
    };
    (1..parts).map(line).collect()
}

/// The labels of the ticks, each where its part begins; the last one ends the last part.
fn labels((from_s, to_s): (f64, f64), step_s: f64, parts: usize, first_submit_s: f64) -> String {
    let scale = TimeScale::new(TimeWindow::new(from_s, to_s), 0.0, COLUMNS as f64);
    let apart_px = COLUMNS as f64 / parts as f64 * 0.999;
    // Half a step more, so that rounding does not lose the first.
    let ticks = axis::ticks(&scale, first_submit_s, apart_px.min(TICKS_APART_PX));
    let at = |part: usize| {
        let time_s = from_s + part as f64 * step_s;
        let tick = ticks.iter().find(|tick| (tick.time_s - time_s).abs() < step_s / 4.0);
        tick.map(|tick| escaped(&tick.label)).unwrap_or_default()
    };
    let cell = |part: usize| match part + 1 == parts {
        true => format!("<span>{}<i>{}</i></span>", at(part), at(part + 1)),
        false => format!("<span>{}</span>", at(part)),
    };
    format!("<div class=\"times\" aria-hidden=\"true\">{}</div>\n", (0..parts).map(cell).collect::<String>())
}

/// Mean heights from the top, a column each: of so many GPUs at most.
fn heights(steps: &Steps, end_s: f64, window: (f64, f64), most: u32) -> Vec<f64> {
    let mean = |gpus: f64| HEIGHT - 1.0 - gpus / f64::from(most) * (HEIGHT - 2.0);
    means(steps, end_s, window, COLUMNS).into_iter().map(|gpus| (mean(gpus) * 10.0).round() / 10.0).collect()
}

/// The exact mean of each of so many equal parts of a time. After `end_s` there is nothing.
fn means(steps: &Steps, end_s: f64, (from_s, to_s): (f64, f64), columns: usize) -> Vec<f64> {
    let width_s = (to_s - from_s) / columns as f64;
    let column_of = |time_s: f64| (((time_s - from_s) / width_s).floor().max(0.0) as usize).min(columns - 1);
    let mut sums = vec![0.0; columns];
    let ends = steps.time_s.iter().skip(1).copied().chain([end_s]);
    for ((&start_s, &value), end_s) in steps.time_s.iter().zip(&steps.value).zip(ends) {
        let (start_s, end_s) = (start_s.max(from_s), end_s.min(to_s));
        if value == 0.0 || end_s <= start_s {
            continue;
        }
        let (first, last) = (column_of(start_s), column_of(end_s));
        for (sum, column) in sums.iter_mut().zip(0..).take(last + 1).skip(first) {
            let left_s = from_s + f64::from(column) * width_s;
            let part_s = end_s.min(left_s + width_s) - start_s.max(left_s);
            *sum += value * part_s.max(0.0);
        }
    }
    sums.into_iter().map(|sum| sum / width_s).collect()
}

/// A line through columns of these heights, flat pieces as one; closed at a base if there is one.
fn path(heights: &[f64], base: Option<f64>) -> String {
    let mut text = String::new();
    let mut last = None;
    for (at, height) in heights.iter().enumerate() {
        if last == Some(*height) {
            continue;
        }
        text += &match (last, base) {
            (None, Some(base)) => format!("M0 {base}V{height}"),
            (None, None) => format!("M0 {height}"),
            (Some(_), _) => format!("H{at}V{height}"),
        };
        last = Some(*height);
    }
    text += &format!("H{}", heights.len());
    match base {
        Some(base) => format!("{text}V{base}Z"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_the_mean_of_its_time() {
        let steps = Steps { time_s: vec![0.0, 10.0, 15.0], value: vec![2.0, 4.0, 8.0] };
        assert_eq!(means(&steps, 20.0, (0.0, 40.0), 4), [2.0, 6.0, 0.0, 0.0]);
        assert_eq!(means(&steps, 20.0, (0.0, 20.0), 1), [4.0]);
        assert_eq!(means(&steps, 20.0, (12.0, 16.0), 2), [4.0, 6.0]);
    }

    #[test]
    fn flat_pieces_are_one_line() {
        assert_eq!(path(&[5.0, 5.0, 2.5, 2.5, 5.0], Some(10.0)), "M0 10V5H2V2.5H4V5H5V10Z");
        assert_eq!(path(&[5.0, 5.0], None), "M0 5H2");
    }

    #[test]
    fn a_strip_begins_and_ends_at_a_tick() {
        let check = |start_s, end_s, window, step_s| assert_eq!(whole_steps(start_s, end_s), (window, step_s));
        check(0.0, 20_700.0, (0.0, 21_600.0), 3_600.0);
        check(600.0, 660.0, (600.0, 660.0), 10.0);
        // Unix time: whole days.
        check(1_700_000_000.0, 1_700_500_000.0, (1_699_920_000.0, 1_700_524_800.0), 86_400.0);
    }
}
