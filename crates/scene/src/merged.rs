//! How columns in which many spans meet are drawn.

use elastiplan_text::format;

use crate::columns::{FULL, Segment};
use crate::draw::{Anchor, Fill, Frame, Mark, Paint, Point, TextSize};
use crate::layers::{Layers, clipped};
use crate::slots::ModelSlot;

/// The narrowest merged region that says how many it stands for.
const COUNT_MIN_PX: f64 = 24.0;

/// How high a bar is of which so much, of [`FULL`], is in use: in steps of half a pixel, and never nothing.
pub(crate) fn height_of(share: u8, bar_px: f64) -> f64 {
    let steps = (2.0 * bar_px).clamp(4.0, f64::from(FULL));
    let height = (f64::from(share) / f64::from(FULL) * steps).round().max(1.0) / steps * bar_px;
    height.max(1.0).min(bar_px)
}

/// The part of a bar that stands on its ground, as high as a share of it.
pub(crate) fn standing_on_ground(bar: &Frame, share: u8) -> Frame {
    let height = height_of(share, bar.height);
    Frame { top: bar.bottom() - height, height, ..*bar }
}

/// Bars of merged columns that touch, and how many spans they stand for where there is room.
pub(crate) fn merged_bars(columns: &[Segment], bar: &Frame, plot: &Frame, layers: &mut Layers) {
    let mut open: Option<(Frame, ModelSlot)> = None;
    let draw = |layers: &mut Layers, open: Option<(Frame, ModelSlot)>| {
        if let Some((frame, slot)) = open.and_then(|(frame, slot)| Some((clipped(frame, plot)?, slot))) {
            layers.bar(slot, frame, Fill::Share(70));
        }
    };
    for segment in columns {
        let held = segment.merged.map_or(0, |merged| merged.held);
        let column = Frame { left: plot.left + segment.from as f64, width: (segment.to - segment.from) as f64, ..*bar };
        let column = standing_on_ground(&column, held);
        match &mut open {
            _ if held == 0 => draw(layers, open.take()),
            Some((frame, slot))
                if *slot == segment.slot && frame.height == column.height && frame.right() == column.left =>
            {
                frame.width += column.width;
            }
            _ => draw(layers, open.replace((column, segment.slot))),
        }
    }
    draw(layers, open);
    let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return };
    let spans: u32 = columns.iter().filter_map(|segment| segment.merged).map(|merged| merged.spans).sum();
    let region = Frame { left: plot.left + first.from as f64, width: (last.to - first.from) as f64, ..*bar };
    layers.texts.extend(clipped(region, plot).and_then(|region| count(&region, u64::from(spans))));
}

/// "×14" in a merged region with room for it.
pub(crate) fn count(region: &Frame, merged: u64) -> Option<Mark> {
    let (text, size) = (format!("×{}", format::count(merged)), TextSize::Bar);
    let wide = region.width >= COUNT_MIN_PX.max(size.width_px(&text) + 6.0);
    let room = merged > 1 && wide && region.height >= size.digits_px();
    let at = Point { x: region.left + region.width / 2.0, y: region.top + region.height / 2.0 };
    // The ground shines through a merged fill, so the ink of bars would be too faint on it.
    let (anchor, paint) = (Anchor::Middle, Paint::Ink1);
    room.then_some(Mark::Text { at, text, anchor, size, paint, backed: true })
}
