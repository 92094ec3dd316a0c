//! Processing times of a job scalability analyzer (Saxena et al., section III-B1): how long a single GPU takes for so
//! many samples of a model, and how many weights the model has.
//!
//! ```csv
//! model,weights,batch_per_gpu,time_s
//! vgg16,138e6,16,0.061
//! vgg16,138e6,32,0.114
//! ```

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Diagnostic, Severity};

use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::scalability::parts::{MeasuredModel, ScalabilityPart};
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::header::{Column, Spec};
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::values::{self, first_names};

static SPEC: Spec = Spec { required: &[&["model"], &["weights"], &["batch_per_gpu"], &["time_s"]], optional: &[] };

pub(crate) static FORMAT: Format = Format::of(FileKind::ScalabilityProcessing, &SPEC, |table, _| {
    Rows::Scalability(ScalabilityPart::Processing(read(table)))
});

const OTHER_WEIGHTS: Finding = Finding::row_out(
    "As many weights as in the first row of the model",
    "Correct one of them, or give models of other sizes names of their own",
);
const SAME_BATCH: Finding = Finding::new(
    Effect::LeftOut,
    "One row for a model and number of samples",
    "The first is used; row left out",
    "Remove one of them, or merge them to their mean",
);
const FALLING: Finding = Finding::new(
    Effect::Doubted,
    "More samples take no less time",
    "Used as it was measured",
    "Measure again, if there is no reason for it",
);

/// A model while its rows are read.
struct Draft {
    line: u64,
    weights: f64,
    /// Seconds and line by number of samples.
    points: BTreeMap<u32, (f64, u64)>,
}

fn read(table: &mut Table<'_, '_>) -> Vec<MeasuredModel> {
    // The header fits, so that they are there.
    let columns = table.header.find_all(["model", "weights", "batch_per_gpu", "time_s"]);
    let Some([model, numbers @ ..]) = columns else { return Vec::new() };
    let [weights_column, batch_column, _] = &numbers;
    let mut names = Names::default();
    let mut drafts: BTreeMap<u32, Draft> = BTreeMap::new();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    while let Some(mut cells) = table.next() {
        let name = cells.model(&model);
        let number = name.map(|name| names.number(&name));
        seen.extend(number);
        let measured = read_row(&mut cells, &numbers);
        let (Some(number), Some((weights, batch, time_s))) = (number, measured) else { continue };
        let draft =
            drafts.entry(number).or_insert_with(|| Draft { line: cells.line(), weights, points: BTreeMap::new() });
        if draft.weights != weights {
            cells.report(OTHER_WEIGHTS, weights_column);
            continue;
        }
        match draft.points.entry(batch) {
            Entry::Vacant(free) => _ = free.insert((time_s, cells.line())),
            Entry::Occupied(_) => cells.report(SAME_BATCH, batch_column),
        }
    }
    report_left_out(&names, seen.iter().filter(|number| !drafts.contains_key(number)), &mut table.findings);
    report_falling(&names, &drafts, &mut table.findings);
    let finished = drafts.into_iter().map(|(number, draft)| MeasuredModel {
        line: draft.line,
        model: names.name(number).into(),
        weights: draft.weights,
        points: draft.points.into_iter().map(|(batch, (time_s, _))| (batch, time_s)).collect(),
    });
    finished.collect()
}

/// Weights, samples and seconds of a row; all faults of the row are reported at once.
fn read_row(cells: &mut Cells<'_>, [weights, batch, time]: &[Column; 3]) -> Option<(f64, u32, f64)> {
    let mut number = |column: &Column, range: values::Range| cells.needed(column, range, values::number);
    let weights = number(weights, values::WEIGHTS);
    let batch = number(batch, values::BATCH);
    let time_s = number(time, values::STEP);
    Some((weights?, batch? as u32, time_s?))
}

/// Adds a finding about models of which no row can be used.
fn report_left_out<'n>(names: &Names, left_out: impl Iterator<Item = &'n u32>, findings: &mut Findings) {
    let models: Vec<&str> = left_out.map(|number| names.name(*number)).collect();
    if models.is_empty() {
        return;
    }
    let rule = "A model has a row with weights, samples and seconds";
    let outcome = if models.len() == 1 { "Model left out" } else { "Models left out" };
    let finding = Diagnostic::new(Severity::Error, rule, outcome, "Correct its rows");
    findings.file(finding.with_value(first_names(&models)).with_count(models.len() as u64));
}

/// Adds findings about rows that take less time than one of the same model with fewer samples.
fn report_falling(names: &Names, drafts: &BTreeMap<u32, Draft>, findings: &mut Findings) {
    let mut falling: Vec<(u64, String)> = Vec::new();
    for (number, draft) in drafts {
        let mut before: Option<(u32, f64)> = None;
        for (&batch, &(time_s, line)) in &draft.points {
            if let Some((fewer, longer_s)) = before.filter(|(_, before_s)| time_s < *before_s) {
                let model = names.name(*number);
                falling.push((line, format!("{model}: {time_s} s for {batch} samples, {longer_s} s for {fewer}")));
            }
            before = Some((batch, time_s));
        }
    }
    sort_by_key(&mut falling, |(line, _)| *line);
    for (line, words) in falling {
        findings.begin_skipped_line(line);
        findings.row(FALLING, || words);
    }
}
