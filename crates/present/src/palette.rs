//! The colours of runs, models and marks, with their custom properties in the style sheet.

use elastiplan_scene::Paint;

use crate::runs::COLOURS;

/// Custom property and light value of each colour that is not a model's or a policy's.
const PLAIN: [(Paint, &str, &str); 11] = [
    (Paint::Wait, "--wait", "#7d8796"),
    (Paint::Ink1, "--ink-1", "#1b2129"),
    (Paint::Ink2, "--ink-2", "#4a5361"),
    (Paint::Ink3, "--ink-3", "#606a78"),
    (Paint::Line, "--line", "#dfe3e8"),
    (Paint::LineStrong, "--line-strong", "#b9c0cb"),
    (Paint::Grid, "--grid", "#eceff3"),
    (Paint::Accent, "--accent", "#1f5fd0"),
    (Paint::Select, "--bg-select", "#e3ecfb"),
    (Paint::Bad, "--bad", "#b42318"),
    (Paint::Panel, "--bg-panel", "#ffffff"),
];
const BETTER: (&str, &str) = ("--better", "#0a6a70");
const WORSE: (&str, &str) = ("--worse", "#9a4100");
const MODELS: [(&str, &str); 8] = [
    ("#1e6dcc", "#ffffff"),
    ("#933900", "#ffffff"),
    ("#00654c", "#ffffff"),
    ("#a8607d", "#ffffff"),
    ("#748a08", "#10151c"),
    ("#6e4679", "#ffffff"),
    ("#0ba2be", "#10151c"),
    ("#f66477", "#10151c"),
];
/// Custom property and light value of each run's colour, A to H. Runs from I on are grey, as what waits.
const POLICIES: [(&str, &str); COLOURS] = [
    ("--policy-a", "#4a5361"),
    ("--policy-b", "#945700"),
    ("--policy-c", "#1f5fd0"),
    ("--policy-d", "#8f2d83"),
    ("--policy-e", "#7a0c2e"),
    ("--policy-f", "#6a2be0"),
    ("--policy-g", "#516c36"),
    ("--policy-h", "#10186b"),
];
/// On the grey that the ninth and later models share.
const ON_OTHER: &str = "#10151c";
const INK: &str = "#1b2129";

/// A colour as CSS text and as its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colour {
    /// CSS text, which a canvas takes.
    pub css: String,
    /// Red, green and blue.
    pub rgb: (u8, u8, u8),
}

/// Every colour by its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    plain: Vec<(Paint, Colour)>,
    models: Vec<Colour>,
    models_dark: Vec<Colour>,
    on_models: Vec<Colour>,
    policies: Vec<Colour>,
    better: Colour,
    worse: Colour,
}

impl Palette {
    /// The light values, whatever the theme: what is printed is printed on white.
    pub fn light() -> Self {
        Self::with(|_, light| Colour::of(light))
    }

    /// Every colour by its custom property and its light value.
    pub fn with(colour: impl Fn(&str, &str) -> Colour) -> Self {
        let read = |(property, light): &(&str, &str)| colour(property, light);
        let slots = 1..=MODELS.len();
        let mut models: Vec<Colour> =
            slots.clone().zip(&MODELS).map(|(slot, (fill, _))| colour(&format!("--model-{slot}"), fill)).collect();
        let mut on_models: Vec<Colour> =
            slots.zip(&MODELS).map(|(slot, (_, text))| colour(&format!("--on-model-{slot}"), text)).collect();
        models.push(colour("--wait", "#7d8796"));
        on_models.push(Colour::of(ON_OTHER));
        Self {
            plain: PLAIN.iter().map(|(paint, property, light)| (*paint, colour(property, light))).collect(),
            models_dark: models.iter().map(Colour::darker).collect(),
            models,
            on_models,
            policies: POLICIES.iter().map(read).collect(),
            better: read(&BETTER),
            worse: read(&WORSE),
        }
    }

    /// A colour as a canvas takes it.
    pub fn css(&self, paint: Paint) -> &str {
        self.colour(paint).map_or(INK, |colour| colour.css.as_str())
    }

    /// The parts of a colour.
    pub fn rgb(&self, paint: Paint) -> (u8, u8, u8) {
        self.colour(paint).map_or((27, 33, 41), |colour| colour.rgb)
    }

    /// The parts of the colour of a difference: for the better or for the worse.
    pub fn difference_rgb(&self, is_better: bool) -> (u8, u8, u8) {
        if is_better { self.better.rgb } else { self.worse.rgb }
    }

    fn colour(&self, paint: Paint) -> Option<&Colour> {
        match paint {
            Paint::Model(slot) => self.models.get(slot.index()),
            Paint::ModelDark(slot) => self.models_dark.get(slot.index()),
            Paint::OnModel(slot) => self.on_models.get(slot.index()),
            Paint::Policy(policy) => self.policies.get(usize::from(policy)).or_else(|| self.colour(Paint::Wait)),
            paint => self.plain.iter().find(|(known, _)| *known == paint).map(|(_, colour)| colour),
        }
    }
}

impl Colour {
    /// Reads `#rrggbb` or `rgb(...)`; anything else keeps its text and gets the parts of ink.
    pub fn of(css: &str) -> Self {
        Self { rgb: parts(css).unwrap_or((27, 33, 41)), css: css.into() }
    }

    /// Reads a colour that a browser computed; `None` if it has another syntax.
    pub fn parse(css: String) -> Option<Self> {
        Some(Self { rgb: parts(&css)?, css })
    }

    fn darker(&self) -> Self {
        let part = |value: u8| (f64::from(value) * 0.68).round() as u8;
        let rgb = (part(self.rgb.0), part(self.rgb.1), part(self.rgb.2));
        Self { css: format!("rgb({}, {}, {})", rgb.0, rgb.1, rgb.2), rgb }
    }
}

/// Red, green and blue of `#rrggbb` or `rgb(…)`.
fn parts(css: &str) -> Option<(u8, u8, u8)> {
    if let Some(digits) = css.strip_prefix('#') {
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        return Some((part(0)?, part(2)?, part(4)?));
    }
    let inside = css.strip_prefix("rgb")?.split_once('(')?.1.strip_suffix(')')?;
    let mut numbers = inside.split([',', ' ', '/']).filter(|part| !part.is_empty());
    let mut part = || Some(numbers.next()?.parse::<f64>().ok()?.round().clamp(0.0, 255.0) as u8);
    Some((part()?, part()?, part()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_values_are_those_of_the_style_sheet() {
        let css = include_str!("../../../www/style.css");
        let models = (1..).zip(MODELS).map(|(slot, (fill, _))| (format!("--model-{slot}"), fill));
        let others =
            PLAIN.map(|(_, property, light)| (property, light)).into_iter().chain(POLICIES).chain([BETTER, WORSE]);
        for (property, light) in others.map(|(property, light)| (property.to_string(), light)).chain(models) {
            assert!(css.contains(&format!("\n  {property}: {light};")), "{property}");
        }
        assert_eq!(Palette::light().difference_rgb(true), (10, 106, 112));
    }

    /// The tokens of a theme as the style sheet has them.
    fn token(theme: &str, property: &str) -> (u8, u8, u8) {
        let css = include_str!("../../../www/style.css");
        let rules = &css[css.find(theme).unwrap()..];
        let rules = &rules[..rules.find("\n}").unwrap()];
        let (_, value) = rules.split_once(&format!("\n  {property}: ")).unwrap();
        parts(&value[..value.find(';').unwrap()]).unwrap()
    }

    fn linear((red, green, blue): (u8, u8, u8)) -> [f64; 3] {
        [red, green, blue].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn dot(row: [f64; 3], with: [f64; 3]) -> f64 {
        row.iter().zip(with).map(|(a, b)| a * b).sum()
    }

    /// Contrast by WCAG 2.
    fn contrast(one: (u8, u8, u8), other: (u8, u8, u8)) -> f64 {
        let luminance = |rgb| dot([0.2126, 0.7152, 0.0722], linear(rgb)) + 0.05;
        let (one, other) = (luminance(one), luminance(other));
        one.max(other) / one.min(other)
    }

    /// CIE 1976 L*a*b* of a colour in linear light, white point D65.
    fn lab(light: [f64; 3]) -> [f64; 3] {
        let rows =
            [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]];
        let light = light.map(|part| part.clamp(0.0, 1.0));
        let white = [0.95047, 1.0, 1.08883];
        let [x, y, z] = [0, 1, 2].map(|at| {
            let share = dot(rows[at], light) / white[at];
            if share > 216.0 / 24389.0 { share.cbrt() } else { (24389.0 / 27.0 * share + 16.0) / 116.0 }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// CIE 1976 difference, as people see it and as people without red or without green receptors do (Machado and
    /// others, 2009): the least of the three.
    fn differ(one: (u8, u8, u8), other: (u8, u8, u8)) -> f64 {
        let sights = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
        ];
        let seen = |sight: [[f64; 3]; 3], rgb| lab(sight.map(|row| dot(row, linear(rgb))));
        let apart = sights.map(|sight| {
            let pairs = seen(sight, one).into_iter().zip(seen(sight, other));
            pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        });
        apart.into_iter().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn runs_are_told_apart_by_colour_in_both_themes() {
        let check = |theme: &str, panel: &str, differ_least: f64, nearest: (&str, &str)| {
            let runs = POLICIES.map(|(property, _)| (property, token(theme, property)));
            let on_run = token(theme, "--on-policy");
            for (property, rgb) in runs {
                assert!(contrast(rgb, on_run) >= 5.5, "{property}: letter {:.2}", contrast(rgb, on_run));
                let on_panel = contrast(rgb, parts(panel).unwrap());
                assert!(on_panel >= 4.5, "{property}: names of lines {on_panel:.2}");
            }
            let pairs = (0..COLOURS).flat_map(|one| (one + 1..COLOURS).map(move |other| (one, other)));
            let apart = pairs.map(|(one, other)| (differ(runs[one].1, runs[other].1), runs[one].0, runs[other].0));
            let least = apart.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            assert!(least.0 >= differ_least && (least.1, least.2) == nearest, "{theme} {least:?}");
            assert!(contrast(token(theme, "--wait"), token(":root {", "--on-wait")) >= 4.5, "{theme}: from I on");
        };
        check(":root {", "#ffffff", 14.0, ("--policy-a", "--policy-d"));
        check(":root[data-theme=\"dark\"]", "#14181e", 12.0, ("--policy-c", "--policy-f"));
    }

    #[test]
    fn runs_beyond_the_eighth_are_grey() {
        let palette = Palette::light();
        assert_eq!(palette.rgb(Paint::Policy(7)), (0x10, 0x18, 0x6b));
        assert_eq!(palette.rgb(Paint::Policy(8)), palette.rgb(Paint::Wait));
        assert_eq!(palette.css(Paint::Policy(200)), palette.css(Paint::Wait));
    }
}
