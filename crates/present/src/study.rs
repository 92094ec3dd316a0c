//! A study for people: what is known of its points, as plain columns, and the sentences, figures and tables made of them.
//!
//! [`StudyView`] is made where the outcomes are, and is all that a screen needs.

mod build;
mod view;
mod words;

pub use build::Views;
pub use view::{
    Against, AnswerView, AxisPlace, AxisView, Cell, Ended, Failed, GoalView, MetricView, PointEstimate, Progress,
    Stage, StudyView, Words, WorseView,
};
pub use words::{answer_words, words};
