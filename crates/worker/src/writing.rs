//! Scenarios with their runs as documents and bundles.

use elastiplan_documents::{
    Bundle, CurveSource, DataKind, DataSource, Document, GeneratedJobs, JobSource, NeededFile, PublishedName,
    SampleJobs, data_apart,
};
use elastiplan_model::Cluster;
use elastiplan_scenario::{Conditions, Scenario, sample};
use elastiplan_workloads::DrawnJobs;
use elastiplan_workloads::published::Published;

use crate::keeping::{OrderedData, OrderedWorld, WorkOrder};

/// The documents of an order: that of the scenario, then those of pinned runs. Data are inside, or named where they are
/// drawn, built in or were written before.
pub(crate) fn documents(order: &WorkOrder) -> Result<Vec<Document>, String> {
    let Some(first) = order.worlds.first() else { return Ok(Vec::new()) };
    let sources: Vec<Option<DataSource>> = order.data.iter().map(|data| source(data, first.scenario.cluster)).collect();
    let document = |(place, world): (usize, &OrderedWorld)| {
        let OrderedWorld { title, scenario, nodes_in_log, data } = world;
        let runs = order.runs.iter().filter(|run| run.pinned.as_ref().is_some_and(|of| of.document as usize == place));
        let policies = match place {
            0 => order.policies.clone(),
            _ => runs.map(|run| run.policy.clone()).take(1).collect(),
        };
        let mut document = Document::of(title, scenario, policies);
        document.cluster.nodes = scenario.cluster.nodes().saturating_sub(*nodes_in_log);
        document.study = order.study.clone().filter(|_| place == 0);
        for at in data {
            let source = sources.get(*at as usize).and_then(Option::as_ref);
            if !source.is_some_and(|source| document.set_source(source)) {
                return Err("Data of the scenario cannot be written".to_string());
            }
        }
        Ok(document)
    };
    order.worlds.iter().enumerate().map(document).collect()
}

/// The bundle of these documents, and where each of the data of the order is in it.
pub(crate) fn bundle(order: &WorkOrder, documents: &[Document]) -> (Bundle, Vec<Option<DataSource>>) {
    let mut sources: Vec<Option<DataSource>> = vec![None; order.data.len()];
    let mut bundle: Option<Bundle> = None;
    for (place, (document, world)) in (0..).zip(documents.iter().zip(&order.worlds)) {
        let (document, files) = data_apart(document);
        let file =
            |name: &str| files.iter().find(|file: &&NeededFile| file.name == name).map(|file| file.bytes.clone());
        let written = match &mut bundle {
            None => &bundle.insert(Bundle::of(&document, &file, order.view.clone(), &order.build)).document,
            Some(bundle) => {
                bundle.pin(place, &document, &file);
                bundle.pinned.get(&place).unwrap_or(&bundle.document)
            }
        };
        for (at, kind) in world.data.iter().zip([DataKind::Jobs, DataKind::Curves, DataKind::Availability]) {
            if let Some(source) = sources.get_mut(*at as usize) {
                *source = written.source(kind);
            }
        }
    }
    let nothing = || Bundle::of(&Document::of("", &empty(None), Vec::new()), &|_| None, order.view.clone(), "");
    let mut bundle = bundle.unwrap_or_else(nothing);
    bundle.results = order.known.clone();
    bundle.runs = order.runs.clone();
    (bundle, sources)
}

fn empty(cluster: Option<Cluster>) -> Scenario {
    let cluster = cluster.unwrap_or_else(|| sample::scenario(0).cluster);
    Scenario { trace: Default::default(), curves: Default::default(), cluster, conditions: Conditions::default() }
}

/// The source of data: by name where they are drawn or built in, or the data themselves.
fn source(data: &OrderedData, cluster: Cluster) -> Option<DataSource> {
    let mut scenario = empty(Some(cluster));
    match data {
        OrderedData::Known(source) => Some(source.clone()),
        OrderedData::Jobs(trace, drawn) => {
            // Jobs of another seed than the scenario's are not those that the document would draw.
            let drawn = drawn.as_ref().filter(|(jobs, seed)| jobs.trace(*seed) == **trace);
            if drawn.is_none() {
                scenario.trace = trace.clone();
            }
            let mut document = Document::of("", &scenario, Vec::new());
            match drawn {
                Some((DrawnJobs::Sample, _)) => document.jobs = JobSource::Sample(SampleJobs::default()),
                Some((DrawnJobs::Generated(spec), _)) => {
                    document.jobs = JobSource::Generated(GeneratedJobs { spec: spec.clone(), seed: None });
                }
                None => {}
            }
            document.source(DataKind::Jobs)
        }
        OrderedData::Curves(curves, name) => {
            let published = name.as_deref().and_then(Published::named).filter(|table| table.curves() == **curves);
            let is_sample = **curves == sample::curves();
            if !is_sample && published.is_none() {
                scenario.curves = curves.clone();
            }
            let mut document = Document::of("", &scenario, Vec::new());
            if is_sample {
                document.curves = CurveSource::Sample {};
            } else if let Some(table) = published {
                document.curves = CurveSource::Published(PublishedName(table));
            }
            document.source(DataKind::Curves)
        }
        OrderedData::Log(log) => {
            scenario.conditions.availability = Some(log.clone());
            Document::of("", &scenario, Vec::new()).source(DataKind::Availability)
        }
    }
}
