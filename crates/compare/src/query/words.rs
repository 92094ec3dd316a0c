//! Comparing texts without regard to case.

/// A text to look for.
pub(super) struct Needle {
    lower: String,
}

impl Needle {
    pub fn new(text: &str) -> Self {
        Self { lower: text.to_lowercase() }
    }

    pub fn is(&self, text: &str) -> bool {
        if text.is_ascii() { text.eq_ignore_ascii_case(&self.lower) } else { text.to_lowercase() == self.lower }
    }

    pub fn is_in(&self, text: &str) -> bool {
        // Nearly all names are ASCII, and there may be a million of them: no copy is made of those.
        if text.is_ascii() { self.is_in_ascii(text.as_bytes()) } else { text.to_lowercase().contains(&self.lower) }
    }

    pub fn begins(&self, text: &str) -> bool {
        text.to_lowercase().starts_with(&self.lower)
    }

    fn is_in_ascii(&self, text: &[u8]) -> bool {
        let needle = self.lower.as_bytes();
        let Some(first) = needle.first() else { return true };
        let Some(last) = text.len().checked_sub(needle.len()) else { return false };
        let starts = text.iter().take(last + 1).enumerate();
        let mut candidates = starts.filter(|(_, letter)| letter.to_ascii_lowercase() == *first);
        candidates.any(|(at, _)| text.get(at..at + needle.len()).is_some_and(|part| part.eq_ignore_ascii_case(needle)))
    }
}
