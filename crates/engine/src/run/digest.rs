//! The fingerprint of a run.

use xxhash_rust::xxh3::Xxh3;

use crate::Run;

impl Run {
    /// A fingerprint of the record, 16 hexadecimal digits: the same on every machine for the same run. It covers
    /// everything but the wording of remarks and the list price, which decide nothing.
    pub fn digest(&self) -> String {
        // Destructured so that a new field cannot be forgotten.
        let Self {
            gpus_total,
            gpus_per_node,
            // What nodes are called changes nothing.
            node_names: _,
            price_per_gpu_hour,
            prices,
            list_price_per_gpu_hour: _,
            start_s,
            end_s,
            finished,
            spans,
            jobs,
            series,
            decisions,
            holdings,
            absences,
            batch_sizes,
            losses,
            remarks: _,
            stalled,
        } = self;
        let cluster = (gpus_total, gpus_per_node, price_per_gpu_hour, prices);
        let course = (start_s, end_s, finished, stalled);
        let columns = (spans, jobs, series, decisions, holdings, absences, batch_sizes, losses);
        match postcard::to_io(&(cluster, course, columns), Xxh3::new()) {
            Ok(hash) => format!("{:016x}", hash.digest()),
            // Only types of unknown length cannot be written; the record has none.
            Err(error) => format!("no digest: {error}"),
        }
    }
}
