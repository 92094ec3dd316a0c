//! `cargo xtask build --scenario DIR`: an author's scenarios beside the page, with their list.
//!
//! A scenario is a document that the command line can read, with the data that it names. The page finds the list where
//! index.html says; a folder and a list that were put there by hand do as well (docs/publish.md).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::commands::run_quietly;
use crate::files::{copy_file, files_below, make_empty, read_text};
use crate::project::Project;

/// The folder of the scenarios in the page's.
pub const FOLDER: &str = "scenarios";
/// The list in it.
const LIST: &str = "index.json";
/// Where index.html says that there is one.
const NONE: &str = r#"<meta name="elastiplan-gallery" content="">"#;

/// Scenarios with the files that belong to them.
pub struct Gallery {
    folder: PathBuf,
    list: List,
}

/// The list, as the page reads it.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    elastiplan_gallery: u32,
    scenarios: Vec<Item>,
}

/// A scenario of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Item {
    file: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sentence: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    paper: Option<String>,
}

impl Gallery {
    /// Reads the scenarios of a folder and has the command line check each. An `index.json` among them says which there
    /// are, and in which order; without one, all documents, by name.
    pub fn read(project: &Project, folder: &Path) -> Result<Gallery> {
        let list = list(folder)?;
        for item in &list.scenarios {
            println!("==> Checking {}", item.file);
            let file = folder.join(&item.file);
            let file = file.canonicalize().with_context(|| format!("there is no {}", file.display()))?;
            let check = ["run", "--quiet", "--package", "elastiplan-cli", "--bin", "elastiplan", "--", "link"];
            run_quietly(project.cargo().args(check).arg(&file))
                .with_context(|| format!("{} cannot be opened", file.display()))?;
        }
        Ok(Gallery { folder: folder.to_owned(), list })
    }

    /// Puts the scenarios into the page's folder, and says so in the page.
    pub fn write(&self, dist: &Path) -> Result<()> {
        let target = dist.join(FOLDER);
        make_empty(&target)?;
        for file in own_files(&self.folder)? {
            let copy = target.join(file.strip_prefix(&self.folder).unwrap_or(&file));
            copy.parent().map(std::fs::create_dir_all).transpose()?;
            copy_file(&file, &copy)?;
        }
        std::fs::write(target.join(LIST), serde_json::to_string_pretty(&self.list)? + "\n")?;
        let index = dist.join("index.html");
        let page = read_text(&index)?;
        if !page.contains(NONE) {
            bail!("index.html has no line {NONE}");
        }
        let named = NONE.replace("\"\"", &format!("\"{FOLDER}/\""));
        Ok(std::fs::write(&index, page.replacen(NONE, &named, 1))?)
    }
}

/// All files but hidden ones.
fn own_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files_below(folder)?;
    let is_hidden = |part: std::path::Component| part.as_os_str().to_string_lossy().starts_with('.');
    files.retain(|file| !file.strip_prefix(folder).unwrap_or(file).components().any(is_hidden));
    Ok(files)
}

fn list(folder: &Path) -> Result<List> {
    let given = folder.join(LIST);
    let mut items = match given.is_file() {
        true => {
            let list: List =
                serde_json::from_str(&read_text(&given)?).with_context(|| format!("in {}", given.display()))?;
            list.scenarios
        }
        false => {
            let documents = own_files(folder)?.into_iter().filter(|file| document(file).is_some());
            let name = |file: PathBuf| file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            documents.map(|file| Item { file: name(file), ..Item::default() }).collect()
        }
    };
    if items.is_empty() {
        bail!("{} holds no scenario document, a file with \"elastiplan\": 1", folder.display());
    }
    for item in &mut items {
        let document = document(&folder.join(&item.file)).unwrap_or_default();
        let text = |name: &str| document[name].as_str().unwrap_or_default().to_owned();
        if item.title.is_empty() {
            item.title = Some(text("title")).filter(|title| !title.is_empty()).unwrap_or_else(|| item.file.clone());
        }
        if item.sentence.is_empty() {
            item.sentence = text("about");
        }
    }
    Ok(List { elastiplan_gallery: 1, scenarios: items })
}

/// The content of a scenario document; `None` if the file is another one.
fn document(file: &Path) -> Option<serde_json::Value> {
    let text =
        std::fs::read_to_string(file).ok().filter(|_| file.extension().is_some_and(|ending| ending == "json"))?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    value.get("elastiplan").is_some().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("data")).unwrap();
        for (name, text) in [
            ("b.json", r#"{"elastiplan": 1, "title": "Second", "about": "Two sentences. Of it."}"#),
            ("a.json", r#"{"elastiplan": 1}"#),
            ("data/jobs.csv", "job_id"),
            ("data/other.json", "{}"),
            (".hidden", ""),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn documents_are_listed_and_copied_with_their_data() {
        let (folder, dist) = (folder(), tempfile::tempdir().unwrap());
        let gallery = Gallery { folder: folder.path().to_owned(), list: list(folder.path()).unwrap() };
        std::fs::write(dist.path().join("index.html"), format!("<head>{NONE}</head>")).unwrap();
        gallery.write(dist.path()).unwrap();
        let titles: Vec<&str> = gallery.list.scenarios.iter().map(|item| item.title.as_str()).collect();
        assert_eq!(titles, ["a.json", "Second"]);
        let files = files_below(dist.path()).unwrap();
        let names: Vec<_> =
            files.iter().map(|file| file.strip_prefix(dist.path()).unwrap().to_string_lossy()).collect();
        let expected = ["index.html", "scenarios/a.json", "scenarios/b.json", "scenarios/data/jobs.csv"];
        assert_eq!(names, [&expected[..], &["scenarios/data/other.json", "scenarios/index.json"]].concat());
        let page = std::fs::read_to_string(dist.path().join("index.html")).unwrap();
        assert_eq!(page, "<head><meta name=\"elastiplan-gallery\" content=\"scenarios/\"></head>");
    }

    #[test]
    fn a_list_of_its_own_chooses_and_orders() {
        let folder = folder();
        let own = r#"{"elastiplan_gallery": 1, "scenarios": [{"file": "b.json", "sentence": "Short.", "paper": "https://example.org"}]}"#;
        std::fs::write(folder.path().join(LIST), own).unwrap();
        let paper = Some("https://example.org".into());
        let expected = Item { file: "b.json".into(), title: "Second".into(), sentence: "Short.".into(), paper };
        assert_eq!(list(folder.path()).unwrap().scenarios, [expected]);
    }

    #[test]
    fn a_folder_without_a_scenario_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(list(folder.path()).unwrap_err().to_string().contains("holds no scenario document"));
    }

    #[test]
    fn the_page_has_the_line_that_names_the_folder() {
        assert!(include_str!("../../../index.html").contains(NONE));
    }
}
