//! One axis: the large curve with the decision strip under it, and four more metrics with the same cursor.

use elastiplan_present::drawing::layout::{beside_plot_px, plot_frame};
use elastiplan_present::figure::Figure;
use elastiplan_present::figure::points::CurvePoint;
use elastiplan_present::study::{AnswerView, Measure, MetricView, multiples, policy_name, position, value_words};
use yew::prelude::*;

use super::figure::{Kind, figure, large};
use super::gradual::in_turn;
use super::strip::decisions;
use super::{Look, head, panel};
use crate::elements::{badge, chosen, link, option};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The size of the large curve as it is drawn: how far its plot is from the edges does not depend on its width.
const SIZE_PX: (f64, f64) = (784.0, 280.0);

/// The height of the heading above the plot.
const HEAD_PX: f64 = 28.0;

/// The curves and the panel.
pub(super) fn curve(look: &Look<'_>) -> Html {
    let parts = look.parts(&look.metric, look.policy, look.slice(&[look.view.find]));
    let made = large(&parts);
    let beside_px = made.as_ref().map(|figure| beside_plot_px(figure, SIZE_PX.0)).unwrap_or_default();
    html! {
        <>
            <div class="st-centre">
                <div class="st-main">
                    { made.and_then(|made| note(look, &made)).unwrap_or_default() }
                    { figure(look, parts, Kind::Large, Some(metric_menu(look)), Some(aside(look)), cursor(look, true)) }
                    { decisions(look, beside_px) }
                </div>
                { answers(look) }
                { in_turn(1, small_multiples(look)) }
                { head::kept(look.page) }
            </div>
            { in_turn(2, panel::beside_curves(look)) }
        </>
    }
}

/// A note at the point that got worse most, as far as it is in the picture.
fn note(look: &Look<'_>, made: &Figure) -> Option<Html> {
    let worst = look.view.worse.iter().find(|worse| worse.metric == look.metric)?;
    let is_it = |point: &&CurvePoint| (point.id.policy, point.id.point) == (worst.policy, worst.point);
    let point = made.curve_points().find(is_it)?;
    let (across, up) = (made.x.share(point.x), made.y.share(point.y?));
    let plot = plot_frame(made, SIZE_PX);
    // Below it where there is room, on the side where there is more.
    let (is_low, is_right) = (up < 0.5, across > 0.6);
    let y_px = HEAD_PX + plot.top + (1.0 - up) * plot.height;
    let style = format!(
        "--x: calc({:.0}px + (100% - {:.0}px) * {across:.4}); --y: {y_px:.0}px",
        plot.left,
        SIZE_PX.0 - plot.width
    );
    let class = classes!("st-note", is_low.then_some("st-above"), is_right.then_some("st-left"));
    let units = worst.units();
    let why = look.send.reform(move |_: MouseEvent| Msg::Study(StudyMsg::Why(units)));
    let (first, rest) = worst.words.split_once(". ").unwrap_or((&worst.words, ""));
    Some(html! {
        <p {class} {style}><b>{ first }</b>{ format!("{rest}. ") }{ link("See why", why) }</p>
    })
}

/// The line at the point that is looked at; its label says where that is.
fn cursor(look: &Look<'_>, is_named: bool) -> Option<(f64, String)> {
    let axis = look.view.axes.get(look.view.find)?;
    let label = if is_named { value_words(axis, look.place()) } else { String::new() };
    Some((position(axis, look.place()), label))
}

/// The metric of the large curve, to be changed.
pub(super) fn metric_menu(look: &Look<'_>) -> Html {
    let onchange = look.send.reform(|event: Event| Msg::Study(StudyMsg::Metric(chosen(&event))));
    let one = |metric: &MetricView| {
        let title = Measure::of(look.view, &metric.key).map_or_else(|| metric.key.clone(), |measure| measure.title());
        option(metric.key.clone(), title, metric.key == look.metric)
    };
    html! {
        <select class="chart-choice" aria-label="Metric" title={look.info().map(|info| info.help)} {onchange}>
            { for look.view.metrics.iter().map(one) }
        </select>
    }
}

/// What the bands are, beside the buttons.
fn aside(look: &Look<'_>) -> Html {
    let has_bands = look
        .view
        .metric(&look.metric)
        .is_some_and(|metric| metric.estimates.iter().flatten().any(|estimate| estimate.interval.is_some()));
    match has_bands {
        true => html! { <span class="caption">{ "bands 95%, each point by itself" }</span> },
        false => html! {},
    }
}

/// Four more metrics.
fn small_multiples(look: &Look<'_>) -> Html {
    let one = |metric: &str| {
        let measure = Measure::of(look.view, metric)?;
        let value = |policy: usize| {
            let estimate = look.view.estimate(metric, policy, look.point)?;
            let entry = look.entries.get(policy)?;
            let text = measure.text(estimate.mean);
            Some(html! { <span>{ badge(entry.slot) }{ text }</span> })
        };
        let key = metric.to_string();
        let onclick = look.send.reform(move |_: MouseEvent| Msg::Study(StudyMsg::Metric(key.clone())));
        let heading = html! {
            <>
                <span title="Shows it in the large curve">{ link(measure.title(), onclick) }</span>
                <span class="st-values">{ for (0..look.entries.len()).filter_map(value) }</span>
            </>
        };
        let parts = look.parts(metric, 0, look.slice(&[look.view.find]));
        Some(html! {
            <div class="st-multiple" key={metric.to_string()}>
                { figure(look, parts, Kind::Small, Some(heading), None, cursor(look, false)) }
            </div>
        })
    };
    html! { <div class="st-multiples">{ for multiples(look.view, &look.metric).into_iter().filter_map(one) }</div> }
}

/// The answers as rows, where there is no room beside the strip.
fn answers(look: &Look<'_>) -> Html {
    let Some(axis) = look.view.axes.get(look.view.find) else { return Html::default() };
    let place = |place: Option<u32>| place.map_or_else(|| "—".into(), |place| look.value(place as usize));
    let row = |answer: &AnswerView| {
        let entry = look.entries.get(answer.policy as usize)?;
        let open = answer.bracket.filter(|_| !answer.is_settled);
        let may_be = open.map(|(first, _)| first).filter(|first| Some(*first) != answer.answer);
        Some(html! {
            <tr title={answer.words.clone()}>
                <th scope="row">{ badge(entry.slot) }{ " " }{ policy_name(look.view, answer.policy as usize) }</th>
                <td><b>{ place(answer.answer) }</b></td><td>{ place(may_be) }</td>
            </tr>
        })
    };
    if look.view.goals.is_empty() {
        return Html::default();
    }
    html! {
        <table class="st-table st-answers">
            <caption class="visually-hidden">{ "Answers" }</caption>
            <thead><tr>
                <th scope="col">{ "Smallest that meets every goal" }</th>
                <th scope="col">{ &axis.label }</th><th scope="col">{ "May be" }</th>
            </tr></thead>
            <tbody>{ for look.answers().filter_map(row) }</tbody>
        </table>
    }
}
