//! What ModelArts' simulation runs on.

use super::{Published, PublishedPower};

/// Figure 6 and eq. 3: every doubling of the nodes multiplies the speed of each by 0.8, up to the 16 nodes of section 3.
/// A sample is what one node does in a second, so that a job's samples are its ETA in node-seconds on a single node. A
/// GPU here is a node of ModelArts, which has eight: use one GPU a node.
pub const MODELARTS: Published = Published {
    name: "modelarts",
    summary: "1 model by formula on 1 to 16 nodes, a node counted as one GPU, a sample for every second on one node",
    source: "ModelArts, eq. 3 and Figure 6",
    rows: &[],
    formulas: &[],
    powers: &[PublishedPower { model: "job", samples_per_s: 1.0, factor: 0.8, gpus_max: 16 }],
    scalings: &[],
};
