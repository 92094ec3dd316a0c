//! The colours of www/style.css.

use std::collections::BTreeMap;

pub type Tokens = BTreeMap<String, [f64; 3]>;

/// The colours of both themes; the dark one changes some of the light one's.
pub fn themes() -> [(&'static str, Tokens); 2] {
    let css = include_str!("../../../../www/style.css");
    let light = tokens(css, ":root {");
    let mut dark = light.clone();
    dark.extend(tokens(css, ":root[data-theme=\"dark\"] {"));
    [("light", light), ("dark", dark)]
}

fn tokens(css: &str, selector: &str) -> Tokens {
    let block = css.split_once(selector).and_then(|(_, rest)| rest.split_once('}')).map_or("", |(block, _)| block);
    let token = |line: &str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
        let hex = value.get(..6)?;
        let channel = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok().map(f64::from);
        Some((name.to_string(), [channel(0)?, channel(2)?, channel(4)?]))
    };
    block.lines().filter_map(token).collect()
}

/// A channel of sRGB, 0 to 255, as light, 0 to 1.
pub fn linear(channel: f64) -> f64 {
    match channel / 255.0 {
        low if low <= 0.04045 => low / 12.92,
        value => libm::pow((value + 0.055) / 1.055, 2.4),
    }
}
