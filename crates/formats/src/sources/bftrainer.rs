//! Curves by nodes, as they are taken out of BFTrainer's tables of Trainers (Liu et al., 2021, on Summit).

use super::{Fold, Known, TableReader, Tell, Treatment};
use crate::curves::by_nodes;
use crate::report::FileKind;

pub(crate) static CURVES: Known = Known {
    name: "Curves by nodes (BFTrainer)",
    origin: "https://github.com/dummy4binary/BFTrainer-Log-Replayer (dataset)",
    tell: Tell::Exactly(by_nodes::COLUMNS),
    treatment: Treatment::Table(TableReader {
        kind: FileKind::CurvesKnown,
        refuse: |_| None,
        read: by_nodes::read,
        text_column: "",
        fold: Fold::None,
        lacks: "batch sizes",
        next: "Set GPUs per node to 1, as a log of idle nodes does",
        assumed: &[
            (
                "gpus",
                "A node is a GPU, as in the tables of Trainers",
                "Multiply the nodes by the GPUs of each, if jobs count GPUs",
            ),
            ("samples_per_s", "A sample is an image", "Nothing to do"),
        ],
    }),
};
