//! Clusters.

use elastiplan_model::Cluster;
use expect_test::{Expect, expect};

/// The GPUs of a cluster, or what is wrong with it: made, and read from storage.
fn check(nodes: u32, gpus_per_node: u32, expected: Expect) {
    let made = Cluster::new(nodes, gpus_per_node);
    let text = made.map_or_else(|error| error.to_string(), |cluster| format!("{} GPUs", cluster.gpus_total()));
    expected.assert_eq(&text);
    let stored = format!(r#"{{"nodes":{nodes},"gpus_per_node":{gpus_per_node}}}"#);
    assert_eq!(serde_json::from_str::<Cluster>(&stored).ok(), made.ok());
}

#[test]
fn sizes() {
    check(16, 8, expect!["128 GPUs"]);
    check(65_536, 64, expect!["4194304 GPUs"]);
    check(0, 8, expect!["nodes: 0 is not a whole number from 1 to 65536"]);
    check(65_537, 8, expect!["nodes: 65537 is not a whole number from 1 to 65536"]);
    check(1, 0, expect!["GPUs per node: 0 is not a whole number from 1 to 64"]);
    check(1, 65, expect!["GPUs per node: 65 is not a whole number from 1 to 64"]);
}
