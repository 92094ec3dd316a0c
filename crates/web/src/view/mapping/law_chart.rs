//! Laws of speedup through the known point of a job, as a small chart.

use elastiplan_model::SpeedupLaw;
use elastiplan_model::order::sort_by_key;
use elastiplan_text::format;
use yew::prelude::*;

use crate::state::mapping::speeds::{Point, apart};

const WIDTH: f64 = 316.0;
const HEIGHT: f64 = 172.0;
const LEFT: f64 = 26.0;
const RIGHT: f64 = 52.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 18.0;
/// The width of a letter of the words at the known point, rounded up.
const LETTER: f64 = 6.0;
/// The least distance of two labels.
const LINE: f64 = 12.0;

/// A law as it is drawn.
struct Curve<'l> {
    name: &'l String,
    is_chosen: bool,
    /// Numbers of GPUs with the speed on them.
    points: Vec<(u32, f64)>,
}

#[derive(Properties, PartialEq)]
pub(super) struct ChartProps {
    pub point: Point,
    /// The laws with their names.
    pub laws: Vec<(String, SpeedupLaw)>,
    pub chosen: Option<SpeedupLaw>,
}

#[component]
pub(super) fn LawChart(props: &ChartProps) -> Html {
    let ChartProps { point, laws, chosen } = props;
    let gpus_shown = point.gpus_shown();
    let most_gpus = f64::from(gpus_shown.last().copied().unwrap_or(1));
    let most = most_gpus / f64::from(point.gpus.max(1));
    let x = |gpus: f64| LEFT + (WIDTH - LEFT - RIGHT) * libm::log2(gpus) / libm::log2(most_gpus).max(1.0);
    let y = |speed: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (speed / most).clamp(0.0, 1.0);
    let curves: Vec<Curve> = laws
        .iter()
        .filter(|(_, law)| *law != SpeedupLaw::Rigid)
        .map(|(name, law)| Curve { name, is_chosen: Some(*law) == *chosen, points: point.curve(law) })
        .filter(|curve| !curve.points.is_empty())
        .collect();
    let ends: Vec<f64> = curves.iter().map(|curve| y(curve.points.last().map_or(0.0, |(_, speed)| *speed))).collect();
    let labels = apart(&ends, LINE, (TOP + 2.0, HEIGHT - BOTTOM - 2.0));
    let path = |curve: &[(u32, f64)]| {
        let point = |(place, (gpus, speed)): (usize, &(u32, f64))| {
            format!("{}{:.1} {:.1}", if place == 0 { "M" } else { "L" }, x((*gpus).into()), y(*speed))
        };
        curve.iter().enumerate().map(point).collect::<String>()
    };
    // The chosen one lies above the others.
    let mut order: Vec<usize> = (0..curves.len()).collect();
    sort_by_key(&mut order, |at| curves.get(*at).is_some_and(|curve| curve.is_chosen));
    let line = |at: usize| {
        let Curve { name, is_chosen, points } = curves.get(at)?;
        let class = if *is_chosen { "map-curve map-chosen" } else { "map-curve" };
        let label_y = labels.get(at).copied().unwrap_or(0.0) + 3.5;
        Some(html! {
            <g key={name.as_str()}>
                <path {class} d={path(points)} />
                <text class={if *is_chosen { "map-chosen" } else { "" }} x={(WIDTH - RIGHT + 5.0).to_string()} y={format!("{label_y:.1}")}>{ name }</text>
            </g>
        })
    };
    let grid = grid(most);
    let horizontal = grid.iter().map(|speed| {
        let at = format!("{:.1}", y(*speed));
        html! {
            <g>
                <path class="map-grid" d={format!("M{LEFT} {at}H{}", WIDTH - RIGHT)} />
                <text x={(LEFT - 5.0).to_string()} y={format!("{:.1}", y(*speed) + 3.5)} text-anchor="end">{ format!("×{}", format::number(*speed)) }</text>
            </g>
        }
    });
    let every = gpus_shown.len().div_ceil(8).max(1);
    let vertical = gpus_shown.iter().rev().step_by(every).map(|gpus| {
        html! { <text x={format!("{:.1}", x((*gpus).into()))} y={(HEIGHT - 4.0).to_string()} text-anchor="middle">{ gpus.to_string() }</text> }
    });
    let (known_x, known_y) = (x(point.gpus.into()), y(1.0));
    let known = format!("known: {}, {}", format::gpus(point.gpus), format::duration(point.duration_s));
    let words_x = words_x(known_x, known.chars().count());
    let title = match &point.name {
        Some(name) => format!("Speed of {name} by GPUs, against its {}", point.gpus),
        None => format!("Speed of a job by GPUs, against its {}", point.gpus),
    };
    html! {
        <figure class="map-chart">
            <figcaption class="caption">{ title.clone() }</figcaption>
            <svg viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={title}>
                { for horizontal }
                { for vertical }
                { for order.into_iter().filter_map(line) }
                <circle class="map-known" cx={format!("{known_x:.1}")} cy={format!("{known_y:.1}")} r="4.5" />
                <text class="map-known-words" x={format!("{words_x:.1}")} y={format!("{:.1}", known_y - 10.0)}>{ known }</text>
            </svg>
        </figure>
    }
}

/// Where the words at the known point begin: left of it, as curves rise to its right, but never on the numbers of the axis.
fn words_x(known_x: f64, letters: usize) -> f64 {
    (known_x - 7.0 - letters as f64 * LETTER).max(LEFT + 4.0)
}

/// At most five values from 0 to `most`.
fn grid(most: f64) -> Vec<f64> {
    let step = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];
    let step = step.into_iter().find(|step| most / step <= 4.0).unwrap_or(most / 4.0);
    (0..=4).map(|at| f64::from(at) * step).filter(|value| *value <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_clear_of_the_axis_and_of_the_names_of_the_laws() {
        let most = "known: 4,096 GPUs, 123d 23h".len();
        for letters in [15, 20, most] {
            for known_x in [LEFT, 60.0, LEFT + 104.0, 160.0, WIDTH - RIGHT] {
                let from = words_x(known_x, letters);
                let to = from + letters as f64 * LETTER;
                assert!(from >= LEFT + 4.0, "{letters} letters at {known_x}");
                assert!(to <= WIDTH - RIGHT, "{letters} letters at {known_x}: {to}");
            }
        }
    }
}
