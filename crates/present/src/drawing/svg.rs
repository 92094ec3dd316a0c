//! A figure as an SVG file.

use plotters::prelude::SVGBackend;

use crate::drawing::{Drawing, print_width_px, saved_size};
use crate::figure::Figure;
use crate::palette::Palette;
use crate::provenance::Provenance;

/// Coordinates in a file are whole numbers: so many of them are one CSS pixel.
const FINE: f64 = 8.0;
/// Plotters divides the size of fonts by this in SVG files.
const FONT_SCALE: f64 = 1.24;
/// One CSS pixel in print.
const MM_PER_PX: f64 = 25.4 / 96.0;

/// The file of a figure, in the light colours whatever the theme: it goes onto paper or a slide.
pub fn saved_svg(figure: &Figure, provenance: &Provenance) -> String {
    let lines = provenance.printed(print_width_px()).len();
    svg(figure, &Palette::light(), saved_size(figure, lines), provenance)
}

/// A figure as a picture within a document that says what it is: its marks, and what is read out of it.
pub fn plain_svg(figure: &Figure, size: (f64, f64)) -> String {
    let mut drawn = String::new();
    let pixels = ((size.0 * FINE).round() as u32, (size.1 * FINE).round() as u32);
    let palette = Palette::light();
    let drawing = Drawing { figure, palette: &palette, size, ratio: FINE, print: None, font_scale: FONT_SCALE };
    let _ = drawing.draw(SVGBackend::with_string(&mut drawn, pixels));
    let body = drawn.split_once('>').map_or("", |(_, body)| body.trim());
    let label = escaped(&figure.title).replace('"', "&quot;");
    let (width, height) = pixels;
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" stroke-linejoin=\"round\" role=\"img\" aria-label=\"{label}\">\n{body}\n"
    )
}

/// A figure as SVG. Marks that cannot be drawn are left out.
fn svg(figure: &Figure, palette: &Palette, size: (f64, f64), provenance: &Provenance) -> String {
    let mut drawn = String::new();
    let pixels = ((size.0 * FINE).round() as u32, (size.1 * FINE).round() as u32);
    let print = provenance.printed(print_width_px());
    let drawing = Drawing { figure, palette, size, ratio: FINE, print: Some(&print), font_scale: FONT_SCALE };
    let _ = drawing.draw(SVGBackend::with_string(&mut drawn, pixels));
    let body = drawn.split_once('>').map_or("", |(_, body)| body.trim_start());
    let words = [("title", &figure.title), ("desc", &figure.summary), ("metadata", &provenance.text())];
    let words: String = words.iter().map(|(tag, text)| format!("<{tag}>{}</{tag}>\n", escaped(text))).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.1}mm\" height=\"{:.1}mm\" viewBox=\"0 0 {} {}\" \
         stroke-linejoin=\"round\">\n{words}{body}",
        size.0 * MM_PER_PX,
        size.1 * MM_PER_PX,
        pixels.0,
        pixels.1
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use elastiplan_compare::Badge;
    use elastiplan_metrics::Metrics;
    use elastiplan_model::Availability;

    use super::*;
    use crate::charts::against::against;
    use crate::charts::bars::bars;
    use crate::charts::by_group::{By, by_group};
    use crate::charts::distribution::{Spread, distribution};
    use crate::charts::idle_nodes::{OfLog, of_log};
    use crate::charts::over_time::over_time;
    use crate::course::Course;
    use crate::figure::axis::Spacing;
    use crate::figure::{Dot, Shape};
    use crate::paper::Paper;
    use crate::study;
    use crate::study::testing::{load_study, nodes_study};
    use crate::testing::{paper, sample_runs};

    fn provenance() -> Provenance {
        Provenance {
            name: "a < b & c".into(),
            inputs: vec!["48 jobs".into(), "16 × 8 GPUs".into(), "seed 3".into()],
            digests: vec!["A fixed 00000000".into()],
            scenario: "Scenario a < b & c".into(),
            runs: "A fixed digest 0".into(),
            software: "Elastiplan build 0".into(),
        }
    }

    /// The file is what lies in tests/figures; `UPDATE_FIGURES=1` writes it anew.
    fn check(name: &str, figure: &Figure) {
        check_size(name, figure, if figure.key.is_empty() { (560.0, 340.0) } else { saved_size(figure, 1) });
    }

    fn check_size(name: &str, figure: &Figure, size: (f64, f64)) {
        let path = format!("{}/tests/figures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        let file = svg(figure, &Palette::light(), size, &provenance());
        if std::env::var_os("UPDATE_FIGURES").is_some() {
            std::fs::write(&path, &file).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert!(file == expected, "{path} differs: look at it after UPDATE_FIGURES=1");
    }

    /// Nodes that stay for one to forty minutes, and one for hours.
    fn log() -> Availability {
        let node = |nth: u32| {
            let from_s = f64::from(nth) * 30.0;
            let to_s = from_s + f64::from(nth * nth) * 1.5 + 60.0;
            (format!("n{nth}"), vec![(from_s, Some(if nth == 0 { 20_000.0 } else { to_s }))])
        };
        Availability::from_intervals((0..40).map(node).collect(), 20_000.0).unwrap()
    }

    /// Sixty dots about each dot of a figure.
    fn many(mut figure: Figure) -> Figure {
        for series in &mut figure.series {
            let Shape::Dots(dots) = &mut series.shape else { continue };
            let about = |dot: &Dot, nth: u32| {
                let (across, up) = (f64::from(nth % 8) - 3.5, f64::from(nth / 8) - 3.5);
                Dot { x: dot.x * (1.0 + across * 0.06), y: dot.y * (1.0 + up * 0.06), ..*dot }
            };
            *dots = dots.iter().flat_map(|dot| (0..60).map(move |nth| about(dot, nth))).collect();
        }
        figure
    }

    #[test]
    fn pictures_are_as_they_were() {
        let (runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        check(
            "completion",
            &distribution(Spread::Completion, &runs, &workload, &paper("p50_jct_s", "fixed", 4000.0, "Fig. 9"), None),
        );
        check("against", &against(&runs, &workload, Badge::of_slot(2).unwrap(), Spacing::Log).unwrap());
        check("against-many", &many(against(&runs, &workload, Badge::of_slot(2).unwrap(), Spacing::Log).unwrap()));
        check("models", &by_group(By::Model, &runs, &workload));
        let mean = Metrics::info("avg_jct_s").unwrap();
        check("bars", &bars(mean, &runs, &paper("avg_jct_s", "elastic-dp", 3000.0, "Table 3")));
        check("gpus", &over_time(Course::GpusInUse, &runs, &workload));
        check("fragments", &of_log(OfLog::Fragments, &log(), true));
    }

    #[test]
    fn pictures_of_studies_are_as_they_were() {
        let (nodes, load) = (nodes_study(), load_study());
        let slots = [0, 1, 2, 3];
        let met = "deadline_satisfactory_ratio";
        let check = |name: &str, figure: Option<Figure>, size: (f64, f64)| {
            check_size(&format!("study-{name}"), &figure.unwrap(), size);
        };
        check("curves", study::curves(&nodes, &slots, met, 0), (784.0, 330.0));
        check("curves-narrow", study::curves(&nodes, &slots, met, 0), (358.0, 270.0));
        check("small", study::small_curves(&nodes, &slots, "p95_queueing_s", 0), (230.0, 200.0));
        check("cost", study::small_curves(&nodes, &slots, "cost_dollars", 0), (230.0, 200.0));
        check("map", study::heat(&load, &slots, 0, met, 0), (372.0, 290.0));
        check("front", study::front(&load, &slots, 24), (380.0, 330.0));
        let brush = study::Brush { axis: 2, from: 0.9, to: 1.0 };
        check("parallel", Some(study::parallel(&load, &slots, &[brush])), (784.0, 380.0));
    }

    #[test]
    fn the_file_says_what_it_is_and_where_it_comes_from() {
        let (runs, workload) = sample_runs(&["fixed"]);
        let figure = distribution(Spread::Waiting, &runs, &workload, &Paper::default(), None);
        let file = svg(&figure, &Palette::light(), (560.0, 340.0), &provenance());
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"148.2mm\""), "{}", &file[..80]);
        for part in [
            "<title>Waiting time, % of jobs</title>",
            "<metadata>Scenario a &lt; b &amp; c. A fixed digest 0. Elastiplan build 0</metadata>",
            "font-size=\"88\"",
        ] {
            assert!(file.contains(part), "{part}");
        }
        assert_eq!(file.matches("<svg").count(), file.matches("</svg>").count());
    }
}
