//! Counting tests from what the test programs print.

use std::fmt;
use std::iter::Sum;
use std::ops::AddAssign;

/// What a test prints on a line of its own when it returns for want of the public traces.
const NO_DATA: &str = "skipped: no data pack";

/// How many tests passed, failed and were skipped. A single line may count negatively.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: i32,
    pub failed: i32,
    pub skipped: i32,
}

impl Tally {
    pub const ONE_FAILED: Tally = Tally { passed: 0, failed: 1, skipped: 0 };
    pub const ONE_SKIPPED: Tally = Tally { passed: 0, failed: 0, skipped: 1 };
    /// Moves a test that its runner reports as passed to the skipped ones.
    const PASSED_WITHOUT_DATA: Tally = Tally { passed: -1, failed: 0, skipped: 1 };

    /// Counts from a line of `cargo test` or of the wasm test runner:
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; ...`, or the line of a test without its data.
    pub fn from_cargo(line: &str) -> Tally {
        if line == NO_DATA {
            return Tally::PASSED_WITHOUT_DATA;
        }
        let Some((_, counts)) = line.split_once("test result: ") else { return Tally::default() };
        let words: Vec<&str> = counts.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        words.windows(2).map(|pair| Tally::of(pair[1], pair[0])).sum()
    }

    /// Counts from a line of Node's test runner: `ℹ pass 3`.
    pub fn from_node(line: &str) -> Tally {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ℹ", what, count] => Tally::of(what, count),
            _ => Tally::default(),
        }
    }

    fn of(what: &str, count: &str) -> Tally {
        let Ok(count) = count.parse() else { return Tally::default() };
        match what {
            "passed" | "pass" => Tally { passed: count, ..Tally::default() },
            "failed" | "fail" | "cancelled" => Tally { failed: count, ..Tally::default() },
            "ignored" | "skipped" | "todo" => Tally { skipped: count, ..Tally::default() },
            _ => Tally::default(),
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        let mut sum = Tally::default();
        tallies.for_each(|tally| sum += tally);
        sum
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_cargo_results() {
        let line = "test result: FAILED. 30 passed; 2 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.05s";
        assert_eq!(Tally::from_cargo(line), Tally { passed: 30, failed: 2, skipped: 1 });
        assert_eq!(Tally::from_cargo("test tally::tests::counts_cargo_results ... ok"), Tally::default());
    }

    #[test]
    fn tests_without_their_data_are_skipped() {
        let lines = ["..", NO_DATA, ".", "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"];
        let tally: Tally = lines.into_iter().map(Tally::from_cargo).sum();
        assert_eq!(tally, Tally { passed: 2, failed: 0, skipped: 1 });
    }

    #[test]
    fn counts_node_results() {
        let lines = ["ℹ tests 6", "ℹ pass 3", "ℹ fail 1", "ℹ cancelled 1", "ℹ skipped 1", "ℹ duration_ms 12.5"];
        let tally: Tally = lines.into_iter().map(Tally::from_node).sum();
        assert_eq!(tally, Tally { passed: 3, failed: 2, skipped: 1 });
    }

    #[test]
    fn closes_with_one_plain_line() {
        assert_eq!(Tally::ONE_SKIPPED.to_string(), "0 passed, 0 failed, 1 skipped");
    }
}
