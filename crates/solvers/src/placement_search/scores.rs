//! The highest of many scores, of which one changes at a time.

/// Scores by place, and for every pair of places, pair of pairs and so on which of them is highest; the first of equals.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    scores: Vec<f64>,
    /// Winners of pairs from the second on, and of all in the first; after them the places themselves.
    winners: Vec<u32>,
}

impl Scores {
    /// The same score for each of so many places.
    pub fn reset(&mut self, count: usize, score: f64) {
        self.scores.clear();
        self.scores.resize(count, score);
        let leaves = count.next_power_of_two();
        self.scores.resize(leaves, f64::NEG_INFINITY);
        self.winners.clear();
        self.winners.resize(leaves, 0);
        self.winners.extend(0..leaves as u32);
        for at in (1..leaves).rev() {
            self.winners[at] = self.winner(at);
        }
    }

    pub fn set(&mut self, place: usize, score: f64) {
        self.scores[place] = score;
        let mut at = (place + self.scores.len()) / 2;
        while at > 0 {
            self.winners[at] = self.winner(at);
            at /= 2;
        }
    }

    /// The place of the highest score, with it and the highest of all others.
    pub fn highest(&self) -> (usize, f64, f64) {
        let leaves = self.scores.len();
        // With a single place, it is the first and only entry.
        let place = self.winners.get(1).map_or(0, |place| *place as usize);
        let mut second = f64::NEG_INFINITY;
        let mut at = place + leaves;
        while at > 1 {
            second = second.max(self.score(at ^ 1));
            at /= 2;
        }
        (place, self.scores[place], second)
    }

    fn winner(&self, at: usize) -> u32 {
        let (left, right) = (2 * at, 2 * at + 1);
        self.winners[if self.score(right) > self.score(left) { right } else { left }]
    }

    fn score(&self, at: usize) -> f64 {
        self.scores[self.winners[at] as usize]
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_highest_and_the_next_are_those_of_a_scan() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut scores = Scores::default();
        for _ in 0..2000 {
            let count = random.random_range(1..40usize);
            let mut plain = vec![f64::INFINITY; count];
            scores.reset(count, f64::INFINITY);
            for _ in 0..40 {
                let place = random.random_range(0..count);
                let score = [f64::NEG_INFINITY, 1.0, 2.0, 3.0][random.random_range(0..4usize)];
                plain[place] = score;
                scores.set(place, score);
                let (first, highest, second) = scores.highest();
                let most = plain.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!((first, highest), (plain.iter().position(|score| *score == most).unwrap(), most));
                plain[first] = f64::NEG_INFINITY;
                assert_eq!(second, plain.iter().copied().fold(f64::NEG_INFINITY, f64::max));
                plain[first] = highest;
            }
        }
    }
}
