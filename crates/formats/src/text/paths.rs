//! Names that are taken from the paths of files.

/// The file's name without folder and ending: `profiles/A100/bert.csv` is of `bert`.
pub(crate) fn stem(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path).trim();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim();
    match (stem.is_empty(), file.is_empty()) {
        (false, _) => stem.into(),
        (true, false) => file.into(),
        (true, true) => "unnamed".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn the_stem_has_no_folder_and_no_extension() {
        let cases = [
            ("profiles/A100/bert.csv", "bert"),
            ("C:\\data\\vgg16.v2.csv", "vgg16.v2"),
            ("gpt2", "gpt2"),
            (".csv", ".csv"),
            ("a/", "unnamed"),
            ("", "unnamed"),
        ];
        for (path, expected) in cases {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
