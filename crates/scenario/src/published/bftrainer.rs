//! What BFTrainer's simulations run on.

use super::{GPUS, Published, PublishedRow};

const fn row(model: &'static str, thousands: [f64; GPUS.len()]) -> PublishedRow {
    let mut samples_per_s = thousands;
    let mut at = 0;
    while at < GPUS.len() {
        samples_per_s[at] *= 1000.0;
        at += 1;
    }
    PublishedRow { model, batch_global: 0, iterations_per_s: samples_per_s }
}

/// Table 2: samples per second on Summit with 32 samples on each GPU, whatever the number of nodes. A GPU here is a node
/// of Summit, which has six: use one GPU a node.
pub const SUMMIT: Published = Published {
    name: "bftrainer-summit",
    summary: "7 ImageNet models on 1 to 64 nodes of Summit, a node counted as one GPU",
    source: "BFTrainer (Liu et al., 2021), Table 2",
    rows: &[
        row("AlexNet", [7.1, 13.1, 21.1, 40.5, 74.0, 130.8, 202.1]),
        row("ResNet18", [5.2, 10.6, 20.4, 39.6, 78.0, 144.8, 262.7]),
        row("MnasNet", [3.2, 6.0, 11.5, 23.1, 43.9, 83.5, 160.5]),
        row("MobileNets", [3.0, 5.9, 11.4, 22.0, 42.5, 82.3, 155.2]),
        row("ShuffleNet", [2.8, 5.3, 10.0, 20.4, 38.9, 74.1, 145.1]),
        row("VGG-16", [1.2, 2.4, 4.7, 9.3, 18.3, 36.2, 70.2]),
        row("DenseNet", [1.0, 2.0, 3.8, 7.6, 15.0, 28.8, 57.8]),
    ],
    formulas: &[],
};
