//! The mapping of a table, and what it does not say, as one line of text: options as the command line takes them.
//!
//! ```text
//! --map 'submit_s=start duration_s=end-start gpus=n' --law amdahl:0.05 --deadlines 0.5..1.5
//! ```

use elastiplan_formats::mapping::Mapping;
use elastiplan_model::SpeedupLaw;
use elastiplan_scenario::{Interval, ModelMix};

/// What a line says. What it does not name is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The mapping; it may lack fields.
    pub mapping: Mapping,
    /// `--law`.
    pub law: Option<SpeedupLaw>,
    /// `--deadlines`.
    pub deadlines: Option<Interval>,
    /// `--models`.
    pub models: Option<ModelMix>,
    /// Whether it names any of these.
    pub has_options: bool,
}

impl Line {
    /// The line. A shell hands it to the command line unchanged.
    pub fn text(&self) -> String {
        let quoted = self.mapping.to_string().replace('\'', r"'\''");
        let mut text = format!("--map '{quoted}'");
        let mut add = |option: &str, value: Option<String>| {
            if let Some(value) = value {
                text.push_str(&format!(" --{option} {value}"));
            }
        };
        add("law", self.law.map(|law| law.to_string()));
        add("deadlines", self.deadlines.map(|interval| interval.to_string()));
        add("models", self.models.map(|mix| mix.to_string()));
        text
    }

    /// Reads a line: a mapping alone, options, or a whole command with them. Options that it does not know are skipped.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let words = if text.contains("--map") { words(text) } else { before_options(text) };
        let mut line = Self::default();
        let mut has_mapping = false;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else { continue };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name.to_string(), Some(value.to_string())),
                None => (option.to_string(), None),
            };
            let mut value = || value.clone().or_else(|| words.next()).unwrap_or_default();
            match name.as_str() {
                "map" => {
                    line.mapping = Mapping::partial(&value()).map_err(|error| error.to_string())?;
                    has_mapping = true;
                }
                "law" => line.law = Some(value().parse().map_err(|error| format!("--law: {error}"))?),
                "deadlines" => {
                    let factors = value().parse().map_err(|()| "--deadlines: two factors, such as 0.5..1.5")?;
                    line.deadlines = Some(factors);
                }
                "models" => {
                    let mix =
                        value().parse().map_err(|()| "--models: models with weights, such as resnet50:3,bert:1")?;
                    line.models = Some(mix);
                }
                _ => {}
            }
        }
        line.has_options = line.law.is_some() || line.deadlines.is_some() || line.models.is_some();
        let is_empty = line.mapping.assignments().is_empty() && line.mapping.filters().is_empty();
        if !has_mapping || is_empty {
            return Err("A mapping says what the columns are, such as submit_s=start gpus=num_gpus".into());
        }
        Ok(line)
    }
}

/// The words of a line that begins with a mapping, as if it stood behind `--map`.
fn before_options(text: &str) -> Vec<String> {
    let (mapping, options) = match text.find(" --") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    ["--map".into(), mapping.to_string()].into_iter().chain(words(options)).collect()
}

/// The words of a line as a shell divides it: blanks within quotes are kept.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, mapping: &str, options: &str) {
        let line = Line::read(text).unwrap();
        assert_eq!(line.mapping.to_string(), mapping, "{text}");
        let written = line.text();
        assert_eq!(written.strip_prefix(&written[..written.len() - options.len()]), Some(options), "{text}");
        assert_eq!(line.has_options, !options.is_empty(), "{text}");
        assert_eq!(Line::read(&written), Ok(line), "{written}");
    }

    #[test]
    fn a_line_is_written_as_it_is_read() {
        check("submit_s=start gpus=n", "submit_s=start gpus=n", "");
        check("  gpus=n where state=done|'timed out' ", "gpus=n where state=done|'timed out'", "");
        check("gpus=n --law amdahl:0.06", "gpus=n", " --law amdahl:0.06");
        check("--map 'gpus=n model='\\''bert'\\''' --law=rigid", "gpus=n model='bert'", " --law rigid");
        check(
            "elastiplan simulate --jobs a.csv --map \"gpus=\\\"GPU count\\\"\" --deadlines 0.5..1.5 --nodes 16",
            "gpus=\"GPU count\"",
            " --deadlines 0.5..1.5",
        );
        check("--law linear --map gpus=n --models bert:1", "gpus=n", " --law linear --models bert:1");
    }

    #[test]
    fn what_is_no_mapping_is_said() {
        let check = |text: &str, expected: &str| {
            let error = Line::read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("", "A mapping says");
        check("some words", "there is no such field");
        check("--map", "A mapping says");
        check("gpus=n --law fast", "--law");
        check("gpu=n", "there is no such field");
    }
}
