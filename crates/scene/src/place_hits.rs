//! What lies under a pointer where rows are GPUs or nodes, and what the tooltip says of it.

use elastiplan_model::JobId;
use elastiplan_text::format;

use crate::hit::{Hit, PlaceHit};
use crate::places::{PlaceStrip, Unit};
use crate::tenancy::Piece;
use crate::tooltip::doing;

impl PlaceStrip<'_> {
    /// What lies at a point; `None` outside the plot and below the last row.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        if !self.layout.frame.contains(x, y) {
            return None;
        }
        let scale = self.layout.scale();
        let gpus = self.gpus_of_line(self.layout.line_at(y)?);
        let time_s = scale.time_at(x);
        let (from_s, to_s) = (scale.time_at(x.floor()), scale.time_at(x.floor() + 1.0));
        let (mut held, mut away) = (0, 0);
        // By job: GPU-seconds within the pixel, and its longest piece.
        let mut jobs: Vec<(JobId, f64, Piece)> = Vec::new();
        for (node, mask) in self.nodes_of(&gpus) {
            for piece in self.tenancy.within(self.run, (node, mask), (from_s, to_s)) {
                let count = (piece.mask & mask).count_ones();
                let is_now = (piece.start_s..piece.end_s).contains(&time_s);
                held += if is_now { count } else { 0 };
                let area = f64::from(count) * (piece.end_s.min(to_s) - piece.start_s.max(from_s));
                match jobs.iter_mut().find(|(job, _, _)| *job == piece.job) {
                    Some(known) => {
                        known.1 += area;
                        known.2 = if is_now { piece } else { known.2 };
                    }
                    None => jobs.push((piece.job, area, piece)),
                }
            }
            let is_away = self.run.absences.of(node).any(|(start_s, end_s)| (start_s..end_s).contains(&time_s));
            away += if is_away { mask.count_ones() } else { 0 };
        }
        let count = jobs.len() as u32;
        let most = jobs.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        let (job, piece) = most.map_or((None, None), |(job, _, piece)| (Some(job), Some(piece)));
        let first_gpu = gpus.start;
        Some(Hit::Place(PlaceHit { first_gpu, gpus: gpus.len() as u32, time_s, held, away, jobs: count, job, piece }))
    }

    /// The nearest begin or end of something in the row pointed at, if it lies within `reach_px`.
    pub fn snap(&self, x: f64, y: f64, reach_px: f64) -> Option<f64> {
        if self.layout.is_banded() || !self.layout.frame.contains(x, y) {
            return None;
        }
        let scale = self.layout.scale();
        let gpus = self.gpus_of_line(self.layout.line_at(y)?);
        let (from_s, to_s) = (scale.time_at(x - reach_px), scale.time_at(x + reach_px));
        let distance_px = |edge_s: &f64| (scale.x_of(*edge_s) - x).abs();
        let pieces = self.nodes_of(&gpus).flat_map(|place| self.tenancy.within(self.run, place, (from_s, to_s)));
        let edges = pieces.flat_map(|piece| [piece.start_s, piece.end_s]);
        edges.filter(|edge_s| distance_px(edge_s) <= reach_px).min_by(|a, b| distance_px(a).total_cmp(&distance_px(b)))
    }

    /// At most four lines about what lies under the pointer.
    pub fn tooltip(&self, hit: &Hit) -> Vec<String> {
        let Hit::Place(hit) = hit else { return Vec::new() };
        let moment = |time_s: f64| format::moment(time_s - self.run.start_s, self.layout.scale().s_per_px());
        if let (1, Some(piece)) = (hit.gpus, &hit.piece) {
            let mut lines = vec![self.name_of(piece.job), self.doing(piece)];
            let length = format::duration(piece.end_s - piece.start_s);
            lines.push(format!("{} to {}, {length}", moment(piece.start_s), moment(piece.end_s)));
            lines.push(self.place_of(hit));
            return lines;
        }
        let mut lines = vec![self.place_of(hit)];
        lines.push(match hit.gpus - hit.away.min(hit.gpus) {
            0 if hit.gpus == 1 || self.unit == Unit::Node => "Away".into(),
            0 => "All away".into(),
            1 if hit.gpus == 1 => "Free".into(),
            there => format!("{} of {} in use", format::count(hit.held.into()), format::gpus(there)),
        });
        if let Some(job) = hit.job.filter(|_| hit.jobs > 0) {
            let jobs = format::count(hit.jobs.into());
            let name = self.name_of(job);
            lines.push(if hit.jobs == 1 { name } else { format!("{jobs} jobs, most on {name}") });
        }
        lines.push(format!("At {}", moment(hit.time_s)));
        lines
    }

    fn name_of(&self, job: JobId) -> String {
        self.trace
            .jobs()
            .get(job.index())
            .map_or_else(String::new, |job| format!("{} · {}", job.name, self.trace.model_name(job.model)))
    }

    /// "Running on 8 GPUs": on all that it has, wherever they are.
    fn doing(&self, piece: &Piece) -> String {
        let spans = &self.run.spans;
        let range = spans.range_of(piece.job);
        let middle_s = (piece.start_s + piece.end_s) / 2.0;
        let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
        let at = range.start + ends_s.partition_point(|&end_s| end_s <= middle_s);
        spans.get(at).filter(|_| at < range.end).map_or_else(String::new, |span| doing(&span))
    }

    /// "Node 3, GPU 5", "Node 4 to node 7"; with an availability log its names, "e30n13, GPU 5".
    fn place_of(&self, hit: &PlaceHit) -> String {
        let per_node = self.tenancy.gpus_per_node().max(1);
        let last_gpu = hit.first_gpu + hit.gpus.max(1) - 1;
        let (first, last) = (hit.first_gpu / per_node, last_gpu / per_node);
        let whole = hit.first_gpu.is_multiple_of(per_node) && (last_gpu + 1).is_multiple_of(per_node);
        let [first, last] = [first, last].map(|node| self.run.node_name(node));
        let first_in_node = hit.first_gpu % per_node;
        let last_in_node = last_gpu % per_node;
        let text = match (first == last, whole && per_node > 1 || self.unit == Unit::Node) {
            (true, true) => first.into_owned(),
            (true, false) if hit.gpus == 1 => format!("{first}, GPU {first_in_node}"),
            (true, false) => format!("{first}, GPUs {first_in_node} to {last_in_node}"),
            (false, true) => format!("{first} to {last}"),
            (false, false) => format!("{first}, GPU {first_in_node} to {last}, GPU {last_in_node}"),
        };
        // "node 3" begins a line; a name from a log stays as it is.
        match text.strip_prefix("node ").filter(|_| self.run.node_names.is_empty()) {
            Some(rest) => format!("Node {rest}"),
            None => text,
        }
    }
}
