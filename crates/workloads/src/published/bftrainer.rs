//! What BFTrainer's simulations run on.

use super::{GPUS, Published, PublishedRow};

const fn row(model: &'static str, samples_per_s: [f64; GPUS.len()]) -> PublishedRow {
    PublishedRow { model, batch_global: 0, iterations_per_s: samples_per_s }
}

/// Table 2: samples per second on Summit with 32 samples on each GPU, whatever the number of nodes. A GPU here is a node
/// of Summit, which has six: use one GPU a node.
pub const SUMMIT: Published = Published {
    name: "bftrainer-summit",
    summary: "7 ImageNet models on 1 to 64 nodes of Summit, a node counted as one GPU",
    source: "BFTrainer (Liu et al., 2021), Table 2",
    rows: &[
        row("AlexNet", [7100.0, 13_100.0, 21_100.0, 40_500.0, 74_000.0, 130_800.0, 202_100.0]),
        row("ResNet18", [5200.0, 10_600.0, 20_400.0, 39_600.0, 78_000.0, 144_800.0, 262_700.0]),
        row("MnasNet", [3200.0, 6000.0, 11_500.0, 23_100.0, 43_900.0, 83_500.0, 160_500.0]),
        row("MobileNets", [3000.0, 5900.0, 11_400.0, 22_000.0, 42_500.0, 82_300.0, 155_200.0]),
        row("ShuffleNet", [2800.0, 5300.0, 10_000.0, 20_400.0, 38_900.0, 74_100.0, 145_100.0]),
        row("VGG-16", [1200.0, 2400.0, 4700.0, 9300.0, 18_300.0, 36_200.0, 70_200.0]),
        row("DenseNet", [1000.0, 2000.0, 3800.0, 7600.0, 15_000.0, 28_800.0, 57_800.0]),
    ],
    formulas: &[],
    powers: &[],
    scalings: &[],
};
