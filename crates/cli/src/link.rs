//! `elastiplan link`: a scenario as a link to the page.

use std::path::PathBuf;

use clap::Args;
use elastiplan_documents::{CHARACTERS_FREE, Link, LinkError};
use elastiplan_text::format::count;
use elastiplan_text::words::counted;

use crate::given::Given;
use crate::{CommandError, files, print};

#[derive(Args)]
pub struct Arguments {
    /// A scenario document, a bundle, a link, or the name of a preset.
    #[arg(value_name = "FILE|LINK|NAME")]
    scenario: PathBuf,
    /// The address of the page: https://example.org/elastiplan/
    #[arg(long, value_name = "ADDRESS", default_value = "")]
    base: String,
    /// Write files that the link needs to this folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

pub fn link(arguments: &Arguments) -> Result<(), CommandError> {
    let given = Given::read(&arguments.scenario)?;
    let link = match given.preset {
        Some(preset) => Ok(Link::of_preset(&arguments.base, preset, &given.view)),
        None => Link::of(&arguments.base, &given.document, &given.view, &|name| given.file(name)),
    };
    let link = link.map_err(|error| unusable(&arguments.scenario.to_string_lossy(), &error))?;
    tell(&link, arguments.data.is_some());
    if let Some(folder) = &arguments.data {
        let needed: Vec<_> = link.needs.iter().map(|needed| (&needed.name, needed.bytes.clone())).collect();
        files::write_all(folder, &needed)?;
    }
    print(&(link.text + "\n"))
}

fn unusable(name: &str, error: &LinkError) -> CommandError {
    let instead = if matches!(error, LinkError::TooLong { .. }) { ". elastiplan bundle writes one" } else { "" };
    CommandError::Input(format!("{name}: {error}{instead}"))
}

/// Says how long a link is, and what has to come along.
fn tell(link: &Link, is_written: bool) {
    let characters = link.text.len();
    let fits =
        if characters <= CHARACTERS_FREE { "fits anywhere" } else { "some chat programs cut links of this length" };
    eprintln!("note: {} characters, {fits}", count(characters as u64));
    for needed in &link.needs {
        let (name, short, bytes) =
            (&needed.name, needed.hash.short(), counted(needed.bytes.len() as u64, "byte", "bytes"));
        let how = if is_written { "" } else { "; --data DIR writes it" };
        eprintln!("note: it needs {name} ({short}, {bytes}), which does not fit: send that along{how}");
    }
}
