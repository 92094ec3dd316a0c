//! The fingerprint of a run.

use postcard::ser_flavors::Flavor;
use xxhash_rust::xxh3::Xxh3;

use crate::Run;

impl Run {
    /// A fingerprint of the record, 16 hexadecimal digits: the same on every machine for the same run. It covers
    /// everything but the wording of remarks.
    pub fn digest(&self) -> String {
        // Destructured so that a new field cannot be forgotten.
        let Self {
            gpus_total,
            gpus_per_node,
            price_per_gpu_hour,
            prices,
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
        match postcard::serialize_with_flavor(&(cluster, course, columns), Hasher(Xxh3::new())) {
            Ok(hash) => format!("{hash:016x}"),
            // Only types of unknown length cannot be written; the record has none.
            Err(error) => format!("no digest: {error}"),
        }
    }
}

/// Hashes what postcard writes, without storing it.
struct Hasher(Xxh3);

impl Flavor for Hasher {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.update(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.update(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0.digest())
    }
}
