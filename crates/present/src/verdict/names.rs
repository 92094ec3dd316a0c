//! How runs are called in sentences.

use elastiplan_text::words;

use crate::runs::RunEntry;

/// Longer names are cut in sentences.
const LETTERS_MAX: usize = 48;
/// Marks around a name so that its direction does not turn the sentence.
const ISOLATE: (char, char) = ('\u{2068}', '\u{2069}');

/// Names of the runs of a comparison, of which no two are alike.
pub struct Names {
    /// Slots with names.
    rows: Vec<(usize, String)>,
}

impl Names {
    /// Names these runs: by what the user calls them or by their policy; with its settings where it runs more than once;
    /// with what else differs about them; with their badge where that is not enough.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a RunEntry>) -> Self {
        let entries: Vec<&RunEntry> = entries.into_iter().collect();
        let named = entries.iter().map(|entry| (entry, plain(entry, &entries)));
        let rows: Vec<(usize, String, String)> =
            named.map(|(entry, name)| (entry.slot, name, entry.letter())).collect();
        let is_twice = |name: &str| rows.iter().filter(|(_, other, _)| other == name).count() > 1;
        let with_badge = |(slot, name, letter): &(usize, String, String)| {
            (*slot, if is_twice(name) { format!("{name} {letter}") } else { name.clone() })
        };
        Self { rows: rows.iter().map(with_badge).collect() }
    }

    /// The name of a run.
    pub fn of_entry(&self, entry: &RunEntry) -> String {
        let row = self.rows.iter().find(|(slot, _)| *slot == entry.slot);
        row.map_or_else(|| entry.policy.name().into(), |(_, name)| name.clone())
    }
}

/// The name of a run without its badge.
fn plain(entry: &RunEntry, entries: &[&RunEntry]) -> String {
    if let Some(label) = &entry.label {
        return in_sentence(label);
    }
    let is_same = |other: &&RunEntry| other.slot != entry.slot && other.label.is_none() && other.name() == entry.name();
    let settings = Some(entry.parameters()).filter(|settings| !settings.is_empty());
    let settings = settings.filter(|_| entries.iter().copied().any(|other| is_same(&other)));
    let parts: Vec<String> = settings.into_iter().chain(entry.differs.iter().cloned()).collect();
    match differences(&parts) {
        Some(differences) => format!("{} with {differences}", entry.name()),
        None => entry.name().into(),
    }
}

/// The fields in which a run differs, at most two of them by name.
fn differences(differs: &[String]) -> Option<String> {
    let shown: Vec<String> = differs.iter().take(2).map(|field| in_sentence(field)).collect();
    let mut shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    let more = differs.len().saturating_sub(2);
    let more = words::counted(more as u64, "more field", "more fields");
    if differs.len() > 2 {
        shown.push(&more);
    }
    (!shown.is_empty()).then(|| words::list(&shown))
}

/// A name as it stands in a sentence: not too long, on one line, and isolated where it is written from right to left.
pub fn in_sentence(name: &str) -> String {
    let one_line: String = name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let mut letters = one_line.trim().chars();
    let mut cut: String = letters.by_ref().take(LETTERS_MAX).collect();
    if letters.next().is_some() {
        cut.truncate(cut.trim_end().len());
        cut.push('…');
    }
    match cut.chars().any(is_right_to_left) {
        true => format!("{}{cut}{}", ISOLATE.0, ISOLATE.1),
        false => cut,
    }
}

/// Letters of scripts that are written from right to left, and marks that turn the direction.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter,
        '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What differs about one run, and in another's stead: `20 nodes` instead of `16`. The words they share are not
/// repeated.
pub fn instead_of(now: &[String], before: &[String]) -> Option<(String, Option<String>)> {
    let now_words = differences(now)?;
    let (Some(one), Some(other), 1, 1) = (now.first(), before.first(), now.len(), before.len()) else {
        return Some((now_words, differences(before)));
    };
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split(' ').collect(), other.split(' ').collect());
    let first = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let rest = other.get(first..).unwrap_or_default();
    let last = one.iter().skip(first).rev().zip(rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let rest = rest.get(..rest.len() - last).unwrap_or_default().join(" ");
    Some((now_words, (!rest.is_empty()).then(|| in_sentence(&rest))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::entries;

    fn check(policies: &[&str], differs: &[(usize, &[&str])], expected: &[&str]) {
        let mut entries = entries(policies);
        for (at, fields) in differs {
            entries[*at].differs = fields.iter().map(|field| field.to_string()).collect();
        }
        let names = Names::of(&entries);
        assert_eq!(entries.iter().map(|entry| names.of_entry(entry)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_two_runs_are_called_alike() {
        check(&["fixed", "elastic-dp"], &[], &["fixed", "elastic-dp"]);
        check(&["elastic-dp", "elastic-dp"], &[(1, &["72 nodes"])], &["elastic-dp", "elastic-dp with 72 nodes"]);
        check(&["fixed", "fixed"], &[], &["fixed A", "fixed B"]);
        check(&["fixed"], &[(0, &["a", "b", "c", "d"])], &["fixed with a, b and 2 more fields"]);
        check(&["elastic-dp", "elastic-dp[delta_s=60]"], &[], &["elastic-dp", "elastic-dp with delta 1m 00s"]);
        check(&["fixed", "elastic-dp[delta_s=60]"], &[], &["fixed", "elastic-dp"]);
        let both: &[(usize, &[&str])] = &[(0, &["72 nodes"]), (1, &["72 nodes"])];
        check(&["fixed", "fixed"], both, &["fixed with 72 nodes A", "fixed with 72 nodes B"]);
    }

    #[test]
    fn long_names_are_cut_and_right_to_left_ones_isolated() {
        let long = in_sentence(&"policy ".repeat(40));
        assert_eq!(long.chars().count(), 49);
        assert!(long.ends_with('…'), "{long}");
        assert_eq!(in_sentence("مجدول مرن"), "\u{2068}مجدول مرن\u{2069}");
        assert_eq!(in_sentence("two\nlines"), "two lines");
    }

    #[test]
    fn shared_words_are_said_once() {
        let check = |now: &str, before: &[&str], expected: Option<&str>| {
            let before: Vec<String> = before.iter().map(|field| field.to_string()).collect();
            assert_eq!(instead_of(&[now.into()], &before), Some((now.into(), expected.map(String::from))));
        };
        check("20 nodes", &["16 nodes"], Some("16"));
        check("rescale cost 60s", &["rescale cost 30s"], Some("30s"));
        check("20 nodes", &[], None);
        check("20 nodes", &["20 nodes"], None);
        assert_eq!(instead_of(&[], &["16 nodes".into()]), None);
    }
}
