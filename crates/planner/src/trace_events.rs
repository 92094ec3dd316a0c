//! Runs in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open.
//!
//! A run is a process; a job is a thread of it, with a complete event for each span. GPUs and jobs over time are counters.
//! Times are in microseconds on the clock of the trace, rounded. Source of the format: Google, *Trace Event Format*, 2016.
//!
//! ```json
//! {"displayTimeUnit":"ms","traceEvents":[
//! {"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"fixed"}},
//! {"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"job-0"}},
//! {"name":"running","cat":"job","ph":"X","pid":1,"tid":1,"ts":0,"dur":60000000,"args":{"gpus":8}},
//! {"name":"GPUs","ph":"C","pid":1,"tid":0,"ts":0,"args":{"in use":8,"free":0}}]}
//! ```

use elastiplan_model::Workload;
use serde::Serialize;

use crate::tables::Listed;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    display_time_unit: &'static str,
    trace_events: Vec<Event<'a>>,
}

/// An event of one of the phases that are used here.
#[derive(Serialize)]
struct Event<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    ph: &'static str,
    pid: usize,
    tid: usize,
    #[serde(rename = "ts", skip_serializing_if = "Option::is_none")]
    at_us: Option<i64>,
    #[serde(rename = "dur", skip_serializing_if = "Option::is_none")]
    duration_us: Option<i64>,
    args: Args,
}

/// What an event is about.
#[derive(Serialize)]
#[serde(untagged)]
enum Args {
    Name {
        name: String,
    },
    Span {
        gpus: u32,
    },
    Gpus {
        #[serde(rename = "in use")]
        in_use: u32,
        free: u32,
    },
    Jobs {
        running: u32,
        waiting: u32,
    },
}

/// These runs as one file. Jobs are those of `workload`, where a run has none of its own.
pub fn trace_events<'a>(runs: impl IntoIterator<Item: Into<Listed<'a>>>, workload: &'a Workload) -> Vec<u8> {
    let mut trace_events = Vec::new();
    for (pid, listed) in (1..).zip(runs) {
        let listed: Listed<'a> = listed.into();
        let name = match listed.differs.as_str() {
            "" => listed.run.policy.to_string(),
            differs => format!("{}, {differs}", listed.run.policy),
        };
        trace_events.push(name_event("process_name", (pid, 0), name));
        add_jobs(&mut trace_events, pid, &listed, workload);
        add_counts(&mut trace_events, pid, &listed);
    }
    // Names and whole numbers are written whatever they are.
    serde_json::to_vec(&File { display_time_unit: "ms", trace_events }).unwrap_or_default()
}

fn add_jobs<'a>(events: &mut Vec<Event<'a>>, pid: usize, listed: &Listed<'a>, workload: &'a Workload) {
    let spans = &listed.run.run.spans;
    for (id, job) in listed.workload(workload).trace().iter() {
        let tid = id.index() + 1;
        events.push(name_event("thread_name", (pid, tid), job.name.clone()));
        for span in spans.range_of(id).filter_map(|at| spans.get(at)) {
            let at_us = microseconds(span.start_s);
            events.push(Event {
                name: span.state.word(),
                cat: Some("job"),
                ph: "X",
                pid,
                tid,
                at_us: Some(at_us),
                duration_us: Some(microseconds(span.end_s) - at_us),
                args: Args::Span { gpus: span.gpus },
            });
        }
    }
}

fn add_counts(events: &mut Vec<Event<'_>>, pid: usize, listed: &Listed<'_>) {
    let series = &listed.run.run.series;
    let mut add = |name, time_s, args| {
        let at_us = Some(microseconds(time_s));
        events.push(Event { name, cat: None, ph: "C", pid, tid: 0, at_us, duration_us: None, args });
    };
    let gpus = series.gpus_in_use.iter().zip(&series.gpus_present);
    let jobs = series.jobs_running.iter().zip(&series.jobs_waiting);
    for (&time_s, ((&in_use, &present), (&running, &waiting))) in series.time_s.iter().zip(gpus.zip(jobs)) {
        add("GPUs", time_s, Args::Gpus { in_use, free: present.saturating_sub(in_use) });
        add("Jobs", time_s, Args::Jobs { running, waiting });
    }
}

fn name_event(name: &'static str, (pid, tid): (usize, usize), of: String) -> Event<'static> {
    Event { name, cat: None, ph: "M", pid, tid, at_us: None, duration_us: None, args: Args::Name { name: of } }
}

fn microseconds(time_s: f64) -> i64 {
    (time_s * 1e6).round() as i64
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;
    use serde_json::Value;

    use super::*;
    use crate::run;

    #[test]
    fn events_say_what_spans_and_counts_say() {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let runs = ["fixed", "equal-share"].map(|policy| run(&scenario, &workload, &policy.parse().unwrap()).unwrap());
        let file: Value = serde_json::from_slice(&trace_events(&runs, &workload)).unwrap();
        let events = file["traceEvents"].as_array().unwrap();
        for (pid, run) in (1..).zip(&runs) {
            let of = |phase: &str| {
                events.iter().filter(move |event| event["pid"] == pid && event["ph"] == phase).collect::<Vec<_>>()
            };
            assert_eq!(of("M")[0]["args"]["name"], run.policy.to_string());
            assert_eq!(of("M")[1]["args"]["name"], workload.trace().jobs()[0].name);
            let spans = &run.run.spans;
            let held = |gpus: f64, seconds: f64| gpus * seconds;
            let expected: f64 = (0..spans.len())
                .filter_map(|at| spans.get(at))
                .map(|span| held(span.gpus.into(), span.end_s - span.start_s))
                .sum();
            let of_event =
                |event: &&Value| held(event["args"]["gpus"].as_f64().unwrap(), event["dur"].as_f64().unwrap() / 1e6);
            let found: f64 = of("X").iter().map(of_event).sum();
            assert_eq!(of("X").len(), spans.len());
            assert!((found - expected).abs() <= 1e-6 * expected, "{found} of {expected} GPU-seconds");
            assert_eq!(of("C").len(), 2 * run.run.series.time_s.len());
        }
    }
}
