//! What the data do not say of jobs, and what is assumed instead: a law of speed, drawn deadlines, drawn models.

use elastiplan_model::{Amdahl, Assumption, Curves, Downey, Power, Sevcik, Severity, SpeedupLaw, Trace};
use elastiplan_scenario::ModelMix;
use elastiplan_text::words;

use super::data::{Bound, Data};

/// What deadlines are drawn between where they are switched on: the factors of ElasticFlow's traces.
pub const TIGHTNESS: (f64, f64) = (0.5, 1.5);

/// A law to choose, by its name in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct LawChoice {
    /// Its value in the list; empty for no law.
    pub value: String,
    /// Its name.
    pub label: String,
    /// The law, with parameters to begin with.
    pub law: Option<SpeedupLaw>,
}

/// All laws, and the measured curves of loaded models.
pub fn law_choices(curves: &Curves) -> Vec<LawChoice> {
    let laws = [
        ("Rigid only", SpeedupLaw::Rigid),
        ("Linear", SpeedupLaw::Linear),
        ("Amdahl", SpeedupLaw::Amdahl(Amdahl { serial: 0.05 })),
        ("Downey", SpeedupLaw::Downey(Downey { parallelism: 32.0, variation: 1.0 })),
        ("Sevcik", SpeedupLaw::Sevcik(Sevcik { imbalance: 1.02, fixed_s: 0.05, per_gpu_s: 0.0 })),
        ("Power", SpeedupLaw::Power(Power { factor: 0.8 })),
    ];
    let none = LawChoice { value: String::new(), label: "None".into(), law: None };
    let laws = laws.map(|(label, law)| LawChoice { value: value_of(&law), label: label.into(), law: Some(law) });
    let measured = curves.models().into_iter().filter_map(|model| {
        let law = SpeedupLaw::Like(model.parse().ok()?);
        Some(LawChoice { value: value_of(&law), label: format!("Measured: {model}"), law: Some(law) })
    });
    std::iter::once(none).chain(laws).chain(measured).collect()
}

/// The value of a law in the list: its text without parameters.
pub fn value_of(law: &SpeedupLaw) -> String {
    let text = law.to_string();
    match (law, text.split_once(':')) {
        (SpeedupLaw::Like(_), _) | (_, None) => text,
        (_, Some((name, _))) => name.into(),
    }
}

/// A parameter of a law, as its field shows it.
#[derive(Clone, Copy, Debug)]
pub struct LawParameter {
    /// Its label, with the unit.
    pub label: &'static str,
    /// What it means.
    pub help: &'static str,
    /// Its value.
    pub value: f64,
    /// The least and the greatest value.
    pub range: (f64, f64),
    /// The law with another value.
    pub with: fn(SpeedupLaw, f64) -> SpeedupLaw,
}

/// The parameters of a law.
pub fn parameters(law: &SpeedupLaw) -> Vec<LawParameter> {
    let parameter = |label, help, value, range, with| LawParameter { label, help, value, range, with };
    match *law {
        SpeedupLaw::Amdahl(Amdahl { serial }) => {
            // Dividing by a hundredth keeps what was typed.
            let percent = (serial * 1e8).round() / 1e6;
            vec![parameter(
                "Serial share, %",
                "Share of the work that more GPUs do not speed up",
                percent,
                (0.0, 100.0),
                |_, percent| SpeedupLaw::Amdahl(Amdahl { serial: percent / 100.0 }),
            )]
        }
        SpeedupLaw::Downey(Downey { parallelism, variation }) => {
            vec![
                parameter(
                    "Average parallelism",
                    "The greatest speedup",
                    parallelism,
                    (1.0, 65_536.0),
                    |law, parallelism| match law {
                        SpeedupLaw::Downey(law) => SpeedupLaw::Downey(Downey { parallelism, ..law }),
                        other => other,
                    },
                ),
                parameter("Variation", "0: linear up to the parallelism", variation, (0.0, 1e6), |law, variation| {
                    match law {
                        SpeedupLaw::Downey(law) => SpeedupLaw::Downey(Downey { variation, ..law }),
                        other => other,
                    }
                }),
            ]
        }
        SpeedupLaw::Sevcik(Sevcik { imbalance, fixed_s, per_gpu_s }) => vec![
            parameter("Imbalance", "1: work is divided evenly", imbalance, (1.0, 1e6), |law, imbalance| match law {
                SpeedupLaw::Sevcik(law) => SpeedupLaw::Sevcik(Sevcik { imbalance, ..law }),
                other => other,
            }),
            parameter("Fixed overhead, s", "", fixed_s, (0.0, 1e9), |law, fixed_s| match law {
                SpeedupLaw::Sevcik(law) => SpeedupLaw::Sevcik(Sevcik { fixed_s, ..law }),
                other => other,
            }),
            parameter("Overhead per GPU, s", "", per_gpu_s, (0.0, 1e9), |law, per_gpu_s| match law {
                SpeedupLaw::Sevcik(law) => SpeedupLaw::Sevcik(Sevcik { per_gpu_s, ..law }),
                other => other,
            }),
        ],
        SpeedupLaw::Power(Power { factor }) => vec![parameter(
            "Factor per doubling",
            "Throughput per GPU with twice the GPUs. 1: linear, 0.5: more GPUs are no faster",
            factor,
            (0.5, 1.0),
            |_, factor| SpeedupLaw::Power(Power { factor }),
        )],
        SpeedupLaw::Rigid | SpeedupLaw::Linear | SpeedupLaw::Like(_) => Vec::new(),
    }
}

/// A law in words, after "run": `by Amdahl, 6% serial`.
pub fn law_words(law: &SpeedupLaw) -> String {
    match law {
        SpeedupLaw::Rigid => "on the GPUs that they ask for only".into(),
        SpeedupLaw::Linear => "with linear speedup".into(),
        SpeedupLaw::Amdahl(Amdahl { serial }) => format!("by Amdahl, {}% serial", (serial * 1e8).round() / 1e6),
        SpeedupLaw::Downey(Downey { parallelism, variation }) => {
            format!("by Downey, parallelism {parallelism}, variation {variation}")
        }
        SpeedupLaw::Sevcik(Sevcik { imbalance, fixed_s, per_gpu_s }) => {
            format!("by Sevcik, imbalance {imbalance}, overhead {fixed_s} s and {per_gpu_s} s per GPU")
        }
        SpeedupLaw::Power(Power { factor }) => format!("by a power law, {factor} per doubling"),
        SpeedupLaw::Like(model) => format!("by the curve of {model}"),
    }
}

/// What jobs lack, by numbers of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Left out, since their model has no curve and no law could take its place.
    pub left_out: u64,
    /// Run by a law, or by the curve of another model.
    pub by_law: u64,
    /// Without a deadline, in a trace that was loaded.
    pub deadline: u64,
    /// With a deadline that was drawn.
    pub deadline_drawn: u64,
    /// Without a model.
    pub model: u64,
    /// With a model that was drawn.
    pub model_drawn: u64,
}

impl Lacking {
    /// What the jobs of these data lack, as they were bound.
    pub fn of(data: &Data, bound: &Bound) -> Self {
        let trace = &data.trace;
        let is_read = !data.trace_origin.is_drawn();
        let count = |lacks: fn(&Trace, &elastiplan_model::Job) -> bool| {
            trace.jobs().iter().filter(|job| lacks(trace, job)).count() as u64
        };
        let without_curve = bound
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error && found.place.column.as_deref() == Some("model"));
        let assumed = |what| bound.workload.jobs_assuming(what) as u64;
        Self {
            left_out: without_curve.map(|found| found.count).sum(),
            by_law: assumed(Assumption::Speed),
            deadline: if is_read { count(|_, job| job.deadline_s.is_none()) } else { 0 },
            deadline_drawn: assumed(Assumption::Deadline),
            model: count(|trace, job| trace.model_name(job.model) == Trace::NO_MODEL),
            model_drawn: assumed(Assumption::Model),
        }
    }

    /// What becomes of jobs without a curve.
    pub fn speed_words(&self, law: Option<&SpeedupLaw>) -> String {
        let by_law = law.filter(|_| self.by_law > 0).map(|law| {
            let verb = if self.by_law == 1 { "runs" } else { "run" };
            format!("{} {verb} {}", words::counted(self.by_law, "job", "jobs"), law_words(law))
        });
        let left_out = (self.left_out > 0).then(|| match law {
            None => {
                let verb = if self.left_out == 1 { "has" } else { "have" };
                format!("{} {verb} no curve: left out", words::counted(self.left_out, "job", "jobs"))
            }
            Some(_) => format!("{} left out", words::counted(self.left_out, "job", "jobs")),
        });
        let all: Vec<String> = by_law.into_iter().chain(left_out).collect();
        if all.is_empty() { "Every job has a curve".into() } else { all.join(", ") }
    }
}

/// All loaded models with equal weights, as many as a mix can hold: a mix to begin with.
pub fn equal_mix(curves: &Curves) -> Option<ModelMix> {
    let models = curves.models();
    let mix = |count: usize| {
        let parts: Vec<String> = models.iter().take(count).map(|model| format!("{model}:1")).collect();
        parts.join(",").parse().ok()
    };
    (1..=models.len()).rev().find_map(mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::inputs::Inputs;

    #[test]
    fn every_law_can_be_chosen_and_named() {
        let curves = Inputs::sample().data.curves;
        let choices = law_choices(&curves);
        let labels: Vec<&str> = choices.iter().take(8).map(|choice| choice.label.as_str()).collect();
        let first = "Measured: AlexNet";
        assert_eq!(labels, ["None", "Rigid only", "Linear", "Amdahl", "Downey", "Sevcik", "Power", first]);
        for choice in choices.iter().filter(|choice| choice.law.is_some()) {
            let law = choice.law.unwrap();
            assert!(law.is_sound(), "{law}");
            assert_eq!(value_of(&law), choice.value);
            for parameter in parameters(&law) {
                let (least, most) = parameter.range;
                assert_eq!((parameter.with)(law, parameter.value), law, "{law}: {}", parameter.label);
                for value in [least, most] {
                    let changed = (parameter.with)(law, value);
                    assert!(changed.is_sound() && value_of(&changed) == choice.value, "{changed}");
                    assert!(parameters(&changed).iter().any(|known| known.value == value), "{changed}");
                }
            }
        }
    }

    #[test]
    fn what_becomes_of_jobs_without_a_curve_is_a_sentence() {
        let check = |lacking: (u64, u64), law: Option<&str>, expected: &str| {
            let lacking = Lacking { left_out: lacking.0, by_law: lacking.1, ..Lacking::default() };
            let law: Option<SpeedupLaw> = law.map(|law| law.parse().unwrap());
            assert_eq!(lacking.speed_words(law.as_ref()), expected);
        };
        check((0, 0), None, "Every job has a curve");
        check((7_228, 0), None, "7,228 jobs have no curve: left out");
        check((1, 0), None, "1 job has no curve: left out");
        check((0, 7_228), Some("amdahl:0.06"), "7,228 jobs run by Amdahl, 6% serial");
        check((2, 1), Some("rigid"), "1 job runs on the GPUs that they ask for only, 2 jobs left out");
        check((0, 3), Some("like:bert"), "3 jobs run by the curve of bert");
        check((0, 3), Some("sevcik:1.3,25,5"), "3 jobs run by Sevcik, imbalance 1.3, overhead 25 s and 5 s per GPU");
    }

    #[test]
    fn the_sample_lacks_nothing() {
        let inputs = Inputs::sample();
        assert_eq!(Lacking::of(&inputs.data, &inputs.bind()), Lacking::default());
    }

    #[test]
    fn a_mix_begins_with_every_model_that_fits() {
        let mix = equal_mix(&Inputs::sample().data.curves).unwrap().to_string();
        assert_eq!(mix.split(',').count(), 7);
        assert_eq!(equal_mix(&Curves::default()), None);
    }
}
