//! A figure of a study, made anew only where the study or its choice is another one.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_present::figure::Figure;
use elastiplan_present::figure::points::{CurveStyle, PointId};
use elastiplan_present::provenance::Provenance;
use elastiplan_present::study::{Brush, StudyView, brush_words, drawn_curves, front, heat, parallel, table};
use yew::prelude::*;

use super::Look;
use super::strip::pick;
use crate::chart::{FigureView, Points};
use crate::elements::{caption, icon_button};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// A study that is equal to another one if it is the very same.
#[derive(Clone)]
pub(super) struct Same(pub Rc<StudyView>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The figures of the screen.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The large curve.
    Large,
    /// A small one of another metric.
    Small,
    /// A policy's map of two axes.
    Map,
    /// Cost against what is missed.
    Front,
    /// A line across all axes for each point.
    Parallel,
}

impl Kind {
    /// Makes it; curves without their table.
    fn figure(self, parts: &Parts) -> Option<Rc<Figure>> {
        let Parts { of: Same(view), slots, metric, policy, slice, brushes } = parts;
        let made = match self {
            Kind::Large => return large(parts),
            Kind::Small => drawn_curves(view, slots, metric, *slice, CurveStyle::Small),
            Kind::Map => heat(view, slots, *policy, metric, *slice),
            Kind::Front => front(view, slots, *slice),
            Kind::Parallel => Some(parallel(view, slots, brushes)),
        };
        made.map(Rc::new)
    }

    /// Whether its table is made when it is asked for.
    fn is_without_table(self) -> bool {
        matches!(self, Kind::Large | Kind::Small)
    }
}

/// What the large curve was made of, and that.
type Made = (Parts, Option<Rc<Figure>>);

thread_local! {
    /// The large curve that was made last.
    static LARGE: RefCell<Option<Made>> = const { RefCell::new(None) };
}

/// The large curve: made once, for its picture and for what lies about it.
pub(super) fn large(parts: &Parts) -> Option<Rc<Figure>> {
    let known = LARGE.with_borrow(|known| known.as_ref().filter(|(of, _)| of == parts).map(|(_, made)| made.clone()));
    known.unwrap_or_else(|| {
        let Parts { of: Same(view), slots, metric, slice, .. } = parts;
        let made = drawn_curves(view, slots, metric, *slice, CurveStyle::Large).map(Rc::new);
        LARGE.set(Some((parts.clone(), made.clone())));
        made
    })
}

/// What a figure is made of.
#[derive(Clone, PartialEq)]
pub(super) struct Parts {
    /// The study.
    pub of: Same,
    /// The slot of each of its policies in the list of runs.
    pub slots: Vec<usize>,
    /// The key of a metric.
    pub metric: String,
    /// A policy.
    pub policy: usize,
    /// A point of the slice that is shown, where there are more axes than a picture has.
    pub slice: usize,
    /// Parts of parallel axes that were chosen.
    pub brushes: Vec<Brush>,
}

#[derive(Properties, PartialEq)]
pub(super) struct StudyFigureProps {
    /// What it is made of.
    pub parts: Parts,
    /// Which it is.
    pub kind: Kind,
    /// Where it comes from.
    pub provenance: Rc<Provenance>,
    pub theme: AttrValue,
    /// In the place of the title.
    #[prop_or_default]
    pub heading: Option<Html>,
    #[prop_or_default]
    pub aside: Option<Html>,
    /// The policy and the point that are looked at.
    pub selected: PointId,
    /// A vertical line at a value across, with its label.
    #[prop_or_default]
    pub cursor: Option<(f64, String)>,
    pub send: Callback<Msg>,
}

/// A figure with the cursor at the point that is looked at.
#[component]
pub(super) fn StudyFigure(props: &StudyFigureProps) -> Html {
    let kind = props.kind;
    let brushes = use_state(Vec::<Brush>::new);
    let parts = Parts { brushes: brushes.to_vec(), ..props.parts.clone() };
    let figure = use_memo(parts, |parts| kind.figure(parts));
    let table = use_callback((props.parts.of.clone(), props.parts.metric.clone()), |(), (Same(view), metric)| {
        table(view, metric)
    });
    let table = kind.is_without_table().then_some(table);
    let on_brush = {
        let brushes = brushes.clone();
        Callback::from(move |brush: Brush| {
            let mut all: Vec<Brush> = brushes.iter().copied().filter(|other| other.axis != brush.axis).collect();
            // A whole axis leaves nothing out.
            all.extend((!brush.is_whole()).then_some(brush));
            brushes.set(all);
        })
    };
    let on_brush = (kind == Kind::Parallel).then_some(on_brush);
    let on_place = use_callback(props.send.clone(), |id: PointId, send| {
        send.emit(Msg::Study(StudyMsg::Point(Some((id.policy, id.point)))));
    });
    let on_pick = use_callback(props.send.clone(), |(id, is_second): (PointId, bool), send| {
        send.emit(pick(is_second, id.policy, id.point));
    });
    let Some(figure) = figure.as_ref().clone() else { return html! {} };
    let points = Points { selected: Some(props.selected), cursor: props.cursor.clone(), on_place, on_pick, on_brush };
    html! {
        <>
            <FigureView {figure} provenance={&props.provenance} theme={&props.theme} heading={props.heading.clone()}
                aside={props.aside.clone()} {points} {table} if_empty="No point has run yet" />
            if kind == Kind::Parallel { { chosen_parts(&props.parts.of.0, &brushes) } }
        </>
    }
}

/// The parts of axes that were chosen, each with the button that lets go of it.
fn chosen_parts(view: &StudyView, brushes: &UseStateHandle<Vec<Brush>>) -> Html {
    let chip = |brush: &Brush| {
        let words = brush_words(view, brush)?;
        let (brushes, axis) = (brushes.clone(), brush.axis);
        let let_go = Callback::from(move |_: MouseEvent| {
            brushes.set(brushes.iter().copied().filter(|other| other.axis != axis).collect());
        });
        let name = AttrValue::from(format!("Any {words}"));
        Some(
            html! { <span class="editor-chip" key={axis}>{ words }{ " " }{ icon_button(name.clone(), name, "✕".into(), let_go) }</span> },
        )
    };
    match brushes.is_empty() {
        true => caption(
            "Drag along an axis to choose a part of it. By keyboard, Tab goes to the ends of each axis, ↑ and ↓ move them",
        ),
        false => {
            html! { <p class="st-acts" role="group" aria-label="Chosen parts">{ for brushes.iter().filter_map(chip) }</p> }
        }
    }
}

/// A figure about what is looked at.
pub(super) fn figure(
    look: &Look<'_>,
    parts: Parts,
    kind: Kind,
    heading: Option<Html>,
    aside: Option<Html>,
    cursor: Option<(f64, String)>,
) -> Html {
    let (provenance, theme) = (look.provenance(), look.page.theme);
    let selected = PointId { policy: look.policy as u32, point: look.point as u32 };
    html! {
        <StudyFigure {parts} {kind} {provenance} {theme} {heading} {aside} {selected} {cursor} send={look.send.clone()} />
    }
}

impl Look<'_> {
    /// What a figure about the chosen metric is made of. `slice` is a point of what is shown.
    pub(super) fn parts(&self, metric: &str, policy: usize, slice: usize) -> Parts {
        Parts {
            of: Same(Rc::clone(self.view)),
            slots: self.slots(),
            metric: metric.into(),
            policy,
            slice,
            brushes: Vec::new(),
        }
    }

    /// The first point with the values of the other axes that the chosen point has: the same for all of a picture.
    pub(super) fn slice(&self, shown: &[usize]) -> usize {
        let mut places = self.view.places(self.point);
        for axis in shown {
            if let Some(place) = places.get_mut(*axis) {
                *place = 0;
            }
        }
        self.view.point(&places)
    }
}
