//! `elastiplan presets`: the scenarios that are built in.

use std::fmt::Write;

use clap::Args;
use elastiplan_documents::{PRESETS, Preset};

use crate::table::{terminal_width, wrapped};
use crate::{CommandError, print};

#[derive(Args)]
pub struct Arguments {
    /// Print the document of this one, with everything that it leaves out.
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub fn presets(arguments: &Arguments) -> Result<(), CommandError> {
    match &arguments.name {
        None => print(&list()?),
        Some(name) => print(&document(find(name)?)?.to_json()),
    }
}

/// Every preset, for a person.
fn list() -> Result<String, CommandError> {
    let width = terminal_width();
    let mut text = String::new();
    for preset in PRESETS {
        let document = document(preset)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", preset.name);
        for words in [&document.title, &document.about, &document.source] {
            text += &wrapped(words, 2, width);
        }
    }
    Ok(text + "\nelastiplan run NAME runs one; elastiplan presets NAME prints its document.\n")
}

/// The preset of this name; its absence names what there is.
pub fn find(name: &str) -> Result<&'static Preset, CommandError> {
    let known = || PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    Preset::named(name).ok_or_else(|| CommandError::Usage(format!("{name} is not a preset. There are: {}", known())))
}

fn document(preset: &Preset) -> Result<elastiplan_documents::Document, CommandError> {
    preset.document().map_err(|error| CommandError::Input(format!("{}: {error}", preset.name)))
}
