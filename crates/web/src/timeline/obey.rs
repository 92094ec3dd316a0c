//! Keys: which are ours, and what they do.

use elastiplan_scene::{Counts, format};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::TimelinesProps;
use super::component::Timelines;
use super::view::KEY_ZOOM;

/// How far an arrow key moves the cursor.
const ARROW_PX: f64 = 8.0;

/// Whether a key is to be taken: single letters are left to fields and dialogs that have the focus, `Esc` to others if
/// there is nothing to free, arrows to everything but strips.
pub fn is_ours(event: &KeyboardEvent, has_marks: bool) -> bool {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.default_prevented() {
        return false;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_inside =
        |selector: &str| target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))));
    let is_editable = target
        .as_ref()
        .and_then(|target| target.dyn_ref::<HtmlElement>())
        .is_some_and(|element| element.is_content_editable());
    if is_editable || is_inside("input, textarea, select, dialog, [role=dialog]") {
        return false;
    }
    match event.key().as_str() {
        "w" | "s" | "a" | "d" | "f" | "." | "," | "-" => !event.shift_key(),
        "+" | "=" => true,
        "Escape" => has_marks,
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" => is_inside(".tl-canvas"),
        _ => false,
    }
}

impl Timelines {
    /// Does what a key asks for. Whether anything but canvases changes.
    pub(super) fn on_key(&mut self, props: &TimelinesProps, event: &KeyboardEvent) -> bool {
        self.tip_target = None;
        self.hide_tip();
        let reach = if event.shift_key() { 10.0 } else { 1.0 };
        // The height of rows decides how much room their labels need.
        let mut renders = matches!(event.key().as_str(), "f" | "+" | "=" | "-");
        match event.key().as_str() {
            "w" => self.view.zoom_by_key(KEY_ZOOM),
            "s" => self.view.zoom_by_key(1.0 / KEY_ZOOM),
            "a" => self.view.pan_by_key(-1.0),
            "d" => self.view.pan_by_key(1.0),
            "f" => self.view.fit(),
            "." | "ArrowDown" => self.select_neighbour(props, true),
            "," | "ArrowUp" => self.select_neighbour(props, false),
            "+" | "=" => self.step_rows(true),
            "-" => self.step_rows(false),
            "ArrowLeft" => renders = self.move_cursor(props, -ARROW_PX * reach),
            "ArrowRight" => renders = self.move_cursor(props, ARROW_PX * reach),
            "Escape" => {
                self.range_s = None;
                if !self.gesture.cancel() {
                    self.view.release();
                }
            }
            _ => {}
        }
        self.repaint_all();
        renders
    }

    fn step_rows(&mut self, larger: bool) {
        if let Some(height_px) = self.stage.rows_height() {
            self.view.step_rows(larger, height_px);
        }
    }

    fn select_neighbour(&mut self, props: &TimelinesProps, forward: bool) {
        let Some(job) = self.view.neighbour(forward) else { return };
        let rows_height = self.stage.rows_height().filter(|_| !self.stage.is_narrow);
        self.view.select(job, rows_height);
        // A job that lies outside the time in view is brought there by its submission.
        let first = props.workload.trace().jobs().get(job.index()).map(|job| job.submit_s);
        let spans = props.runs.iter().filter_map(|entry| {
            let spans = &entry.result.as_ref()?.run.spans;
            spans.get(spans.range_of(job).last()?).map(|span| span.end_s)
        });
        let last = spans.fold(first, |last, end_s| Some(last.map_or(end_s, |last| last.max(end_s))));
        if let (Some(first_s), Some(last_s)) = (first, last) {
            let window = self.view.window;
            if last_s < window.start_s() || first_s > window.end_s() {
                self.view.show(window.panned(first_s - window.start_s() - window.span_s() * 0.1));
            }
        }
    }

    /// Moves the cursor by pixels and says what is there.
    fn move_cursor(&mut self, props: &TimelinesProps, by_px: f64) -> bool {
        let scale = self.scale();
        let window = self.view.window;
        let middle_s = (window.start_s() + window.end_s()) / 2.0;
        let from_s = self.view.cursor_s.unwrap_or(middle_s);
        let zero_s = props.workload.trace().start_s();
        let time_s = (from_s + by_px * scale.s_per_px()).max(zero_s);
        self.view.pin(time_s);
        let mut parts = vec![format::moment(time_s - zero_s, scale.s_per_px())];
        for entry in &props.runs {
            let counts = entry.result.as_ref().and_then(|result| Counts::at(&result.run, time_s));
            parts.extend(counts.map(|counts| format!("{}: {}", entry.policy, counts.readout())));
        }
        self.live = parts.join(". ");
        true
    }
}
