//! Jobs like those of the paper: seconds of work on one node, and powers of two of nodes.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Job;

/// Seconds of a step.
pub const STEP_S: f64 = 300.0;

/// How the work of jobs is spread.
#[derive(Clone, Copy, Debug)]
pub enum Spread {
    /// From minutes to days.
    Wide,
    /// From 30 to 150 minutes.
    Narrow,
    /// A few works, of which every job has one: as where settings are tried out.
    Few,
}

pub const SPREADS: [Spread; 3] = [Spread::Wide, Spread::Narrow, Spread::Few];

/// Section 4.2: on `k` nodes as fast as on `k * 0.8^(log2 k)` that lose nothing.
pub fn speed(nodes: u32) -> f64 {
    f64::from(nodes) * libm::pow(0.8, libm::log2(f64::from(nodes)))
}

/// So many jobs, each on 1, 2, 4, ... nodes up to a most of its own.
pub fn jobs(random: &mut ChaCha8Rng, count: usize, spread: Spread, nodes_max: u32) -> Vec<Job> {
    let few: Vec<f64> = (0..random.random_range(1..=3)).map(|_| random.random_range(300.0..9000.0)).collect();
    let mut job = || {
        let work_s = match spread {
            // From 2 minutes to 2 days, as many below an hour and a half as above.
            Spread::Wide => 120.0 * libm::pow(1440.0, random.random::<f64>()),
            Spread::Narrow => random.random_range(1800.0..9000.0),
            Spread::Few => few[random.random_range(0..few.len())],
        };
        let doublings = random.random_range(0..=nodes_max.ilog2());
        let doublings = if matches!(spread, Spread::Few) { nodes_max.ilog2() } else { doublings };
        let options: Vec<(u32, f64)> = (0..=doublings).map(|d| (1 << d, STEP_S * speed(1 << d))).collect();
        Job::new(work_s, &options)
    };
    (0..count).map(|_| job()).collect()
}
