//! The time that BFTrainer looks ahead (Liu et al., section 3.4.3): how long a decision is expected to last.
//!
//! The paper leaves open how to find that time. `auto` takes the mean gap between departures of nodes, in which recent
//! gaps count more, or the time since the last departure where that is longer.

use elastiplan_engine::View;

/// The mean gap before nodes have left.
const FIRST_GAP_S: f64 = 120.0;

/// The weight of a new gap: half of the mean comes from the last dozen.
const WEIGHT: f64 = 1.0 / 16.0;

/// Seconds to look ahead.
#[derive(Clone, Debug)]
pub(crate) enum LookAhead {
    Fixed(f64),
    Auto(Departures),
}

/// The mean gap between departures of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departures {
    present: Vec<bool>,
    /// The last departure, or the first decision.
    last_s: Option<f64>,
    mean_gap_s: Option<f64>,
}

impl LookAhead {
    /// The value of the parameter; `None` stands for `auto`.
    pub fn of(seconds: Option<f64>) -> Self {
        seconds.map_or_else(|| Self::Auto(Departures::default()), Self::Fixed)
    }

    /// Call at every decision.
    pub fn observe(&mut self, view: &View<'_>) {
        if let Self::Auto(departures) = self {
            departures.observe(view);
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
    fn observe(&mut self, view: &View<'_>) {
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
