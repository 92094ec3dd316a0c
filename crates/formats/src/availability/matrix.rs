//! Availability as a matrix: a row for each moment, a column for each node, 1 where the node is available. Idle-node
//! logs have this shape when a data frame is written to CSV; the column of times may then have no name.
//!
//! ```csv
//! timestamp,a01n01,a01n13,a02n07
//! 2021-02-10 20:21:15,0,1,0
//! 2021-02-10 20:22:36,0,1,1
//! ```

use std::collections::BTreeSet;

use elastiplan_model::Availability;
use elastiplan_model::order;

use crate::availability::counts::COUNT_NAMES;
use crate::availability::events::STATE_NAMES;
use crate::availability::gaps;
use crate::availability::log::{self, Draft, Intervals, NODE_NAMES, TIME_NAMES};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::cells::Cells;
use crate::text::clock::{self, Clock, Reading};
use crate::text::findings::{Effect, Finding, UsedRow};
use crate::text::header::{Column, Fit, Header, Spec};
use crate::text::records::Records;
use crate::text::table::Table;
use crate::text::times::Times;
use crate::text::values::{self, Cell};

pub(crate) static FORMAT: Format = Format {
    kind: FileKind::AvailabilityMatrix,
    spec: &Spec::NONE,
    fit: |_, header| fit(header),
    // Any column may be a node.
    knows: |_, _| true,
    read: |table, _| Rows::Availability(read(table)),
};

/// Bytes of the rows that are looked at: a few rows of thousands of nodes.
const PEEK: usize = 1 << 16;

const BAD_STATE: Finding = Finding::new(
    Effect::Repaired,
    values::FLAG,
    "The node stays as in the row before",
    "Write 1 where the node is there, else 0",
);
const CONTRADICTION: Finding = Finding::new(
    Effect::Repaired,
    "One row for a time",
    "Nodes on which the rows differ stay as in the row before",
    "Keep the row that holds",
);

/// Nodes may have any names: a header fits if it has a column of times above times, cells of 0 and 1 elsewhere, and no
/// column of another shape of log.
fn fit(header: &Header) -> Fit {
    let other = [NODE_NAMES, STATE_NAMES, COUNT_NAMES].iter().any(|names| header.find_any(names).is_some());
    if header.has_states && !other {
        Fit { found: 1, missing: Vec::new() }
    } else {
        Fit { found: 0, missing: vec![TIME_NAMES] }
    }
}

/// The column of times: by its name, or the first if that has none.
fn time_column(header: &Header) -> Option<Column> {
    header.find_any(TIME_NAMES).or_else(|| header.column(0).filter(|column| column.name.is_empty()))
}

/// Whether the first rows hold times, and mostly 0 and 1 elsewhere. The header is the record read last.
pub(crate) fn has_states(header: &Header, records: &mut Records<'_, '_>) -> bool {
    let Some(time) = time_column(header).filter(|_| header.width() > 1) else { return false };
    let text = records.peek(PEEK);
    let (mut times, mut states) = (Tally::default(), Tally::default());
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        for (index, cell) in line.split(|&byte| byte == header.delimiter).enumerate() {
            let cell = unquoted(cell.trim_ascii());
            if index == time.index {
                // Without a name only date and time says that it is one: the first column may be numbers of rows.
                let named = !time.name.is_empty();
                times.add(clock::date_time(cell).is_some() || named && is_time(cell));
            } else if !cell.is_empty() {
                states.add(matches!(values::flag(cell), Cell::Is(_)));
            }
        }
    }
    times.is_mostly_so() && states.is_mostly_so()
}

fn unquoted(cell: &[u8]) -> &[u8] {
    cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell)
}

fn is_time(cell: &[u8]) -> bool {
    matches!(Clock::default().read(cell), Reading::Is(_))
}

/// A share: how many of all.
#[derive(Default)]
struct Tally {
    are: u64,
    all: u64,
}

impl Tally {
    fn add(&mut self, is: bool) {
        self.are += u64::from(is);
        self.all += 1;
    }

    fn is_mostly_so(&self) -> bool {
        self.all > 0 && self.are * 4 >= self.all * 3
    }
}

/// A row in use, a bit for each node.
struct Moment {
    time: f64,
    up: Vec<u64>,
    /// Nodes without a state in the row; empty if all have one, as in nearly every row.
    unknown: Vec<u64>,
    row: UsedRow,
}

fn read(table: &mut Table<'_, '_>) -> Result<Availability, String> {
    // The header fits, so that it is there.
    let Some(time) = time_column(&table.header) else { return Err(log::NO_ROW.into()) };
    let columns = node_columns(&table.header, &time);
    let (mut times, mut draft) = (Times::new(), Draft::new());
    let mut moments: Vec<Moment> = Vec::new();
    while let Some(mut cells) = table.next() {
        let Some(at) = times.needed(&mut cells, &time) else { continue };
        let moment = read_moment(at, &mut cells, &columns);
        times.follow(at, &mut cells, &time);
        draft.reach(at);
        moments.push(Moment { row: cells.findings.used_row(), ..moment });
    }
    draft.nodes = columns.into_iter().map(|column| (column.name, Intervals::new())).collect();
    let contradictions = apply(&moments, &mut draft.nodes);
    table.findings.deferred(CONTRADICTION, &contradictions);
    gaps::report(&times, moments.iter().map(|moment| (moment.time, moment.row)), &mut table.findings);
    draft.finish(&times, &mut table.findings)
}

/// The columns of nodes. Later columns of the same name are nodes of their own: `e30n13-2`.
fn node_columns(header: &Header, time: &Column) -> Vec<Column> {
    let columns = (0..header.width()).filter(|index| *index != time.index).filter_map(|index| header.column(index));
    let mut columns: Vec<Column> = columns.filter(|column| !column.name.is_empty()).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let all: BTreeSet<String> = columns.iter().map(|column| column.name.clone()).collect();
    for column in &mut columns {
        if !taken.insert(column.name.clone()) {
            let numbered = (2_u32..).map(|number| format!("{}-{number}", column.name));
            let free = numbered.into_iter().find(|name| !taken.contains(name) && !all.contains(name));
            column.name = free.unwrap_or_default();
            taken.insert(column.name.clone());
        }
    }
    columns
}

fn read_moment(time: f64, cells: &mut Cells<'_>, columns: &[Column]) -> Moment {
    let words = columns.len().div_ceil(64);
    let mut moment = Moment { time, up: vec![0; words], unknown: Vec::new(), row: cells.findings.used_row() };
    let mut bad: Option<&Column> = None;
    for (node, column) in columns.iter().enumerate() {
        match values::flag(cells.cell(column)) {
            Cell::Is(false) => {}
            Cell::Is(true) => set_bit(&mut moment.up, node),
            Cell::Missing | Cell::Bad => {
                moment.unknown.resize(words, 0);
                set_bit(&mut moment.unknown, node);
                bad = bad.or(Some(column));
            }
        }
    }
    // Once a row, and not by column: a log has thousands of columns.
    if let Some(column) = bad {
        let cell = values::shown(cells.cell(column));
        cells.findings.row(BAD_STATE, || format!("{}: {cell}", values::short(&column.name)));
    }
    moment
}

fn set_bit(words: &mut [u64], bit: usize) {
    if let Some(word) = words.get_mut(bit / 64) {
        *word |= 1 << (bit % 64);
    }
}

/// Computes the intervals of every node; returns the rows that contradict another of the same time.
fn apply(moments: &[Moment], nodes: &mut [(String, Intervals)]) -> Vec<(UsedRow, String)> {
    let mut contradictions = Vec::new();
    let mut state = vec![0_u64; nodes.len().div_ceil(64)];
    for same_time in order::by_number(moments, |moment| moment.time).chunk_by(|a, b| a.time == b.time) {
        let Some(first) = same_time.first() else { continue };
        let mut differ = false;
        for (word, state) in state.iter_mut().enumerate() {
            let (up, down) = same_time.iter().fold((0, 0), |(up, down), moment| {
                let (moment_up, moment_down) = moment.word(word);
                (up | moment_up, down | moment_down)
            });
            differ |= up & down != 0;
            let next = (*state | up & !down) & !(down & !up);
            change(nodes, word, *state ^ next, next, first.time);
            *state = next;
        }
        if differ {
            let others = same_time.iter().skip(1);
            let value = || format!("Another one in row {}", first.row.line);
            contradictions.extend(others.map(|moment| (moment.row, value())));
        }
    }
    contradictions
}

impl Moment {
    /// Bits of 64 nodes: those available, and those unavailable.
    fn word(&self, word: usize) -> (u64, u64) {
        let up = self.up.get(word).copied().unwrap_or(0);
        let unknown = self.unknown.get(word).copied().unwrap_or(0);
        (up, !up & !unknown)
    }
}

/// Opens or closes intervals of those of 64 nodes that have a bit in `changed`.
fn change(nodes: &mut [(String, Intervals)], word: usize, changed: u64, next: u64, time: f64) {
    let mut left = changed;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        if let Some((_, intervals)) = nodes.get_mut(word * 64 + bit) {
            log::set(intervals, time, next >> bit & 1 == 1);
        }
    }
}
