//! Changes between the spans of a job. The record has no list of it: it follows from neighbouring spans, and from
//! what nodes and policy did at that time.

use elastiplan_engine::{LossCause, Run, Span, SpanState};
use elastiplan_model::JobId;
use elastiplan_model::order::sort_by_key;

/// Something that changed what a job holds, and what it cost before the next change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub time_s: f64,
    pub what: What,
    /// Until when the change is being paid for: equal to `time_s` where it costs nothing.
    pub paid_s: f64,
    /// Throughput once it is paid; `None` if the job was changed again before.
    pub samples_per_s: Option<f64>,
    /// How surely a node that left was the reason.
    weight: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    Start {
        gpus: u32,
    },
    Resize {
        from: u32,
        to: u32,
    },
    /// The same number of GPUs, but others.
    Move {
        gpus: u32,
    },
    Preempt {
        from: u32,
        node_left: bool,
    },
    Resume {
        gpus: u32,
    },
    /// A node left, and the job went on at once with what it had or got.
    NodeLeft {
        from: u32,
        to: u32,
    },
}

/// The changes of a job's GPUs, in order of time.
pub(crate) fn changes(run: &Run, job: JobId) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let spans: Vec<Span> = run.spans.of(job).collect();
    let mut before: Option<Span> = None;
    let mut has_held = false;
    for (at, span) in spans.iter().enumerate() {
        if let Some(what) = what(before.as_ref(), span, has_held) {
            let next_held = spans.iter().skip(at).find(|span| span.gpus > 0);
            let signs = Signs::of(run, job, span.start_s, next_held);
            let change = Change { time_s: span.start_s, what, paid_s: span.start_s, samples_per_s: None, weight: 0 };
            changes.push(change.explained(signs));
        }
        if let Some(change) = changes.last_mut() {
            match span.state {
                SpanState::Rescaling | SpanState::Recovering => change.paid_s = span.end_s,
                SpanState::Running => {
                    change.samples_per_s.get_or_insert(span.samples_per_s);
                }
                SpanState::Waiting | SpanState::Preempted => {}
            }
        }
        has_held |= span.gpus > 0;
        before = Some(*span);
    }
    keep_likeliest(run, job, &mut changes);
    changes
}

/// The change between two spans, as far as they show it.
fn what(before: Option<&Span>, span: &Span, has_held: bool) -> Option<What> {
    let was = before.map(|before| before.state);
    match (before.map_or(0, |before| before.gpus), span.gpus) {
        (0, 0) => None,
        (0, gpus) if !has_held => Some(What::Start { gpus }),
        (0, gpus) => Some(What::Resume { gpus }),
        (from, 0) => Some(What::Preempt { from, node_left: false }),
        (from, to) if from != to => Some(What::Resize { from, to }),
        (gpus, _) => match span.state {
            // What is paid for a change after what is paid for a node that left is no change of its own.
            SpanState::Rescaling if was != Some(SpanState::Recovering) => Some(What::Move { gpus }),
            SpanState::Recovering => Some(What::Move { gpus }),
            _ => None,
        },
    }
}

/// Signs that a node left, rather than the policy having decided.
#[derive(Clone, Copy)]
struct Signs {
    /// The job lost work at that time.
    lost_work: bool,
    /// There were fewer GPUs from then on.
    fewer_present: bool,
    /// The job pays for a node that left.
    recovers: bool,
    /// The policy took GPUs away then, or changed some job's.
    took: bool,
    resized: bool,
}

impl Signs {
    fn of(run: &Run, job: JobId, time_s: f64, next_held: Option<&Span>) -> Self {
        let series = &run.series;
        let present = |row: Option<usize>| row.and_then(|row| series.gpus_present.get(row));
        let row = series.row_at(time_s).filter(|row| series.time_s.get(*row) == Some(&time_s));
        let first = run.losses.time_s.partition_point(|loss_s| *loss_s < time_s);
        let losses = run.losses.time_s.iter().zip(run.losses.job.iter().zip(&run.losses.cause)).skip(first);
        Self {
            lost_work: losses
                .take_while(|(loss_s, _)| **loss_s == time_s)
                .any(|(_, (loser, cause))| *loser == job.0 && *cause == LossCause::NodeLeft),
            fewer_present: row.is_some() && present(row) < present(row.and_then(|row| row.checked_sub(1))),
            recovers: next_held.is_some_and(|next| next.state == SpanState::Recovering),
            took: decided(run, &run.decisions.preempted, time_s),
            resized: decided(run, &run.decisions.rescaled, time_s),
        }
    }

    /// How surely it was a node, where the policy may have done the same: `decided`.
    fn weight(self, decided: bool) -> u8 {
        8 * u8::from(self.lost_work)
            + 4 * u8::from(self.recovers)
            + 2 * u8::from(!decided)
            + u8::from(self.fewer_present)
    }
}

/// Whether a decision at this time has anything in a column.
fn decided(run: &Run, column: &[u32], time_s: f64) -> bool {
    let times_s = &run.decisions.time_s;
    let first = times_s.partition_point(|decision_s| *decision_s < time_s);
    let then = times_s.iter().zip(column).skip(first).take_while(|(decision_s, _)| **decision_s == time_s);
    then.map(|(_, jobs)| *jobs).any(|jobs| jobs > 0)
}

impl Change {
    /// With the reason that the signs give. A change without a decision was caused by a node.
    fn explained(mut self, signs: Signs) -> Self {
        let (decided, from, to) = match self.what {
            What::Preempt { .. } => (signs.took, 0, 0),
            What::Resize { from, to } => (signs.resized, from, to),
            What::Move { gpus } => (signs.resized, gpus, gpus),
            _ => return self,
        };
        let weight = signs.weight(decided);
        let node_left = weight >= 4 || !decided || (signs.fewer_present && to < from);
        self.weight = if node_left { weight } else { 0 };
        self.what = match self.what {
            What::Preempt { from, .. } => What::Preempt { from, node_left },
            _ if node_left => What::NodeLeft { from, to },
            what => what,
        };
        self
    }

    /// The same as the policy's doing.
    fn decided(&mut self) {
        self.what = match self.what {
            What::Preempt { from, .. } => What::Preempt { from, node_left: false },
            What::NodeLeft { from, to } if from == to => What::Move { gpus: to },
            What::NodeLeft { from, to } => What::Resize { from, to },
            what => what,
        };
    }
}

/// The record counts how often nodes took GPUs from a job: no more changes than that were theirs.
fn keep_likeliest(run: &Run, job: JobId, changes: &mut [Change]) {
    let evictions = run.jobs.evictions.get(job.index()).map_or(0, |times| *times as usize);
    let is_node = |what: What| matches!(what, What::Preempt { node_left: true, .. } | What::NodeLeft { .. });
    let mut by_node: Vec<&mut Change> = changes.iter_mut().filter(|change| is_node(change.what)).collect();
    sort_by_key(&mut by_node, |change| std::cmp::Reverse(change.weight));
    by_node.into_iter().skip(evictions).for_each(Change::decided);
}
