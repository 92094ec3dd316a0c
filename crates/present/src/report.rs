//! The report: one HTML file to print or send, without a script and without any request.
//!
//! [`Report::html`] makes it from data alone, so that the page and the command line write the same. Everything in it is
//! escaped, and the file forbids itself whatever is not its own stylesheet.

mod foot;
mod html;
mod jobs;
mod settings;
mod strip;
mod tables;
#[cfg(test)]
mod tests;

use elastiplan_model::{Diagnostic, Severity, Workload};
use elastiplan_scenario::Scenario;
use elastiplan_text::{format, words};

use crate::charts::{Spread, distribution};
use crate::comparable::notes;
use crate::drawing::svg::plain_svg;
use crate::figure::Figure;
use crate::findings;
use crate::goal::Goal;
use crate::paper::Paper;
use crate::run_table::RunTable;
use crate::runs::{RunEntry, shown};
use crate::verdict::{Phrase, Tone, Verdict};
use html::{escaped, isolated, section, tag};

/// The stylesheet of the file.
const STYLE: &str = include_str!("report/report.css");
/// The hash of the stylesheet, by which the file and the page (`index.html`) allow it and nothing else.
pub const STYLE_HASH: &str = "sha256-xeYRtRUlZ3bj+Bf6N0OWF4jC3ZQnmOF6+wNP44HmF9c=";
/// Findings that are listed.
const FINDINGS_MAX: usize = 40;
/// Sizes of the figure in CSS pixels: beside A4's margins, and on a narrow screen.
const FIGURE_PX: (f64, f64) = (680.0, 236.0);
const NARROW_PX: (f64, f64) = (346.0, 280.0);

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What the scenario is called.
    pub title: &'a str,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The runs; hidden ones are left out.
    pub runs: &'a [RunEntry],
    /// The jobs they ran.
    pub workload: &'a Workload,
    /// What they are judged by.
    pub goal: Goal,
    /// Keys of the metrics of the table, in their order; `None` for those that the page shows at first.
    pub columns: Option<&'a [&'a str]>,
    /// Results of a paper beside them.
    pub paper: &'a Paper,
    /// Where jobs, curves and the log of nodes came from, a line each.
    pub sources: &'a [String],
    /// What was found in them: left out, filled in, assumed.
    pub findings: &'a [Diagnostic],
    /// What else is assumed, in words.
    pub assumed: &'a [String],
    /// The study, where there is one with results.
    pub study: Option<StudyPart>,
    /// How it is run again.
    pub origin: Origin,
    /// What made it: `Elastiplan build 4711`.
    pub software: &'a str,
    /// The day, in words; `None` where the file is to be the same every day.
    pub date: Option<&'a str>,
    /// What it contains.
    pub parts: Parts,
}

/// What a report contains beside assumptions, settings and provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The verdict with its price, and the table of metrics.
    pub verdict: bool,
    /// GPUs in use over time, a strip for each run.
    pub timelines: bool,
    /// How completion times are distributed.
    pub distribution: bool,
    /// Rows of the table of jobs at most; 0 for no table.
    pub jobs: usize,
}

impl Default for Parts {
    fn default() -> Self {
        Self { verdict: true, timelines: true, distribution: true, jobs: 0 }
    }
}

/// The way back to the scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The link, where the scenario fits one.
    pub link: Option<String>,
    /// Why there is none, or what it leaves out.
    pub note: Option<String>,
    /// Files that the link needs: name, hash and bytes.
    pub needs: Vec<(String, String, u64)>,
    /// The command that runs it again.
    pub command: Option<String>,
}

/// A study in words and as a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPart {
    /// The answer in a sentence.
    pub sentence: String,
    /// The table, heads first.
    pub table: Vec<Vec<String>>,
    /// The figure.
    pub figure: Option<Figure>,
}

impl Report<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let mut body = self.head();
        if self.parts.verdict {
            body += &self.verdict();
            body += &self.metrics();
        }
        if self.parts.timelines {
            body += &section("GPUs in use", &strip::strips(self.runs, self.workload));
        }
        if self.parts.distribution {
            body += &self.distribution();
        }
        body += &self.study();
        body += &section("Runs", &tables::runs(self.runs));
        body += &self.assumptions();
        body += &section("Settings", &settings::settings(self.scenario));
        if self.parts.jobs > 0 {
            body += &jobs::jobs(self.runs, self.workload, self.parts.jobs);
        }
        body += &foot::foot(self);
        page(self.title, &body)
    }

    /// Title, and the facts in a line.
    fn head(&self) -> String {
        let Scenario { cluster, conditions, .. } = self.scenario;
        let jobs = words::counted(self.workload.jobs().len() as u64, "job", "jobs");
        let runs = words::counted(shown(self.runs).count() as u64, "run", "runs");
        let gpus = format!("{} × {} GPUs", format::count(cluster.nodes().into()), cluster.gpus_per_node());
        let facts = [jobs, gpus, format!("seed {}", conditions.seed), runs];
        let facts: Vec<String> = facts.into_iter().chain(self.date.map(String::from)).collect();
        format!(
            "<header>{MARK}<h1>{}</h1>{}</header>\n",
            isolated(self.title),
            tag("p", "facts", &escaped(&facts.join(" · ")))
        )
    }

    fn verdict(&self) -> String {
        let verdict = Verdict::of(self.runs, self.workload, &self.goal);
        let phrase = |phrase: &Phrase| match phrase.tone {
            Tone::Plain => escaped(&phrase.text),
            Tone::Strong => tag("b", "", &escaped(&phrase.text)),
            Tone::Worse => tag("span", "worse", &escaped(&phrase.text)),
            Tone::Bad => tag("span", "bad", &escaped(&phrase.text)),
        };
        let second: String = verdict.second.iter().map(phrase).collect();
        let goal = format!("Judged by {}", self.goal);
        let parts = [
            tag("p", "headline", &escaped(&verdict.headline)),
            if second.is_empty() { String::new() } else { tag("p", "second", &second) },
            tag("p", "caption", &escaped(&goal)),
        ];
        format!("<section class=\"verdict\">\n{}</section>\n", parts.concat())
    }

    fn metrics(&self) -> String {
        let first = RunTable::default_columns(self.runs, &self.goal);
        let columns = self.columns.unwrap_or(&first);
        let table = RunTable::of(self.runs, self.workload, &self.goal, columns, None);
        let notes: String =
            notes(self.runs, self.workload).iter().map(|note| tag("p", "caption", &escaped(note))).collect();
        section("Metrics", &(tables::metrics(&table) + &notes))
    }

    fn distribution(&self) -> String {
        let figure = distribution(Spread::Completion, self.runs, self.workload, self.paper, None);
        if figure.is_empty() { String::new() } else { section(&figure.title, &drawn(&figure)) }
    }

    fn study(&self) -> String {
        let Some(StudyPart { sentence, table, figure }) = &self.study else { return String::new() };
        let figure = figure.as_ref().map(drawn).unwrap_or_default();
        let about =
            if table.is_empty() { String::new() } else { tag("p", "caption", "Means with their 95% intervals") };
        section("Study", &(tag("p", "answer", &escaped(sentence)) + &figure + &tables::plain(table) + &about))
    }

    /// Where the data came from, what was assumed of them, and what was left out.
    fn assumptions(&self) -> String {
        let sources: String = self.sources.iter().map(|source| tag("li", "", &isolated(source))).collect();
        let lines = findings::lines(self.findings);
        let more = lines.len().saturating_sub(FINDINGS_MAX);
        let assumed = self.assumed.iter().map(|words| (Severity::Info, words.clone()));
        // What was left out comes first.
        let of = |wanted: Severity| lines.iter().filter(move |(severity, _)| *severity == wanted).cloned();
        let all = of(Severity::Error).chain(of(Severity::Warning)).chain(of(Severity::Info));
        let lines: Vec<(Severity, String)> = assumed.chain(all.take(FINDINGS_MAX)).collect();
        let line = |(severity, words): &(Severity, String)| {
            let (class, mark, word) = match severity {
                Severity::Error => ("bad", "✕", "Left out"),
                Severity::Warning => ("worse", "!", "Warning"),
                Severity::Info => ("ink-2", "i", "Assumed"),
            };
            let mark = format!("<b class=\"mark {class}\" title=\"{word}\">{mark}</b>");
            format!("<li>{mark} {}</li>\n", isolated(words))
        };
        let found = match lines.is_empty() {
            true => tag("p", "", "Nothing was left out, filled in or assumed."),
            false => format!("<ul class=\"found\">{}</ul>\n", lines.iter().map(line).collect::<String>()),
        };
        let more = match more {
            0 => String::new(),
            more => tag("p", "caption", &escaped(&format!("And {} more", format::count(more as u64)))),
        };
        let sources = if sources.is_empty() { sources } else { format!("<ul>{sources}</ul>\n") };
        section("Data, and what is assumed or left out", &(sources + &found + &more))
    }
}

/// A figure for paper and for narrow screens, with its summary and notes below.
fn drawn(figure: &Figure) -> String {
    let svg = |class: &str, size: (f64, f64)| format!("<div class=\"{class}\">{}</div>\n", plain_svg(figure, size));
    let notes = std::iter::once(&figure.summary).chain(&figure.notes).filter(|note| !note.is_empty());
    let notes: String = notes.map(|note| tag("p", "caption", &escaped(note))).collect();
    format!("<figure>{}{}{notes}</figure>\n", svg("wide", FIGURE_PX), svg("narrow", NARROW_PX))
}

/// The sign of the program.
const MARK: &str = "<p class=\"brand\"><svg viewBox=\"0 0 24 24\" width=\"16\" height=\"16\" aria-hidden=\"true\">\
<rect x=\"3\" y=\"4\" width=\"11\" height=\"4\" rx=\"1\" fill=\"#00654c\"/><rect x=\"8\" y=\"10\" width=\"13\" height=\"4\" rx=\"1\" fill=\"#1f5fd0\"/>\
<rect x=\"5\" y=\"16\" width=\"8\" height=\"4\" rx=\"1\" fill=\"#933900\"/></svg> Elastiplan</p>\n";

/// The document about a body. It may load nothing, run nothing, and be styled by its own stylesheet only.
fn page(title: &str, body: &str) -> String {
    let policy = format!("default-src 'none'; style-src '{STYLE_HASH}'; base-uri 'none'; form-action 'none'");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escaped(title)
    )
}
