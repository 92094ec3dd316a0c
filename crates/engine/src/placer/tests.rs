//! Placers on small clusters drawn as text, and on random ones beside naive oracles.

#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.
mod drawn;
mod naive;
mod random;

use elastiplan_model::{Cluster, JobId};

use elastiplan_scenario::Placement;

use super::place;
use crate::places::{Held, Places};

/// Makes places of nodes that are drawn like `aab. ---- ....`: `.` is free, `-` a node that is not there.
fn places(drawn: &str) -> Places {
    let nodes: Vec<&str> = drawn.split_whitespace().collect();
    let mut places = Places::new(&Cluster::new(nodes.len() as u32, nodes[0].len() as u32).unwrap(), 26);
    for (node, gpus) in (0..).zip(nodes) {
        if gpus.contains('-') {
            continue;
        }
        places.add_node(node);
        for (gpu, sign) in gpus.char_indices().filter(|(_, sign)| *sign != '.') {
            places.take(job(sign), Held { node, mask: 1 << gpu });
        }
    }
    places.take_touched();
    places
}

/// Jobs `a` to `z` are numbers 0 to 25.
fn job(name: char) -> JobId {
    JobId(u32::from(name) - u32::from('a'))
}

/// The opposite of [`places`].
fn draw(places: &Places) -> String {
    let sign = |job: &Option<JobId>| job.map_or('.', |JobId(job)| char::from(b'a' + job as u8));
    let node = |(node, holders): (u32, Vec<Option<JobId>>)| match places.is_present(node) {
        true => holders.iter().map(sign).collect(),
        false => "-".repeat(holders.len()),
    };
    (0..).zip(naive::holders(places)).map(node).collect::<Vec<String>>().join(" ")
}
