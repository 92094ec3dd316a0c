//! Values over time: steps that hold, and lines that rise.

use elastiplan_model::order::{by_number, sort_by_number};

/// A value over time: a row is valid from its time until the next, the last one until the run ends. Times rise, and
/// neighbouring rows differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps<T = f64> {
    /// Time, in seconds on the clock of the trace.
    pub time_s: Vec<f64>,
    /// The value from that time on.
    pub value: Vec<T>,
}

/// A value over time, linear from point to point. A jump is two points at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Time, in seconds on the clock of the trace. Times do not fall.
    pub time_s: Vec<f64>,
    /// The value at that time.
    pub value: Vec<f64>,
}

/// A change of a sum at one time.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub time_s: f64,
    /// Addition to the value.
    pub add: f64,
    /// Addition to the number of summands.
    pub things: i32,
}

impl<T> Default for Steps<T> {
    fn default() -> Self {
        Self { time_s: Vec::new(), value: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Steps<T> {
    /// The value at a time; `None` before the first row.
    pub fn at(&self, time_s: f64) -> Option<T> {
        let row = self.time_s.partition_point(|&from_s| from_s <= time_s).checked_sub(1)?;
        self.value.get(row).copied()
    }

    /// Appends a value. A second value for one time replaces the first.
    pub(crate) fn push(&mut self, time_s: f64, value: T) {
        if self.time_s.last() == Some(&time_s) {
            self.time_s.pop();
            self.value.pop();
        }
        if self.value.last() != Some(&value) {
            self.time_s.push(time_s);
            self.value.push(value);
        }
    }

    /// Steps of rows in order of time; rows that repeat the value before are dropped.
    pub fn from_rows(rows: impl IntoIterator<Item = (f64, T)>) -> Self {
        let mut steps = Self::default();
        for (time_s, value) in rows {
            steps.push(time_s, value);
        }
        steps
    }
}

impl Steps {
    /// A sum of values that are added and removed, from `start_s` on. Without summands it is exactly 0.
    pub(crate) fn from_changes(start_s: f64, changes: &[Change]) -> Self {
        let mut steps = Self::from_rows([(start_s, 0.0)]);
        let (mut sum, mut things) = (0.0, 0);
        let mut in_order = by_number(changes, |change| change.time_s).into_iter().peekable();
        while let Some(Change { time_s, add, things: more }) = in_order.next() {
            sum += add;
            things += more;
            if in_order.peek().is_none_or(|next| next.time_s != *time_s) {
                sum = if things == 0 { 0.0 } else { sum };
                steps.push(*time_s, sum);
            }
        }
        steps
    }

    /// Number of these times that have passed, from `start_s` on.
    pub(crate) fn counting(start_s: f64, times_s: impl Iterator<Item = f64>) -> Self {
        let mut times_s: Vec<f64> = times_s.collect();
        sort_by_number(&mut times_s, |time_s| *time_s);
        let counted = times_s.into_iter().zip(1..).map(|(time_s, count)| (time_s, f64::from(count)));
        Self::from_rows(std::iter::once((start_s, 0.0)).chain(counted))
    }
}

impl Line {
    /// The value at a time, after a jump there; `None` outside of the line.
    pub fn at(&self, time_s: f64) -> Option<f64> {
        let next = self.time_s.partition_point(|&other_s| other_s <= time_s);
        let last = next.checked_sub(1)?;
        let (from_s, from) = (self.time_s.get(last)?, self.value.get(last)?);
        match self.time_s.get(next).zip(self.value.get(next)) {
            Some((to_s, to)) => Some(from + (time_s - from_s) / (to_s - from_s) * (to - from)),
            None => (time_s == *from_s).then_some(*from),
        }
    }

    /// The integral of a rate that changes, plus jumps, from `start_s` to `end_s`.
    pub(crate) fn rising(start_s: f64, end_s: f64, rates: &Steps, jumps: &[(f64, f64)]) -> Self {
        let mut line = Self::default();
        let mut moments = jumps.iter().peekable();
        line.push(start_s, 0.0);
        let mut rate = 0.0;
        let ends = rates.time_s.iter().copied().zip(rates.value.iter().copied().map(Some));
        for (time_s, next_rate) in ends.chain([(end_s, None)]) {
            while let Some((jump_s, add)) = moments.next_if(|(jump_s, _)| *jump_s <= time_s) {
                line.extend_to(*jump_s, rate);
                line.push(*jump_s, line.last() + add);
            }
            line.extend_to(time_s, rate);
            rate = next_rate.unwrap_or(0.0);
        }
        line
    }

    fn last(&self) -> f64 {
        self.value.last().copied().unwrap_or(0.0)
    }

    fn push(&mut self, time_s: f64, value: f64) {
        self.time_s.push(time_s);
        self.value.push(value);
    }

    fn extend_to(&mut self, time_s: f64, rate: f64) {
        let length_s = self.time_s.last().map_or(0.0, |from_s| time_s - from_s);
        if length_s > 0.0 {
            self.push(time_s, self.last() + rate * length_s);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn changes_add_up_to_the_naive_sums(rows in prop::collection::vec((0_u8..9, -5_i8..5, -1_i32..2), 0..40)) {
            let change = |(time_s, add, things): (u8, i8, i32)| {
                Change { time_s: f64::from(time_s), add: f64::from(add) / 3.0, things }
            };
            let changes: Vec<Change> = rows.into_iter().map(change).collect();
            let steps = Steps::from_changes(0.0, &changes);
            let (mut sum, mut things) = (0.0, 0);
            for time_s in (0_u8..9).map(f64::from) {
                for now in changes.iter().filter(|change| change.time_s == time_s) {
                    sum += now.add;
                    things += now.things;
                }
                if things == 0 && changes.iter().any(|change| change.time_s == time_s) {
                    sum = 0.0;
                }
                prop_assert_eq!(steps.at(time_s), Some(sum));
            }
        }
    }
}
