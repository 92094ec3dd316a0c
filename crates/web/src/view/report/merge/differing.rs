//! The curves of a model that differ: before and in the files, as a picture, as a table, and in words.

use elastiplan_text::{format, words};
use yew::prelude::*;

use super::signed_percent;
use crate::state::merge::{Becomes, CurveChoice, Merge, ModelRow, PointPair};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 110.0;
/// Room around the curves.
const EDGE: f64 = 8.0;
/// Points that are listed.
const POINTS_SHOWN: usize = 16;

pub(super) fn differing(merge: &Merge, row: &ModelRow) -> Html {
    let Becomes::Differ { choice, .. } = row.becomes else { return Html::default() };
    let points = merge.points(&row.model);
    let shown = points.iter().take(POINTS_SHOWN);
    let speed = |value: Option<f64>| format::or_dash(value, format::number);
    let is_other = |point: &PointPair| point.change().is_some_and(|change| change != 0.0);
    let has_batches = points.iter().any(|point| point.batch_global.is_some());
    let line = |point: &PointPair| {
        let change = point.change().filter(|change| *change != 0.0);
        html! {
            <tr class={is_other(point).then_some("merge-differs")}>
                if has_batches { <td>{ format::or_dash(point.batch_global, |batch| format::count(batch.into())) }</td> }
                <th scope="row">{ format::count(point.gpus.into()) }</th>
                <td>{ speed(point.before) }</td><td>{ speed(point.file) }</td>
                <td class="warn">{ change.map(signed_percent).unwrap_or_default() }</td>
            </tr>
        }
    };
    let more = points.len().saturating_sub(POINTS_SHOWN) as u64;
    html! {
        <section class="merge-points" aria-label={format!("Points of {}", row.model)}>
            <div>
                <h4><bdi>{ format!("{}: the file and the loaded curves", row.model) }</bdi></h4>
                { picture(&points) }
                <p>{ consequence(merge, row, choice, &points) }</p>
            </div>
            <table class="merge-table">
                <caption class="visually-hidden">{ format!("Samples per second of {} by GPUs", row.model) }</caption>
                <thead><tr>
                    if has_batches { <th scope="col">{ "Batch" }</th> }
                    <th scope="col">{ "GPUs" }</th><th scope="col">{ "Loaded" }</th>
                    <th scope="col">{ "File" }</th><th scope="col">{ "Change" }</th>
                </tr></thead>
                <tbody>{ for shown.map(line) }</tbody>
            </table>
            if more > 0 { <p class="caption">{ format!("And {}", words::counted(more, "more point", "more points")) }</p> }
        </section>
    }
}

/// What follows: on how many GPUs the model is fastest, and which jobs use the curves.
fn consequence(merge: &Merge, row: &ModelRow, choice: CurveChoice, points: &[PointPair]) -> String {
    let [before, file] =
        [|point: &PointPair| point.before, |point: &PointPair| point.file].map(|of| fastest(points, of));
    let fastest = match (before, file) {
        (Some(before), Some(file)) if before == file => format!("Either way it is fastest on {}", format::gpus(before)),
        (Some(before), Some(file)) => {
            format!(
                "With the file it is fastest on {}, with the loaded curves on {}",
                format::gpus(file),
                format::gpus(before)
            )
        }
        _ => String::new(),
    };
    let jobs = words::counted(row.jobs, "job uses", "jobs use");
    let used = match choice {
        CurveChoice::Loaded => format!("{jobs} the loaded curves"),
        CurveChoice::File => format!("{jobs} the file's"),
        CurveChoice::Both => {
            format!("{jobs} the loaded curves; the file's are called {}", merge.name_beside(&row.model))
        }
    };
    format!("{fastest}. {used}.")
}

/// The number of GPUs with the greatest speed; of several the fewest.
fn fastest(points: &[PointPair], of: fn(&PointPair) -> Option<f64>) -> Option<u32> {
    let mut best: Option<(u32, f64)> = None;
    for (gpus, speed) in points.iter().filter_map(|point| Some((point.gpus, of(point)?))) {
        if best.is_none_or(|(_, most)| speed > most) {
            best = Some((gpus, speed));
        }
    }
    best.map(|(gpus, _)| gpus)
}

/// Both curves of the first batch size, over powers of two of GPUs. The table beside it says the same.
fn picture(points: &[PointPair]) -> Html {
    let batch = points.first().and_then(|point| point.batch_global);
    let own: Vec<&PointPair> = points.iter().filter(|point| point.batch_global == batch).collect();
    let most_gpus = own.iter().map(|point| point.gpus).max().unwrap_or(1).max(2);
    let speeds = own.iter().flat_map(|point| [point.before, point.file]).flatten();
    let most = speeds.fold(f64::MIN_POSITIVE, f64::max);
    let x = |gpus: u32| EDGE + (WIDTH - 2.0 * EDGE) * libm::log2(gpus.into()) / libm::log2(most_gpus.into());
    let y = |speed: f64| HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * speed / most;
    let path = |of: fn(&PointPair) -> Option<f64>| {
        let known = own.iter().filter_map(|point| Some((point.gpus, of(point)?)));
        let place = |(at, (gpus, speed)): (usize, (u32, f64))| {
            format!("{}{:.1} {:.1}", if at == 0 { "M" } else { "L" }, x(gpus), y(speed))
        };
        known.enumerate().map(place).collect::<String>()
    };
    let dots = own.iter().filter(|point| point.change().is_some_and(|change| change != 0.0)).filter_map(|point| {
        let (x, y) = (format!("{:.1}", x(point.gpus)), format!("{:.1}", y(point.file?)));
        Some(html! { <circle class="merge-dot" cx={x} cy={y} r="3.5" /> })
    });
    html! {
        <svg class="merge-picture" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true">
            <path class="map-grid" d={format!("M{EDGE} {0}H{1}", HEIGHT - EDGE, WIDTH - EDGE)} />
            <path class="merge-loaded" d={path(|point| point.before)} />
            <path class="merge-file" d={path(|point| point.file)} />
            { for dots }
        </svg>
    }
}
