//! The line of a text on which a value stands. The text has been read as JSON before.

use super::reading::Step;

/// The line, counted from 1, of the value to which these steps lead; of the last value on the way that is there.
pub(super) fn line_of<'a>(text: &str, way: impl Iterator<Item = &'a Step>) -> usize {
    let bytes = text.as_bytes();
    let mut at = after_blanks(bytes, 0);
    for step in way {
        match inside(text, at, step) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    1 + bytes.iter().take(at).filter(|byte| **byte == b'\n').count()
}

/// Where the value to which a step leads from the value at `at` begins. Of members of one name the last counts.
fn inside(text: &str, at: usize, step: &Step) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_object = *bytes.get(at)? == b'{';
    let (mut at, mut entry, mut found) = (after_blanks(bytes, at + 1), 0, None);
    while !matches!(bytes.get(at)?, b'}' | b']') {
        let start = at;
        if is_object {
            at = after_blanks(bytes, end_of_value(bytes, start));
        }
        let value = if is_object { after_blanks(bytes, at + 1) } else { at };
        match step {
            Step::Member(name) if is_object => {
                let written = text.get(start..at).map(str::trim_end);
                let known = written.and_then(|written| serde_json::from_str::<String>(written).ok());
                if known.as_ref() == Some(name) {
                    found = Some(value);
                }
            }
            Step::Entry(wanted) if !is_object && *wanted == entry => return Some(value),
            _ => {}
        }
        at = after_blanks(bytes, end_of_value(bytes, value));
        if bytes.get(at) == Some(&b',') {
            at = after_blanks(bytes, at + 1);
        }
        entry += 1;
    }
    found
}

fn after_blanks(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the value that begins at `at`.
fn end_of_value(bytes: &[u8], at: usize) -> usize {
    let (mut depth, mut is_in_text, mut is_escaped) = (0_u32, false, false);
    for (offset, byte) in bytes.get(at..).unwrap_or_default().iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_text => is_escaped = true,
            b'"' => is_in_text = !is_in_text,
            _ if is_in_text => continue,
            b'{' | b'[' => depth += 1,
            b',' | b':' | b'}' | b']' if depth == 0 => return at + offset,
            b'}' | b']' => depth -= 1,
            _ if depth == 0 && byte.is_ascii_whitespace() => return at + offset,
            _ => {}
        }
        let is_end_of_text = *byte == b'"' && !is_in_text;
        if depth == 0 && (is_end_of_text || matches!(byte, b'}' | b']')) {
            return at + offset + 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_way() {
        let text = "{\n  \"a\": [1, {\"b\": \",}\"},\n    [\n      2\n    ]],\n  \"\\u00e4\" : \"\\\"\",\n  \"c\" :\n   {\"d\": -1e5 }, \"a\\\"\": 3,\n  \"a\":\n[0]}\n";
        let member = |name: &str| Step::Member(name.into());
        let check = |way: &[Step], expected| assert_eq!(line_of(text, way.iter()), expected, "{way:?}");
        check(&[], 1);
        check(&[member("ä")], 6);
        check(&[member("c")], 8);
        check(&[member("c"), member("d")], 8);
        check(&[member("c"), member("e")], 8);
        check(&[member("a\"")], 8);
        check(&[member("a"), Step::Entry(0)], 10);
        check(&[member("b"), Step::Entry(0)], 1);
        let list = &text[..text.len() - 1].replace("\n  \"a\":\n[0]", "\n  \"e\":\n[0]");
        let check = |way: &[Step], expected| assert_eq!(line_of(list, way.iter()), expected, "{way:?}");
        check(&[member("a"), Step::Entry(1), member("b")], 2);
        check(&[member("a"), Step::Entry(2)], 3);
        check(&[member("a"), Step::Entry(2), Step::Entry(0)], 4);
        check(&[member("a"), Step::Entry(9)], 2);
    }
}
