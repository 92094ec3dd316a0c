//! The known word that a mistyped one stands for.

/// The word nearest to `typed`, in any case: one that starts with it, or that is at most two edits away. `None` if
/// there is no such word.
pub fn nearest<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer than any known word, and not worth comparing.
    const LONGEST: usize = 20;
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    let allowed = if length < 4 { 1 } else { 2 };
    if length == 0 || length > LONGEST {
        return None;
    }
    let starts = |word: &str| length > 1 && word.starts_with(&typed);
    let distance = |word: &str| if starts(word) { 0 } else { strsim::levenshtein(&typed, word) };
    let near = words.into_iter().map(|word| (distance(word), word));
    let near = near.filter(|(distance, _)| *distance <= allowed && *distance < length);
    near.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_near_if_it_starts_with_the_text_or_is_two_edits_away() {
        let check = |typed: &str, expected: Option<&str>| {
            assert_eq!(nearest(typed, ["model", "gpus", "missed", "preemptions"]), expected, "{typed}");
        };
        check("gpu", Some("gpus"));
        check("GPUs", Some("gpus"));
        check("modle", Some("model"));
        check("preempt", Some("preemptions"));
        check("mised", Some("missed"));
        check("deadline", None);
        check("x", None);
        check("", None);
    }
}
