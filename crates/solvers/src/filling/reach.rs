//! How far back from the deadline a level has to be held, by halving instead of by adding up span after span.

use super::{Filling, Progress, Span, Spans};

/// Sums over spans have rounding errors, relative to the sum, that are far smaller: below 1e-10 for a million spans.
const MARGIN: f64 = 1e-9;

/// Where going back from the deadline with a level is enough.
pub(super) enum Reach {
    /// Nowhere.
    Never,
    /// From this span on, the one at this place.
    From(Span, usize),
    /// The spans have to be added up: some have fewer GPUs, or it is a matter of rounding.
    Unclear,
}

impl Filling<'_> {
    /// What adding up spans from the deadline would find for the level above `below` slower ones.
    pub(super) fn reach(&self, spans: &Spans<'_>, below: usize, progress: &Progress) -> Reach {
        let Some(level) = self.demand.levels.get(below).filter(|_| spans.total_s().is_finite()) else {
            return Reach::Unclear;
        };
        let is_short = |work: f64| work * (1.0 + MARGIN) < progress.work;
        let suffices = |work: f64| work > progress.work * (1.0 + MARGIN);
        // Where fewer GPUs are free, less is done.
        if is_short(level.work_per_s * spans.total_s()) {
            return Reach::Never;
        }
        let at = spans.last_seconds(progress.work / level.work_per_s);
        let Some(last) = spans.get(at) else { return Reach::Unclear };
        // In a span that follows one with fewer GPUs, something is to be paid for.
        if !spans.are_free_from(at.saturating_sub(1), level.gpus) {
            return Reach::Unclear;
        }
        let after = level.work_per_s * spans.seconds_from(at + 1);
        let work = match at {
            0 => after + self.work_in(last, None, below + 1, progress),
            _ => level.work_per_s * spans.seconds_from(at),
        };
        match is_short(after) {
            true if suffices(work) => Reach::From(last, at),
            true if at == 0 && is_short(work) => Reach::Never,
            _ => Reach::Unclear,
        }
    }
}
