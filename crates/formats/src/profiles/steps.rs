//! Step times of Pollux's profiles: `placements.csv` and `scalability.csv` of a model's folder.
//!
//! A placement has a digit for each node, its GPUs there: `24` is 2 GPUs on one node and 4 on the next. Nodes form a
//! ring, so that `42` is the same. On more nodes than were measured so, only the numbers of nodes and GPUs are known.
//!
//! ```csv
//! placement,local_bsz,step_time,sync_time
//! 24,12,0.93,0.51
//! ```
//!
//! ```csv
//! num_nodes,num_replicas,local_bsz,step_time,sync_time
//! 6,24,12,1.71,0.98
//! ```

use std::collections::BTreeSet;

use elastiplan_model::order::{sort_by, sort_by_key};
use elastiplan_model::{Profile, ProfileStep, StepTimes};

use crate::format::{Format, Rows};
use crate::profiles::parts::{
    MeasuredStep, MeasuredSteps, PartData, ProfileName, ProfilePart, names_kind, words_beside_kind,
};
use crate::report::FileKind;
use crate::text::cells::{Cells, GpuType, needed};
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::header::{Column, Header, Spec};
use crate::text::table::Table;
use crate::text::values;

const BATCH: &str = "local_bsz";
const STEP: &str = "step_time";
const SYNC: &str = "sync_time";
const GPU_TYPE: &str = "gpu_type";

static PLACEMENT_SPEC: Spec = Spec { required: &[&["placement"], &[BATCH], &[STEP], &[SYNC]], optional: &[GPU_TYPE] };
static COUNT_SPEC: Spec =
    Spec { required: &[&["num_nodes"], &["num_replicas"], &[BATCH], &[STEP], &[SYNC]], optional: &[GPU_TYPE] };

pub(crate) static BY_PLACEMENT: Format = Format::of(FileKind::StepsByPlacement, &PLACEMENT_SPEC, |table, path| {
    Rows::Part(read(table, path, placements(&table.header), PartData::Placements))
});

pub(crate) static BY_COUNT: Format = Format::of(FileKind::StepsByCount, &COUNT_SPEC, |table, path| {
    Rows::Part(read(table, path, counts(&table.header), PartData::Counts))
});

/// The most nodes of a placement.
const NODES_MAX: usize = 64;
const BAD_PLACEMENT: Finding = Finding::row_out(
    "A digit from 1 to 9 for each node, its GPUs; at most 64 nodes",
    "Write 24 for 2 GPUs on one node and 4 on the next",
);
const MORE_NODES_THAN_GPUS: Finding = Finding::row_out("At most as many nodes as GPUs", "Correct one of the two");
const SAME_STEP: Finding = Finding::new(
    Effect::LeftOut,
    "One row for the same GPUs and samples on each; rotated placements are the same",
    "The first is used; row left out",
    "Remove one of them, or merge them to their mean",
);
const OF_MICROBATCHES: &str = "Most steps take less time than their synchronization: these are not times of whole steps, \
                               as those of Sia's gpt_pmp, which are of a microbatch in a pipeline";
const FALLING: Finding = Finding::new(
    Effect::None,
    "A step takes longer with more samples on each GPU",
    "Used as it was measured",
    "Nothing to do, if the measurement is right",
);

/// The columns that say which GPUs a row is about.
enum GpuColumns {
    Placement(Column),
    Counts { nodes: Column, gpus: Column },
}

struct StepColumns {
    on: GpuColumns,
    batch: Column,
    step: Column,
    sync: Column,
    gpu_type: Option<Column>,
}

fn placements(header: &Header) -> Option<StepColumns> {
    columns(header, GpuColumns::Placement(header.find("placement")?))
}

fn counts(header: &Header) -> Option<StepColumns> {
    columns(header, GpuColumns::Counts { nodes: header.find("num_nodes")?, gpus: header.find("num_replicas")? })
}

fn columns(header: &Header, on: GpuColumns) -> Option<StepColumns> {
    let [batch, step, sync] = header.find_all([BATCH, STEP, SYNC])?;
    Some(StepColumns { on, batch, step, sync, gpu_type: header.find(GPU_TYPE) })
}

/// The GPUs of a measurement: on each node, or on all of them.
type Gpus = (Option<Vec<u32>>, u32, u32);

fn read(
    table: &mut Table<'_, '_>,
    path: &str,
    columns: Option<StepColumns>,
    data: fn(MeasuredSteps) -> PartData,
) -> ProfilePart {
    let by_file = table.header.find(GPU_TYPE).is_some() && !names_kind(path);
    let of = if by_file { ProfileName::of_file(path) } else { ProfileName::of(path) };
    let variant = if of.folder.is_empty() || by_file { String::new() } else { words_beside_kind(path) };
    let part = |steps, refused| ProfilePart { of: of.clone(), data: data(MeasuredSteps { variant, steps }), refused };
    let (mut rows, mut of_microbatches) = (0_u64, 0_u64);
    let mut steps: Vec<MeasuredStep> = Vec::new();
    let mut seen: BTreeSet<(Gpus, u32)> = BTreeSet::new();
    let mut gpu_type = GpuType::default();
    let Some(columns) = columns else { return part(steps, None) };
    while let Some(cells) = table.next() {
        let mut reader = Reader { columns: &columns, cells, sync_is_longer: false };
        if !gpu_type.is_that_of(&mut reader.cells, columns.gpu_type.as_ref()) {
            continue;
        }
        rows += 1;
        let step = reader.step();
        of_microbatches += u64::from(reader.sync_is_longer);
        let Some((batch, step)) = step else { continue };
        if seen.insert(((step.shape.clone(), step.nodes, step.gpus), batch)) {
            steps.push(MeasuredStep { line: reader.cells.line(), step });
        } else {
            reader.cells.report(SAME_STEP, &columns.batch);
        }
    }
    if of_microbatches * 2 > rows {
        return part(Vec::new(), Some(OF_MICROBATCHES));
    }
    report_falling(&steps, &columns, &mut table.findings);
    match steps.len() {
        0 => {}
        rows if by_file => of.assume_by("by the file's name", &mut table.findings, rows),
        rows => of.assume(&mut table.findings, rows),
    }
    part(steps, None)
}

/// A row while it is read.
struct Reader<'r> {
    columns: &'r StepColumns,
    cells: Cells<'r>,
    /// Whether the row's synchronization takes longer than its step.
    sync_is_longer: bool,
}

impl Reader<'_> {
    /// The samples on each GPU and the step.
    fn step(&mut self) -> Option<(u32, ProfileStep)> {
        let columns = self.columns;
        // Every cell is read even after a bad one, so that all faults of a row are reported at once.
        let gpus = self.gpus();
        let batch = self.cells.needed(&columns.batch, values::BATCH, values::whole);
        let step_s = self.cells.needed(&columns.step, values::STEP, values::number);
        let sync_s = self.cells.needed(&columns.sync, values::SYNC, values::number);
        let ((shape, nodes, gpus), batch, step_s, sync_s) = (gpus?, batch?, step_s?, sync_s?);
        if sync_s >= step_s {
            self.sync_is_longer = sync_s > step_s;
            self.cells.report(needed(values::SYNC), &columns.sync);
            return None;
        }
        let times = StepTimes { batch_per_gpu: f64::from(batch), step_s, sync_s };
        Some((batch, ProfileStep { shape, nodes, gpus, times }))
    }

    fn gpus(&mut self) -> Option<Gpus> {
        match &self.columns.on {
            GpuColumns::Placement(column) => {
                let digits = self.cells.cell(column);
                let good = (1..=NODES_MAX).contains(&digits.len()) && digits.iter().all(|d| (b'1'..=b'9').contains(d));
                if !good {
                    self.cells.report(BAD_PLACEMENT, column);
                    return None;
                }
                let shape: Vec<u32> = digits.iter().map(|digit| u32::from(digit - b'0')).collect();
                let gpus = shape.iter().sum();
                Some((Some(Profile::first_rotation(&shape)), digits.len() as u32, gpus))
            }
            GpuColumns::Counts { nodes: nodes_column, gpus: gpus_column } => {
                let nodes = self.cells.needed(nodes_column, values::GPUS_OF_STEPS, values::whole);
                let gpus = self.cells.needed(gpus_column, values::GPUS_OF_STEPS, values::whole);
                let (nodes, gpus) = (nodes?, gpus?);
                if nodes > gpus {
                    self.cells.report(MORE_NODES_THAN_GPUS, nodes_column);
                    return None;
                }
                Some((None, nodes, gpus))
            }
        }
    }
}

fn gpus_of(measured: &MeasuredStep) -> (Option<&[u32]>, u32, u32) {
    (measured.step.shape.as_deref(), measured.step.nodes, measured.step.gpus)
}

/// Adds findings about rows with a shorter step than one of the same GPUs with fewer samples on each.
fn report_falling(steps: &[MeasuredStep], columns: &StepColumns, findings: &mut Findings) {
    let mut order: Vec<&MeasuredStep> = steps.iter().collect();
    let by_batch =
        |a: &MeasuredStep, b: &MeasuredStep| a.step.times.batch_per_gpu.total_cmp(&b.step.times.batch_per_gpu);
    sort_by(&mut order, |a, b| gpus_of(a).cmp(&gpus_of(b)).then(by_batch(a, b)));
    let mut falling: Vec<&MeasuredStep> = Vec::new();
    for group in order.chunk_by(|a, b| gpus_of(a) == gpus_of(b)) {
        let pairs = group.iter().zip(group.iter().skip(1));
        falling
            .extend(pairs.filter(|(less, more)| more.step.times.step_s < less.step.times.step_s).map(|(_, more)| more));
    }
    sort_by_key(&mut falling, |measured| measured.line);
    for measured in falling {
        findings.begin_skipped_line(measured.line);
        findings.cell(FALLING, &columns.step, measured.step.times.step_s.to_string().as_bytes());
    }
}
