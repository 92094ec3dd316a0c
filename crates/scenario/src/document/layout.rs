//! How a document is laid out as text.

/// Pretty JSON with lists of numbers on one line each: of measured profiles there are thousands.
pub(super) fn numbers_on_one_line(pretty: &str) -> String {
    let mut text = String::with_capacity(pretty.len());
    let mut rest = pretty;
    while let Some(at) = rest.find(['[', '"']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let skipped = match numbers(from) {
            Some((list, length)) => {
                text.push_str(&list);
                length
            }
            None => {
                let length = if from.starts_with('"') { string_length(from) } else { 1 };
                text.push_str(from.get(..length).unwrap_or(from));
                length
            }
        };
        rest = from.get(skipped..).unwrap_or_default();
    }
    text + rest
}

/// The list of numbers that a text starts with, on one line, and the length of what stood there.
fn numbers(text: &str) -> Option<(String, usize)> {
    let inside = text.strip_prefix('[')?;
    let is_of_list = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || "+-.eE,null".contains(letter);
    let length = inside.find(|letter| !is_of_list(letter))?;
    let (list, after) = inside.split_at_checked(length)?;
    if !after.starts_with(']') || list.trim().is_empty() {
        return None;
    }
    let entries: Vec<&str> = list.split(',').map(str::trim).collect();
    Some((format!("[{}]", entries.join(", ")), length + 2))
}

/// The length of a text in quotes, which something starts with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::numbers_on_one_line;

    #[test]
    fn lists_of_numbers_are_joined_and_nothing_else() {
        let value = json!({
            "seeds": [1, 2, -3], "times": [[4.0, 1e-9, null], [5, 6, 7]], "none": [], "words": ["[1,\n2]", "\"[", "]"],
            "objects": [{ "a": [1] }], "true": [true, 1], "ä[1,": "\\",
        });
        let text = numbers_on_one_line(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        for line in ["\"seeds\": [1, 2, -3],", "[4.0, 1e-9, null],", "[5, 6, 7]", "\"a\": [1]", "\"none\": [],"] {
            assert!(text.lines().any(|found| found.trim() == line), "{line} in {text}");
        }
        assert!(text.contains("true,\n"));
    }
}
