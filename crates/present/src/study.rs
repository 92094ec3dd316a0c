//! A study for people: what is known of its points, as plain columns, and the sentences, figures and tables made of them.
//!
//! [`StudyView`] is made where the outcomes are, and is all that a screen needs.

mod best;
mod build;
mod curves;
mod front;
mod maps;
mod means;
mod names;
mod panel;
mod parallel;
mod positions;
mod sentence;
mod steps;
mod strip;
mod table;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod undecided;
mod values;
mod view;
mod why;
mod words;
mod worse;

pub use best::{best_words, not_compared_words};
pub use build::Views;
pub use curves::{MULTIPLES, SMALL, curves, drawn_curves, multiples, small_curves};
pub use front::{Trade, front, front_words, trades};
pub use maps::{MapScale, heat, second_axis};
pub use means::SEEDS_LEAST;
pub use names::{label, letter, point as point_words, policy_name, whole as value_words, with_unit};
pub use panel::{PanelRow, TwinRow, head_values, panel, panel_table, smallest_by, twin};
pub use parallel::{Brush, EndMove, brush_words, parallel, parallel_axes};
pub use positions::{across, position};
pub use sentence::sentence;
pub use steps::{PointStep, is_known, step};
pub use strip::{Strip, StripCell, StripColumn, StripRow, answer_words, strip};
pub use table::{front_table, got_worse, points_table, reversed, side_by_side, table, verdict};
pub use undecided::{unconfirmed_words, undecided_words};
pub use values::{Judged, Measure};
pub use view::{
    Against, AnswerView, AxisPlace, AxisView, Cell, DrawsView, Ended, Failed, GoalView, MetricView, NoValue,
    PointEstimate, Progress, Stage, StudyView, Words, WorseView,
};
pub use why::{Side, Why, why};
pub use words::{kept_words, words, words_at, worse_words};
pub use worse::{difference_words, point_name, reversal_line, worse_line};
