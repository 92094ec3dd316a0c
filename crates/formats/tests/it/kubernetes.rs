//! Jobs of Kubernetes, as objects in JSON and in YAML.

#[cfg(feature = "yaml")]
use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::{as_text, read};

/// Compares what comes of objects with what is expected: all but what is assumed for every job.
fn check(text: &str, expected: Expect) {
    let import = read(&[("x.json", text.as_bytes())]);
    crate::assert_adds_up(&import);
    let is_told = |line: &&str| {
        !line.contains(". No ") && !line.contains(". Read so; it has no ") && !line.contains("as this source")
    };
    let told = as_text(&import);
    expected.assert_eq(&told.lines().filter(is_told).map(|line| format!("{line}\n")).collect::<String>());
}

/// An object of a kind, submitted at midnight.
fn object(kind: &str, name: &str, metadata: &str, spec: &str, status: &str) -> String {
    format!(
        "{{\"apiVersion\": \"x/v1\", \"kind\": \"{kind}\", \"metadata\": {{\"name\": \"{name}\", \"namespace\": \"nlp\", \
         \"creationTimestamp\": \"2026-07-01T00:00:00Z\"{metadata}}}, \"spec\": {{{spec}}}, \"status\": {{{status}}}}}"
    )
}

/// The template of pods with GPUs.
fn template(gpus: u32) -> String {
    let gpus = format!("{{\"resources\": {{\"limits\": {{\"cpu\": \"4\", \"nvidia.com/gpu\": \"{gpus}\"}}}}}}");
    format!("\"template\": {{\"spec\": {{\"containers\": [{{\"name\": \"side\"}}, {gpus}]}}}}")
}

fn list(objects: &[String]) -> String {
    format!(
        "{{\"apiVersion\": \"v1\", \"items\": [{}], \"kind\": \"List\", \"metadata\": {{\"resourceVersion\": \"\"}}}}",
        objects.join(", ")
    )
}

const RAN: &str = "\"startTime\": \"2026-07-01T00:01:00Z\", \"completionTime\": \"2026-07-01T01:01:00Z\"";

#[test]
fn jobs_of_every_kind() {
    let failed = "\"startTime\": \"2026-07-01T00:01:00Z\", \"conditions\": [\
        {\"type\": \"Suspended\", \"status\": \"False\", \"lastTransitionTime\": \"2026-07-01T00:01:00Z\"}, \
        {\"type\": \"Failed\", \"status\": \"True\", \"lastTransitionTime\": \"2026-07-01T00:31:00Z\"}]";
    let admitted = "\"conditions\": [\
        {\"type\": \"QuotaReserved\", \"status\": \"True\", \"lastTransitionTime\": \"2026-07-01T00:02:00Z\"}, \
        {\"type\": \"Finished\", \"status\": \"True\", \"lastTransitionTime\": \"2026-07-01T00:32:00Z\"}]";
    let volcano = "\"conditions\": [{\"status\": \"Pending\", \"lastTransitionTime\": \"2026-07-01T00:00:00Z\"}, \
        {\"status\": \"Running\", \"lastTransitionTime\": \"2026-07-01T00:10:00Z\"}], \
        \"state\": {\"phase\": \"Completed\", \"lastTransitionTime\": \"2026-07-01T02:10:00Z\"}";
    let queue = ", \"labels\": {\"kueue.x-k8s.io/queue-name\": \"team\"}, \
        \"annotations\": {\"kueue.x-k8s.io/job-min-parallelism\": \"2\"}";
    let (one, two, eight) = (template(1), template(2), template(8));
    let objects = [
        object("Job", "parallel", queue, &format!("\"parallelism\": 4, \"completions\": 9, {two}"), RAN),
        object("Job", "failed", "", &format!("\"parallelism\": 4, \"completions\": 1, {eight}"), failed),
        object(
            "Workload",
            "admitted",
            "",
            &format!("\"queueName\": \"q\", \"podSets\": [{{\"count\": 3, {two}}}]"),
            admitted,
        ),
        object(
            "PyTorchJob",
            "elastic",
            "",
            &format!(
                "\"elasticPolicy\": {{\"minReplicas\": 1, \"maxReplicas\": 6}}, \"pytorchReplicaSpecs\": {{\
                 \"Master\": {{{one}}}, \"Worker\": {{\"replicas\": 3, {two}}}}}"
            ),
            RAN,
        ),
        object(
            "MPIJob",
            "mpi",
            "",
            &format!(
                "\"mpiReplicaSpecs\": {{\"Launcher\": {{\"template\": {{}}}}, \"Worker\": {{\"replicas\": 2, {eight}}}}}"
            ),
            RAN,
        ),
        object(
            "Job",
            "volcano",
            "",
            &format!(
                "\"queue\": \"v\", \"tasks\": [{{\"replicas\": 1, \"template\": {{}}}}, {{\"replicas\": 3, {one}}}]"
            ),
            volcano,
        ),
    ];
    check(
        &list(&objects),
        expect![[r#"
            x.json: Kubernetes jobs, 6 jobs; 6 rows read
            = nlp/parallel row 1 at 1782864000 unknown on 8 (Some(4) to None), 3600 s, by team
            = nlp/failed row 2 at 1782864000 unknown on 8, 1800 s, by nlp
            = nlp/admitted row 3 at 1782864000 unknown on 6, 1800 s, by q
            = nlp/elastic row 4 at 1782864000 unknown on 7 (Some(3) to Some(13)), 3600 s, by nlp
            = nlp/mpi row 5 at 1782864000 unknown on 16, 3600 s, by nlp
            = nlp/volcano row 6 at 1782864000 unknown on 3, 7200 s, by v
        "#]],
    );
    // Several documents, one after the other, are the same as a list.
    let text = |text: &str| crate::given(&read(&[("x", text.as_bytes())]));
    assert_eq!(text(&objects.join("\n")), text(&list(&objects)));
}

#[test]
fn objects_that_are_no_job_that_ran() {
    let (one, half) = (template(1), "\"template\": {\"spec\": {\"containers\": []}}");
    let running = "\"startTime\": \"2026-07-01T00:01:00Z\"";
    let early = "\"startTime\": \"2026-07-01T00:01:00Z\", \"completionTime\": \"2026-07-01T00:00:30Z\"";
    let at_once = "\"startTime\": \"2026-07-01T00:01:00Z\", \"completionTime\": \"2026-07-01T00:01:00Z\"";
    let owner =
        |kind: &str, name: &str| format!(", \"ownerReferences\": [{{\"kind\": \"{kind}\", \"name\": \"{name}\"}}]");
    let pods = format!("\"podSets\": [{{\"count\": 1, {one}}}]");
    check(
        &list(&[
            object("Job", "waiting", "", &one, ""),
            object("Job", "running", "", &one, running),
            object("Job", "early", "", &one, early),
            object("Job", "instant", "", &one, at_once),
            object("Job", "cpu", "", half, RAN),
            object("Job", "good", "", &one, RAN),
            object("Workload", "job-good", &owner("Job", "good"), &pods, RAN),
            object("Workload", "pytorchjob-b", &owner("PyTorchJob", "b"), &pods, RAN),
            object("PyTorchJob", "b", "", &format!("\"pytorchReplicaSpecs\": {{\"Worker\": {{{one}}}}}"), RAN),
            object("Job", "nightly-1", &owner("CronJob", "nightly"), &one, RAN),
            object("Job", "nightly-2", &owner("CronJob", "nightly"), &one, RAN),
            object("Job", "half", "", &template(70_000), RAN),
            object("Pod", "pod", "", "", ""),
            "5".into(),
        ]),
        expect![[r#"
            x.json: Kubernetes jobs, 4 jobs; 14 rows read, 10 left out
            x x.json, row 3, completionTime: -30. An end after the start. Row left out. Correct one of the two
            x x.json, row 12, nvidia.com/gpu: 70000. Whole number from 1 to 65,536. Row left out. Correct the value
            i x.json, row 1: waiting. A job that ran: this is a job template, which says neither when jobs were submitted nor how long they ran. Row left out. Write jobs that have finished by kubectl get jobs -A -o json
            i x.json, row 2, completionTime: nlp/running. A job that ended. Row left out. Nothing to do: how long it will run is not known
            i x.json, row 4, completionTime: 0. A job runs for some time. Row left out. Nothing to do: a job of 0 s uses no GPU time
            i x.json, row 5, nvidia.com/gpu: nlp/cpu. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
            i x.json, rows 7, 9, metadata.name: nlp/job-good, nlp/b. One object for a job: the first. Row left out. Nothing to do: a Workload and the job that it admits are one
            i x.json, rows 13, 14: Pod. A Job, Workload, PyTorchJob, TFJob, MPIJob, XGBoostJob, PaddleJob or JAXJob. Row left out. Nothing to do: other objects are no jobs
            = nlp/good row 6 at 1782864000 unknown on 1, 3600 s, by nlp
            = nlp/pytorchjob-b row 8 at 1782864000 unknown on 1, 3600 s, by nlp
            = nlp/nightly-1 row 10 at 1782864000 unknown on 1, 3600 s, by nlp
            = nlp/nightly-2 row 11 at 1782864000 unknown on 1, 3600 s, by nlp
        "#]],
    );
}

#[test]
fn templates_and_other_objects_are_refused_with_a_way_out() {
    check(
        &object("Job", "train", "", &template(1), ""),
        expect![[r#"
        x.json: Kubernetes jobs. Not used. A job template alone (train): it is not said when jobs were submitted, nor how long they ran; 1 row read, 1 left out
        x x.json. A job template alone (train): it is not said when jobs were submitted, nor how long they ran. File not used. Write jobs that have finished by kubectl get jobs -A -o json, or a table with a row for each job: its submission, GPUs and run time
        i x.json, row 1: train. A job that ran: this is a job template, which says neither when jobs were submitted nor how long they ran. Row left out. Write jobs that have finished by kubectl get jobs -A -o json
    "#]],
    );
    check(
        &list(&[object("Job", "a", "", &template(1), ""), object("Job", "b", "", "", "")]),
        expect![[r#"
        x.json: Kubernetes jobs. Not used. Job templates alone (a, b): it is not said when jobs were submitted, nor how long they ran; 2 rows read, 2 left out
        x x.json. Job templates alone (a, b): it is not said when jobs were submitted, nor how long they ran. File not used. Write jobs that have finished by kubectl get jobs -A -o json, or a table with a row for each job: its submission, GPUs and run time
        i x.json, rows 1, 2: a, b. A job that ran: this is a job template, which says neither when jobs were submitted nor how long they ran. Row left out. Write jobs that have finished by kubectl get jobs -A -o json
    "#]],
    );
    check(
        &list(&[object("Node", "gpu-1", "", "", "")]),
        expect![[r#"
        x.json: Kubernetes jobs. Not used. Kubernetes objects, but none is a job: Node; 1 row read, 1 left out
        x x.json. Kubernetes objects, but none is a job: Node. File not used. Write jobs that have finished by kubectl get jobs -A -o json, or a table with a row for each job: its submission, GPUs and run time
        i x.json, row 1: Node. A Job, Workload, PyTorchJob, TFJob, MPIJob, XGBoostJob, PaddleJob or JAXJob. Row left out. Nothing to do: other objects are no jobs
    "#]],
    );
    check(
        &list(&[]),
        expect![[r#"
        x.json: Kubernetes jobs. Not used. There are no rows below the header
        x x.json. There are no rows below the header. File not used. Check that the file was saved to the end
    "#]],
    );
    let cut = list(&[object("Job", "a", "", &template(1), RAN), object("Job", "b", "", &template(1), RAN)]);
    check(
        &cut[..cut.len() - 200],
        expect![[r#"
            x.json: Kubernetes jobs, 1 job; 1 row read
            x x.json. JSON: EOF while parsing a value at line 1 column 592. Read up to there; the rest left out. Check that the file was saved to the end, and that it is JSON as the standard has it: without comments, NaN and commas before brackets
            = nlp/a row 1 at 1782864000 unknown on 1, 3600 s, by nlp
        "#]],
    );
}

/// GPUs of pods by template, replicas and containers are those of a plain sum.
#[test]
fn gpus_are_those_of_all_pods() {
    for (parallelism, completions, gpus, expected) in [
        (Some(3), None, 2, 6),
        (Some(3), Some(2), 2, 4),
        (Some(3), Some(5), 2, 6),
        (None, None, 2, 2),
        (None, Some(7), 8, 8),
    ] {
        let member =
            |name: &str, value: Option<u32>| value.map(|value| format!("\"{name}\": {value}, ")).unwrap_or_default();
        let spec = member("parallelism", parallelism) + &member("completions", completions) + &template(gpus);
        let import = read(&[("x", object("Job", "a", "", &spec, RAN).as_bytes())]);
        assert_eq!(import.trace.unwrap().jobs()[0].gpus_requested, expected, "{spec}");
    }
}

/// A value of JSON as YAML in the block style, as kubectl writes it.
#[cfg(feature = "yaml")]
fn as_yaml(value: &serde_json::Value, indent: usize, text: &mut String) {
    let blanks = " ".repeat(indent);
    match value {
        serde_json::Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                write!(text, "\n{blanks}{name}:").unwrap();
                as_yaml(value, indent + 2, text);
            }
        }
        serde_json::Value::Array(elements) if !elements.is_empty() => {
            for element in elements {
                write!(text, "\n{blanks}-").unwrap();
                as_yaml(element, indent + 2, text);
            }
        }
        other => write!(text, " {other}").unwrap(),
    }
}

#[cfg(feature = "yaml")]
mod yaml {
    use super::*;

    /// Objects as YAML give the same jobs as in JSON, in a list and as documents.
    #[test]
    fn the_same_jobs_as_in_json() {
        let objects: Vec<String> = (1..20)
            .map(|at| {
                let queue =
                    ", \"labels\": {\"kueue.x-k8s.io/queue-name\": \"007\"}, \"other\": {\"a\": [1, {\"b\": []}]}";
                let spec = format!("\"parallelism\": {at}, \"volumes\": [{{\"name\": [[1]]}}], {}", template(at % 3));
                object(["Job", "Workload"][at as usize % 2], &format!("a{at}"), queue, &spec, RAN)
            })
            .collect();
        let json = list(&objects);
        let block = |json: &str| {
            let mut text = String::new();
            as_yaml(&serde_json::from_str(json).unwrap(), 0, &mut text);
            text
        };
        let documents: String = objects.iter().map(|object| format!("---{}\n", block(object))).collect();
        let text = |text: &str| crate::given(&read(&[("x", text.as_bytes())]));
        let expected = text(&json);
        assert_eq!(expected.lines().count(), 13);
        assert_eq!(text(&block(&json)), expected);
        assert_eq!(text(&documents), expected);
        assert_eq!(text(&documents.replace('\n', "\r\n")), expected);
        // JSON is YAML.
        assert_eq!(text(&format!("# jobs\napiVersion: v1\nkind: List\nitems: [{}]\n", objects.join(",\n"))), expected);
    }

    #[test]
    fn broken_yaml() {
        let ran = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  creationTimestamp: \"2026-07-01T00:00:00Z\"\n\
            spec:\n  template:\n    spec:\n      containers:\n      - resources:\n          limits:\n            nvidia.com/gpu: 2\n\
            status:\n  startTime: 2026-07-01T00:01:00Z\n  completionTime: \"2026-07-01T01:01:00Z\"\n";
        check(
            ran,
            expect![[r#"
                x.json: Kubernetes jobs in YAML, 1 job; 1 row read
                = a row 1 at 1782864000 unknown on 2, 3600 s
            "#]],
        );
        check(
            &format!("{ran}---\napiVersion: batch/v1\nkind: [Job\n"),
            expect![[r#"
                x.json: Kubernetes jobs in YAML, 1 job; 1 row read
                x x.json. YAML: while parsing a flow sequence, expected ',' or ']' at byte 327 line 19 column 1. Read up to there; the rest left out. Check that the file was saved to the end
                = a row 1 at 1782864000 unknown on 2, 3600 s
            "#]],
        );
        check(
            &ran.replace("nvidia.com/gpu: 2", "nvidia.com/gpu: *two"),
            expect![[r#"
            x.json: Kubernetes jobs in YAML. Not used. There are no rows below the header
            x x.json. YAML: while parsing node, found unknown anchor at byte 206 line 12 column 29. Read up to there; the rest left out. Check that the file was saved to the end
            x x.json. There are no rows below the header. File not used. Check that the file was saved to the end
        "#]],
        );
        check(
            &ran.replace("limits:", "limits: &two"),
            expect![[r#"
                x.json: Kubernetes jobs in YAML, 1 job; 1 row read
                = a row 1 at 1782864000 unknown on 2, 3600 s
            "#]],
        );
        check(
            &format!("{ran}? [a, b]\n: c\n? {{d: e}}\n: [f]\n"),
            expect![[r#"
                x.json: Kubernetes jobs in YAML, 1 job; 1 row read
                = a row 1 at 1782864000 unknown on 2, 3600 s
            "#]],
        );
        let deep = format!("apiVersion: v1\nkind: List\nitems: {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
        check(
            &deep,
            expect![[r#"
            x.json: Kubernetes jobs in YAML. Not used. There are no rows below the header
            x x.json. YAML: recursion limit exceeded at byte 288 line 3 column 263. Read up to there; the rest left out. Check that the file was saved to the end
            x x.json. There are no rows below the header. File not used. Check that the file was saved to the end
        "#]],
        );
        check(
            &ran.replace("kind: Job", "kind: Job\nx: &two 2").replace("gpu: 2", "gpu: *two"),
            expect![[r#"
            ! x.json. YAML without aliases. Taken as missing. Write the value in its place, or write the objects by kubectl
            i x.json, row 1, nvidia.com/gpu: a. A job uses a GPU. Row left out. Nothing to do: a job without a GPU competes for none
        "#]],
        );
        // Anchors within anchors do not grow.
        let laughs: String = (1..60).map(|at| format!("a{at}: &a{at} [*a{}, *a{}]\n", at - 1, at - 1)).collect();
        check(
            &format!("apiVersion: v1\nkind: Job\na0: &a0 x\n{laughs}"),
            expect![[r#"
            x.json: Kubernetes jobs in YAML. Not used. A job template alone (empty): it is not said when jobs were submitted, nor how long they ran; 1 row read, 1 left out
            x x.json. A job template alone (empty): it is not said when jobs were submitted, nor how long they ran. File not used. Write jobs that have finished by kubectl get jobs -A -o json, or a table with a row for each job: its submission, GPUs and run time
            i x.json, row 1. A job that ran: this is a job template, which says neither when jobs were submitted nor how long they ran. Row left out. Write jobs that have finished by kubectl get jobs -A -o json
        "#]],
        );
    }
}

/// Without the feature, YAML is refused with the command that writes JSON.
#[cfg(not(feature = "yaml"))]
#[test]
fn yaml_is_refused_with_a_way_out() {
    check(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n",
        expect![[r#"
        x.json: Kubernetes jobs in YAML. Not used. YAML is read by the command line only
        x x.json. YAML is read by the command line only. File not used. Write the jobs as JSON: kubectl get jobs -A -o json
    "#]],
    );
}
