//! The command that does the same with the same files next time.

use elastiplan_formats::{FileReport, FileRole};
use yew::prelude::*;

use crate::dom;
use crate::state::data::Origin;
use crate::state::inputs::Inputs;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub command: Option<String>,
}

/// `Next time: elastiplan simulate ...`, with a button that copies it.
#[component]
pub(super) fn NextTime(props: &Props) -> Html {
    let Some(command) = props.command.clone() else { return Html::default() };
    let copied = command.clone();
    let onclick = Callback::from(move |_: MouseEvent| dom::copy_text(&copied));
    html! {
        <p class="merge-next"><span>{ "Next time, with these files:" }</span><code>{ command }</code>
            <button class="button button-small" {onclick}>{ "Copy" }</button></p>
    }
}

/// The command for the files in use; `None` unless jobs are of one file, and curves and log of one at most: the command
/// line takes one of each.
pub(super) fn command(inputs: &Inputs) -> Option<String> {
    let (data, conditions) = (&inputs.data, &inputs.conditions);
    let jobs = only(&data.trace_origin, FileRole::Jobs)?;
    let mut words = vec!["elastiplan simulate --jobs".to_string(), in_quotes(&jobs.path)];
    // A known source needs no mapping.
    if let Some(mapping) = jobs.mapping.as_ref().filter(|_| jobs.source.is_none()) {
        words.extend(["--map".into(), in_quotes(&mapping.to_string())]);
    }
    match &data.curves_origin {
        // Curves of several readings, or of none that the command line knows.
        Origin::Files(_) if !data.curves_before.is_empty() => return None,
        Origin::Files(_) => {
            words.extend(["--curves".into(), in_quotes(&only(&data.curves_origin, FileRole::Curves)?.path)]);
        }
        Origin::Sample | Origin::Generated(_) | Origin::Published(_) if conditions.law.is_some() => {}
        Origin::Sample | Origin::Generated(_) | Origin::Published(_) => return None,
    }
    if let Some(law) = conditions.law {
        words.push(format!("--law {law}"));
    }
    if let Some(deadlines) = conditions.deadline_tightness {
        words.push(format!("--deadlines {deadlines}"));
    }
    if let Some(models) = conditions.model_mix {
        words.push(format!("--models {models}"));
    }
    if let Some(log) = &data.log {
        let reading = &log.reading;
        let mut files = reading.files_of(FileRole::Availability);
        words.extend(["--availability".into(), in_quotes(&files.next().filter(|_| files.next().is_none())?.path)]);
    }
    let cluster = &inputs.cluster;
    if cluster.nodes() > 0 {
        words.push(format!("--nodes {}", cluster.nodes()));
    }
    words.push(format!("--gpus-per-node {}", cluster.gpus_per_node()));
    let mut policies: Vec<String> = Vec::new();
    for policy in inputs.runs().iter().map(|run| run.policy.to_string()) {
        if !policies.contains(&policy) {
            policies.push(policy);
        }
    }
    words.extend(policies.iter().map(|policy| format!("--policy {}", in_quotes(policy))));
    Some(words.join(" "))
}

/// The only file of a role; `None` if there are several, or none.
fn only(origin: &Origin, role: FileRole) -> Option<&FileReport> {
    let mut files = origin.reading()?.files_of(role);
    files.next().filter(|_| files.next().is_none())
}

/// An argument of a shell: in single quotes where it has letters that mean something there.
fn in_quotes(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/+:,".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::{Options, Source, import};

    use super::*;

    const JOBS: (&str, &str) = ("my jobs.csv", "job_id,submit_s,model,gpus,samples\na,0,bert,2,1000\n");
    const TABLE: (&str, &str) = ("own.csv", "name,submitted_ms,runtime_min,gpus\na,1700000000000,5,1\n");
    const CURVES: (&str, &str) = ("curves.csv", "model,gpus,samples_per_s\nbert,1,10\nbert,2,19\n");
    const OTHERS: (&str, &str) = ("others.csv", "model,gpus,samples_per_s\nvit,1,10\n");
    const LOG: (&str, &str) = ("idle.csv", "node,start_s,end_s\na,0,100\nb,50,90\n");

    /// The command after these files, loaded together, with a law or without.
    fn check(files: &[(&str, &'static str)], law: Option<&str>, expected: Option<&str>) {
        let mut inputs = Inputs::sample();
        let sources = files.iter().map(|&(name, text)| Source::from_bytes(name, text.as_bytes())).collect();
        inputs.data = inputs.data.with(import(sources, &Options::default(), &mut |_| {}), 1, 0.0).0.unwrap();
        inputs.conditions.law = law.map(|law| law.parse().unwrap());
        let rest = " --nodes 16 --gpus-per-node 8 --policy fixed --policy equal-share --policy elastic-dp";
        let expected = expected.map(|start| format!("elastiplan simulate {start}{rest}"));
        assert_eq!(command(&inputs), expected, "{files:?}");
    }

    #[test]
    fn files_that_the_command_line_takes() {
        check(&[JOBS, CURVES], None, Some("--jobs 'my jobs.csv' --curves curves.csv"));
        check(
            &[TABLE],
            Some("amdahl:0.05"),
            Some(
                "--jobs own.csv --map 'job_id=name submit_s=submitted_ms ms gpus=gpus duration_s=runtime_min min' --law amdahl:0.05",
            ),
        );
        check(&[JOBS, CURVES, LOG], None, Some("--jobs 'my jobs.csv' --curves curves.csv --availability idle.csv"));
        check(&[JOBS], None, None);
        check(&[JOBS, CURVES, OTHERS], None, None);
        check(&[CURVES], None, None);
    }
}
