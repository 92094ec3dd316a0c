//! The throughputs of Gavel and Shockwave: JSON by GPU type, then by job type and number of workers, with steps per
//! second of all workers together, alone (`"null"`) and beside other jobs. A job type names the batch size of a worker.
//!
//! ```json
//! {"v100": {"('ResNet-18 (batch size 16)', 2)": {"null": 100.1, "('LM (batch size 5)', 2)": [50.2, 10.1]}}}
//! ```

use std::collections::BTreeMap;

use elastiplan_model::{CurveKey, Diagnostic, Severity};

use super::{Known, Tell, TextReader, Treatment, left_out};
use crate::curves::draft::{self, Draft, Location, NOT_RUNNABLE};
use crate::format::Rows;
use crate::report::FileKind;
use crate::text::findings::{Finding, Findings};
use crate::text::json::{Kept, document};
use crate::text::records::Records;

/// The GPU type that is used where a file has several.
const PREFERRED: &str = "v100";
/// The job beside where there is none.
const ALONE: &str = "null";
/// Of throughputs of a job, only those alone.
const KEPT: Kept = Kept { depth: 2, names: &[ALONE] };
/// What the type is called where workers are spread over nodes.
const SPREAD: &str = "_unconsolidated";

const OTHER_TYPE: Finding =
    left_out("One GPU type at a time: v100, or the first", "Take the other types out of the file to use one of them");
const BAD_KEY: Finding = Finding::row_out(
    "A job type with a number of workers, as ('LM (batch size 5)', 2)",
    "Correct the key, or take it out",
);
const NO_SPEED: Finding = Finding::row_out("A throughput alone (null)", "Measure the job alone");
const SPREAD_NOT_RUNNABLE: Finding = left_out("A throughput above 0 for spread GPUs", "Nothing to do");

pub(crate) static THROUGHPUTS: Known = Known {
    name: "Gavel throughputs",
    origin: "https://github.com/stanford-futuredata/gavel (scheduler/simulation_throughputs.json)",
    tell: Tell::Start(|start| {
        let is_object = start.trim_start().starts_with('{');
        is_object && start.contains("\"null\":") && start.contains("(batch size ")
    }),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::CurvesKnown,
        read,
        lacks: "throughputs of more workers than were measured",
        next: "Drop a trace of Gavel or Shockwave beside it",
        assumed: &[(
            "samples_per_s",
            "Steps per second of all workers together, times the batch size of a worker; 1 where the name has none",
            "Nothing to do: traces count steps in the same way",
        )],
    }),
};

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(document) = document(records, KEPT, findings) else { return Rows::Curves(Vec::new()) };
    let types = document.members();
    let stem = |name: &str| name.strip_suffix(SPREAD).unwrap_or(name).to_string();
    let preferred = types.iter().find(|(name, _)| name == PREFERRED);
    let used = preferred.or(types.first()).map(|(name, _)| stem(name)).unwrap_or_default();
    let mut drafts: BTreeMap<String, Draft> = BTreeMap::new();
    let mut number = 0;
    for (name, throughputs) in types {
        let location = if name.ends_with(SPREAD) { Location::Spread } else { Location::Packed };
        for (key, beside) in throughputs.members() {
            number += 1;
            findings.begin_row(number);
            if stem(name) != used {
                findings.row(OTHER_TYPE, || name.clone());
                continue;
            }
            add(key, beside.member(ALONE).number(), location, &mut drafts, findings);
        }
    }
    let finding =
        Diagnostic::new(Severity::Info, "GPU type", format!("{used} is used"), "Nothing to do, if it is meant");
    findings.file(finding);
    let named = drafts.into_iter().map(|(model, draft)| (CurveKey { model, batch_global: None }, draft));
    Rows::Curves(draft::finish(named, findings))
}

/// Adds a point.
fn add(
    key: &str,
    alone: Option<f64>,
    location: Location,
    drafts: &mut BTreeMap<String, Draft>,
    findings: &mut Findings,
) {
    let Some((model, workers)) = job_type(key) else { return findings.row(BAD_KEY, || key.into()) };
    let Some(steps_per_s) = alone else { return findings.row(NO_SPEED, || key.into()) };
    let speed = Some(steps_per_s * batch_of_worker(model)).filter(|speed| *speed > 0.0 && speed.is_finite());
    if speed.is_none() {
        findings.row(if location == Location::Spread { SPREAD_NOT_RUNNABLE } else { NOT_RUNNABLE }, || key.into());
        if location == Location::Spread {
            return;
        }
    }
    drafts.entry(model.into()).or_default().add(workers, location, speed);
}

/// The job type and the workers of a key: of `('LM (batch size 5)', 2)`, or of `LM (batch size 5)` for one worker.
fn job_type(key: &str) -> Option<(&str, u32)> {
    let Some(inner) = key.strip_prefix("('").and_then(|key| key.strip_suffix(')')) else {
        return (!key.is_empty() && !key.starts_with('(')).then_some((key, 1));
    };
    let (model, workers) = inner.rsplit_once("', ")?;
    let workers = workers.trim().parse().ok().filter(|workers| (1..=65_536).contains(workers))?;
    (!model.is_empty()).then_some((model, workers))
}

/// The batch size of a worker, which the job type names; 1 if it does not.
fn batch_of_worker(model: &str) -> f64 {
    let number = model.split_once("(batch size ").and_then(|(_, rest)| rest.split(')').next());
    number.and_then(|number| number.trim().parse::<u32>().ok()).map_or(1.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_job_types_and_workers() {
        assert_eq!(job_type("('ResNet-18 (batch size 16)', 2)"), Some(("ResNet-18 (batch size 16)", 2)));
        assert_eq!(job_type("('A3C', 1)"), Some(("A3C", 1)));
        assert_eq!(job_type("LM (batch size 5)"), Some(("LM (batch size 5)", 1)));
        for bad in ["", "('A3C')", "('A3C', 0)", "('A3C', x)", "('', 1)", "(A3C, 1)"] {
            assert_eq!(job_type(bad), None, "{bad}");
        }
        assert_eq!(batch_of_worker("LM (batch size 80)"), 80.0);
        assert_eq!(batch_of_worker("CycleGAN"), 1.0);
    }
}
