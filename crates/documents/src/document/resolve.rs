//! From a document to a scenario.

use std::sync::Arc;

use elastiplan_formats::mapping::Mapping;
use elastiplan_formats::{Import, Options, Source, import_mapped};
use elastiplan_model::{Availability, Curves, Diagnostic, Trace};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Scenario, sample};

use super::{AvailabilitySource, CurveSource, Document, DocumentError, JobSource, TableSource, given};

/// The content of a file by the name that the document gives it; `None` if it is not there.
pub(super) type Files<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// A scenario with policies and seeds, read from a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The scenario with the first seed.
    pub scenario: Scenario,
    /// The policies to compare.
    pub policies: Vec<PolicySpec>,
    /// Every policy runs once with each; at least one.
    pub seeds: Vec<u64>,
    /// Findings about the data.
    pub diagnostics: Vec<Diagnostic>,
    /// The source of the jobs, if they are drawn.
    drawn: Option<JobSource>,
}

impl Resolved {
    /// Whether a seed draws the jobs.
    pub fn draws_jobs(&self) -> bool {
        self.drawn.is_some()
    }

    /// The scenario with one of the seeds: its jobs, where they are drawn by it.
    pub fn with_seed(&self, seed: u64) -> Scenario {
        let mut scenario = self.scenario.clone();
        scenario.conditions.seed = seed;
        if let Some(trace) = self.drawn.as_ref().and_then(|jobs| jobs.drawn(seed)) {
            scenario.trace = Arc::new(trace);
        }
        scenario
    }
}

impl Document {
    /// Reads the data that the document holds or names. `files` gives the content of a file by the name that stands in
    /// the document.
    pub fn resolve(&self, files: Files<'_>) -> Result<Resolved, DocumentError> {
        self.resolve_beside(files, &[])
    }

    /// The same beside other documents with the same files: data of the same source are shared with their scenarios
    /// instead of being read again.
    pub fn resolve_beside(
        &self,
        files: Files<'_>,
        others: &[(&Document, &Scenario)],
    ) -> Result<Resolved, DocumentError> {
        let seed = self.seeds.first().copied().unwrap_or_default();
        let mut diagnostics = Vec::new();
        self.check_hashes(files)?;
        let other = |same: &dyn Fn(&Document, &Scenario) -> bool| {
            others.iter().find(|(document, scenario)| same(document, scenario)).map(|(_, scenario)| *scenario)
        };
        let is_seed = |document: &Document, scenario: &Scenario| {
            let is_drawn = matches!(document.jobs, JobSource::Sample(_) | JobSource::Generated(_));
            !is_drawn || scenario.conditions.seed == seed
        };
        let same_jobs = other(&|document, scenario| document.jobs == self.jobs && is_seed(document, scenario));
        let trace = match same_jobs {
            Some(other) => Arc::clone(&other.trace),
            None => Arc::new(self.trace(seed, files, &mut diagnostics)?),
        };
        let curves = match other(&|document, _| document.curves == self.curves) {
            Some(other) => Arc::clone(&other.curves),
            None => Arc::new(self.read_curves(files, &mut diagnostics)?),
        };
        let same_log = other(&|document, _| self.availability.is_some() && document.availability == self.availability);
        let availability = match same_log {
            Some(other) => other.conditions.availability.clone(),
            None => self.read_availability(files, &mut diagnostics)?.map(Arc::new),
        };
        let cluster = self.cluster.cluster(availability.as_ref().map_or(0, |log| log.nodes()))?;
        let prices = self.conditions.prices.as_ref();
        let prices = prices.map(|prices| prices.read(trace.start_s(), files, &mut diagnostics)).transpose()?;
        let mut conditions = self.conditions.with(&self.what_if, seed, prices);
        conditions.availability = availability;
        conditions.forks = self.forks.clone();
        let scenario = Scenario { conditions, ..Scenario::new(trace, curves, cluster) };
        scenario.validate().map_err(DocumentError::Conditions)?;
        let drawn = self.jobs.drawn(seed).is_some().then(|| self.jobs.clone());
        Ok(Resolved { scenario, policies: self.policies.clone(), seeds: self.seeds.clone(), diagnostics, drawn })
    }

    fn trace(&self, seed: u64, files: Files<'_>, diagnostics: &mut Vec<Diagnostic>) -> Result<Trace, DocumentError> {
        let of_file = |name: &String| Data::of_files("jobs.file", std::slice::from_ref(name), files);
        let data = match &self.jobs {
            JobSource::Sample(_) | JobSource::Generated(_) => {
                return Ok(self.jobs.drawn(seed).unwrap_or_else(|| sample::trace(seed)));
            }
            JobSource::File(name) => of_file(name)?,
            JobSource::Inline(text) => Data::inline("jobs.inline", text),
            JobSource::Mapped(TableSource::File(name), map) => of_file(name)?.mapped(map),
            JobSource::Mapped(TableSource::Inline(text), map) => Data::inline("jobs.inline", text).mapped(map),
        };
        data.read("job trace", diagnostics, |found| found.trace.take().filter(|trace| !trace.jobs().is_empty()))
    }

    fn read_curves(&self, files: Files<'_>, diagnostics: &mut Vec<Diagnostic>) -> Result<Curves, DocumentError> {
        let data = match &self.curves {
            CurveSource::Sample {} => return Ok(sample::curves()),
            CurveSource::Published(name) => return Ok(name.0.curves()),
            CurveSource::Files(names) => Data::of_files("curves.files", names, files)?,
            CurveSource::Inline(text) => Data::inline("curves.inline", text),
            CurveSource::Given(parts) => return given::curves(parts),
            CurveSource::None {} => return Ok(Curves::default()),
        };
        let some = |curves: Curves| (!curves.is_empty()).then_some(curves);
        data.read("throughput curves", diagnostics, |found| some(std::mem::take(&mut found.curves)))
    }

    fn read_availability(
        &self,
        files: Files<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Option<Availability>, DocumentError> {
        let data = match &self.availability {
            None => return Ok(None),
            Some(AvailabilitySource::File(name)) => {
                Data::of_files("availability.file", std::slice::from_ref(name), files)?
            }
            Some(AvailabilitySource::Inline(text)) => Data::inline("availability.inline", text),
            Some(AvailabilitySource::IdleNodes(drawn)) => return Ok(Some(drawn.log())),
        };
        data.read("availability log", diagnostics, |found| found.availability.take()).map(Some)
    }
}

/// Bytes with the name that messages give them.
struct Data {
    place: &'static str,
    sources: Vec<(String, Vec<u8>)>,
    /// The mapping of the first.
    mapping: Option<Mapping>,
}

impl Data {
    /// Text in the document is called by its place.
    fn inline(place: &'static str, text: &str) -> Self {
        Self { place, sources: vec![(place.into(), text.into())], mapping: None }
    }

    fn mapped(self, mapping: &Mapping) -> Self {
        Self { mapping: Some(mapping.clone()), ..self }
    }

    fn of_files(place: &'static str, names: &[String], files: Files<'_>) -> Result<Self, DocumentError> {
        let file = |name: &String| match files(name) {
            Some(bytes) => Ok((name.clone(), bytes)),
            None => Err(DocumentError::NoFile { place, name: name.clone() }),
        };
        Ok(Self { place, sources: names.iter().map(file).collect::<Result<_, _>>()?, mapping: None })
    }

    /// Reads the data and picks what is wanted; an error names what is there instead.
    fn read<T>(
        &self,
        wanted: &'static str,
        diagnostics: &mut Vec<Diagnostic>,
        pick: impl FnOnce(&mut Import) -> Option<T>,
    ) -> Result<T, DocumentError> {
        let sources = self.sources.iter().map(|(path, bytes)| Source::from_bytes(path.clone(), bytes)).collect();
        let mappings: Vec<(u32, Mapping)> = self.mapping.iter().map(|mapping| (0, mapping.clone())).collect();
        let mut found = import_mapped(sources, &mappings, &Options::default(), &mut |_| {});
        diagnostics.append(&mut found.diagnostics);
        pick(&mut found).ok_or_else(|| {
            let files: Vec<String> = found.files.iter().map(ToString::to_string).collect();
            let found = if files.is_empty() { "an empty list".into() } else { files.join("; ") };
            DocumentError::NoData { place: self.place, wanted, found }
        })
    }
}
