//! What a tooltip says: at most four lines.

use elastiplan_engine::{Outcome, Span, SpanState};
use elastiplan_model::SAME_TIME_S;
use elastiplan_text::format;

use crate::hit::{BandHit, Hit, JobHit};
use crate::strip::Strip;

impl Strip<'_> {
    /// At most four lines about what lies under the pointer: name and model; state and GPUs; times of the span; how it
    /// ended, and its deadline. Times count from the run's first submission.
    pub fn tooltip(&self, hit: &Hit) -> Vec<String> {
        match hit {
            Hit::Job(hit) => self.about_job(hit),
            Hit::Band(hit) => self.about_band(hit),
            Hit::Place(_) | Hit::Stack(_) => Vec::new(),
        }
    }

    /// A time since the first submission, as exact as the picture.
    fn moment(&self, time_s: f64) -> String {
        format::moment(time_s - self.run.start_s, self.layout.scale().s_per_px())
    }

    fn about_job(&self, hit: &JobHit) -> Vec<String> {
        let Some(job) = self.trace.jobs().get(hit.job.index()) else {
            return Vec::new();
        };
        let mut lines = vec![format!("{} · {}", job.name, self.trace.model_name(job.model))];
        match hit.span {
            Some(span) => {
                lines.push(doing(&span));
                let (from, to) = (self.moment(span.start_s), self.moment(span.end_s));
                lines.push(format!("{from} to {to}, {}", format::duration(span.end_s - span.start_s)));
            }
            None => lines.push(format!("Submitted at {}", self.moment(job.submit_s))),
        }
        lines.push(self.ending(hit, job.submit_s, job.deadline_s));
        lines
    }

    /// "Completed after 1h 17m, 12m past its deadline".
    fn ending(&self, hit: &JobHit, submit_s: f64, deadline_s: Option<f64>) -> String {
        let outcome = self.run.jobs.outcome.get(hit.job.index()).copied().unwrap_or(Outcome::Unfinished);
        let end_s = self.run.jobs.end_s.get(hit.job.index()).copied().flatten();
        let late_s = |end_s: f64| deadline_s.map(|deadline_s| end_s - deadline_s);
        match (outcome, end_s) {
            (Outcome::Completed, Some(end_s)) => {
                let completed = format!("Completed after {}", format::duration(end_s - submit_s));
                match late_s(end_s) {
                    None => completed,
                    Some(late_s) if late_s.abs() <= SAME_TIME_S => format!("{completed}, just in time"),
                    Some(late_s) if late_s > 0.0 => {
                        format!("{completed}, {} past its deadline", format::duration(late_s))
                    }
                    Some(late_s) => format!("{completed}, {} before its deadline", format::duration(-late_s)),
                }
            }
            (Outcome::Dropped, Some(end_s)) => format!("Declined at {}", self.moment(end_s)),
            (Outcome::Dropped, None) => "Declined".into(),
            (Outcome::Failed, Some(end_s)) => format!("Failed at {}: a bug", self.moment(end_s)),
            (Outcome::Cancelled, Some(end_s)) => format!("Cancelled by its user at {}", self.moment(end_s)),
            _ => match (late_s(self.run.end_s), deadline_s) {
                (Some(late_s), _) if late_s > 0.0 => {
                    format!("Not completed, {} past its deadline", format::duration(late_s))
                }
                (_, Some(deadline_s)) => format!("Not completed, deadline {}", self.moment(deadline_s)),
                _ => "Not completed".into(),
            },
        }
    }

    fn about_band(&self, hit: &BandHit) -> Vec<String> {
        let number = |job: elastiplan_model::JobId| format::count(u64::from(job.0) + 1);
        let mut lines = vec![if hit.jobs == 1 {
            format!("Job {}", number(hit.first))
        } else {
            format!("{} jobs, job {} to job {}", format::count(hit.jobs.into()), number(hit.first), number(hit.last))
        }];
        let (holding, waiting) = (format::count(hit.holding.into()), format::count(hit.waiting.into()));
        lines.push(format!("{holding} on {}, {waiting} waiting", format::gpus(hit.gpus)));
        lines.extend(hit.model.map(|model| format!("Most GPUs: {}", self.trace.model_name(model))));
        lines.push(format!("At {}", self.moment(hit.time_s)));
        lines
    }
}

/// "Running on 8 GPUs".
pub(crate) fn doing(span: &Span) -> String {
    match span.state {
        SpanState::Running => format!("Running on {}", format::gpus(span.gpus)),
        SpanState::Rescaling => format!("Rescaling to {}", format::gpus(span.gpus)),
        SpanState::Waiting => "Waiting".into(),
        SpanState::Preempted => "Preempted".into(),
        SpanState::Recovering => format!("Recovering on {}: a node left", format::gpus(span.gpus)),
    }
}
