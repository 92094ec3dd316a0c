//! Curves of training on whole nodes, a row for each number of nodes, as excerpts of BFTrainer's tables have them.
//!
//! ```csv
//! model,nodes,images_per_s
//! AlexNet,0,0
//! AlexNet,1,7115.3
//! ```

use std::collections::BTreeMap;

use elastiplan_model::CurveKey;

use crate::curves::draft::{self, Draft, Location, NOT_RUNNABLE};
use crate::format::Rows;
use crate::text::cells::needed;
use crate::text::findings::{Effect, Finding, ROW_OUT};
use crate::text::names::Names;
use crate::text::table::Table;
use crate::text::values::{self, Cell};

/// The columns.
pub(crate) const COLUMNS: &[&str] = &["model", "nodes", "images_per_s"];

const NO_NODE: Finding =
    Finding::new(Effect::Excluded, "A node at least", ROW_OUT, "Nothing to do: on no node a model does not run");
const SAME_POINT: Finding = Finding::new(
    Effect::LeftOut,
    "One row for a model and number of nodes",
    "The first is used; row left out",
    "Remove one of them",
);

/// Reads the curves; a node counts as a GPU, as in the tables of Trainers.
pub(crate) fn read(table: &mut Table<'_, '_>) -> Rows {
    let Some([model, nodes, speed]) = table.header.find_all(["model", "nodes", "images_per_s"]) else {
        return Rows::Curves(Vec::new());
    };
    let mut models = Names::default();
    let mut drafts: BTreeMap<u32, Draft> = BTreeMap::new();
    while let Some(mut cells) = table.next() {
        if values::whole(cells.cell(&nodes), values::NODES) == Cell::Is(0) {
            cells.report(NO_NODE, &nodes);
            continue;
        }
        let name = cells.model(&model);
        let count = cells.needed(&nodes, values::GPUS, values::whole);
        let samples_per_s = match values::number(cells.cell(&speed), values::SPEED) {
            Cell::Is(value) => Some(value).filter(|value| *value > 0.0),
            Cell::Missing => None,
            Cell::Bad => {
                cells.report(needed(values::SPEED), &speed);
                continue;
            }
        };
        let (Some(name), Some(count)) = (name, count) else { continue };
        if samples_per_s.is_none() {
            cells.report(NOT_RUNNABLE, &speed);
        }
        if !drafts.entry(models.number(&name)).or_default().add(count, Location::Packed, samples_per_s) {
            cells.report(SAME_POINT, &nodes);
        }
    }
    let key = |model: u32| CurveKey { model: models.name(model).into(), batch_global: None };
    let named = drafts.into_iter().map(|(model, draft)| (key(model), draft));
    Rows::Curves(draft::finish(named, &mut table.findings))
}
