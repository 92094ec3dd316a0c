//! Names in a drawing: beside lines, in the key, and in the halves of a scatter.

use elastiplan_scene::{Anchor, Dash, Frame, Point, TextSize};
use elastiplan_text::format;

use super::{DOT_PX, Drawing};
use crate::drawing::dots::spots;
use crate::drawing::hexes::{Hex, hexes, is_dense, shade};
use crate::drawing::ink::Ink;
use crate::drawing::layout::{KEY_MARK_PX, KeyItem, Layout};
use crate::drawing::marks::Mark;
use crate::drawing::reading::badge_of;
use crate::figure::{Guide, Series, Shape, Tone};

impl Drawing<'_> {
    /// The names of lines beside them.
    pub(super) fn names(&self, marks: &mut Vec<Mark>, layout: &Layout) {
        for name in &layout.names {
            let Some(series) = self.figure.series.get(name.line) else { continue };
            let ink = Ink::Tone(series.tone);
            if let Some((from, to)) = name.leader {
                self.line(marks, &[from, to], ink, 0.8, Dash::Solid);
            }
            let words = if layout.key.is_empty() { &series.label } else { badge_of(series.tone, &series.label) };
            self.text(marks, words, TextSize::CaptionStrong, ink, name.at, Anchor::Start);
        }
    }

    /// The names of colours above the plot.
    pub(super) fn key(&self, marks: &mut Vec<Mark>, layout: &Layout) {
        let hexes = if is_dense(self.figure) { hexes(self.figure, &layout.plot) } else { Vec::new() };
        let most = hexes.iter().map(Hex::count).max().unwrap_or(1);
        for item in &layout.key {
            let words = match item.tone {
                Some(tone) => {
                    self.key_mark(marks, item, tone);
                    item.words.clone()
                }
                None => {
                    let samples = [1, (most as f64).sqrt().round() as usize, most];
                    for (nth, count) in (0_u32..).zip(samples) {
                        let at = Point { x: item.at.x + 1.0 + 6.0 * f64::from(nth), y: item.at.y };
                        self.hex(marks, &Hex { at, ..Hex::of(Tone::Equal) }, shade(count, most));
                    }
                    format!("1 to {} jobs", format::count(most as u64))
                }
            };
            let at = Point { x: item.at.x + KEY_MARK_PX, y: item.at.y };
            self.text(marks, &words, TextSize::Caption, Ink::Strong, at, Anchor::Start);
        }
    }

    /// A piece of a line, a bar, or a hexagon.
    fn key_mark(&self, marks: &mut Vec<Mark>, item: &KeyItem, tone: Tone) {
        let Point { x, y } = item.at;
        let shape = self.figure.series.iter().find(|series| series.tone == tone).map(|series| &series.shape);
        match shape {
            Some(Shape::Bar { .. }) => {
                let corners = [Point { x, y: y - 4.0 }, Point { x: x + KEY_MARK_PX - 6.0, y: y + 4.0 }];
                marks.push(Mark::Rect(corners.map(|corner| self.at(corner)), self.rgb(Ink::Tone(tone)), super::FILL));
            }
            Some(Shape::Dots(_)) => {
                let at = Point { x: x + KEY_MARK_PX - 10.0, y };
                self.hex(marks, &Hex { at, ..Hex::of(tone) }, 1.0);
            }
            _ => {
                let ends = [Point { x, y }, Point { x: x + KEY_MARK_PX - 4.0, y }];
                self.line(marks, &ends, Ink::Tone(tone), 1.5, super::dash_of(tone));
            }
        }
    }

    /// Dots, each in its place or counted in hexagons.
    pub(super) fn dots(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        if is_dense(self.figure) {
            let hexes = hexes(self.figure, plot);
            let most = hexes.iter().map(Hex::count).max().unwrap_or(1);
            for hex in &hexes {
                self.hex(marks, hex, shade(hex.count(), most));
            }
            return;
        }
        let mut spots = spots(self.figure, plot);
        // What is missed lies on top.
        elastiplan_model::order::sort_by_key(&mut spots, |spot| spot.tone == Tone::Missed);
        let radius = (DOT_PX * self.ratio).round().max(2.0) as i32;
        for spot in spots {
            let ink = Ink::Tone(spot.tone);
            match spot.tone {
                Tone::Missed => self.cross(marks, spot.at, ink),
                _ => marks.push(Mark::Circle(self.at(spot.at), radius, self.rgb(ink), super::FILL)),
            }
        }
    }

    fn hex(&self, marks: &mut Vec<Mark>, hex: &Hex, shade: f64) {
        let corners = hex.corners().map(|corner| self.at(corner)).into();
        marks.push(Mark::Polygon(corners, self.rgb(Ink::Tone(hex.tone)), shade));
    }

    /// The names of the halves of a scatter, in their corners.
    pub(super) fn halves_names(&self, marks: &mut Vec<Mark>, plot: &Frame) {
        for guide in &self.figure.guides {
            let Guide::Diagonal { above, below } = guide else { continue };
            let spots = spots(self.figure, plot);
            let mut name = |words: &str, tone: Tone, is_left: bool| {
                let width = TextSize::CaptionStrong.width_px(words);
                let y = if is_left { plot.top + 10.0 } else { plot.bottom() - 10.0 };
                let left = |step: f64| if is_left { plot.left + 6.0 + step } else { plot.right() - 6.0 - width - step };
                let is_free = |left: &f64| {
                    let covers =
                        |at: Point| (left - 4.0..left + width + 4.0).contains(&at.x) && (at.y - y).abs() < 11.0;
                    !spots.iter().any(|spot| covers(spot.at))
                };
                // In its corner, or else as near to it as no dot is in the way.
                let x = [0.0, 20.0, 40.0, 60.0, 80.0].map(left).into_iter().find(is_free).unwrap_or(left(0.0));
                let (x, anchor) = if is_left { (x, Anchor::Start) } else { (x + width, Anchor::End) };
                self.text(marks, words, TextSize::CaptionStrong, Ink::Tone(tone), Point { x, y }, anchor);
            };
            name(above, Tone::Worse, true);
            name(below, Tone::Better, false);
        }
    }

    /// The name of a bar, left of the plot: in its colour, or that of a group of bars in that of words.
    pub(super) fn bar_name(&self, marks: &mut Vec<Mark>, plot: &Frame, series: &Series, y: f64) {
        let ink = if self.figure.key.is_empty() { Ink::Tone(series.tone) } else { Ink::Strong };
        let at = Point { x: plot.left - 5.0, y };
        let name = super::layout::bar_name(&series.label, plot);
        self.text(marks, &name, TextSize::CaptionStrong, ink, at, Anchor::End);
    }
}
