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
    ("--policy-g", "#1b755a"),
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
    let mut part = || Some(elastiplan_text::number(numbers.next()?)?.round().clamp(0.0, 255.0) as u8);
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

    #[test]
    fn runs_beyond_the_eighth_are_grey() {
        let palette = Palette::light();
        assert_eq!(palette.rgb(Paint::Policy(7)), (0x10, 0x18, 0x6b));
        assert_eq!(palette.rgb(Paint::Policy(8)), palette.rgb(Paint::Wait));
        assert_eq!(palette.css(Paint::Policy(200)), palette.css(Paint::Wait));
    }
}
