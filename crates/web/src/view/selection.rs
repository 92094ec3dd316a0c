//! Statistics of the selected time under each policy, with differences.

use elastiplan_compare::{IntervalIndex, IntervalStats};
use elastiplan_policies::WITH_PROGRAM;
use elastiplan_present::runs::RunEntry;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::{badge, classes, close_button, policy_head, scrolled};
use crate::state::message::Msg;
use crate::state::order::Order;
use crate::state::runs::Runs;

#[derive(Properties, PartialEq)]
pub(super) struct SelectionProps {
    pub runs: Runs,
    /// The time, in seconds on the clock of the trace.
    pub range_s: (f64, f64),
    pub send: Callback<Msg>,
}

type Value = dyn Fn(&IntervalStats) -> Option<f64>;

/// A line of the table: its name, how a value is written, how it differs from the baseline, and which way is better.
struct Line {
    label: String,
    value: Box<Value>,
    write: fn(f64) -> String,
    differ: fn(f64, f64) -> String,
    better: Option<Better>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    More,
    Less,
}

#[component]
pub(super) fn SelectionView(props: &SelectionProps) -> Html {
    let indices = use_memo(props.runs.clone(), |runs| {
        let index = |entry: &RunEntry| Some(IntervalIndex::of(&entry.result.as_ref()?.run, &runs.workload));
        runs.entries.iter().map(index).collect::<Vec<_>>()
    });
    let (from_s, to_s) = props.range_s;
    let stats = |(entry, index): (&RunEntry, &Option<IntervalIndex>)| {
        Some(index.as_ref()?.between(&entry.result.as_ref()?.run, from_s, to_s))
    };
    let stats: Vec<Option<IntervalStats>> = props.runs.entries.iter().zip(indices.iter()).map(stats).collect();
    let trace = props.runs.workload.trace();
    let since = |time_s: f64| format::duration(time_s - trace.start_s());
    let order = |order: Order| props.send.reform(move |_: MouseEvent| Msg::Timelines(order));
    let head = |entry: &RunEntry| policy_head(entry, String::new());
    let shown = || props.runs.entries.iter().filter(|entry| !entry.is_hidden);
    let as_program = |entry: &RunEntry| {
        let slot = entry.slot;
        let onclick = props.send.reform(move |_: MouseEvent| Msg::Program(slot, to_s, false));
        html! {
            <button class="button button-small" title="The decision that holds at the end of this time, as a mixed-integer program"
                {onclick}>{ badge(slot) }{ "Show as a program" }</button>
        }
    };
    html! {
        <section class="selection" aria-label="Selected time">
            <header>
                <h2>{ format!("{} to {}", since(from_s), since(to_s)) }</h2>
                <span class="ink-3">{ format::duration(to_s - from_s) }</span>
                <button class="button button-small" title="Zoom to it (F)" onclick={order(Order::Fit)}>{ "Fit" }</button>
                { close_button("Clear the selected time", "Clear (Esc)", order(Order::Mark(None))) }
                <div class="selection-programs">
                    { for shown().filter(|entry| WITH_PROGRAM.contains(&entry.policy.name())).map(as_program) }
                </div>
            </header>
            { scrolled("Selected time under each policy", html! {
                <table class="metrics-table">
                    <thead><tr><th scope="col" class="metric">{ "In this time" }</th>{ for props.runs.entries.iter().map(head) }</tr></thead>
                    <tbody>{ for lines().iter().map(|line| row(line, &props.runs, &stats)) }</tbody>
                    <tbody>
                        <tr class="group"><th scope="rowgroup">{ "GPU-hours by model" }</th></tr>
                        { for model_lines(trace.models(), &stats).iter().map(|line| row(line, &props.runs, &stats)) }
                    </tbody>
                </table>
            }) }
        </section>
    }
}

fn lines() -> Vec<Line> {
    fn line(
        label: &str,
        value: impl Fn(&IntervalStats) -> Option<f64> + 'static,
        write: fn(f64) -> String,
        differ: fn(f64, f64) -> String,
        better: Option<Better>,
    ) -> Line {
        Line { label: label.into(), value: Box::new(value), write, differ, better }
    }
    let count = |value: f64| format::count(value as u64);
    let by = |value: f64, baseline: f64| format::signed_count((value - baseline) as i64);
    let (more, less) = (Some(Better::More), Some(Better::Less));
    let points = |value: f64, baseline: f64| format::points(value - baseline);
    vec![
        line("Utilisation", |of| of.gpu_utilization, format::percent, points, more),
        line("Mean jobs waiting", |of| of.mean_waiting, format::number, format::change, less),
        line("Peak jobs waiting", |of| Some(f64::from(of.peak_waiting)), count, by, less),
        line("Submitted", |of| Some(of.arrived as f64), count, by, None),
        line("Started", |of| Some(of.started as f64), count, by, None),
        line("Completed", |of| Some(of.completed as f64), count, by, more),
        line("Deadlines missed", |of| Some(of.missed as f64), count, by, less),
        line("Rescales", |of| Some(of.rescales as f64), count, by, None),
        line("Preemptions", |of| Some(of.preemptions as f64), count, by, less),
        line("Rescale GPU-h", |of| Some(of.rescale_gpu_seconds / 3600.0), format::number, format::change, less),
        line("GPU-h", |of| Some(of.gpu_seconds / 3600.0), format::number, format::change, None),
    ]
}

/// A line for each model that held GPUs in the time, in order of the trace.
fn model_lines(models: &[String], stats: &[Option<IntervalStats>]) -> Vec<Line> {
    let held = |stats: &IntervalStats, model: usize| stats.gpu_seconds_by_model.get(model).copied();
    let line = |(model, name): (usize, &String)| {
        let is_held = stats.iter().flatten().any(|stats| held(stats, model).is_some_and(|held| held > 0.0));
        let value = move |stats: &IntervalStats| held(stats, model).map(|gpu_seconds| gpu_seconds / 3600.0);
        let (write, differ) = (format::number as fn(f64) -> String, format::change as fn(f64, f64) -> String);
        is_held.then(|| Line { label: name.clone(), value: Box::new(value), write, differ, better: None })
    };
    models.iter().enumerate().filter_map(line).collect()
}

fn row(line: &Line, runs: &Runs, stats: &[Option<IntervalStats>]) -> Html {
    let value = |stats: &Option<IntervalStats>| stats.as_ref().and_then(|stats| (line.value)(stats));
    let baseline = stats.first().and_then(value);
    let cell = |(entry, stats): (&RunEntry, &Option<IntervalStats>)| {
        let value = value(stats);
        let both = value.zip(baseline).filter(|(value, baseline)| value != baseline);
        let difference = both.map_or_else(|| format::DASH.into(), |(value, baseline)| (line.differ)(value, baseline));
        let tone = both.filter(|_| difference != format::DASH).and_then(|(value, baseline)| {
            let is_better = (line.better? == Better::More) == (value > baseline);
            Some(if is_better { "better" } else { "worse" })
        });
        html! {
            <>
                <td>{ format::or_dash(value, line.write) }</td>
                if entry.slot > 0 { <td class={classes("difference", tone)}>{ difference }</td> }
            </>
        }
    };
    html! {
        <tr><th scope="row">{ &line.label }</th>{ for runs.entries.iter().zip(stats).map(cell) }</tr>
    }
}
