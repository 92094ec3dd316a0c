//! What a search that is cut short says about the best.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sample::{self, SPREADS};
use super::{assert_holds, plan};

#[test]
fn the_best_lies_between_value_and_bound_wherever_the_search_ends() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut known, mut cut) = (0, 0);
    for case in 0..1000 {
        let (count, steps) = (random.random_range(2..=12_usize), random.random_range(2..=5));
        let jobs = sample::jobs(&mut random, count, SPREADS[case % 3], 16);
        let units = random.random_range(count as u32..=6 * count as u32);
        let best = plan(&jobs, units, steps, 1_000_000);
        for work_cap in [0, 10, 1000] {
            let found = plan(&jobs, units, steps, work_cap);
            assert_holds(&found, &jobs, units, steps);
            cut += u32::from(!found.is_optimal());
            // Each is an upper bound of all values.
            let what = format!("case {case}, {work_cap}: {} to {} for {}", found.value, found.bound, best.value);
            assert!(best.value <= found.bound * (1.0 + 1e-9), "{what}");
            assert!(found.value <= best.bound * (1.0 + 1e-9), "{what}");
        }
        known += u32::from(best.is_optimal());
    }
    println!("of 1000 the best is known of {known}; of 3000 searches {cut} were cut short");
    assert!(known > 900 && cut > 300, "{known} and {cut}");
}
