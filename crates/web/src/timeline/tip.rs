//! The tooltip: a few lines beside the row pointed at, never over it.

use elastiplan_model::JobId;
use elastiplan_scene::Hit;
use web_sys::{Element, HtmlElement};

use super::component::Timelines;
use super::props::TimelinesProps;
use crate::part::{self, Slot};

/// Between the row and the tooltip.
const GAP_PX: f64 = 10.0;

/// What a tooltip is about: over another it waits anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A job.
    Job(JobId),
    /// A band of stacked GPUs; `None` above all bands.
    Band(Option<usize>),
}

impl Target {
    /// What a hit is about.
    pub fn of(hit: &Hit) -> Option<Self> {
        match hit {
            Hit::Stack(hit) => Some(Target::Band(hit.band)),
            hit => hit.job().map(Target::Job),
        }
    }
}

type ShowTip = fn(&mut Timelines, &TimelinesProps);

thread_local! {
    static SHOW_TIP: Slot<ShowTip> = const { Slot::new(Timelines::write_tip) };
}

/// Puts in what tooltips need.
pub fn fill() {
    SHOW_TIP.with(|slot| slot.fill(Timelines::write_tip));
}

impl Timelines {
    /// Says what is under the pointer, as soon as the page can.
    pub(super) fn show_tip(&mut self, props: &TimelinesProps) {
        if let Some(show_tip) = part::get(&SHOW_TIP) {
            show_tip(self, props);
        }
    }

    fn write_tip(&mut self, props: &TimelinesProps) {
        self.tip_timer = None;
        let (Some((x, y)), Some(tip)) = (self.pointer, self.refs.tip.cast::<HtmlElement>()) else { return };
        if self.gesture.is_dragging() {
            return;
        }
        let lines = self.with_strip(props, x, y, |strip, _, x, y| Some(strip.tooltip(&strip.hit(x, y)?)));
        let Some(lines) = lines.filter(|lines| !lines.is_empty()) else {
            self.hide_tip();
            return;
        };
        write_lines(&tip, &lines);
        tip.set_hidden(false);
        let size = tip.get_bounding_client_rect();
        let pitch_px =
            self.rows_frame_at(y).map_or(3.0, |frame| self.view.picture(&props.runs.workload).layout(frame).pitch.px());
        let left = (x + GAP_PX + 4.0).min(self.stage.width - size.width() - 4.0).max(4.0);
        let below = y + pitch_px + GAP_PX;
        let fits_below = below + size.height() <= self.stage.height;
        let top = if fits_below { below } else { y - pitch_px - GAP_PX - size.height() };
        let place = format!("translate({}px, {}px)", left.round(), top.round());
        // A browser that refuses leaves the tooltip in the corner.
        let _ = tip.style().set_property("transform", &place);
    }

    /// Says nothing.
    pub(super) fn hide_tip(&mut self) {
        self.tip_timer = None;
        if let Some(tip) = self.refs.tip.cast::<HtmlElement>() {
            tip.set_hidden(true);
        }
    }
}

fn write_lines(tip: &Element, lines: &[String]) {
    let rows = tip.children();
    // Stacked GPUs have a line a band.
    for _ in rows.length() as usize..lines.len() {
        if let Ok(row) = gloo::utils::document().create_element("div") {
            let _ = tip.append_child(&row);
        }
    }
    for at in 0..rows.length() {
        if let Some(row) = rows.item(at) {
            row.set_text_content(lines.get(at as usize).map(String::as_str));
        }
    }
}
