//! The commands and the list of docs/publish.md, as they stand there.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.

use std::path::Path;
use std::process::Command;

const TEXT: &str = include_str!("../../../docs/publish.md");

/// The blocks of code in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    TEXT.split(&open).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_commands_make_the_folder_that_the_page_is_built_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for line in blocks("sh").into_iter().flat_map(str::lines) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["mkdir", "-p", name] => std::fs::create_dir_all(folder.path().join(name)).unwrap(),
            ["elastiplan", arguments @ ..] => {
                let target = arguments.iter().position(|word| *word == ">");
                let (arguments, target) = arguments.split_at(target.unwrap_or(arguments.len()));
                let output = run(folder.path(), arguments);
                if let [_, file] = target {
                    std::fs::write(folder.path().join(file), output).unwrap();
                }
                ran += 1;
            }
            // Tests of crate xtask know this one; the others are of a host.
            ["cargo" | "aws", ..] => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(ran, 3);
    assert!(TEXT.contains("cargo xtask build --scenario scenarios\n"));
}

fn run(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_elastiplan")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn the_list_is_json() {
    for block in blocks("json") {
        let list: serde_json::Value = serde_json::from_str(block).unwrap();
        assert_eq!(list["elastiplan_gallery"], 1);
    }
}
