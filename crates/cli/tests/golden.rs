//! Golden cases: each folder of tests/golden holds files, a `command`, and in `expected.txt` what it prints.
//!
//! To add a case, make a folder with a command and run the test with `UPDATE_EXPECT=1`; read what it wrote. `OUT` in a
//! command is a folder that is read back: what is written there is part of what is expected, but for what is no text.
#![allow(clippy::unwrap_used)] // Clippy lets tests unwrap, but not what tests share.
#![allow(clippy::disallowed_methods)] // Tests need no small code: they sort as the standard library does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;

#[test]
fn golden_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let cases = sorted(&root);
    assert!(!cases.is_empty());
    for case in cases {
        expect_file![case.join("expected.txt")].assert_eq(&run(&case));
    }
}

/// Everything a case prints and writes.
fn run(case: &Path) -> String {
    let out = tempfile::tempdir().unwrap();
    let command = fs::read_to_string(case.join("command")).unwrap();
    let arguments = words(&command).into_iter().map(|word| match word.strip_prefix("OUT/") {
        Some(name) => out.path().join(name).into_os_string(),
        None if word == "OUT" => out.path().as_os_str().to_owned(),
        None => word.into(),
    });
    let output = Command::new(env!("CARGO_BIN_EXE_elastiplan")).args(arguments).current_dir(case).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let mut parts = vec![format!("exit code {}\n", output.status.code().unwrap())];
    let mut part = |name: String, text: String| {
        if !text.is_empty() {
            parts.push(format!("--- {name}\n{text}"));
        }
    };
    part("stdout".into(), text(output.stdout));
    part("stderr".into(), text(output.stderr));
    for file in sorted(out.path()) {
        let content = fs::read_to_string(&file).unwrap_or_else(|_| "(no text)\n".into());
        part(file.file_name().unwrap().to_string_lossy().into_owned(), content);
    }
    parts.concat()
}

/// The words of a command; one that begins with a quote ends with the next.
fn words(command: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), command.trim_start());
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '"' | '\'' => rest[1..].split_once(first).unwrap(),
            _ => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
