//! How far ahead BFTrainer looks (Liu et al., section 3.4.3): so long a decision is taken to last.
//!
//! The paper leaves open how to find that time. `auto` takes it from the nodes seen so far: about as long as it takes from
//! one departure to the next, recent gaps counting more; or as long as none has left, where that is longer.

use elastiplan_engine::View;

/// What is taken to be the gap until nodes have left.
const FIRST_GAP_S: f64 = 120.0;

/// How much a new gap counts: half of the mean is of the last dozen.
const WEIGHT: f64 = 1.0 / 16.0;

/// Seconds to look ahead.
#[derive(Clone, Debug)]
pub(crate) enum LookAhead {
    Fixed(f64),
    Auto(Departures),
}

/// How often nodes leave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departures {
    present: Vec<bool>,
    /// When nodes left last, or were first looked at.
    last_s: Option<f64>,
    mean_gap_s: Option<f64>,
}

impl LookAhead {
    /// Of a value of a parameter; `None` stands for `auto`.
    pub fn of(seconds: Option<f64>) -> Self {
        seconds.map_or_else(|| Self::Auto(Departures::default()), Self::Fixed)
    }

    /// To be called at every decision.
    pub fn look(&mut self, view: &View<'_>) {
        if let Self::Auto(departures) = self {
            departures.look(view);
        }
    }

    pub fn seconds(&self, now_s: f64) -> f64 {
        match self {
            Self::Fixed(seconds) => *seconds,
            Self::Auto(departures) => departures.gap_s(now_s),
        }
    }
}

impl Departures {
    fn look(&mut self, view: &View<'_>) {
        self.present.resize(view.nodes() as usize, false);
        let mut left = false;
        for (node, was_present) in (0..).zip(&mut self.present) {
            let is_present = view.is_node_present(node);
            left |= *was_present && !is_present;
            *was_present = is_present;
        }
        let now_s = view.time_s();
        let last_s = *self.last_s.get_or_insert(now_s);
        if left {
            let mean_s = self.mean_gap_s.unwrap_or(FIRST_GAP_S);
            self.mean_gap_s = Some(mean_s + WEIGHT * (now_s - last_s - mean_s));
            self.last_s = Some(now_s);
        }
    }

    fn gap_s(&self, now_s: f64) -> f64 {
        let since_s = self.last_s.map_or(0.0, |last_s| now_s - last_s);
        self.mean_gap_s.unwrap_or(FIRST_GAP_S).max(since_s)
    }
}
