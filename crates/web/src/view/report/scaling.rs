//! How models scale by what a job scalability analyzer measured: a chart to be chosen, and which batch sizes finish in
//! time (Saxena et al., section V-A).

use std::rc::Rc;
use std::sync::Arc;

use elastiplan_model::{BatchRange, BatchTimes, Curves, Estimate, Origin, ScalingTimes, Trace, limits};
use elastiplan_present::charts::{OfScaling, ScalingModel, of_scaling, scaling_models};
use elastiplan_present::provenance::Provenance;
use elastiplan_text::format;
use yew::prelude::*;

use crate::chart::FigureView;
use crate::elements::column_heads;
use crate::view::charts::use_choice;
use crate::view::fields::NumberField;

/// So many numbers of GPUs have a column; of more, powers of two and the last.
const COLUMNS: u32 = 8;
/// The first question: a training that one GPU would do in a working day.
const DAY_S: f64 = 28_800.0;

/// Whether there is a model to show.
pub(in crate::view) fn has_times(curves: &Curves) -> bool {
    curves.as_slice().iter().any(|curve| curve.scaling_times().is_some())
}

#[derive(Properties, PartialEq)]
pub(super) struct ScalingProps {
    pub curves: Arc<Curves>,
    /// The jobs, which say what models and batch sizes matter.
    pub trace: Arc<Trace>,
    /// The publication of the curves, if there is one.
    pub source: Option<String>,
    pub provenance: Rc<Provenance>,
    pub theme: AttrValue,
}

#[component]
pub(super) fn Scaling(props: &ScalingProps) -> Html {
    let models = use_memo((Arc::clone(&props.curves), Arc::clone(&props.trace)), |(curves, trace)| {
        scaling_models(curves, trace)
    });
    let names = models.iter().map(|model| (model.name.clone(), model.name.clone())).collect();
    let (chosen, model_heading) = use_choice("Model", names);
    let quantities = OfScaling::ALL.iter().map(|of| (of.name().into(), of.label().into())).collect();
    let (shown, heading) = use_choice("Chart of the model", quantities);
    let question = use_state(|| None::<(String, Asked)>);
    let model = models.get(chosen).cloned().unwrap_or_default();
    let figure = use_memo((model.clone(), shown, props.source.clone()), |(model, shown, source)| {
        of_scaling(OfScaling::ALL.get(*shown).copied().unwrap_or_default(), model, source.as_deref())
    });
    let ScalingModel { name: model, times, batches } = model;
    // A question about one model says nothing about another.
    let of_model = question.as_ref().filter(|(about, _)| *about == model);
    let asked = of_model.map_or_else(|| Asked::about(&times, batches), |(_, asked)| *asked);
    let heading = html! { <>{ model_heading }{ heading }</> };
    html! {
        <div class="report-chart">
            <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} if_empty="Nothing was measured" />
            { advice(&model, &times, asked, question.setter()) }
        </div>
    }
}

/// A question about batch sizes.
#[derive(Clone, Copy, PartialEq)]
struct Asked {
    samples: f64,
    hours: f64,
    range: BatchRange,
}

impl Asked {
    fn about(times: &ScalingTimes, range: BatchRange) -> Self {
        let thousands = (times.baseline_samples_per_s() * DAY_S / 1e3).ceil().clamp(1.0, limits::WORK_MAX / 1e3);
        Self { samples: thousands * 1e3, hours: 2.0, range }
    }
}

/// Which batch sizes of a model finish in time.
fn advice(model: &str, times: &ScalingTimes, asked: Asked, ask: UseStateSetter<Option<(String, Asked)>>) -> Html {
    let set = |change: fn(&mut Asked, f64)| {
        let (model, ask) = (model.to_string(), ask.clone());
        Callback::from(move |value: f64| {
            let mut next = asked;
            change(&mut next, value);
            ask.set(Some((model.clone(), next)));
        })
    };
    let Asked { samples, hours, range } = asked;
    let batches = times.training_times(range, times.gpus_max(), samples);
    let field = |label, value, (min, max): (f64, f64), is_whole, change: fn(&mut Asked, f64)| {
        NumberField { label, value, min, max, is_whole, help: "" }.html(set(change), Callback::noop())
    };
    let (least, most) = (f64::from(range.least), f64::from(range.most));
    html! {
        <section key={model.to_string()} class="advice" aria-label="Which batch sizes finish in time">
            <h3>{ format!("Which batch sizes of {model} finish in time") }</h3>
            <div class="advice-fields">
                { field("Samples to train", samples, (1.0, limits::WORK_MAX), false, |asked, v| asked.samples = v) }
                { field("Hours", hours, (0.01, 1e6), false, |asked, v| asked.hours = v) }
                { field("Smallest batch", least, (1.0, most), true, |asked, v| asked.range.least = v as u32) }
                { field("Largest batch", most, (least, f64::from(limits::BATCH_MAX)), true,
                    |asked, v| asked.range.most = v as u32) }
            </div>
            { table(&batches, hours * 3600.0) }
            <p class="chart-note">
                { "In brackets: too late. ~: from an assumed time. Always: in time wherever it runs" }
            </p>
        </section>
    }
}

fn table(batches: &[BatchTimes], within_s: f64) -> Html {
    let gpus_max = batches.first().map_or(0, |batch| batch.training.len() as u32);
    let is_shown = |gpus: &u32| gpus_max <= COLUMNS || gpus.is_power_of_two() || *gpus == gpus_max;
    let columns: Vec<u32> = (1..=gpus_max).filter(is_shown).collect();
    let row = |batch: &BatchTimes| {
        let time = |gpus: &u32| batch.training.get(*gpus as usize - 1).copied().flatten();
        html! {
            <tr>
                <th scope="row">{ format::count(batch.batch_global.into()) }</th>
                <td>{ batch.verdict(within_s).to_string() }</td>
                { for columns.iter().map(|gpus| html! { <td>{ cell(time(gpus), within_s) }</td> }) }
            </tr>
        }
    };
    html! {
        <div class="chart-table-scroll" tabindex="0" role="group" aria-label="Training time by batch size and GPUs, table">
            <table class="chart-table">
                <caption class="visually-hidden">{ "Training time by batch size and GPUs" }</caption>
                <thead><tr>
                    { column_heads(["Batch", "In time"]) }
                    { column_heads(columns.iter().map(|gpus| format::gpus(*gpus))) }
                </tr></thead>
                <tbody>{ for batches.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn cell(time: Option<Estimate>, within_s: f64) -> String {
    let Some(Estimate { time_s, origin }) = time else { return format::DASH.into() };
    let mark = if origin == Origin::Assumed { "~" } else { "" };
    let text = format!("{mark}{}", format::duration(time_s));
    if time_s <= within_s { text } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_whether_it_is_in_time_and_how_certain_that_is() {
        let time = |time_s, origin| Some(Estimate { time_s, origin });
        assert_eq!(cell(time(3600.0, Origin::Measured), 3600.0), "1h 00m");
        assert_eq!(cell(time(3601.0, Origin::Assumed), 3600.0), "(~1h 00m)");
        assert_eq!(cell(None, 3600.0), "—");
    }

    #[test]
    fn a_question_begins_with_a_day_on_one_gpu() {
        let times = ScalingTimes { processing_s: vec![(32.0, 0.1)], ..ScalingTimes::default() };
        let asked = Asked::about(&times, times.batch_range());
        assert_eq!((asked.samples, asked.hours), (9_216_000.0, 2.0));
        assert_eq!(asked.range, BatchRange { least: 32, most: 32 });
    }
}
