//! The table twin of the distribution: within which time each tenth of all jobs completes.

use elastiplan_scene::format;
use yew::prelude::*;

use super::curves::Curve;

/// The rows, in percent of all jobs.
const PERCENT: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

fn time_s(curve: &Curve, percent: u32) -> Option<f64> {
    curve.time_s_at(f64::from(percent) / 100.0)
}

/// The table.
pub fn table(curves: &[Curve]) -> Html {
    let head = curves.iter().map(|curve| html! { <th scope="col">{ curve.label() }</th> });
    let row = |&percent: &u32| {
        let cell = |curve: &Curve| html! { <td>{ format::or_dash(time_s(curve, percent), format::duration) }</td> };
        html! { <tr><th scope="row">{ format!("{percent}%") }</th>{ for curves.iter().map(cell) }</tr> }
    };
    html! {
        <table class="dist-table">
            <thead><tr><th scope="col">{ "Jobs" }</th>{ for head }</tr></thead>
            <tbody>{ for PERCENT.iter().map(row) }</tbody>
        </table>
    }
}

/// The table as tab-separated text, times in seconds.
pub fn tab_separated(curves: &[Curve]) -> String {
    let mut text = String::from("jobs_percent");
    for curve in curves {
        text.push_str(&format!("\t{}_s", curve.name));
    }
    text.push('\n');
    for percent in PERCENT {
        text.push_str(&percent.to_string());
        for curve in curves {
            let cell = time_s(curve, percent).map(|time_s| time_s.to_string()).unwrap_or_default();
            text.push_str(&format!("\t{cell}"));
        }
        text.push('\n');
    }
    text
}
