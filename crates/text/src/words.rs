//! Small phrases: lists, counted nouns, factors, wall-clock times.

use crate::format;

/// `fixed`, `fixed and equal-share`, `fixed, equal-share and elastic-dp`.
pub fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).into(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 job`, `1,284 jobs`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", format::count(count), if count == 1 { one } else { many })
}

/// A factor: `×1`, `×1.25`.
pub fn factor(value: f64) -> String {
    format!("×{}", (value * 100.0).round() / 100.0)
}

/// A time that was measured: `38 ms`, `1.2 s`.
pub fn wall(ms: f64) -> String {
    if ms < 1000.0 { format!("{} ms", ms.round()) } else { format!("{} s", (ms / 100.0).round() / 10.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_factors() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(factor(1.0), "×1");
        assert_eq!(factor(0.1 + 0.2), "×0.3");
        assert_eq!(wall(38.4), "38 ms");
        assert_eq!(wall(1240.0), "1.2 s");
    }
}
