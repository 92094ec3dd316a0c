//! The badge of a run.

use std::fmt;

/// Which run of a comparison: A to H, then 9, 10 and so on, in the order of the list of runs. A is the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Badge(u16);

/// Runs that have a letter and a colour of their own.
const LETTERS: &[u8] = b"ABCDEFGH";
/// The most runs: more than anybody looks at, and few enough that no number is read as something else.
const RUNS_MAX: usize = 9999;

impl Badge {
    /// The first run: what the others are compared with.
    pub const BASELINE: Self = Self(0);

    /// The badge of a run by its place; `None` beyond 9999.
    pub fn of_slot(slot: usize) -> Option<Self> {
        u16::try_from(slot).ok().filter(|_| slot < RUNS_MAX).map(Self)
    }

    /// The badge that is written so, large or small: `C`, `c`, `9`.
    ///
    /// ```
    /// use elastiplan_compare::Badge;
    ///
    /// assert_eq!(Badge::named("c"), Badge::of_slot(2));
    /// assert_eq!(Badge::named("9"), Badge::of_slot(8));
    /// assert_eq!(Badge::named("3"), None); // it is C
    /// ```
    pub fn named(text: &str) -> Option<Self> {
        let of_letter = |letter: u8| LETTERS.iter().position(|known| *known == letter.to_ascii_uppercase());
        let slot = match text.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => of_letter(*letter)?,
            [b'1'..=b'9', ..] => text.parse::<usize>().ok()?.checked_sub(1).filter(|slot| *slot >= LETTERS.len())?,
            _ => return None,
        };
        Self::of_slot(slot)
    }

    /// The place of its run.
    pub fn slot(self) -> usize {
        self.0.into()
    }

    /// As it is written: a letter, from the ninth on a number.
    pub fn letter(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Badge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match LETTERS.get(self.slot()) {
            Some(letter) => write!(f, "{}", char::from(*letter)),
            None => write!(f, "{}", self.slot() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badges_are_letters_and_then_numbers() {
        let check = |slot: usize, text: &str| {
            let badge = Badge::of_slot(slot).unwrap();
            assert_eq!(badge.to_string(), text);
            assert_eq!(Badge::named(text), Some(badge));
            assert_eq!(Badge::named(&text.to_lowercase()), Some(badge));
        };
        check(0, "A");
        check(7, "H");
        check(8, "9");
        check(9, "10");
        check(9998, "9999");
        assert_eq!(Badge::of_slot(9999), None);
        for text in ["", "I", "AB", "1", "8", "0", "09", "+9", "9a", "é", "10000", "99999999999999999999"] {
            assert_eq!(Badge::named(text), None, "{text}");
        }
    }
}
