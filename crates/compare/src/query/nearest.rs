//! The word that somebody meant.

/// The word nearest to `typed`: one that it begins, or that is at most two letters off.
pub(super) fn nearest(typed: &str, words: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    let allowed = if length < 4 { 1 } else { 2 };
    // Far longer than any word: nothing is near.
    if length == 0 || length > 20 {
        return None;
    }
    let distance = |word: &str| if length > 1 && word.starts_with(&typed) { 0 } else { letters_off(&typed, word) };
    let near = words.map(|word| (distance(word), word)).filter(|(off, _)| *off <= allowed && *off < length);
    near.min_by_key(|(off, _)| *off).map(|(_, word)| word)
}

/// How many letters must be added, taken out or replaced (Levenshtein).
fn letters_off(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, letter) in a.chars().enumerate() {
        let mut left = at + 1;
        let mut next = vec![left];
        for ((above_left, above), other) in row.iter().zip(row.iter().skip(1)).zip(&b) {
            left = (above_left + usize::from(letter != *other)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_near_if_it_begins_so_or_is_two_letters_off() {
        let check = |typed: &str, expected: Option<&str>| {
            let words = ["model", "gpus", "missed", "preemptions"];
            assert_eq!(nearest(typed, words.into_iter()), expected, "{typed}");
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

    #[test]
    fn distances_by_hand() {
        let check = |a: &str, b: &str, expected| assert_eq!(letters_off(a, b), expected, "{a} {b}");
        check("", "", 0);
        check("", "ab", 2);
        check("kitten", "sitting", 3);
        check("flaw", "lawn", 2);
    }
}
