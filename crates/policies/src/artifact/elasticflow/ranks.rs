//! The GPUs of each job as the artifact places them, to find out whether the same set was used before.

/// A node that is shared by jobs smaller than a node.
struct Shared {
    node: u32,
    used: u32,
}

/// Consecutive GPUs of the cluster: the first one, and how many.
pub(super) type Ranks = (u32, u32);

/// Places jobs of these numbers of GPUs, powers of two in falling order, in an empty cluster; in the same order.
///
/// Jobs of a node and more take whole nodes. A smaller one goes where exactly as much is left, by the largest power of
/// two that divides it, first to the node where least is used; otherwise where more is left; otherwise to a new node.
pub(super) fn place(gpus_of_jobs: &[u32], gpus_per_node: u32) -> Vec<Ranks> {
    let mut next_node = 0;
    let mut shared: Vec<Shared> = Vec::new();
    let place_one = |gpus: &u32| {
        let gpus = *gpus;
        if gpus >= gpus_per_node {
            let first = next_node * gpus_per_node;
            next_node += gpus.div_ceil(gpus_per_node);
            return (first, gpus);
        }
        let class = |node: &Shared| {
            let left = gpus_per_node - node.used;
            1u32.checked_shl(left.trailing_zeros()).unwrap_or(0)
        };
        let exact = |node: &&mut Shared| node.used < gpus_per_node && class(node) == gpus;
        // The list of a class is kept in order of what is used; nodes join it at its end.
        let at = match shared.iter_mut().filter(exact).map(|node| node.used).min() {
            Some(used) => shared.iter().position(|node| node.used == used && class(node) == gpus),
            None => {
                let larger = shared.iter().filter(|node| node.used < gpus_per_node && class(node) > gpus);
                let best = larger.map(|node| (class(node), u32::MAX - node.used)).max();
                best.and_then(|(most, used)| {
                    shared.iter().position(|node| class(node) == most && u32::MAX - node.used == used)
                })
            }
        };
        // A node that changes class goes to the end of the list of its new one.
        let mut node = match at {
            Some(at) => shared.remove(at),
            None => {
                next_node += 1;
                Shared { node: next_node - 1, used: 0 }
            }
        };
        let ranks = (node.node * gpus_per_node + node.used, gpus);
        node.used += gpus;
        shared.push(node);
        ranks
    };
    gpus_of_jobs.iter().map(place_one).collect()
}
