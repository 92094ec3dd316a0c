//! The quantities of a run over time: those that lanes below the timelines and charts show.

use elastiplan_engine::Run;
use elastiplan_metrics::{Line, Steps, has_efficiency, over_time};
use elastiplan_model::Workload;

use crate::figure::axis::Scale;

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// GPUs held by jobs.
    GpusInUse,
    /// The queue.
    JobsWaiting,
    /// Jobs that hold GPUs.
    JobsRunning,
    /// Jobs that have come until then.
    JobsSubmitted,
    /// Jobs that the policy has taken on until then.
    JobsAdmitted,
    /// Jobs that it has turned down until then.
    JobsDropped,
    /// Jobs that have completed until then.
    JobsCompleted,
    /// The work that gets done, in GPUs that work alone.
    Throughput,
    /// The same with every sample counted as what it is worth.
    Goodput,
    /// The worth of a sample, mean over the jobs that train.
    StatisticalEfficiency,
    /// Throughput over the GPUs there are.
    Efficiency,
    /// GPU-hours without progress after changes until then.
    RescaleCost,
    /// GPU-hours that nodes which left have cost until then.
    PreemptionCost,
}

/// Values over time.
#[derive(Debug, PartialEq)]
pub enum Values {
    /// Values that hold until the next, some of them missing.
    Steps(Steps<Option<f64>>),
    /// A line.
    Line(Line),
}

impl Values {
    /// The value at a time, if there is one.
    pub(crate) fn at(&self, time_s: f64) -> Option<f64> {
        match self {
            Values::Steps(steps) => steps.at(time_s).flatten(),
            Values::Line(line) => line.at(time_s),
        }
    }

    /// The greatest value, at least 0.
    pub(crate) fn most(&self) -> f64 {
        match self {
            Values::Steps(steps) => steps.value.iter().flatten().copied().fold(0.0, f64::max),
            Values::Line(line) => line.value.iter().copied().fold(0.0, f64::max),
        }
    }
}

impl Course {
    /// All of them, in the order of menus.
    pub const ALL: [Course; 13] = [
        Course::GpusInUse,
        Course::JobsWaiting,
        Course::JobsRunning,
        Course::JobsSubmitted,
        Course::JobsAdmitted,
        Course::JobsDropped,
        Course::JobsCompleted,
        Course::Throughput,
        Course::Goodput,
        Course::StatisticalEfficiency,
        Course::Efficiency,
        Course::RescaleCost,
        Course::PreemptionCost,
    ];

    /// Those that say something about jobs of this workload.
    pub fn all_of(workload: &Workload) -> impl Iterator<Item = Course> {
        let has_efficiency = has_efficiency(workload);
        Course::ALL.into_iter().filter(move |course| has_efficiency || !course.needs_efficiency())
    }

    /// Whether it says nothing unless it is known what samples are worth.
    pub const fn needs_efficiency(self) -> bool {
        matches!(self, Course::Goodput | Course::StatisticalEfficiency)
    }

    /// Whether it is a share, written in percent.
    pub const fn is_share(self) -> bool {
        matches!(self.scale(), Scale::Percent)
    }

    /// The name of its files and of its option in the menu.
    pub const fn name(self) -> &'static str {
        self.info().0
    }

    /// The quantity with its unit.
    pub const fn title(self) -> &'static str {
        self.info().1
    }

    pub(crate) const fn scale(self) -> Scale {
        self.info().2
    }

    /// Name, title and scale.
    const fn info(self) -> (&'static str, &'static str, Scale) {
        match self {
            Course::GpusInUse => ("gpus-in-use", "GPUs in use", Scale::Count),
            Course::JobsWaiting => ("jobs-waiting", "Jobs waiting", Scale::Count),
            Course::JobsRunning => ("jobs-running", "Jobs running", Scale::Count),
            Course::JobsSubmitted => ("jobs-submitted", "Jobs submitted", Scale::Count),
            Course::JobsAdmitted => ("jobs-admitted", "Jobs admitted", Scale::Count),
            Course::JobsDropped => ("jobs-dropped", "Jobs declined", Scale::Count),
            Course::JobsCompleted => ("jobs-completed", "Jobs completed", Scale::Count),
            Course::Throughput => ("throughput", "Throughput, in single GPUs", Scale::Number),
            Course::Goodput => ("goodput", "Goodput, in single GPUs", Scale::Number),
            Course::StatisticalEfficiency => ("statistical-efficiency", "Statistical efficiency, %", Scale::Percent),
            Course::Efficiency => ("cluster-efficiency", "Cluster efficiency, %", Scale::Percent),
            Course::RescaleCost => ("rescale-cost", "Rescale cost so far, GPU-h", Scale::Number),
            Course::PreemptionCost => ("preemption-cost", "Preemption cost so far, GPU-h", Scale::Number),
        }
    }

    /// Its values; an efficiency is a share.
    pub fn of(self, run: &Run, workload: &Workload) -> Values {
        match self {
            Course::GpusInUse => known(over_time::gpus_in_use(run)),
            Course::JobsWaiting => known(over_time::jobs_waiting(run)),
            Course::JobsRunning => known(over_time::jobs_running(run)),
            Course::JobsSubmitted => known(over_time::jobs_submitted(run, workload)),
            Course::JobsAdmitted => known(over_time::jobs_admitted(run)),
            Course::JobsDropped => known(over_time::jobs_dropped(run)),
            Course::JobsCompleted => known(over_time::jobs_completed(run)),
            Course::Throughput => known(over_time::throughput(run, workload)),
            Course::Goodput => known(over_time::goodput(run, workload)),
            Course::StatisticalEfficiency => Values::Steps(over_time::mean_statistical_efficiency(run, workload)),
            Course::Efficiency => Values::Steps(over_time::cluster_efficiency(run, workload)),
            Course::RescaleCost => hours(over_time::rescale_gpu_seconds(run)),
            Course::PreemptionCost => hours(over_time::preemption_gpu_seconds(run)),
        }
    }
}

fn known(Steps { time_s, value }: Steps) -> Values {
    Values::Steps(Steps { time_s, value: value.into_iter().map(Some).collect() })
}

fn hours(Line { time_s, value }: Line) -> Values {
    Values::Line(Line { time_s, value: value.into_iter().map(|seconds| seconds / 3600.0).collect() })
}
