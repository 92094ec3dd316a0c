//! Tables of the report: metrics, runs, and plain ones.

use elastiplan_text::words::counted;

use super::html::{escaped, isolated, tag};
use crate::run_table::{RunCell, RunTable};
use crate::runs::{COLOURS, RunEntry, RunState, shown};

/// Rows of a plain table.
const PLAIN_ROWS_MAX: usize = 60;
/// With more runs, metrics stand in columns.
const RUNS_ACROSS: usize = 4;

/// The badge of a run.
pub fn badge(slot: usize, letter: &str) -> String {
    format!("<b class=\"badge p{}\">{}</b>", slot.min(COLOURS), escaped(letter))
}

/// The badge of a slot.
fn badge_of(slot: usize) -> String {
    badge(slot, &elastiplan_compare::Badge::of_slot(slot).map(elastiplan_compare::Badge::letter).unwrap_or_default())
}

/// The table of metrics as the page has it: metrics down and runs across, or with many runs the other way round.
pub fn metrics(table: &RunTable) -> String {
    let name = |slot: usize, name: &str| format!("{} {}", badge_of(slot), isolated(name));
    let heads_of_runs: Vec<String> = table.rows.iter().map(|row| name(row.slot, &row.name)).collect();
    let cell = |cell: &RunCell, is_baseline: bool| {
        let below = match (&cell.difference, is_baseline) {
            (Some(difference), _) => {
                let class = match difference.is_better {
                    Some(true) => "better",
                    Some(false) => "worse",
                    None => "",
                };
                tag("small", class, &escaped(&difference.text))
            }
            (None, true) => tag("small", "", "baseline"),
            (None, false) => String::new(),
        };
        let meets = if cell.meets_goal == Some(true) { "✓ " } else { "" };
        tag("td", if cell.is_best { "best" } else { "" }, &format!("{meets}{} {below}", escaped(&cell.value)))
    };
    let (heads, rows): (Vec<String>, Vec<(String, String)>) = if table.rows.len() <= RUNS_ACROSS {
        let row = |(at, column): (usize, &crate::run_table::Column)| {
            let cells = table.rows.iter().filter_map(|row| Some(cell(row.cells.get(at)?, row.is_baseline && at == 0)));
            (escaped(column.label), cells.collect())
        };
        (heads_of_runs, table.columns.iter().enumerate().map(row).collect())
    } else {
        let heads = table.columns.iter().map(|column| escaped(column.label)).collect();
        let row = |(row, head): (&crate::run_table::RunRow, &String)| {
            let cells = row.cells.iter().enumerate().map(|(at, of)| cell(of, row.is_baseline && at == 0));
            (head.clone(), cells.collect())
        };
        (heads, table.rows.iter().zip(&heads_of_runs).map(row).collect())
    };
    let corner = if table.rows.len() <= RUNS_ACROSS { "Metric" } else { "Run" };
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let rows = rows.iter().map(|(head, cells)| format!("<tr><th scope=\"row\">{head}</th>{cells}</tr>\n"));
    format!(
        "<div class=\"scroll\"><table class=\"metrics\"><thead><tr><th scope=\"col\">{corner}</th>{heads}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
        rows.collect::<String>()
    )
}

/// The runs: what each of them is, and how it differs from the others.
pub fn runs(entries: &[RunEntry]) -> String {
    let row = |entry: &RunEntry| {
        let mut about = vec![match entry.differs.as_slice() {
            [] => "Nothing but the policy".to_string(),
            differs => differs.join(", "),
        }];
        about.extend(entry.is_pinned.then(|| "pinned: keeps the inputs that it had".into()));
        about.extend(entry.own_workload.is_some().then(|| "runs other jobs".into()));
        about.extend(match &entry.state {
            RunState::Finished => None,
            RunState::Cancelled => Some("stopped before its end".into()),
            RunState::Failed(failure) => Some(format!("ended by an error: {}", failure.message)),
            RunState::Started | RunState::Running(_) => Some("not at its end yet".into()),
        });
        let policy = entry.policy.to_string();
        let name = entry.label.as_deref().map(isolated).unwrap_or_default();
        let cells = [
            tag("td", "", &badge(entry.slot, &entry.letter())),
            tag("td", "", &format!("{name} <code>{}</code>", escaped(&policy))),
            tag("td", "", &escaped(&about.join("; "))),
        ];
        tag("tr", "", &cells.concat())
    };
    let rows: String = shown(entries).map(row).collect();
    format!(
        "<div class=\"scroll\"><table class=\"runs\"><thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Policy with its settings</th>\
         <th scope=\"col\">What differs</th></tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
    )
}

/// A table of text, heads first; its first rows where there are many.
pub fn plain(rows: &[Vec<String>]) -> String {
    let [heads, all @ ..] = rows else { return String::new() };
    let rows = all.get(..PLAIN_ROWS_MAX).unwrap_or(all);
    let more = match all.len() - rows.len() {
        0 => String::new(),
        more => tag("p", "caption", &escaped(&format!("And {}", counted(more as u64, "more row", "more rows")))),
    };
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escaped(head))).collect();
    let row =
        |row: &Vec<String>| tag("tr", "", &row.iter().map(|cell| tag("td", "", &escaped(cell))).collect::<String>());
    format!(
        "<div class=\"scroll\"><table><thead><tr>{heads}</tr></thead>\n<tbody>{}</tbody></table></div>\n{more}",
        rows.iter().map(row).collect::<String>()
    )
}
