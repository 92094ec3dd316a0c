//! Detection of the delimiter, the header and the format by the first lines of a text.

use crate::availability::matrix;
use crate::mapping::{Mapping, Sample};
use crate::packed;
use crate::registry::{self, Choice};
use crate::sources;
use crate::text::header::Header;
use crate::text::records::{Next, RECORD_MAX, Records};
use crate::text::refusal::{self, Refusal};
use crate::text::source::{Input, Meter, Source};
use crate::text::values::first_names;

/// The most columns a table may have: one for each node of the largest cluster, and one for the time.
const COLUMNS_MAX: usize = 65_537;
/// Bytes in which `sep=` and the signs of other text formats are looked for.
const PEEK: usize = 512;

/// Opens a file of any format for its rows; `None` if it is not a table, or one whose rows are no lines. The path of a file in
/// an archive names both.
pub(crate) fn open_table<'a, 'm>(source: Source<'a>, meter: &'a mut Meter<'m>) -> Option<(Header, Records<'a, 'm>)> {
    let source = packed::open_one(source).ok()?;
    let mut records = Records::new(Input::open(source, None, meter).ok()?);
    if sources::recognise_start(records.peek(sources::START)).is_some() {
        return None;
    }
    let header = sniff(&mut records).ok()?.header;
    let header = own_header(&header, &mut records).unwrap_or(header);
    Some((header, records))
}

/// The header of a table of a known source that has none itself; its first line, which was read, is a row.
pub(crate) fn own_header(first: &Header, records: &mut Records<'_, '_>) -> Option<Header> {
    let own = sources::recognise(first)?.own_header(first)?;
    records.rewind();
    Some(own)
}

/// The delimiter, header and format of a text.
pub(crate) struct Sniffed {
    pub header: Header,
    pub choice: Option<Choice>,
    /// The refusal of a text in a known format that is not a table.
    pub text_kind: Option<Refusal>,
}

/// Finds the header, with the delimiter under which it fits a format best, and reads past it.
pub(crate) fn sniff(records: &mut Records<'_, '_>) -> Result<Sniffed, Refusal> {
    let text_kind = refusal::text_kind(records.peek(PEEK));
    let declared = declared_delimiter(records);
    let candidates: &[u8] = declared.as_ref().map_or(b",;\t|", std::slice::from_ref);
    let mut best: Option<(Header, Option<Choice>)> = None;
    for &delimiter in candidates {
        let mut header = read_header(records, delimiter)?;
        header.has_states = matrix::has_states(&header, records);
        records.rewind();
        let found = (registry::choose(&header), header);
        let rank = |choice: &Option<Choice>, header: &Header| (choice.as_ref().map(Choice::rank), header.names.len());
        if best.as_ref().is_none_or(|(header, choice)| rank(&found.0, &found.1) > rank(choice, header)) {
            best = Some((found.1, found.0));
        }
    }
    let Some((header, choice)) = best else { return Err(no_text()) };
    // Once more with the delimiter that won, to go on behind the header.
    records.set_delimiter(header.delimiter);
    records.next(None);
    Ok(Sniffed { header, choice, text_kind })
}

/// The header of a table that is read by a mapping: that of its source, if it is known and writes none; where the first
/// line looks like data and the mapping names columns by their numbers, that line is a row, and the columns are called
/// `column 1`, `column 2`, ….
pub(crate) fn header_for(mapping: &Mapping, header: Header, records: &mut Records<'_, '_>) -> Header {
    if let Some(own) = own_header(&header, records) {
        return own;
    }
    let is_known = |name: &&str| header.names.iter().any(|own| own == name);
    if !header.looks_like_data() || mapping.columns().iter().any(is_known) {
        return header;
    }
    records.rewind();
    numbered(&header)
}

/// A header for a table without one.
pub(crate) fn numbered(header: &Header) -> Header {
    let names: Vec<String> = (1..=header.names.len()).map(|number| format!("column {number}")).collect();
    Header::new(header.line, header.delimiter, names.iter().map(String::as_bytes))
}

/// The first rows below the header, which has just been read; they are read again afterwards.
pub(crate) fn sample(records: &mut Records<'_, '_>, header: &Header) -> Sample {
    const BYTES: usize = 1 << 16;
    const ROWS: usize = 200;
    let text = records.peek(BYTES);
    // The last line may be cut.
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(text.len(), |last| last + 1);
    let whole = if text.len() < BYTES { text.len() } else { whole };
    let source = Source::from_bytes("", text.get(..whole).unwrap_or_default());
    let ignore = &mut |_| {};
    let mut meter = Meter::new(None, ignore);
    let mut sample = Sample::default();
    let Ok(input) = Input::open(source, None, &mut meter) else { return sample };
    let mut records = Records::new(input);
    records.set_delimiter(header.delimiter);
    while sample.rows.len() < ROWS {
        match records.next(Some(header.names.len())) {
            Next::End => break,
            // A row of another width would put its values into the wrong columns.
            Next::Row if records.row().len() != header.names.len() => {}
            Next::Row => sample.rows.push(records.row().cells().map(<[u8]>::to_vec).collect()),
            Next::TooLong | Next::OpenQuote => {}
        }
    }
    sample
}

fn read_header(records: &mut Records<'_, '_>, delimiter: u8) -> Result<Header, Refusal> {
    records.set_delimiter(delimiter);
    let mut next = records.next(None);
    while next == Next::Row && records.row().is_empty() {
        next = records.next(None);
    }
    match next {
        Next::End => Err(no_text()),
        Next::TooLong => {
            let reason = format!("The first line is longer than {} MB", RECORD_MAX >> 20);
            Err(Refusal::new(reason, "Check that lines end where rows end"))
        }
        Next::OpenQuote => {
            Err(Refusal::new("The header opens a double quote and does not close it", "Close the quote"))
        }
        Next::Row if records.row().len() > COLUMNS_MAX => {
            let reason = "The first line has more than 65,537 columns";
            Err(Refusal::new(reason, "Keep the columns that the format needs"))
        }
        Next::Row => Ok(Header::new(records.line(), delimiter, records.row().cells())),
    }
}

fn no_text() -> Refusal {
    Refusal::new("The file has no text", "Check that it was saved or downloaded to the end")
}

/// The delimiter that a first line `sep=;` declares, as spreadsheets write it. The line is taken off.
fn declared_delimiter(records: &mut Records<'_, '_>) -> Option<u8> {
    let [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter, b'\n', ..] = *records.peek(PEEK) else { return None };
    if matches!(delimiter, b'"' | b'\n') {
        return None;
    }
    // A delimiter that is not in the line: the line is one field.
    records.set_delimiter(if delimiter == b',' { b';' } else { b',' });
    records.next(None);
    Some(delimiter)
}

/// The refusal of a text file that fits no format.
pub(crate) fn unknown(header: &Header) -> Refusal {
    if header.looks_like_data() {
        let repair = "Add a first line with the names of the columns";
        return Refusal::new("There is no header: the first line looks like data", repair);
    }
    if header.names.len() == 1 && !registry::names_columns(&header.names.concat()) {
        return Refusal::new("This is not a table", "Drop a CSV file");
    }
    if header.names.len() == 1 {
        let reason = "No delimiter was found: columns are separated by commas, semicolons, tabs or vertical bars";
        return Refusal::new(reason, "Save it as CSV, with the names of the columns in the first line");
    }
    let names: Vec<&str> = header.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    let reason = format!("Columns not recognised: {}", first_names(&names));
    let repair = "Name them job_id, submit_s, model, gpus, samples for jobs, model, gpus, samples_per_s for curves, \
                  or node, start_s, end_s for availability";
    Refusal::new(reason, repair)
}
