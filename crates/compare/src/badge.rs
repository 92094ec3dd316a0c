//! The letter of a run.

use std::fmt;

/// Which run of a comparison: A, B, C and so on, in the order in which the policies were chosen. A is the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Badge(u8);

impl Badge {
    /// The first run: what the others are compared with.
    pub const BASELINE: Self = Self(0);

    /// The badge of a run by its place; `None` beyond Z.
    pub fn of_slot(slot: usize) -> Option<Self> {
        u8::try_from(slot).ok().filter(|slot| *slot < 26).map(Self)
    }

    /// The run with this letter, large or small.
    pub fn of_letter(letter: char) -> Option<Self> {
        let letter = u8::try_from(letter.to_ascii_uppercase()).ok().filter(u8::is_ascii_uppercase)?;
        Some(Self(letter - b'A'))
    }

    /// The place of its run.
    pub fn slot(self) -> usize {
        self.0.into()
    }

    /// Its letter.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }
}

impl fmt::Display for Badge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
