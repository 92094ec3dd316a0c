//! A study for people: what is known of its points, as plain columns, and the sentences, figures and tables made of them.
//!
//! [`StudyView`] is made where the outcomes are, and is all that a screen needs.

mod best;
mod sentence;
mod view;
mod why;
mod worse;

pub use best::best_words;
pub use sentence::sentence;
pub use view::{
    Against, AnswerView, AxisPlace, AxisView, Cell, Ended, Failed, GoalView, MetricView, PointEstimate, Progress,
    Stage, StudyView, Words, WorseView,
};
pub use why::{Side, Why, why};
pub use worse::{difference_words, point_words, reversal_words, worse_words};
