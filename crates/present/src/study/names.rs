//! Names of policies and of values of axes.

use elastiplan_compare::Badge;
use elastiplan_policies::PolicySpec;
use elastiplan_text::format;

use super::{AxisView, StudyView};
use crate::figure::Tone;
use crate::runs::{COLOURS, settings_in_short};

/// The axis of the number of nodes.
const NODES: &str = "cluster.nodes";

/// The name of a policy: without its settings, unless another one has the same name.
pub fn policy_name(view: &StudyView, policy: usize) -> String {
    let Some(id) = view.policies.get(policy) else { return String::new() };
    let name = bare(id);
    let is_twice = view.policies.iter().filter(|other| bare(other) == name).count() > 1;
    let settings = id.parse::<PolicySpec>().map(|spec| settings_in_short(&spec)).unwrap_or_default();
    if is_twice && !settings.is_empty() { format!("{name} {settings}") } else { name.into() }
}

fn bare(id: &str) -> &str {
    id.split('[').next().unwrap_or(id)
}

/// The letter of a policy's run in the list of runs; `slots` has its slot there for each policy.
pub fn letter(slots: &[usize], policy: usize) -> String {
    slots.get(policy).and_then(|slot| Badge::of_slot(*slot)).map_or_else(|| "?".into(), Badge::letter)
}

/// The letter with the name: `A fixed`.
pub fn label(view: &StudyView, slots: &[usize], policy: usize) -> String {
    format!("{} {}", letter(slots, policy), policy_name(view, policy))
}

/// The colour of a policy's run.
pub fn tone(slots: &[usize], policy: usize) -> Tone {
    Tone::Policy(slots.get(policy).map_or(COLOURS, |slot| (*slot).min(COLOURS)) as u8)
}

/// A value of an axis as a chart labels it: `46`, `60s`.
pub fn short(axis: &AxisView, place: usize) -> String {
    axis.values.get(place).map(|value| value.shown.clone()).unwrap_or_default()
}

/// A value with the name of its axis: `46 nodes`, `rescale cost 60s`.
pub fn whole(axis: &AxisView, place: usize) -> String {
    let shown = short(axis, place);
    match axis.key.as_str() {
        NODES if shown == "1" => "1 node".into(),
        NODES => format!("{shown} nodes"),
        _ => format!("{} {shown}", axis.label),
    }
}

/// A value with what is counted, where that follows it: `46 nodes`, `60s`.
pub fn with_unit(axis: &AxisView, place: usize) -> String {
    if axis.key == NODES { whole(axis, place) } else { short(axis, place) }
}

/// How many more or less are between two values: `30 nodes fewer`, `60s less`. `None` where they have no numbers.
pub fn fewer(axis: &AxisView, from: usize, to: usize) -> Option<String> {
    let number = |place: usize| axis.values.get(place)?.number;
    let less = number(from)? - number(to)?;
    if axis.key != NODES || less <= 0.0 {
        return None;
    }
    let nodes = if less == 1.0 { "node" } else { "nodes" };
    Some(format!("{} {nodes} fewer", format::number(less)))
}

/// A point in words: `54 nodes`, `56 nodes, × 1.2`.
pub fn point(view: &StudyView, point: usize) -> String {
    let places = view.places(point);
    let value =
        |(axis, place): (&AxisView, usize)| if axis.key == NODES { whole(axis, place) } else { short(axis, place) };
    // A value alone says which axis it is of only where there is one, or where it is counted.
    match view.axes.as_slice() {
        [axis] => whole(axis, places.first().copied().unwrap_or_default()),
        axes => axes.iter().zip(places).map(value).collect::<Vec<_>>().join(", "),
    }
}
