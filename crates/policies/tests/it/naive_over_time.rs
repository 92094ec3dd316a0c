//! Values over time a second time, at some instants each: from the spans, the series and what samples are worth.

use elastiplan_engine::{LossCause, Outcome, Run, Span, SpanState};
use elastiplan_metrics::{Steps, efficiency_by_span, over_time};
use elastiplan_model::{JobId, Workload};

use super::{Naive, Trained, length, overlap, quotient};

impl Naive<'_> {
    /// Some instants at which something changes, and some between.
    fn instants(&self) -> Vec<f64> {
        let (spans, run) = (&self.run.spans, self.run);
        let mut moments: Vec<f64> =
            [&spans.start_s, &spans.end_s, &run.series.time_s].into_iter().flatten().copied().collect();
        moments.sort_by(f64::total_cmp);
        let between = moments.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
        let all: Vec<f64> = between.chain(moments.iter().copied()).filter(|time_s| *time_s < run.end_s).collect();
        let step = all.len() / 50 + 1;
        let is_clear = |time_s: &f64| {
            let now = |span: &Span| span.start_s <= *time_s && *time_s < span.end_s;
            !self.spans.iter().any(|(id, span)| now(span) && self.is_rounding(*id, span))
        };
        all.into_iter().step_by(step).filter(is_clear).collect()
    }

    /// Whether so little is done in a span that it is there for the last digits only: lost work may leave a job a hair
    /// before the next stage, which the engine then reaches at once.
    fn is_rounding(&self, id: JobId, span: &Span) -> bool {
        span.state == SpanState::Running && span.samples_per_s * length(span) <= 2e-9 * self.work(id)
    }

    pub fn check_instants(&self) {
        use SpanState::{Recovering, Rescaling};
        let (run, workload) = (self.run, self.workload);
        let steps = [
            ("gpus in use", over_time::gpus_in_use(run)),
            ("jobs running", over_time::jobs_running(run)),
            ("jobs waiting", over_time::jobs_waiting(run)),
            ("throughput", over_time::throughput(run, workload)),
            ("goodput", over_time::goodput(run, workload)),
            ("completed", over_time::jobs_completed(run)),
            ("dropped", over_time::jobs_dropped(run)),
            ("admitted", over_time::jobs_admitted(run)),
        ];
        let efficiency = over_time::cluster_efficiency(run, workload);
        type OfJob = fn(&Run, &Workload, JobId) -> Steps<Option<f64>>;
        let each = |of: OfJob| self.ids.iter().map(|id| of(run, workload, *id)).collect::<Vec<_>>();
        let worths = each(over_time::statistical_efficiency);
        let goodputs = each(over_time::goodput_of_job);
        let (noises, speed_ups) = (each(over_time::noise_scale), each(over_time::speed_up));
        let mean_worth = over_time::mean_statistical_efficiency(run, workload);
        let by_span = efficiency_by_span(run, workload);
        let trained = self.trained();
        let (rescaling, preemption) = (over_time::rescale_gpu_seconds(run), over_time::preemption_gpu_seconds(run));
        let spans = &self.spans;
        assert!(by_span.is_empty() || by_span.len() == trained.len());
        let compared = trained.iter().zip(&by_span).filter(|((id, t), _)| !self.is_rounding(*id, &t.span));
        for ((_, t), efficiency) in compared {
            let known = t.known.filter(|_| t.is_known()).map(|(worth, _)| worth);
            self.assert_close("efficiency of a span", *efficiency, known);
            self.assert_close("goodput of a span", Some(t.span.work_per_s), Some(t.span.samples_per_s * t.worth));
        }
        for time_s in self.instants() {
            let now = |span: &Span| span.start_s <= time_s && time_s < span.end_s;
            let sum = |of: &dyn Fn(JobId, &Span) -> f64| -> f64 {
                spans.iter().filter(|(_, span)| now(span)).map(|(id, span)| of(*id, span)).sum()
            };
            let ended = |wanted: Outcome| {
                let ends = run.jobs.end_s.iter().zip(&run.jobs.outcome).filter(|(_, outcome)| **outcome == wanted);
                ends.filter(|(end_s, _)| end_s.unwrap() <= time_s).count() as f64
            };
            let throughput = sum(&|id, span| span.samples_per_s / self.single(id));
            let running = |of: &dyn Fn(JobId, &Trained) -> f64| -> f64 {
                trained.iter().filter(|(_, t)| now(&t.span)).map(|(id, t)| of(*id, t)).sum()
            };
            let count = |is: bool| f64::from(u8::from(is));
            let worth_of_known = running(&|_, t| if t.is_known() { t.worth } else { 0.0 });
            let known = running(&|_, t| count(t.is_known()));
            let expected_worth = quotient(worth_of_known, known);
            self.assert_close("mean statistical efficiency", mean_worth.at(time_s).flatten(), expected_worth);
            let expected = [
                sum(&|_, span| f64::from(span.gpus)),
                sum(&|_, span| f64::from(u8::from(span.gpus > 0))),
                sum(&|_, span| f64::from(u8::from(span.gpus == 0))),
                throughput,
                running(&|id, t| t.span.samples_per_s * t.worth / self.single(id)),
                ended(Outcome::Completed),
                ended(Outcome::Dropped),
                run.jobs.admitted_s.iter().flatten().filter(|admitted_s| **admitted_s <= time_s).count() as f64,
            ];
            for ((name, steps), expected) in steps.iter().zip(expected) {
                self.assert_close(format_args!("{name} at {time_s}"), steps.at(time_s), Some(expected));
            }
            let row = run.series.time_s.iter().rposition(|from_s| *from_s <= time_s).unwrap();
            let present = f64::from(run.series.gpus_present[row]);
            self.assert_close("cluster efficiency", efficiency.at(time_s).flatten(), quotient(throughput, present));
            let until = |state: SpanState| {
                let gpus = |span: &Span| if span.state == state { f64::from(span.gpus) } else { 0.0 };
                self.sum(|_, span| gpus(span) * overlap((span.start_s, span.end_s), (run.start_s, time_s)))
            };
            let lost = |cause: LossCause| -> f64 {
                let losses = &run.losses;
                let rows =
                    (0..losses.job.len()).filter(|&row| losses.time_s[row] <= time_s && losses.cause[row] == cause);
                rows.map(|row| losses.gpu_seconds[row]).sum()
            };
            let (charged, lost) = (lost(LossCause::Rescale), lost(LossCause::NodeLeft));
            self.assert_close("rescaling so far", rescaling.at(time_s), Some(until(Rescaling) + charged));
            self.assert_close("preemption so far", preemption.at(time_s), Some(until(Recovering) + lost));
            for (at, id) in self.ids.iter().enumerate() {
                let held = trained.iter().find(|(of, t)| of == id && now(&t.span) && t.span.gpus > 0).map(|(_, t)| t);
                let runs = held.filter(|t| t.span.state == SpanState::Running);
                let known = runs.and_then(|t| t.known).map(|(worth, _)| worth);
                self.assert_close("statistical efficiency", worths[at].at(time_s).flatten(), known);
                let goodput = held.and_then(|t| t.known.map(|(worth, _)| t.span.samples_per_s * worth));
                self.assert_close("goodput of a job", goodputs[at].at(time_s).flatten(), goodput);
                let noise = held.and_then(|t| t.known).map(|(_, noise)| noise);
                self.assert_close("noise scale", noises[at].at(time_s).flatten(), noise);
                let speed_up = held.map(|t| t.span.samples_per_s * t.worth / self.single(*id) / t.worth_as_submitted);
                self.assert_close("speed-up", speed_ups[at].at(time_s).flatten(), speed_up);
            }
        }
    }
}
