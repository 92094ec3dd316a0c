//! The outcome of a run between given times (BFTrainer: Liu et al., section 4.1.2).

use elastiplan_engine::Run;

/// Samples processed and kept between each two neighbouring times, which must rise. A loss
/// counts at its time; one at a boundary belongs to the stretch that ends there.
pub fn outcome_between(run: &Run, times_s: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; times_s.len().saturating_sub(1)];
    for span in run.spans.iter().filter(|span| span.samples_per_s > 0.0) {
        let first = times_s.partition_point(|time_s| *time_s <= span.start_s).saturating_sub(1);
        let stretches = times_s.windows(2).zip(&mut sums).skip(first);
        for (ends, sum) in stretches {
            let [from_s, to_s] = ends else { break };
            if *from_s >= span.end_s {
                break;
            }
            *sum += span.samples_per_s * (to_s.min(span.end_s) - from_s.max(span.start_s)).max(0.0);
        }
    }
    for (lost_s, work) in run.losses.time_s.iter().zip(&run.losses.work) {
        let at = times_s.partition_point(|time_s| time_s < lost_s).checked_sub(1);
        if let Some(sum) = at.and_then(|at| sums.get_mut(at)) {
            *sum -= work;
        }
    }
    sums
}

/// The ends of equal periods from the start of the run on, the start included; the last one reaches beyond the run's
/// end or to it. At most 100,000 of them; none if the period is no number above 0.
pub fn periods(run: &Run, period_s: f64) -> Vec<f64> {
    const MOST: f64 = 100_000.0;
    let count = ((run.end_s - run.start_s) / period_s).ceil();
    if !(period_s > 0.0 && count >= 0.0) {
        return Vec::new();
    }
    (0..=count.min(MOST) as u32).map(|number| run.start_s + f64::from(number) * period_s).collect()
}
