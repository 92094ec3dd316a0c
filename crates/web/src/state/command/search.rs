//! Finding commands by what the user types.

use elastiplan_model::order::sort_by_key;

use super::Command;
use super::registry::COMMANDS;

/// Commands whose title has the letters in order, best first: those where words begin with them come before others.
pub fn matching(typed: &str) -> Vec<&'static Command> {
    let wanted: Vec<char> = typed.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut found: Vec<(usize, &Command)> =
        COMMANDS.iter().filter_map(|command| Some((distance(&wanted, command.title)?, command))).collect();
    sort_by_key(&mut found, |(distance, _)| *distance);
    found.into_iter().map(|(_, command)| command).collect()
}

/// How far a title is from the letters: jumps into the middle of words, and letters skipped. `None` if they are not in
/// it. Starts of words are preferred greedily.
fn distance(wanted: &[char], title: &str) -> Option<usize> {
    let letters: Vec<char> = title.to_lowercase().chars().collect();
    let begins_word = |at: usize| at == 0 || letters.get(at - 1).is_some_and(|before| !before.is_alphanumeric());
    let (mut next, mut total) = (0, 0);
    for &letter in wanted {
        let is_it = |at: &usize| letters.get(*at) == Some(&letter);
        let continued = Some(next).filter(is_it);
        let word = || (next..letters.len()).filter(is_it).find(|&at| begins_word(at));
        let anywhere = || (next..letters.len()).find(is_it);
        let at = continued.or_else(word).or_else(anywhere)?;
        let cost = if at == next {
            0
        } else if begins_word(at) {
            1
        } else {
            10
        };
        total += cost + (at - next).min(5);
        next = at + 1;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, expected: &str) {
        assert_eq!(matching(typed).first().map(|command| command.title), Some(expected), "{typed}");
    }

    #[test]
    fn commands_are_found_by_parts_of_words() {
        check("zoom o", "Zoom out");
        check("all keys", "All keys");
        check("gbm", "Group rows by model");
        check("sort dif", "Sort rows by difference");
        assert!(matching("qqq").is_empty());
        assert_eq!(matching("").len(), COMMANDS.len());
    }
}
