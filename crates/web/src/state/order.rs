//! Orders: requests of the rest of the page to the timelines.

use std::cell::RefCell;
use std::rc::Rc;

use elastiplan_model::JobId;
use elastiplan_scene::StackBy;
use yew::Callback;

/// Something to be done. Keys, the palette and other panels all ask by this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Zoom by a step about the cursor.
    Zoom {
        /// In rather than out.
        closer: bool,
    },
    /// Pan by a step.
    Pan {
        /// To later times.
        later: bool,
    },
    /// Show the selected time, or everything.
    Fit,
    /// The view before this one.
    Back,
    /// The view that `Back` left.
    Forward,
    /// Move the cursor by a few pixels.
    MoveCursor {
        /// To later times.
        right: bool,
        /// By ten times as many.
        far: bool,
    },
    /// The cursor to where some policy decides next or before.
    Decision {
        /// Next rather than before.
        next: bool,
    },
    /// Select the next or previous row.
    Neighbour {
        /// Next rather than previous.
        next: bool,
    },
    /// Select the time from the submission of the selected job to its end.
    MarkJob,
    /// Cancel a drag, or free the cursor, or clear the selected time, or clear the selected job.
    Release,
    /// Change the height of rows.
    Rows {
        /// Higher rather than lower.
        higher: bool,
    },
    /// Show another kind of rows.
    Show(Show),
    /// The next of what may have a row.
    NextShow,
    /// Stack GPUs by something.
    StackBy(StackBy),
    /// Whether jobs share rows one after another; if not, each has a row.
    Pack(bool),
    /// Scroll rows by about as many as are in view.
    Page {
        /// To later rows.
        down: bool,
    },
    /// The cursor to when most jobs wait under any policy.
    WorstQueue,
    /// Select the job that loses its GPUs most often under any policy.
    MostPreemptions,
    /// Select the job whose deadline is missed first under any policy, the cursor to that deadline.
    FirstMissedDeadline,
    /// The cursor to a time, in seconds on the clock of the trace, brought into view.
    GoTo(f64),
    /// Select a job and bring it into view.
    Select(JobId),
    /// Fork a run, or the selected one, at the cursor.
    Fork(Option<usize>),
    /// Select no job.
    Deselect,
    /// Outline a job as if it were pointed at.
    Point(Option<JobId>),
    /// Select a range of time, in seconds on the clock of the trace.
    Mark(Option<(f64, f64)>),
}

/// What the strips show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// GPUs in use, stacked.
    Stack,
    /// Rows of jobs.
    #[default]
    Jobs,
    /// A row for each node.
    Nodes,
    /// A row for each GPU.
    Gpus,
}

impl Show {
    /// All of them, in the order of their buttons.
    pub const ALL: [Show; 4] = [Show::Stack, Show::Jobs, Show::Nodes, Show::Gpus];

    /// The text of its button.
    pub fn label(self) -> &'static str {
        match self {
            Show::Stack => "GPUs",
            Show::Jobs => "Jobs",
            Show::Nodes => "Nodes",
            Show::Gpus => "Each GPU",
        }
    }

    /// Whether GPUs are stacked, all runs at one height; otherwise runs are opened and closed.
    pub fn is_stacked(self) -> bool {
        self == Show::Stack
    }

    /// The one after it.
    pub fn next(self) -> Self {
        match self {
            Show::Stack => Show::Jobs,
            Show::Jobs => Show::Nodes,
            Show::Nodes => Show::Gpus,
            Show::Gpus => Show::Stack,
        }
    }
}

/// The selection of the user: the timelines, the story of a job and the statistics of a time all follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Focus {
    /// The selected job.
    pub job: Option<JobId>,
    /// The selected time, in seconds on the clock of the trace, first end first.
    pub range_s: Option<(f64, f64)>,
}

/// The way to the timelines, wherever they are in the page. What is asked while they are not there is done when they
/// come.
#[derive(Clone, Default)]
pub struct Remote(Rc<RefCell<Line>>);

#[derive(Default)]
struct Line {
    to: Option<Callback<Order>>,
    kept: Vec<Order>,
}

impl Remote {
    /// Asks for something.
    pub fn send(&self, order: Order) {
        let to = self.0.borrow().to.clone();
        match to {
            Some(to) => to.emit(order),
            None => self.0.borrow_mut().kept.push(order),
        }
    }

    /// The timelines are there, and hear.
    pub fn listen(&self, to: Callback<Order>) {
        let kept = {
            let mut line = self.0.borrow_mut();
            line.to = Some(to.clone());
            std::mem::take(&mut line.kept)
        };
        kept.into_iter().for_each(|order| to.emit(order));
    }

    /// The timelines are gone.
    pub fn hang_up(&self) {
        self.0.borrow_mut().to = None;
    }
}

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_orders_are_delivered_later() {
        let (remote, received) = (Remote::default(), Rc::new(RefCell::new(Vec::new())));
        remote.send(Order::Fit);
        let to = Rc::clone(&received);
        remote.listen(Callback::from(move |order| to.borrow_mut().push(order)));
        remote.send(Order::Back);
        assert_eq!(*received.borrow(), [Order::Fit, Order::Back]);
    }
}
