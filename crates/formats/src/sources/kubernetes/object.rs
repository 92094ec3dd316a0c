//! What an object of Kubernetes says of a job: its name, its GPUs, and when it ran. Kinds differ in where their pods and
//! times stand; each is looked for in all places.

use crate::mapping::moment;
use crate::text::json::Json;

/// Kinds of objects that are jobs.
const JOBS: [&str; 9] =
    ["Job", "Workload", "PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "AdaptDLJob"];
/// GPUs among the resources of a container.
const GPUS: [&str; 2] = ["nvidia.com/gpu", "amd.com/gpu"];
/// Where Kubeflow's jobs have their pods, by role.
const REPLICA_SPECS: [&str; 6] = [
    "pytorchReplicaSpecs",
    "tfReplicaSpecs",
    "mpiReplicaSpecs",
    "xgbReplicaSpecs",
    "paddleReplicaSpecs",
    "jaxReplicaSpecs",
];
const QUEUE: &str = "kueue.x-k8s.io/queue-name";
const MIN_PARALLELISM: &str = "kueue.x-k8s.io/job-min-parallelism";

/// The members of objects that are read.
pub(super) const NAMES: &[&str] = &[
    "apiVersion",
    "kind",
    "metadata",
    "name",
    "generateName",
    "namespace",
    "creationTimestamp",
    "labels",
    "annotations",
    QUEUE,
    MIN_PARALLELISM,
    "ownerReferences",
    "spec",
    "parallelism",
    "completions",
    "elasticPolicy",
    "minReplicas",
    "maxReplicas",
    "template",
    "containers",
    "resources",
    "limits",
    "requests",
    "nvidia.com/gpu",
    "amd.com/gpu",
    "replicas",
    "tasks",
    "queue",
    "queueName",
    "runPolicy",
    "schedulingPolicy",
    "podSets",
    "count",
    "pytorchReplicaSpecs",
    "tfReplicaSpecs",
    "mpiReplicaSpecs",
    "xgbReplicaSpecs",
    "paddleReplicaSpecs",
    "jaxReplicaSpecs",
    "Master",
    "Worker",
    "Launcher",
    "PS",
    "Chief",
    "Evaluator",
    "Scheduler",
    "Server",
    "status",
    "startTime",
    "completionTime",
    "conditions",
    "type",
    "lastTransitionTime",
    "state",
    "phase",
];

/// The name of an object in its cluster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub kind: String,
    pub namespace: String,
    pub name: String,
}

impl Name {
    /// Whether it is of a kind that is a job.
    pub fn is_job(&self) -> bool {
        JOBS.contains(&self.kind.as_str())
    }

    /// `nlp/bert`.
    pub fn in_words(&self) -> String {
        if self.namespace.is_empty() { self.name.clone() } else { format!("{}/{}", self.namespace, self.name) }
    }
}

/// Pods of one template.
struct Pods {
    /// Whether an elastic policy changes their number.
    is_elastic: bool,
    count: f64,
    gpus_each: f64,
}

/// An object, as a job.
pub(super) struct Object {
    pub name: Name,
    /// The object that has made it.
    pub owner: Option<Name>,
    /// The time of its submission, as text; empty in a template.
    submitted: String,
    pub start_s: Option<f64>,
    pub end_s: Option<f64>,
    /// GPUs of all pods together.
    pub gpus: f64,
    gpus_min: Option<f64>,
    gpus_max: Option<f64>,
    /// The queue, or the namespace.
    pub user: String,
}

impl Object {
    /// Reads an object of any kind.
    pub fn of(json: &Json) -> Self {
        let (metadata, spec, status) = (json.member("metadata"), json.member("spec"), json.member("status"));
        let namespace = metadata.member("namespace").cell();
        let name =
            |json: &Json, name: String| Name { kind: json.member("kind").cell(), namespace: namespace.clone(), name };
        let own = [metadata.member("name").cell(), metadata.member("generateName").cell()];
        let owner = metadata.member("ownerReferences").list().first();
        let pods = pods(spec);
        let gpus = pods.iter().map(|pods| pods.count * pods.gpus_each).sum();
        let is_elastic = pods.iter().any(|pods| pods.is_elastic);
        let limit = |count: Option<f64>| {
            let count = count.filter(|_| is_elastic)?;
            let gpus_of = |pods: &Pods| pods.gpus_each * if pods.is_elastic { count } else { pods.count };
            Some(pods.iter().map(gpus_of).sum())
        };
        let elastic = spec.member("elasticPolicy");
        let least = metadata.member("annotations").member(MIN_PARALLELISM).number();
        Self {
            name: name(json, own.into_iter().find(|name| !name.is_empty()).unwrap_or_default()),
            owner: owner.map(|owner| name(owner, owner.member("name").cell())),
            submitted: metadata.member("creationTimestamp").cell(),
            start_s: start_s(status),
            end_s: end_s(status),
            gpus,
            gpus_min: limit(elastic.member("minReplicas").number().or(least)),
            gpus_max: limit(elastic.member("maxReplicas").number()),
            user: user(metadata, spec).unwrap_or(namespace),
        }
    }

    /// The time of its submission, as text; `None` in a template.
    pub fn submitted(&self) -> Option<&String> {
        Some(&self.submitted).filter(|text| !text.is_empty())
    }

    /// The fewest and the most GPUs, where the object says them and they fit the GPUs that the job had.
    pub fn limits(&self, gpus: u32) -> (Option<u32>, Option<u32>) {
        let whole = |count: f64| (count >= 1.0 && count.trunc() == count && count <= 65_536.0).then_some(count as u32);
        let least = self.gpus_min.and_then(whole).filter(|least| *least <= gpus);
        let most = self.gpus_max.and_then(whole).filter(|most| *most >= gpus);
        (least, most)
    }
}

/// The queue of a job, where it has one.
fn user(metadata: &Json, spec: &Json) -> Option<String> {
    let places = [
        metadata.member("labels").member(QUEUE),
        spec.member("queueName"),
        spec.member("queue"),
        spec.member("runPolicy").member("schedulingPolicy").member("queue"),
    ];
    places.iter().map(|place| place.cell()).find(|queue| !queue.is_empty())
}

/// The pods of a job, by template.
fn pods(spec: &Json) -> Vec<Pods> {
    let mut all = Vec::new();
    let mut add = |pods: &Json, count: Option<f64>, is_elastic| {
        all.push(Pods { is_elastic, count: count.unwrap_or(1.0), gpus_each: gpus_each(pods.member("template")) });
    };
    for (list, count) in [("tasks", "replicas"), ("podSets", "count")] {
        for set in spec.member(list).list() {
            add(set, set.member(count).number(), false);
        }
    }
    for specs in REPLICA_SPECS {
        for (role, set) in spec.member(specs).members() {
            add(set, set.member("replicas").number(), role == "Worker");
        }
    }
    if spec.member("template") != &Json::Missing {
        let (at_once, of_all) = (spec.member("parallelism").number(), spec.member("completions").number());
        let count = at_once.map(|at_once| of_all.map_or(at_once, |of_all| at_once.min(of_all)));
        add(spec, count, true);
    }
    all
}

/// The GPUs of a pod.
fn gpus_each(template: &Json) -> f64 {
    let of_container = |container: &Json| {
        let resources = container.member("resources");
        let of = |place: &Json| GPUS.iter().find_map(|name| place.member(name).number());
        of(resources.member("limits")).or_else(|| of(resources.member("requests"))).unwrap_or_default()
    };
    template.member("spec").member("containers").list().iter().map(of_container).sum()
}

/// The time of a member in seconds since 1970.
fn time_s(place: &Json, name: &str) -> Option<f64> {
    moment(place.member(name).cell().as_bytes())
}

/// The time at which a condition of one of these types came to hold.
fn condition_s(status: &Json, types: &[&str]) -> Option<f64> {
    let conditions = status.member("conditions").list();
    let holds = |condition: &&Json, name: &str| {
        condition.member("type").cell() == name && condition.member("status").cell().eq_ignore_ascii_case("true")
    };
    let found = types.iter().find_map(|name| conditions.iter().find(|condition| holds(condition, name)));
    time_s(found?, "lastTransitionTime")
}

fn start_s(status: &Json) -> Option<f64> {
    // Volcano's conditions have their phase as a status, and no type.
    let is_running = |condition: &&Json| condition.member("status").cell() == "Running";
    let running = || status.member("conditions").list().iter().rev().find(is_running);
    time_s(status, "startTime")
        .or_else(|| time_s(running()?, "lastTransitionTime"))
        .or_else(|| condition_s(status, &["Admitted", "QuotaReserved"]))
}

fn end_s(status: &Json) -> Option<f64> {
    let state = status.member("state");
    let has_ended = ["Completed", "Failed", "Terminated", "Aborted"].contains(&state.member("phase").cell().as_str());
    time_s(status, "completionTime")
        .or_else(|| condition_s(status, &["Complete", "Succeeded", "Failed", "Finished"]))
        .or_else(|| time_s(state, "lastTransitionTime").filter(|_| has_ended))
}
