//! A quantity of one job over time, a line for each policy.

use elastiplan_compare::Story;
use elastiplan_metrics::Steps;

use crate::charts::lines::{Quantity, RunLine, lines};
use crate::course::Values;
use crate::figure::Figure;
use crate::figure::axis::Scale;
use crate::runs::RunEntry;

/// A quantity of a job over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfJob {
    /// GPUs that it holds.
    Gpus,
    /// Samples that it processes.
    Throughput,
    /// Samples as they count.
    Goodput,
    /// The worth of a sample.
    Efficiency,
    /// The batch size of all its GPUs together.
    Batch,
    /// The noise scale: the batch size from which samples are worth less.
    Noise,
    /// Goodput over that on one GPU.
    SpeedUp,
}

impl OfJob {
    /// All of them, in the order of the menu.
    pub const ALL: [OfJob; 7] =
        [OfJob::Gpus, OfJob::Throughput, OfJob::Goodput, OfJob::Efficiency, OfJob::Batch, OfJob::Noise, OfJob::SpeedUp];

    /// The quantity with its unit.
    pub fn title(self) -> &'static str {
        self.info().1
    }

    /// The name of its files and of its option in the menu.
    pub fn name(self) -> &'static str {
        self.info().0
    }

    /// Name, title and scale.
    fn info(self) -> (&'static str, &'static str, Scale) {
        match self {
            OfJob::Gpus => ("job-gpus", "GPUs held", Scale::Count),
            OfJob::Throughput => ("job-throughput", "Throughput, samples/s", Scale::Number),
            OfJob::Goodput => ("job-goodput", "Goodput, samples/s", Scale::Number),
            OfJob::Efficiency => ("job-statistical-efficiency", "Statistical efficiency, %", Scale::Percent),
            OfJob::Batch => ("job-batch-size", "Batch size, samples", Scale::Count),
            OfJob::Noise => ("job-noise-scale", "Noise scale, samples", Scale::Number),
            OfJob::SpeedUp => ("job-speed-up", "Speed-up against one GPU", Scale::Number),
        }
    }

    fn steps(self, story: &Story) -> Steps<Option<f64>> {
        fn all<T: Copy>(steps: &Steps<T>, value: impl Fn(T) -> Option<f64>) -> Steps<Option<f64>> {
            Steps { time_s: steps.time_s.clone(), value: steps.value.iter().map(|of| value(*of)).collect() }
        }
        match self {
            OfJob::Gpus => all(&story.gpus, |gpus| Some(gpus.into())),
            OfJob::Throughput => story.samples_per_s.clone(),
            OfJob::Goodput => story.work_per_s.clone(),
            OfJob::Efficiency => story.efficiency.clone(),
            OfJob::Batch => all(&story.batch_global, |batch| batch.map(f64::from)),
            OfJob::Noise => story.noise_samples.clone(),
            OfJob::SpeedUp => story.speed_up.clone(),
        }
    }

    /// Whether anything is known of it.
    pub fn is_known(self, stories: &[(RunEntry, Story)]) -> bool {
        self == OfJob::Gpus || stories.iter().any(|(_, story)| self.steps(story).value.iter().any(Option::is_some))
    }
}

/// A line for every policy, from the submission of the job to its end. Times are written from `zero_s` on.
pub fn of_job(shown: OfJob, stories: &[(RunEntry, Story)], job: &str, zero_s: f64) -> Figure {
    let quantity = Quantity {
        name: shown.name().into(),
        title: format!("{job}: {}", shown.title()),
        scale: shown.info().2,
        is_restless: matches!(shown, OfJob::Throughput | OfJob::Goodput | OfJob::SpeedUp),
    };
    let run_lines = stories.iter().filter_map(|(entry, story)| {
        let submit_s = *story.gpus.time_s.first()?;
        let end_s = story.summary.end_s.or_else(|| Some(entry.result.as_ref()?.run.end_s))?;
        Some(RunLine::new(&quantity, entry, Values::Steps(shown.steps(story)), (submit_s, end_s)))
    });
    let run_lines: Vec<RunLine> = run_lines.collect();
    let from_s = stories.iter().filter_map(|(_, story)| story.gpus.time_s.first()).copied().reduce(f64::min);
    lines(&quantity, &run_lines, (zero_s, from_s.unwrap_or(zero_s)), None)
}

#[cfg(test)]
mod tests {
    use elastiplan_compare::GROUPED_WITHIN_S;
    use elastiplan_engine::{BatchSizes, Span};
    use elastiplan_model::{JobId, Workload};

    use super::*;
    use crate::figure::Shape;
    use crate::figure::table::{Cell, Copied};
    use crate::testing::{sample_runs, trained_runs};

    fn stories_of(runs: &[RunEntry], workload: &Workload, job: u32) -> Vec<(RunEntry, Story)> {
        let story = |entry: &RunEntry| {
            Story::of(&entry.result.as_ref().unwrap().run, workload, JobId(job), GROUPED_WITHIN_S).unwrap()
        };
        runs.iter().map(|entry| (entry.clone(), story(entry))).collect()
    }

    /// What the figure of a quantity has under a policy at a time since the first submission.
    fn height(figure: &Figure, line: usize, at: f64) -> Option<f64> {
        let Shape::Line(pieces) = &figure.series[line].shape else { panic!("not a line") };
        let inside = |piece: &&Vec<(f64, f64)>| piece[0].0 <= at && at < piece[piece.len() - 1].0;
        let piece = pieces.iter().find(inside)?;
        piece.iter().rev().find(|(x, _)| *x <= at).map(|(_, y)| *y)
    }

    #[test]
    fn every_quantity_is_that_of_the_spans() {
        let (runs, workload) = trained_runs(&["fixed", "equal-share"]);
        let zero_s = workload.trace().start_s();
        for job in 0..2 {
            let (stories, known) = (stories_of(&runs, &workload, job), job == 0);
            let figures = OfJob::ALL.map(|shown| of_job(shown, &stories, "a", zero_s));
            for (line, entry) in runs.iter().enumerate() {
                let spans: Vec<Span> = entry.result.as_ref().unwrap().run.spans.of(JobId(job)).collect();
                for span in spans {
                    let at = (span.start_s + span.end_s) / 2.0 - zero_s;
                    let close = |quantity: usize, expected: Option<f64>| {
                        let drawn = height(&figures[quantity], line, at);
                        let is_close = drawn.zip(expected).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * b.abs());
                        assert!(
                            is_close || (drawn.is_none() && expected.is_none()),
                            "{quantity} {drawn:?} {expected:?}"
                        );
                    };
                    let held = (span.gpus > 0).then_some(span);
                    let trains = held.filter(|span| span.samples_per_s > 0.0);
                    let single = workload.curve_of(JobId(job)).unwrap().samples_per_s_single();
                    close(0, Some(span.gpus.into()));
                    close(1, held.map(|span| span.samples_per_s));
                    close(2, held.filter(|_| known).map(|span| span.work_per_s));
                    close(3, trains.filter(|_| known).map(|span| span.work_per_s / span.samples_per_s * 100.0));
                    close(4, held.map(|_| 64.0));
                    close(6, held.map(|span| span.samples_per_s / single));
                }
            }
            let offered: Vec<bool> = OfJob::ALL.iter().map(|shown| shown.is_known(&stories)).collect();
            assert_eq!(offered, [true, true, known, known, true, known, true]);
            assert_eq!(figures[5].is_empty(), !known);
        }
    }

    #[test]
    fn a_batch_size_that_a_policy_chose_is_a_step() {
        let (mut runs, workload) = trained_runs(&["fixed"]);
        let mut result = runs[0].result.as_deref().unwrap().clone();
        let start_s = result.run.jobs.start_s[0].unwrap();
        result.run.batch_sizes = BatchSizes { time_s: vec![start_s + 10.0], job: vec![0], batch_global: vec![128] };
        runs[0].result = Some(result.into());
        let zero_s = workload.trace().start_s();
        let figure = of_job(OfJob::Batch, &stories_of(&runs, &workload, 0), "a", zero_s);
        let at = |after_s: f64| height(&figure, 0, start_s + after_s - zero_s);
        assert_eq!((at(5.0), at(15.0)), (Some(64.0), Some(128.0)));
    }

    #[test]
    fn the_table_says_the_same_and_a_copy_has_numbers() {
        let (runs, workload) = trained_runs(&["fixed", "equal-share"]);
        let figure = of_job(OfJob::Efficiency, &stories_of(&runs, &workload, 0), "a", workload.trace().start_s());
        assert_eq!(figure.title, "a: Statistical efficiency, %");
        assert_eq!(figure.table.rows.len(), 21);
        let Cell::Percent(first) = figure.table.rows[0][1] else { panic!("{:?}", figure.table.rows[0]) };
        assert_eq!(Some(first), height(&figure, 0, 0.0));
        assert!(figure.table.copied(Copied::Csv).starts_with("time_s,fixed,equal-share\n0,"));
    }

    #[test]
    fn a_job_that_never_held_anything_has_an_empty_picture() {
        let (runs, workload) = sample_runs(&["elastic-dp"]);
        let dropped = runs[0].result.as_ref().unwrap().run.jobs.start_s.iter().position(Option::is_none);
        let Some(dropped) = dropped else { return };
        let stories = stories_of(&runs, &workload, dropped as u32);
        assert!(of_job(OfJob::Throughput, &stories, "d", 0.0).is_empty());
        assert!(!OfJob::Throughput.is_known(&stories));
    }
}
