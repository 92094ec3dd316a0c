//! Mappings that the browser keeps, as text: a line for each, the one used last first.

use elastiplan_formats::mapping::{Remembered, RememberedMapping};

/// Reads what was kept. Lines that are none are skipped.
pub fn read(text: &str) -> Remembered {
    let mut remembered = Remembered::default();
    let entries: Vec<RememberedMapping> = text.lines().filter_map(entry).collect();
    entries.into_iter().rev().for_each(|entry| remembered.keep(entry));
    remembered
}

/// The text that [`read`] reads back the same.
pub fn write(remembered: &Remembered) -> String {
    let line = |entry: &RememberedMapping| {
        let RememberedMapping { fingerprint, mapping, used_epoch_s, file } = entry;
        let is_line = ![mapping, file].into_iter().any(|text| text.contains(['\t', '\n', '\r']));
        is_line.then(|| format!("{fingerprint:016x}\t{used_epoch_s:.0}\t{file}\t{mapping}\n"))
    };
    remembered.entries().iter().filter_map(line).collect()
}

fn entry(line: &str) -> Option<RememberedMapping> {
    let mut parts = line.splitn(4, '\t');
    let fingerprint = u64::from_str_radix(parts.next()?, 16).ok()?;
    let used_epoch_s = elastiplan_text::number(parts.next()?)?;
    let (file, mapping) = (parts.next()?.to_string(), parts.next()?.to_string());
    Some(RememberedMapping { fingerprint, mapping, used_epoch_s, file })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(fingerprint: u64, file: &str) -> RememberedMapping {
        let mapping = format!("--map 'gpus={file}'");
        RememberedMapping { fingerprint, mapping, used_epoch_s: 1_795_000_000.0, file: file.into() }
    }

    #[test]
    fn what_is_kept_is_read_back_in_its_order() {
        let mut remembered = Remembered::default();
        assert_eq!(read(&write(&remembered)), remembered);
        [kept(1, "a"), kept(u64::MAX, "b c"), kept(7, "d")].into_iter().for_each(|entry| remembered.keep(entry));
        assert_eq!(read(&write(&remembered)), remembered);
        assert!(write(&remembered).starts_with("0000000000000007\t1795000000\td\t--map 'gpus=d'\n"));
    }

    #[test]
    fn lines_that_are_none_are_skipped() {
        let check = |text: &str, expected: usize| assert_eq!(read(text).entries().len(), expected, "{text}");
        check("", 0);
        check("x\t1\ta\tgpus=n\n7\t1\ta\tgpus=n\n7\n8\tsoon\ta\tgpus=n", 1);
        let mut odd = Remembered::default();
        odd.keep(kept(3, "two\nlines"));
        check(&write(&odd), 0);
    }
}
