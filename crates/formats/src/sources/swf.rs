//! The Standard Workload Format of the Parallel Workloads Archive, version 2.2 (Feitelson), and its dialects with more
//! columns: comments after semicolons, then 18 numbers a line, -1 for what is not known.
//!
//! ```text
//! ; UnixStartTime: 843480031
//! 1 0 11464 4000 40 -1 -1 40 4000 -1 1 17 17 -1 -1 -1 -1 -1
//! ```

use super::job_rows::JobMaker;
use super::{GIVE_LAW, Known, Tell, TextReader, Treatment, is_number, left_out};
use crate::format::Rows;
use crate::mapping::NO_TIME;
use crate::report::FileKind;
use crate::text::findings::{Effect, Finding, Findings};
use crate::text::records::{Next, Records};

/// Numbers on a line of the standard.
const COLUMNS: usize = 18;
/// A delimiter that no text has: lines are split here.
const NO_DELIMITER: u8 = 0x1f;

const TOO_FEW: Finding = Finding::row_out("18 numbers on a line, or more", "Check that the file was saved to the end");
const NO_PROCESSORS: Finding =
    left_out("A number of processors, allocated or requested", "Nothing to do: how many it had is not known");
const NEVER_RAN: Finding = left_out("A job whose run time is known", "Nothing to do: -1 means that it is not known");
const BAD_START: Finding = Finding::new(
    Effect::Repaired,
    "UnixStartTime in seconds",
    "Times count from the start of the log",
    "Correct the comment to see dates",
);

pub(crate) static LOG: Known = Known {
    name: "Standard Workload Format",
    origin: "https://www.cs.huji.ac.il/labs/parallel/workload",
    tell: Tell::Start(is_swf),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::JobsKnown,
        read,
        lacks: "models, batch sizes or deadlines; jobs that failed are kept, as they held processors",
        next: GIVE_LAW,
        assumed: &[(
            "gpus",
            "A processor counts as a GPU: those allocated, or those requested where they are not known",
            "Check what a processor of this log is: in some it is a node",
        )],
    }),
};

/// Whether the first line that is no comment has 18 numbers or more, with blanks between them.
fn is_swf(start: &str) -> bool {
    let mut lines = start.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.find(|line| !line.starts_with(';')) else { return is_comment_of_swf(start) };
    let count = first.split_ascii_whitespace().count();
    count >= COLUMNS && !first.contains('\t') && first.split_ascii_whitespace().all(is_number)
}

/// Whether comments alone, which are all there is at the start of a log, are those of the format.
fn is_comment_of_swf(start: &str) -> bool {
    start.starts_with(';') && ["; MaxProcs:", "; MaxNodes:", "; UnixStartTime:"].iter().any(|key| start.contains(key))
}

const FIELDS: &[(&str, &str)] = &[
    ("job_id", "job number"),
    ("submit_s", "submit time"),
    ("gpus", "processors"),
    ("duration_s", "run time"),
    ("user", "user"),
];

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(mut maker) = JobMaker::new(FIELDS) else { return Rows::Jobs(Default::default()) };
    records.set_delimiter(NO_DELIMITER);
    records.ignore_quotes();
    let mut start_s = 0.0;
    loop {
        match records.next(None) {
            Next::End => break,
            Next::TooLong | Next::OpenQuote => {
                findings.begin_row(records.line());
                findings.row(TOO_FEW, String::new);
            }
            Next::Row => {
                let (row, line) = (records.row(), records.line());
                let text = String::from_utf8_lossy(row.cell(0));
                match text.strip_prefix(';') {
                    Some(comment) => comment_line(comment, line, &mut start_s, findings),
                    None => {
                        findings.begin_row(line);
                        add(line, &text, start_s, &mut maker, findings);
                    }
                }
            }
        }
    }
    Rows::Jobs(maker.finish(findings))
}

/// Reads the start of the log, if the comment says it.
fn comment_line(comment: &str, line: u64, start_s: &mut f64, findings: &mut Findings) {
    let Some((key, value)) = comment.split_once(':') else { return };
    if key.trim() != "UnixStartTime" {
        return;
    }
    match value.trim().parse::<f64>() {
        Ok(seconds) if (0.0..1e11).contains(&seconds) => *start_s = seconds,
        _ => {
            findings.begin_skipped_line(line);
            findings.row(BAD_START, || value.trim().into());
        }
    }
}

fn add(line: u64, text: &str, start_s: f64, maker: &mut JobMaker, findings: &mut Findings) {
    let cells: Vec<&str> = text.split_ascii_whitespace().collect();
    if cells.len() < COLUMNS {
        return findings.row(TOO_FEW, || format!("{} numbers", cells.len()));
    }
    let cell = |number: usize| cells.get(number - 1).copied().unwrap_or_default();
    let known = |number: usize| cell(number).parse::<f64>().ok().filter(|value| *value >= 0.0);
    let processors = [5, 8].into_iter().find(|&number| known(number).is_some_and(|count| count > 0.0));
    let Some(processors) = processors.map(cell) else {
        return maker.report(NO_PROCESSORS, "gpus", cell(5).as_bytes(), findings);
    };
    match known(4) {
        // A cell that is no number is for the reader of jobs to report.
        None if is_number(cell(4)) => return maker.report(NEVER_RAN, "duration_s", cell(4).as_bytes(), findings),
        Some(0.0) => return maker.report(NO_TIME, "duration_s", b"0", findings),
        _ => {}
    }
    let submit_s = match known(2) {
        Some(seconds) if start_s > 0.0 => (start_s + seconds).to_string(),
        _ => cell(2).to_string(),
    };
    let user = if known(12).is_some() { cell(12) } else { "" };
    let values = [cell(1), &submit_s, processors, cell(4), user].map(str::as_bytes);
    maker.add(line, &values, findings);
}
