//! `name[key=value,key=value]`: the syntax of policies, generators and faults.
//!
//! What a name or a key means, and whether a key may be missing or repeated, is for the caller to say.

/// Splits `name[inside]` into name and inside, both trimmed; without brackets there is nothing inside. `None` if the
/// bracket is not closed at the end, or if there is no name.
pub fn bracketed(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (name, inside) = match text.split_once('[') {
        Some((name, rest)) => (name.trim(), rest.strip_suffix(']')?.trim()),
        None => (text, ""),
    };
    (!name.is_empty()).then_some((name, inside))
}

/// The pairs of `key=value,key=value`, trimmed and in order; empty entries are passed over. An entry without `=` is an
/// error that holds the entry.
pub fn pairs(inside: &str) -> impl Iterator<Item = Result<(&str, &str), &str>> {
    let entries = inside.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(|entry| entry.split_once('=').map(|(key, value)| (key.trim(), value.trim())).ok_or(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_optional_but_closed() {
        let check = |text: &str, expected: Option<(&str, &str)>| assert_eq!(bracketed(text), expected, "{text}");
        check("fixed", Some(("fixed", "")));
        check(" edf [ interval_s=60 ] ", Some(("edf", "interval_s=60")));
        check("edf[]", Some(("edf", "")));
        check("edf[interval_s=60", None);
        check("edf[a=1]b", None);
        check("[a=1]", None);
        check(" ", None);
    }

    #[test]
    fn pairs_are_trimmed_and_kept_in_order() {
        let check = |inside: &str, expected: &[Result<(&str, &str), &str>]| {
            assert_eq!(pairs(inside).collect::<Vec<_>>(), expected, "{inside}");
        };
        check("", &[]);
        check("a=1, b = 2,,", &[Ok(("a", "1")), Ok(("b", "2"))]);
        check("b=,a=x=y", &[Ok(("b", "")), Ok(("a", "x=y"))]);
        check("a=1,word", &[Ok(("a", "1")), Err("word")]);
    }
}
