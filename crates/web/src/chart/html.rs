//! The HTML of a figure: heading, plot or table, menu, and words about the job pointed at.

use elastiplan_model::JobId;
use elastiplan_present::drawing::hexes::Hex;
use elastiplan_present::drawing::layout::bars_px;
use elastiplan_present::drawing::pointing::Step;
use elastiplan_present::figure::axis::Tick;
use elastiplan_present::figure::points::ParallelAxis;
use elastiplan_present::figure::table::{Cell, Table};
use elastiplan_present::figure::{Figure, Tone};
use elastiplan_present::study::{EndMove, parallel_axes};
use elastiplan_scene::Point;
use elastiplan_text::{format, words};
use web_sys::Element;
use yew::html::Scope;
use yew::prelude::*;

use super::component::{FigureProps, FigureView, Jobs, Msg};
use super::menu::figure_menu;
use crate::elements::column_heads;

/// Rows of a table that are shown of its beginning and of its end; what is copied has them all.
const ROWS_SHOWN: usize = 100;
/// From one bar to the next.
const BAR_PITCH_PX: f64 = 30.0;
/// Values at the cursor that a line has room for.
const VALUES_A_LINE: usize = 5;

impl FigureView {
    pub(super) fn html(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        let figure = &props.figure;
        let is_empty = figure.is_empty();
        let heading = props.heading.clone().unwrap_or_else(|| html! { { &figure.title } });
        html! {
            <section class="chart" aria-label={figure.title.clone()}>
                <header class="chart-head">
                    <h3>{ heading }</h3>
                    if !is_empty {
                        { props.aside.clone().unwrap_or_default() }
                        { self.buttons(link) }
                    }
                </header>
                if is_empty {
                    <p class="chart-empty">{ &props.if_empty }</p>
                } else if self.is_table {
                    { table(&props.table(), &figure.title) }
                } else {
                    { self.plot(props, link) }
                    { for figure.notes.iter().map(|note| html! { <p class="chart-note">{ note }</p> }) }
                }
            </section>
        }
    }

    fn buttons(&self, link: &Scope<Self>) -> Html {
        let toggle = if self.is_table { "plot" } else { "table" };
        html! {
            <>
                <button type="button" class="chart-button" aria-label={format!("Show as {toggle}")}
                    onclick={link.callback(|_| Msg::Toggle)}>{ toggle }</button>
                { figure_menu(link) }
            </>
        }
    }

    fn plot(&self, props: &FigureProps, link: &Scope<Self>) -> Html {
        let figure = &props.figure;
        let height = bars_px(figure, BAR_PITCH_PX).map(|px| format!("--bars: {px:.0}px"));
        let (place, tip) = self.tip(props);
        let plot = self.plot.clone();
        let (has_jobs, has_points) = (props.jobs.is_some(), props.points.is_some());
        let has_brushes = props.points.as_ref().is_some_and(|points| points.on_brush.is_some());
        let onpointerdown = link.batch_callback(move |event: PointerEvent| {
            let is_main = (has_jobs || has_brushes) && event.button() == 0 && event.is_primary();
            if let (true, "mouse", Some(plot)) = (is_main, &*event.pointer_type(), plot.cast::<Element>()) {
                // A pointer that is gone already is not held.
                let _ = plot.set_pointer_capture(event.pointer_id());
            }
            is_main.then(|| Msg::Pressed(point(&event)))
        });
        let onkeydown = link.batch_callback(move |event: KeyboardEvent| {
            let msg = of_key(&event).filter(|_| !has_points)?;
            event.prevent_default();
            Some(msg)
        });
        let keys = match (has_jobs, has_points) {
            (true, _) => "Arrow keys go from job to job by difference, Enter selects one",
            (_, true) => "Arrow keys go from point to point, Enter opens its run",
            _ => "Arrow keys read values",
        };
        html! {
            <>
                <div class={classes!("chart-plot", has_jobs.then_some("chart-jobs"))} data-chart={figure.name.clone()}
                    data-bars={height.is_some().then_some("")} style={height} ref={self.plot.clone()}
                    tabindex="0" role="application" aria-label={format!("{}. {keys}", figure.title)}
                    {onkeydown} onblur={link.callback(|_| Msg::Left)}
                    onpointermove={link.callback(|event: PointerEvent| Msg::Moved(point(&event)))}
                    onpointerleave={link.callback(|_| Msg::Left)}
                    {onpointerdown}
                    onpointerup={link.batch_callback(move |event: PointerEvent| {
                        let at = point(&event);
                        (event.button() == 0).then(|| match has_points {
                            true => Msg::PickPoint(at, event.shift_key()),
                            false => Msg::Released(at),
                        })
                    })}
                    onpointercancel={link.callback(|_| Msg::Taken)}>
                    <canvas ref={self.canvas.clone()} role="img" aria-label={figure.summary.clone()} />
                    <canvas ref={self.overlay.clone()} aria-hidden="true" />
                    if let (Some(at), Some((first, rest))) = (place, tip.split_first()) {
                        <div class="chart-tip" style={tip_style(at)}>
                            <b>{ first }</b>{ for rest.iter().map(|line| html! { <span>{ line }</span> }) }
                        </div>
                    }
                    if has_jobs { <p class="visually-hidden" role="status">{ tip.join(", ") }</p> }
                    if has_brushes { { self.axis_ends(figure, link) } }
                </div>
                if !has_jobs && !has_points { { self.reading(figure) } }
            </>
        }
    }

    /// The ends of each parallel axis, or of the part of it that is chosen, to be moved by keys.
    fn axis_ends(&self, figure: &Figure, link: &Scope<Self>) -> Html {
        let end = |at: usize, axis: &ParallelAxis, is_upper: bool| {
            let (from, to) = axis.chosen.unwrap_or((0.0, 1.0));
            let share = if is_upper { to } else { from };
            // The outermost value that is chosen.
            let is_in = |stop: &Tick| (from - 1e-9..=to + 1e-9).contains(&stop.value);
            let stop = if is_upper { axis.stops.iter().rposition(is_in) } else { axis.stops.iter().position(is_in) };
            let words = stop.and_then(|stop| axis.stops.get(stop)).map_or("no value", |stop| &stop.label);
            let now = stop.unwrap_or_default().to_string();
            let onkeydown = link.batch_callback(move |event: KeyboardEvent| {
                let how = end_move(&event)?;
                event.prevent_default();
                Some(Msg::MoveEnd(at, is_upper, how))
            });
            let side = if is_upper { "upper end" } else { "lower end" };
            let style = format!("left: {:.3}%; bottom: {:.3}%", figure.x.share(axis.x) * 100.0, share * 100.0);
            html! {
                <span key={format!("{at} {side}")} class={classes!("chart-end", is_upper.then_some("chart-end-upper"))}
                    role="slider" tabindex="0" aria-orientation="vertical" aria-label={format!("{}, {side}", axis.name)}
                    aria-valuemin="0" aria-valuemax={axis.stops.len().saturating_sub(1).to_string()} aria-valuenow={now}
                    aria-valuetext={words.to_string()} {style} {onkeydown}></span>
            }
        };
        let both = |(at, axis): (usize, &ParallelAxis)| [end(at, axis, false), end(at, axis, true)];
        html! {
            <div class="chart-ends" ref={self.ends.clone()}>{ for parallel_axes(figure).enumerate().flat_map(both) }</div>
        }
    }

    /// The values at the cursor, below the plot: over it they would lie on what they are about.
    fn reading(&self, figure: &Figure) -> Html {
        // A bar is read alone, or with its group.
        let values = match (figure.y.scale.is_of_bars(), figure.key.len()) {
            (true, grouped) => grouped,
            (false, _) => figure.series.len(),
        };
        let lines = values.max(1).div_ceil(VALUES_A_LINE).min(3);
        let value = |(tone, name, value): &(Tone, String, String)| {
            let name = match tone {
                Tone::Policy(place) => {
                    let letter = ('a'..='h').nth(usize::from(*place)).unwrap_or('i');
                    // A bar's name is longer than a badge.
                    let class = if name.chars().count() < 3 { format!("badge badge-{letter}") } else { String::new() };
                    html! { <span {class}>{ name }</span> }
                }
                _ => html! { { name } },
            };
            html! { <span class="chart-value">{ name }{ " " }{ value }</span> }
        };
        let reading = self.pointing.reading.as_ref();
        html! {
            <p class="chart-reading" role="status" style={format!("--lines: {lines}")}>
                if let Some(reading) = reading { <b>{ &reading.head }</b>{ for reading.values.iter().map(value) } }
            </p>
        }
    }

    /// Words about the job or the hexagon pointed at, with its place.
    fn tip(&self, props: &FigureProps) -> (Option<Point>, Vec<String>) {
        let (Some(jobs), Some((job, count))) = (&props.jobs, self.pointing.at) else { return (None, Vec::new()) };
        match self.pointing.hex().filter(|_| count > 1) {
            Some(hex) => (Some(hex.at), hex_words(&props.figure, hex)),
            None => (self.pointing.place_of(&props.figure, job), tip(props, jobs, job, count)),
        }
    }
}

/// How many jobs lie in a hexagon, and how they fared.
fn hex_words(figure: &Figure, hex: &Hex) -> Vec<String> {
    let of_tone = |(tone, count): &(Tone, u32)| {
        let label = figure.series.iter().find(|series| series.tone == *tone).map_or("", |series| &series.label);
        format!("{} {label}", format::count(u64::from(*count)))
    };
    std::iter::once(words::counted(hex.count() as u64, "job", "jobs")).chain(hex.counts.iter().map(of_tone)).collect()
}

fn point(event: &PointerEvent) -> Point {
    Point { x: f64::from(event.offset_x()), y: f64::from(event.offset_y()) }
}

/// Where a key moves an end of an axis.
fn end_move(event: &KeyboardEvent) -> Option<EndMove> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    Some(match event.key().as_str() {
        "ArrowUp" | "ArrowRight" => EndMove::By(1),
        "ArrowDown" | "ArrowLeft" => EndMove::By(-1),
        "PageUp" => EndMove::By(5),
        "PageDown" => EndMove::By(-5),
        "Home" => EndMove::First,
        "End" => EndMove::Last,
        "Delete" | "Backspace" => EndMove::Whole,
        _ => return None,
    })
}

fn of_key(event: &KeyboardEvent) -> Option<Msg> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    Some(match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => Msg::Step(Step::Next),
        "ArrowLeft" | "ArrowUp" => Msg::Step(Step::Previous),
        "Home" => Msg::Step(Step::First),
        "End" => Msg::Step(Step::Last),
        "Enter" | " " => Msg::Pick,
        _ => return None,
    })
}

/// At most four lines about a job: its name, its times, their difference, and who else lies there.
fn tip(props: &FigureProps, jobs: &Jobs, job: JobId, count: u32) -> Vec<String> {
    let name = jobs.workload.trace().jobs().get(job.index()).map_or_else(String::new, |job| job.name.clone());
    let mut lines = vec![name];
    if let Some((dot, tone)) = props.figure.dots().find(|(dot, _)| dot.job == job) {
        lines.push(format!("{} to {}", format::duration(dot.x), format::duration(dot.y)));
        let missed = if tone == Tone::Missed { ", missed its deadline" } else { "" };
        lines.push(format!("{}{missed}", format::signed_duration(dot.y - dot.x)));
    }
    if count > 1 {
        lines.push(format!("and {} here", words::counted(u64::from(count - 1), "other", "others")));
    }
    lines
}

/// Beside the dot, to the side where there is room: the middle of the plot is about here.
fn tip_style(at: Point) -> String {
    let (across, up) =
        (if at.x > 180.0 { "-100% - 10px" } else { "10px" }, if at.y > 90.0 { "-100% - 10px" } else { "10px" });
    format!("left: {:.0}px; top: {:.0}px; transform: translate(calc({across}), calc({up}))", at.x, at.y)
}

fn table(table: &Table, title: &str) -> Html {
    let count = table.rows.len();
    let is_cut = count > 2 * ROWS_SHOWN;
    let row = |row: &Vec<Cell>| {
        let (head, cells) = (row.first().map(|cell| cell.words()).unwrap_or_default(), row.iter().skip(1));
        html! {
            <tr><th scope="row">{ head }</th>{ for cells.map(|cell| html! { <td>{ cell.words() }</td> }) }</tr>
        }
    };
    let first = table.rows.iter().take(if is_cut { ROWS_SHOWN } else { count });
    let last = table.rows.iter().skip(if is_cut { count - ROWS_SHOWN } else { count });
    html! {
        <div class="chart-table-scroll" tabindex="0" role="group" aria-label={format!("{title}, table")}>
            <table class="chart-table">
                <caption class="visually-hidden">{ title }</caption>
                <thead><tr>{ column_heads(table.columns.iter().map(|column| column.label.clone())) }</tr></thead>
                <tbody>
                    { for first.map(row) }
                    if is_cut {
                        <tr><td class="chart-cut" colspan={table.columns.len().to_string()}>
                            { format!("{} rows between: a copy has them all", format::count((count - 2 * ROWS_SHOWN) as u64)) }
                        </td></tr>
                    }
                    { for last.map(row) }
                </tbody>
            </table>
        </div>
    }
}
