//! A value over time, as lanes draw it.

/// A value over time: straight from corner to corner; a step is two corners at one time. Where a value is missing it is
/// NaN, and nothing is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    time_s: Vec<f64>,
    value: Vec<f64>,
    /// The least and the greatest value.
    extent: Option<(f64, f64)>,
}

impl Series {
    /// Values that hold until the next one, and the last until `end_s`.
    pub fn steps(rows: impl IntoIterator<Item = (f64, f64)>, end_s: f64) -> Self {
        let mut series = Self::default();
        for (time_s, value) in rows {
            if let Some(&held) = series.value.last() {
                series.push(time_s, held);
            }
            series.push(time_s, value);
        }
        if let (Some(&last_s), Some(&held)) = (series.time_s.last(), series.value.last())
            && end_s > last_s
        {
            series.push(end_s, held);
        }
        series
    }

    /// Corners of a line.
    pub fn line(corners: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut series = Self::default();
        corners.into_iter().for_each(|(time_s, value)| series.push(time_s, value));
        series
    }

    /// A corner that would go back in time, or repeat the last one, is left out.
    fn push(&mut self, time_s: f64, value: f64) {
        let is_back = self.time_s.last().is_some_and(|&last_s| time_s < last_s);
        let is_same = self.time_s.last() == Some(&time_s) && self.value.last() == Some(&value);
        if !(is_back || is_same || time_s.is_nan()) {
            self.time_s.push(time_s);
            self.value.push(value);
            if value.is_finite() {
                let (least, most) = self.extent.unwrap_or((value, value));
                self.extent = Some((least.min(value), most.max(value)));
            }
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.time_s.is_empty()
    }

    /// Times and values of the corners.
    pub fn corners(&self) -> (&[f64], &[f64]) {
        (&self.time_s, &self.value)
    }

    /// The least and the greatest value; `None` if there is none.
    pub fn extent(&self) -> Option<(f64, f64)> {
        self.extent
    }

    /// The value at a time: after a step where there is one. `None` outside of what is known, and where it is missing.
    pub fn at(&self, time_s: f64) -> Option<f64> {
        let next = self.time_s.partition_point(|&corner_s| corner_s <= time_s);
        let (from_s, from) = (*self.time_s.get(next.checked_sub(1)?)?, *self.value.get(next - 1)?);
        let value = match (self.time_s.get(next), self.value.get(next)) {
            (Some(&to_s), Some(&to)) if from != to => from + (to - from) * (time_s - from_s) / (to_s - from_s),
            (Some(_), _) => from,
            (None, _) if time_s <= from_s => from,
            (None, _) => return None,
        };
        Some(value).filter(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_and_lines_rise() {
        let check = |series: &Series, time_s: f64, expected: Option<f64>| assert_eq!(series.at(time_s), expected);
        let steps = Series::steps([(10.0, 1.0), (20.0, 3.0)], 30.0);
        for (time_s, expected) in
            [(5.0, None), (10.0, Some(1.0)), (19.0, Some(1.0)), (20.0, Some(3.0)), (30.0, Some(3.0)), (31.0, None)]
        {
            check(&steps, time_s, expected);
        }
        let line = Series::line([(0.0, 0.0), (10.0, 5.0), (10.0, 7.0), (20.0, 7.0)]);
        for (time_s, expected) in [(5.0, Some(2.5)), (10.0, Some(7.0)), (15.0, Some(7.0))] {
            check(&line, time_s, expected);
        }
        assert_eq!(steps.extent(), Some((1.0, 3.0)));
    }

    #[test]
    fn what_is_missing_is_a_gap() {
        let gap = Series::steps([(0.0, 1.0), (10.0, f64::NAN), (20.0, 2.0)], 30.0);
        assert_eq!((gap.at(5.0), gap.at(15.0), gap.at(25.0)), (Some(1.0), None, Some(2.0)));
        assert_eq!(gap.extent(), Some((1.0, 2.0)));
        assert_eq!(Series::default().extent(), None);
    }
}
