//! The columns of a scaling table, by the words of its header.

use super::cells::{self, Gpus, UNITS};

/// What a batch size is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BatchOf {
    Gpu,
    AllGpus,
    /// The header does not say: all GPUs.
    Unsaid,
}

/// A column of throughput.
#[derive(Debug, PartialEq)]
pub(super) struct Speed {
    pub at: usize,
    /// The column's name, as it is written.
    pub name: String,
    /// The words of the name that tell it from the other columns of throughput; empty where there is only one.
    pub label: String,
    /// Whether the name has the unit.
    pub says_unit: bool,
    pub per_gpu: bool,
}

/// The columns, by their positions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Columns {
    gpus: Option<usize>,
    /// Nodes and the GPUs of each, where no column has the GPUs.
    nodes: Option<usize>,
    per_node: Option<usize>,
    pub speeds: Vec<Speed>,
    pub batch: Option<(usize, BatchOf)>,
    pub model: Option<usize>,
    pub precision: Option<usize>,
    pub gpu_type: Option<usize>,
}

const GPUS: [&str; 16] = [
    "gpus",
    "num gpus",
    "n gpus",
    "number of gpus",
    "no of gpus",
    "gpu count",
    "total gpus",
    "gpus used",
    "gpus total",
    "devices",
    "num devices",
    "number of devices",
    "accelerators",
    "number of accelerators",
    "gcds",
    "total number of gpus",
];
const NODES: [&str; 5] = ["nodes", "num nodes", "number of nodes", "servers", "node count"];
const PER_NODE: [&str; 5] = ["gpus per node", "gpus node", "gpu node", "gpus per server", "gpu per node"];
const MODELS: [&str; 7] = ["model", "network", "architecture", "workload", "model name", "backbone", "benchmark"];
const PRECISIONS: [&str; 5] = ["precision", "dtype", "data type", "datatype", "math"];
const GPU_TYPES: [&str; 12] = [
    "gpu",
    "gpu type",
    "gpu model",
    "gpu name",
    "accelerator",
    "hardware",
    "system",
    "device",
    "platform",
    "machine",
    "server",
    "instance type",
];
/// Words of headers whose columns are no throughput, even if they name one.
const NO_SPEEDS: [&str; 9] =
    ["speedup", "scaling", "efficiency", "time", "latency", "ratio", "flop", "utilization", "mfu"];

impl Columns {
    /// The columns of a header; `None` unless it has GPUs and a throughput.
    pub fn of(header: &[String]) -> Option<Self> {
        let mut columns = Self::default();
        let mut singular = None;
        for (at, name) in header.iter().enumerate() {
            let words = words(name);
            let is = |names: &[&str]| names.contains(&words.as_str());
            let place = match () {
                () if is(&GPUS) => &mut columns.gpus,
                () if is(&PER_NODE) => &mut columns.per_node,
                () if is(&NODES) => &mut columns.nodes,
                () if is(&MODELS) => &mut columns.model,
                () if is(&PRECISIONS) => &mut columns.precision,
                () if words == "gpu" => &mut singular,
                () if is(&GPU_TYPES) => &mut columns.gpu_type,
                () => {
                    columns.add_measure(at, name, &words);
                    continue;
                }
            };
            place.get_or_insert(at);
        }
        // `GPU` is a type beside a column of numbers, and else a number.
        let own = columns.gpus.is_some() || columns.nodes.is_some() && columns.per_node.is_some();
        match singular {
            Some(at) if own => columns.gpu_type = Some(at),
            singular => columns.gpus = columns.gpus.or(singular),
        }
        let has_gpus = columns.gpus.is_some() || columns.nodes.is_some() && columns.per_node.is_some();
        // Of throughputs of one GPU and of all, those of all count.
        if columns.speeds.iter().any(|speed| !speed.per_gpu) {
            columns.speeds.retain(|speed| !speed.per_gpu);
        }
        if let [only] = columns.speeds.as_mut_slice() {
            only.label.clear();
        }
        (has_gpus && !columns.speeds.is_empty()).then_some(columns)
    }

    /// Adds a column of batch sizes or of throughput, if it is one.
    fn add_measure(&mut self, at: usize, name: &str, words: &str) {
        let lower = name.to_ascii_lowercase();
        let has = |word: &str| words.split(' ').any(|own| own == word);
        if NO_SPEEDS.iter().any(|word| lower.contains(word)) {
            return;
        }
        let per_gpu =
            ["/gpu", "/ gpu", "per gpu", "per-gpu", "/device", "per device"].iter().any(|of| lower.contains(of));
        if has("batch") || has("batchsize") || ["bs", "gbs", "mbs"].contains(&words) {
            let is_of_gpu = per_gpu || has("local") || has("micro") || words == "mbs";
            let is_of_all = has("global") || has("total") || has("effective") || words == "gbs";
            let of = match (is_of_gpu, is_of_all) {
                (_, true) => BatchOf::AllGpus,
                (true, _) => BatchOf::Gpu,
                _ => BatchOf::Unsaid,
            };
            self.batch.get_or_insert((at, of));
            return;
        }
        let says_unit = cells::says_unit(&lower) || lower.ends_with("_per_s");
        if says_unit || has("throughput") {
            self.speeds.push(Speed { at, name: name.into(), label: label(name), says_unit, per_gpu });
        }
    }

    /// The cell that says the GPUs of a row.
    pub fn gpus_cell<'r>(&self, cell: &impl Fn(usize) -> &'r str) -> &'r str {
        self.gpus.or(self.nodes).map(cell).unwrap_or_default()
    }

    /// The GPUs of a row.
    pub fn gpus<'r>(&self, cell: &impl Fn(usize) -> &'r str) -> Option<Gpus> {
        if let Some(at) = self.gpus {
            return cells::gpus(cell(at));
        }
        let (nodes, of_each) = (cells::whole(cell(self.nodes?))?, cells::whole(cell(self.per_node?))?);
        let count = nodes.checked_mul(of_each).filter(|count| *count <= elastiplan_model::limits::GPUS_MAX)?;
        Some(Gpus { count, type_in_cell: None })
    }
}

/// The words of a header in lower case, without signs and units in brackets.
fn words(name: &str) -> String {
    let bare = name.split(['(', '[']).next().filter(|bare| !bare.trim().is_empty()).unwrap_or(name);
    let lower = bare.to_ascii_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a column of throughput that say which of several it is: `TF32` of `Throughput - TF32 (img/s)`.
fn label(name: &str) -> String {
    let is_sign = |letter: char| !letter.is_alphanumeric();
    let is_common = |word: &str| {
        let lower = word.trim_matches(is_sign).to_ascii_lowercase();
        let common =
            ["", "throughput", "training", "performance", "avg", "average", "per", "second", "sec", "s", "gpu"];
        common.contains(&lower.as_str()) || UNITS.contains(&lower.as_str()) || cells::says_unit(&lower)
    };
    let words = name.split_whitespace().filter(|word| !is_common(word)).map(|word| word.trim_matches(is_sign));
    let label = words.collect::<Vec<_>>().join(" ");
    if label.is_empty() { name.into() } else { label }
}

/// Whether a heading may name a model, and is not about what is measured.
pub(super) fn may_be_model(heading: &str) -> bool {
    let lower = heading.to_ascii_lowercase();
    let about = [
        "performance",
        "result",
        "throughput",
        "benchmark",
        "scaling",
        "table",
        "measure",
        "inference",
        "accuracy",
        "nvidia",
        "dgx",
        "gpu",
        "speed",
        "training",
    ];
    !about.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(header: &str) -> Option<Columns> {
        Columns::of(&cells::cells(header))
    }

    #[test]
    fn headers_of_vendors() {
        let check = |header: &str, expected: &[(&str, bool)]| {
            let found = columns(header).map(|found| found.speeds).unwrap_or_default();
            let found: Vec<(&str, bool)> = found.iter().map(|speed| (speed.label.as_str(), speed.per_gpu)).collect();
            assert_eq!(found, expected, "{header}");
        };
        check("| GPUs | Batch | img/s |", &[("", false)]);
        check("| img/s | # of GPUs |", &[]);
        check("| img/s | Number of GPUs |", &[("", false)]);
        check(
            "| GPUs | Throughput - TF32 | Throughput - mixed precision | TF32 strong scaling |",
            &[("TF32", false), ("mixed precision", false)],
        );
        check("| GPU | Tokens/sec/GPU |", &[("", true)]);
        check("| GPUs | tokens/s/GPU | tokens/s |", &[("", false)]);
        check("| Nodes | GPUs per node | sequences/sec |", &[("", false)]);
        check("| Nodes | sequences/sec |", &[]);
        check("| GPUs | Time per step (s) |", &[]);
        check("| Batch Size | Throughput Avg | Latency Avg |", &[]);
        check("| model | gpus | samples_per_s |", &[("", false)]);
    }

    #[test]
    fn a_singular_gpu_is_a_type_beside_numbers() {
        assert_eq!(columns("| GPU | img/s |").map(|found| (found.gpus, found.gpu_type)), Some((Some(0), None)));
        assert_eq!(
            columns("| GPU | GPUs | img/s |").map(|found| (found.gpus, found.gpu_type)),
            Some((Some(1), Some(0)))
        );
    }

    #[test]
    fn batches_are_of_a_gpu_or_of_all() {
        let check = |header: &str, expected| {
            let found = columns(&format!("GPUs | {header} | img/s")).unwrap();
            assert_eq!(found.batch.map(|(_, of)| of), expected, "{header}");
        };
        check("Batch size / GPU", Some(BatchOf::Gpu));
        check("Local batch", Some(BatchOf::Gpu));
        check("Global batch size", Some(BatchOf::AllGpus));
        check("Batch", Some(BatchOf::Unsaid));
        check("Batch size", Some(BatchOf::Unsaid));
        check("Batching", None);
    }
}
