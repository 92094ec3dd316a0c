//! Layout of documents as text.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// Writes pretty JSON with lists of numbers on one line each: measured profiles have thousands of them.
pub(super) fn to_text(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    // Maps have text for keys and numbers are finite: writing cannot fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Layout::default()));
    String::from_utf8(text).unwrap_or_default()
}

/// Indents by two spaces; a list that begins with a number stays on its line.
#[derive(Default)]
struct Layout {
    /// For each open list and object, whether it stays on its line.
    inline: Vec<bool>,
    /// Whether the innermost of them has a value already.
    has_value: bool,
    /// Whether the first value of a list is next, before which nothing has been written.
    is_first: bool,
}

impl Layout {
    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> Result<()> {
        writer.write_all(b"\n")?;
        self.inline.iter().try_for_each(|_| writer.write_all(b"  "))
    }

    /// Begins a value that is no number.
    fn begin_other<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        match std::mem::take(&mut self.is_first) {
            true => self.new_line(writer),
            false => Ok(()),
        }
    }

    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> Result<()> {
        self.begin_other(writer)?;
        self.inline.push(false);
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> Result<()> {
        let is_inline = self.inline.pop().unwrap_or_default();
        if self.has_value && !is_inline {
            self.new_line(writer)?;
        }
        self.has_value = true;
        writer.write_all(bracket)
    }
}

impl Formatter for Layout {
    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, value: bool) -> Result<()> {
        self.begin_other(writer)?;
        writer.write_all(if value { b"true" } else { b"false" })
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.begin_other(writer)?;
        writer.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.is_first = first;
        match self.inline.last() {
            _ if first => Ok(()),
            Some(true) => writer.write_all(b", "),
            _ => {
                writer.write_all(b",")?;
                self.new_line(writer)
            }
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> Result<()> {
        self.has_value = true;
        if std::mem::take(&mut self.is_first)
            && let Some(inline) = self.inline.last_mut()
        {
            *inline = true;
        }
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        writer.write_all(if first { b"" } else { b"," })?;
        self.new_line(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::to_text;

    #[test]
    fn lists_of_numbers_are_on_one_line_and_nothing_else() {
        let value = json!({
            "seeds": [1, 2, -3], "times": [[4.0, 1e-9, null], [5, 6, 7]], "none": [], "words": ["[1,\n2]", "\"[", "]"],
            "objects": [{ "a": [1] }], "true": [true, 1], "ä[1,": "\\", "empty": {},
        });
        let text = to_text(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        for line in ["\"seeds\": [1, 2, -3],", "[4.0, 1e-9, null],", "[5, 6, 7]", "\"a\": [1]", "\"none\": [],"] {
            assert!(text.lines().any(|found| found.trim() == line), "{line} in {text}");
        }
        assert!(text.contains("true,\n") && text.contains("\"empty\": {},"));
    }

    #[test]
    fn without_lists_of_numbers_it_is_pretty_json() {
        let value = json!({ "a": { "b": ["c", { "d": true, "e": null }, [], {}] }, "f": "g", "h": [[], ["i"]] });
        assert_eq!(to_text(&value), serde_json::to_string_pretty(&value).unwrap());
    }
}
