//! The jobs, curves and availability log in use, where they came from, and how they fit together.

use std::rc::Rc;
use std::sync::Arc;

use elastiplan_formats::{Confidence, FileReport, FileRole, Import};
use elastiplan_model::{Availability, Cluster, Curve, Curves, Diagnostic, Severity, Trace, Workload};
use elastiplan_scenario::{JobFactors, Scenario};
use elastiplan_worker::messages::MessageError;
use elastiplan_worker::{PACKED_SAMPLE, Packed};
use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::{Drawing, Drawn, DrawnJobs, PublishedInfo};

use super::world::World;

/// One reading of files: what was said about them. The data themselves are in [`Data`].
#[derive(Debug, PartialEq)]
pub struct Reading {
    /// Counts readings; tells apart files of the same name from different readings.
    pub number: u32,
    /// One report a file.
    pub files: Vec<FileReport>,
    /// What was found in them.
    pub diagnostics: Vec<Diagnostic>,
    /// How long reading took, in milliseconds.
    pub wall_ms: f64,
}

impl Reading {
    /// Of data that were not read from files: there is nothing to report.
    pub fn nothing() -> Self {
        Self { number: 0, files: Vec::new(), diagnostics: Vec::new(), wall_ms: 0.0 }
    }

    /// Whether a person should look at the report before going on: something was left out, refused or unsure.
    pub fn needs_a_look(&self) -> bool {
        let odd = |file: &FileReport| file.confidence != Confidence::Sure || file.not_used.is_some();
        self.files.iter().any(odd) || self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }

    /// The files of one role that are in use.
    pub fn files_of(&self, role: FileRole) -> impl Iterator<Item = &FileReport> {
        self.files.iter().filter(move |file| file.kind.role() == role && file.not_used.is_none())
    }
}

/// Where data came from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The built-in sample.
    Sample,
    /// Jobs that a generator drew.
    Generated(GeneratorSpec),
    /// Curves that a paper measured.
    Published(Rc<PublishedInfo>),
    /// Files.
    Files(Rc<Reading>),
}

impl Origin {
    /// The reading, if it was one.
    pub fn reading(&self) -> Option<&Rc<Reading>> {
        match self {
            Origin::Files(reading) => Some(reading),
            Origin::Sample | Origin::Generated(_) | Origin::Published(_) => None,
        }
    }

    /// Whether jobs were drawn with the seed.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Origin::Sample | Origin::Generated(_))
    }

    /// Whether it is the built-in sample.
    pub fn is_sample(&self) -> bool {
        matches!(self, Origin::Sample)
    }
}

/// A log of nodes that come and go, and the reading that it came from.
#[derive(Clone, Debug)]
pub struct Log {
    /// The log.
    pub availability: Arc<Availability>,
    /// Where it came from.
    pub reading: Rc<Reading>,
}

impl Log {
    /// The report on its file.
    pub fn file(&self) -> Option<&FileReport> {
        self.reading.files_of(FileRole::Availability).next()
    }
}

impl PartialEq for Log {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.availability, &other.availability)
    }
}

/// The built-in sample, as it was packed when the worker was built.
pub fn sample_scenario() -> Scenario {
    let scenario = Packed::from(PACKED_SAMPLE.0).unpack();
    scenario.unwrap_or_else(|error| unreachable!("the build packs the sample: {error}"))
}

/// Jobs, curves and a log, each with its origin. Cheap to clone; equal only if they are the very same.
#[derive(Clone, Debug)]
pub struct Data {
    /// The jobs.
    pub trace: Arc<Trace>,
    /// Where they came from.
    pub trace_origin: Origin,
    /// The curves.
    pub curves: Arc<Curves>,
    /// Where they came from.
    pub curves_origin: Origin,
    /// Earlier readings whose curves are in use beside those of the last one.
    pub curves_before: Vec<Rc<Reading>>,
    /// The curves that came last, by themselves, where earlier ones are in use beside them.
    pub curves_last: Option<Arc<Curves>>,
    /// When the first nodes of the cluster are there; all are, always, if there is none.
    pub log: Option<Log>,
    /// What was made of other data, where a study did it.
    pub derived: Option<Rc<Derived>>,
}

/// How a study made data of others, in words.
#[derive(Debug)]
pub struct Derived {
    /// The jobs that were there.
    pub trace: Arc<Trace>,
    /// The curves that were there.
    pub curves: Arc<Curves>,
    /// What became of the jobs: `50% of the jobs`; `None` where the seed says it.
    pub jobs: Option<String>,
    /// What became of the curves.
    pub changed_curves: Option<String>,
}

impl PartialEq for Data {
    fn eq(&self, other: &Self) -> bool {
        let is_same_work = Arc::ptr_eq(&self.trace, &other.trace) && Arc::ptr_eq(&self.curves, &other.curves);
        is_same_work && self.log == other.log
    }
}

/// Jobs bound to curves.
#[derive(Clone, Debug)]
pub struct Bound {
    of: Binding,
    /// The jobs that can run.
    pub workload: Rc<Workload>,
    /// The same, as workers take it.
    pub packed: Packed,
    /// What was left out or assumed.
    pub diagnostics: Rc<Vec<Diagnostic>>,
    /// Jobs in the trace.
    pub jobs_loaded: usize,
}

/// Inputs that binding depends on.
#[derive(Clone, Debug, PartialEq)]
struct Binding {
    data: Data,
    cluster: Cluster,
    job_factors: JobFactors,
}

impl Binding {
    fn of(world: &World) -> Self {
        Self { data: world.data.clone(), cluster: world.cluster, job_factors: world.conditions.job_factors() }
    }
}

impl Bound {
    /// The jobs of these inputs as a worker has bound them, or of the built-in sample. Findings get the trace's file as
    /// their place, so that their rows can be shown.
    pub fn of(world: &World, packed: Packed, mut diagnostics: Vec<Diagnostic>) -> Result<Self, MessageError> {
        let data = &world.data;
        let file = data.trace_file().map(|file| &file.path);
        for found in &mut diagnostics {
            if found.place.row.is_some() && found.place.file.is_none() {
                found.place.file = file.cloned();
            }
        }
        Ok(Self {
            of: Binding::of(world),
            workload: Rc::new(packed.unpack()?),
            packed,
            diagnostics: Rc::new(diagnostics),
            jobs_loaded: data.trace.jobs().len(),
        })
    }

    /// Whether these inputs bind to the same.
    pub fn is_of(&self, world: &World) -> bool {
        self.of == Binding::of(world)
    }

    /// Shares the jobs with others if they are equal: then two runs can be compared job by job.
    pub fn share_with(&mut self, other: &Self) {
        if self.of.data == other.of.data && self.workload == other.workload {
            self.workload = Rc::clone(&other.workload);
        }
    }

    /// Jobs that can run.
    pub fn jobs_bound(&self) -> usize {
        self.workload.jobs().len()
    }
}

impl Data {
    /// Jobs and curves from one source each.
    pub fn new(
        trace: Arc<Trace>,
        trace_origin: Origin,
        curves: Arc<Curves>,
        curves_origin: Origin,
        log: Option<Log>,
    ) -> Self {
        let (curves_before, curves_last, derived) = (Vec::new(), None, None);
        Self { trace, trace_origin, curves, curves_origin, curves_before, curves_last, log, derived }
    }

    /// Replaces the curves.
    fn set_curves(&mut self, curves: Arc<Curves>, origin: Origin) {
        (self.curves, self.curves_origin) = (curves, origin);
        (self.curves_before, self.curves_last) = (Vec::new(), None);
    }

    /// Adds curves of files to those that are there: a model that has some gets the new ones in their place. Those of
    /// the sample belong to its jobs and go.
    fn add_curves(&mut self, curves: Curves, reading: &Rc<Reading>) {
        let origin = Origin::Files(Rc::clone(reading));
        let is_new = |curve: &&Curve| !curves.as_slice().iter().any(|other| other.key().model == curve.key().model);
        let kept: Vec<Curve> = self.curves.as_slice().iter().filter(is_new).cloned().collect();
        if self.curves_origin.is_sample() || kept.is_empty() {
            return self.set_curves(Arc::new(curves), origin);
        }
        let merged: Curves = kept.into_iter().chain(curves.as_slice().iter().cloned()).collect();
        self.curves_before.extend(self.curves_origin.reading().filter(|before| !before.files.is_empty()).cloned());
        (self.curves, self.curves_origin) = (Arc::new(merged), origin);
        self.curves_last = Some(Arc::new(curves));
    }

    /// Whether curves from several readings are in use.
    pub fn has_earlier_curves(&self) -> bool {
        self.curves_last.is_some()
    }

    /// Does without the curves that were there before the last ones.
    pub fn keep_last_curves(&mut self) {
        if let Some(curves) = self.curves_last.take() {
            let origin = self.curves_origin.clone();
            self.set_curves(curves, origin);
        }
    }

    /// The reports on all files that curves in use came from, the latest first.
    pub fn curve_files(&self) -> impl Iterator<Item = &FileReport> {
        let readings = self.curves_origin.reading().into_iter().chain(self.curves_before.iter().rev());
        readings.flat_map(|reading| reading.files_of(FileRole::Curves))
    }

    /// These data with what was drawn in the place of what was there. Published curves that are there already stay.
    pub fn with_drawn(&self, drawing: &Drawing, drawn: Drawn) -> Self {
        let mut data = self.clone();
        if let Some((trace, (jobs, _))) = drawn.trace.zip(drawing.jobs.as_ref()) {
            data.trace = Arc::new(trace);
            data.trace_origin = match jobs {
                DrawnJobs::Sample => Origin::Sample,
                DrawnJobs::Generated(generator) => Origin::Generated(generator.clone()),
            };
        }
        let is_there =
            |info: &PublishedInfo| matches!(&data.curves_origin, Origin::Published(known) if **known == *info);
        if let Some((info, curves)) = drawn.curves.filter(|(info, _)| !is_there(info)) {
            data.set_curves(Arc::new(curves), Origin::Published(Rc::new(info)));
        }
        if let Some(log) = drawn.availability {
            data.log = Some(Log { availability: Arc::new(log), reading: Rc::new(Reading::nothing()) });
        }
        data
    }

    /// The drawing of the jobs with another seed; `None` if they are not drawn.
    pub fn redrawing(&self, seed: u64) -> Option<Drawing> {
        let jobs = match &self.trace_origin {
            Origin::Sample => DrawnJobs::Sample,
            Origin::Generated(generator) => DrawnJobs::Generated(generator.clone()),
            Origin::Published(_) | Origin::Files(_) => return None,
        };
        Some(Drawing { jobs: Some((jobs, seed)), ..Drawing::default() })
    }

    /// These data with what files brought: jobs and a log in the place of what was there, curves beside those of other
    /// models; `None` if they brought nothing of use.
    pub fn with(&self, import: Import, number: u32, wall_ms: f64) -> (Option<Self>, Rc<Reading>) {
        let Import { files, trace, curves, availability, diagnostics } = import;
        let reading = Rc::new(Reading { number, files, diagnostics, wall_ms });
        let trace = trace.filter(|trace| !trace.jobs().is_empty());
        let curves = (!curves.is_empty()).then_some(curves);
        if trace.is_none() && curves.is_none() && availability.is_none() {
            return (None, reading);
        }
        let mut data = self.clone();
        if let Some(trace) = trace {
            data.trace = Arc::new(trace);
            data.trace_origin = Origin::Files(Rc::clone(&reading));
        }
        if let Some(curves) = curves {
            data.add_curves(curves, &reading);
        }
        if let Some(log) = availability {
            data.log = Some(Log { availability: Arc::new(log), reading: Rc::clone(&reading) });
        }
        (Some(data), reading)
    }

    /// The report on the file that gave the jobs.
    pub fn trace_file(&self) -> Option<&FileReport> {
        self.trace_origin.reading()?.files_of(FileRole::Jobs).next()
    }

    /// The readings that data in use came from, each once.
    pub fn readings(&self) -> Vec<Rc<Reading>> {
        let mut readings: Vec<Rc<Reading>> = Vec::new();
        let of_log = self.log.as_ref().map(|log| &log.reading);
        for reading in self
            .trace_origin
            .reading()
            .into_iter()
            .chain(self.curves_origin.reading())
            .chain(&self.curves_before)
            .chain(of_log)
        {
            if !readings.iter().any(|known| known.number == reading.number) {
                readings.push(Rc::clone(reading));
            }
        }
        readings
    }

    /// Seconds from the first submission to the last.
    pub fn arrivals_s(&self) -> f64 {
        self.trace.jobs().last().map_or(0.0, |job| job.submit_s) - self.trace.start_s()
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::{Options, Source, import};

    use super::*;
    use crate::state::inputs::Inputs;

    const JOBS: &[u8] = b"job_id,submit_s,model,gpus,samples\na,0,bert,2,1000\nb,9,bert,two,1000\nc,9,gpt,1,5\n";
    const LOG: &[u8] = b"node,start_s,end_s\na,0,100\nb,50,\na,150,300\n";
    const CURVES: &[u8] = b"model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n";

    fn bind(data: &Data) -> Bound {
        let mut inputs = Inputs::sample();
        inputs.data = data.clone();
        inputs.cluster = Cluster::new(1, 4).unwrap();
        inputs.bind()
    }

    fn read(files: &[(&str, &'static [u8])]) -> Import {
        let sources = files.iter().map(|&(name, bytes)| Source::from_bytes(name, bytes)).collect();
        import(sources, &Options::default(), &mut |_| {})
    }

    #[test]
    fn a_trace_alone_keeps_the_curves_and_fits_none_of_them() {
        let sample = Inputs::sample().data;
        let (data, reading) = sample.with(read(&[("jobs.csv", JOBS)]), 1, 0.0);
        let data = data.unwrap();
        assert!(reading.needs_a_look(), "a row was left out");
        assert!(data.curves_origin.is_sample());
        let bound = bind(&data);
        assert_eq!((bound.jobs_loaded, bound.jobs_bound()), (2, 0));
        let (data, _) = data.with(read(&[("curves.csv", CURVES)]), 2, 0.0);
        let data = data.unwrap();
        let bound = bind(&data);
        assert_eq!(bound.jobs_bound(), 1);
        assert_eq!(bound.diagnostics[0].place.file.as_deref(), Some("jobs.csv"));
        assert_eq!(data.readings().len(), 2);
    }

    /// Six files, then a seventh: all seven models are there.
    #[test]
    fn curves_that_come_later_are_added_to_those_of_other_models() {
        let models = |data: &Data| data.curves.models().join(" ");
        let first: &[(&str, &[u8])] = &[
            ("gpt.csv", b"model,gpus,samples_per_s\ngpt,1,5\n"),
            ("vit.csv", b"model,gpus,samples_per_s\nvit,1,7\nvit,2,12\n"),
        ];
        let (data, first) = Inputs::sample().data.with(read(first), 1, 0.0);
        let data = data.unwrap();
        assert_eq!(models(&data), "gpt vit", "those of the sample go");
        assert!(!data.has_earlier_curves());
        let (data, second) = data.with(read(&[("curves.csv", CURVES)]), 2, 0.0);
        let data = data.unwrap();
        assert_eq!(models(&data), "bert gpt vit");
        assert_eq!(data.curve_files().count(), 3);
        assert_eq!(data.readings(), [second, first]);
        let again: &[(&str, &[u8])] = &[("gpt2.csv", b"model,gpus,samples_per_s\ngpt,1,6\n")];
        let (data, _) = data.with(read(again), 3, 0.0);
        let mut data = data.unwrap();
        assert_eq!(models(&data), "bert gpt vit");
        assert_eq!(data.curves.as_slice().iter().filter(|curve| curve.key().model == "gpt").count(), 1);
        data.keep_last_curves();
        assert_eq!((models(&data).as_str(), data.has_earlier_curves(), data.readings().len()), ("gpt", false, 1));
    }

    #[test]
    fn files_without_anything_of_use_change_nothing() {
        let (data, reading) = Inputs::sample().data.with(read(&[("notes.txt", b"hello")]), 1, 0.0);
        assert_eq!(data, None);
        assert!(reading.needs_a_look());
    }

    #[test]
    fn files_that_belong_together_give_one_reading() {
        let (data, _) = Inputs::sample().data.with(read(&[("c.csv", CURVES), ("j.csv", JOBS)]), 1, 0.0);
        let data = data.unwrap();
        assert_eq!(data.readings().len(), 1);
        assert_eq!(data.trace_file().unwrap().path, "j.csv");
    }

    #[test]
    fn a_log_alone_is_of_use_and_keeps_jobs_and_curves() {
        let sample = Inputs::sample().data;
        let (data, reading) = sample.with(read(&[("idle.csv", LOG)]), 1, 0.0);
        let data = data.unwrap();
        assert!(data != sample && data.trace_origin.is_sample() && data.curves_origin.is_sample());
        let log = data.log.as_ref().unwrap();
        assert_eq!((log.availability.nodes(), log.file().unwrap().path.as_str()), (2, "idle.csv"));
        assert_eq!(data.readings(), [reading]);
        let (later, _) = data.with(read(&[("c.csv", CURVES), ("j.csv", JOBS)]), 2, 0.0);
        assert_eq!(later.unwrap().log, data.log, "other jobs leave the nodes alone");
    }
}
