//! Results of MLPerf Training, as the repositories of its rounds summarize them: a row for each system, a column for
//! each benchmark, with the minutes to the target quality.
//!
//! ```csv
//! division,availability,submitter,system,accelerator_model_name,accelerators_count,framework,notes,bert,gpt3,details_url
//! closed,available,Google,tpu-v5e-4096,TPU-v5e,4096,PAX,,,44.68,https://...
//! ```

use std::collections::BTreeMap;

use elastiplan_model::{Curve, CurveKey};

use super::{Fold, Known, TableReader, Tell, Treatment, left_out};
use crate::curves::draft::{self, Draft, Location};
use crate::format::Rows;
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::findings::{Effect, Finding, Repair};
use crate::text::header::{Column, Header};
use crate::text::table::Table;
use crate::text::values::{self, Cell};

/// The columns that are no benchmark.
const OTHERS: [&str; 14] = [
    "id",
    "division",
    "availability",
    "submitter",
    "system",
    "system_name",
    "nodes",
    "host_processor_model_name",
    "host_processors_count",
    "framework",
    "notes",
    "details_url",
    "code_url",
    "code",
];
const TYPE: &str = "accelerator_model_name";
const COUNT: &str = "accelerators_count";

const OTHER_TYPE: Finding = left_out(
    "One accelerator at a time: that of the first row with a result",
    "Keep the rows of one accelerator to use another",
);
const OPEN: Finding = left_out(
    "The closed division, in which every system trains the same model",
    "Nothing to do: times of the open division are of other models",
);
const NO_RESULT: Finding = left_out("A time of some benchmark", "Nothing to do: the system has no result");
/// A time that is no number: the row's other times are used.
const BAD_TIME: Finding = Finding {
    effect: Effect::Repaired,
    rule: "Minutes above 0, at most 1e9",
    outcome: "Treated as missing",
    repair: Repair::Number,
};
const SLOWER: Finding = Finding::new(
    Effect::None,
    "One time for a benchmark and a number of accelerators: the first",
    "Not used",
    "Keep the row of the system that you plan with",
);

pub(crate) static RESULTS: Known = Known {
    name: "MLPerf Training results",
    origin: "https://github.com/mlcommons (training_results_v3.1, summary.csv)",
    tell: Tell::Columns { all: &["division", "submitter", TYPE, COUNT], none: &[] },
    treatment: Treatment::Table(TableReader {
        kind: FileKind::CurvesKnown,
        refuse: |_| None,
        read,
        text_column: "",
        fold: Fold::None,
        lacks: "samples per second or batch sizes: larger systems train with larger batches, which take more samples",
        next: "Jobs of these models count their work in trainings: samples=1 is one training to the target",
        assumed: &[
            (
                "samples_per_s",
                "A sample is a whole training to the target quality: 1 / (60 x minutes)",
                "Nothing to do: larger batches need more samples, so that times are all there is to compare",
            ),
            ("gpus", "An accelerator is a GPU", "Nothing to do"),
        ],
    }),
};

/// Benchmarks by their columns.
fn benchmarks(header: &Header) -> Vec<Column> {
    let columns = (0..header.names.len()).filter(|at| {
        let name = header.plain_name(*at);
        name.is_some_and(|name| name != TYPE && name != COUNT && !OTHERS.contains(&name))
    });
    columns.filter_map(|at| header.column(at)).collect()
}

fn read(table: &mut Table<'_, '_>) -> Rows {
    let Some([division, accelerator, count]) = table.header.find_all(["division", TYPE, COUNT]) else {
        return Rows::Curves(Vec::new());
    };
    let benchmarks = benchmarks(&table.header);
    let mut drafts: BTreeMap<String, Draft> = BTreeMap::new();
    let mut used: Option<String> = None;
    while let Some(mut cells) = table.next() {
        if cells.cell(&division).eq_ignore_ascii_case(b"open") {
            cells.report(OPEN, &division);
            continue;
        }
        let times = minutes(&mut cells, &benchmarks);
        if times.is_empty() {
            cells.findings.row(NO_RESULT, String::new);
            continue;
        }
        let Some(gpus) = cells.needed(&count, values::GPUS, values::whole) else { continue };
        let own = cells.text(&accelerator).into_owned();
        if *used.get_or_insert_with(|| own.clone()) != own {
            cells.report(OTHER_TYPE, &accelerator);
            continue;
        }
        for (benchmark, minutes) in times {
            let speed = Some(1.0 / (60.0 * minutes));
            if !drafts.entry(benchmark.name.clone()).or_default().add(gpus, Location::Packed, speed) {
                cells.report(SLOWER, benchmark);
            }
        }
    }
    Rows::Curves(curves(drafts, table))
}

fn curves(drafts: BTreeMap<String, Draft>, table: &mut Table<'_, '_>) -> Vec<Curve> {
    let named = drafts.into_iter().map(|(model, draft)| (CurveKey { model, batch_global: None }, draft));
    draft::finish(named, &mut table.findings)
}

/// The times of a row in minutes, with their benchmarks.
fn minutes<'b>(cells: &mut Cells<'_>, benchmarks: &'b [Column]) -> Vec<(&'b Column, f64)> {
    let mut times = Vec::new();
    for benchmark in benchmarks {
        match values::number(cells.cell(benchmark), values::STEP) {
            Cell::Is(minutes) => times.push((benchmark, minutes)),
            Cell::Missing => {}
            Cell::Bad => cells.report(BAD_TIME, benchmark),
        }
    }
    times
}
