//! Names that are taken from the paths of files.

use crate::text::values;

/// The file's name without folder and ending: `profiles/A100/bert.csv` and
/// `bert.csv.gz` are of `bert`.
pub(crate) fn stem(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path).trim();
    let file = [".gz", ".zst"].iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim();
    let name = values::name(if stem.is_empty() { file } else { stem }.into());
    if name.is_empty() { "unnamed".into() } else { name.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn the_stem_has_no_folder_and_no_extension() {
        let cases = [
            ("profiles/A100/bert.csv", "bert"),
            ("C:\\data\\vgg16.v2.csv", "vgg16.v2"),
            ("bert.csv.gz", "bert"),
            ("data.zip/A100/bert.csv", "bert"),
            ("gpt2", "gpt2"),
            (".csv", ".csv"),
            ("a/", "unnamed"),
            ("", "unnamed"),
            ("\u{feff}bert\r.csv", "bert"),
            ("\u{feff}", "unnamed"),
        ];
        for (path, expected) in cases {
            assert_eq!(stem(path), expected, "{path}");
        }
    }
}
