//! Records of delimited text: quotes resolved, lines counted, and damage confined to one line.
//!
//! A quote that is never closed would swallow lines up to the next quote. So a record over several lines is accepted
//! only if it has as many fields as the header and each closing quote ends a field; otherwise its first line is skipped
//! and reading continues with the next. The text since the start of a record is therefore kept, and records have a
//! largest size.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

use crate::text::source::Input;

/// The largest record, in bytes: memory stays bounded whatever the file holds.
pub(crate) const RECORD_MAX: usize = 1 << 20;

/// The next item of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A record, to be had from [`Records::row`].
    Row,
    /// A line above [`RECORD_MAX`], skipped.
    TooLong,
    /// A line with a quote that is never closed, skipped.
    OpenQuote,
    /// The end of the file.
    End,
}

/// Reads records one after the other.
pub(crate) struct Records<'a, 'm> {
    input: Input<'a, 'm>,
    window: Vec<u8>,
    /// Where the unread text starts in the window.
    at: usize,
    /// The line that starts there.
    line: u64,
    /// Start and line of the record read last.
    last: (usize, u64),
    delimiter: u8,
    parser: Reader,
    /// Whether double quotes keep delimiters and lines together.
    has_quotes: bool,
    fields: Vec<u8>,
    ends: Vec<usize>,
    len: usize,
}

impl<'a, 'm> Records<'a, 'm> {
    pub fn new(input: Input<'a, 'm>) -> Self {
        Self {
            input,
            window: Vec::new(),
            at: 0,
            line: 1,
            last: (0, 1),
            delimiter: b',',
            parser: parser(b',', true),
            has_quotes: true,
            fields: vec![0; 256],
            ends: vec![0; 32],
            len: 0,
        }
    }

    /// Splits at `delimiter` from now on.
    pub fn set_delimiter(&mut self, delimiter: u8) {
        self.delimiter = delimiter;
        self.parser = parser(delimiter, self.has_quotes);
    }

    /// The file below.
    pub fn input(&self) -> &Input<'a, 'm> {
        &self.input
    }

    /// The line of the record read or skipped last, counted from 1.
    pub fn line(&self) -> u64 {
        self.last.1
    }

    /// Whether the file ends right behind the record read last, without the end of its line.
    pub fn is_unended(&self) -> bool {
        self.at == self.window.len() && !self.window.ends_with(b"\n")
    }

    /// The record read last.
    pub fn row(&self) -> Row<'_> {
        let ends = self.ends.get(..self.len).unwrap_or_default();
        Row { line: self.last.1, fields: &self.fields, ends }
    }

    /// Up to `max` bytes of the text that comes next.
    pub fn peek(&mut self, max: usize) -> &[u8] {
        while self.window.len() - self.at < max && self.input.fill(&mut self.window) {}
        let until = self.window.len().min(self.at + max);
        self.window.get(self.at..until).unwrap_or_default()
    }

    /// Takes double quotes as letters from now on.
    pub fn ignore_quotes(&mut self) {
        self.has_quotes = false;
        self.set_delimiter(self.delimiter);
    }

    /// Reads bytes of the text that comes next, whatever its records are; 0 at its end.
    pub fn read(&mut self, out: &mut [u8]) -> usize {
        if self.at == self.window.len() {
            let mut at = self.at;
            self.fill(&mut at);
        }
        let rest = self.window.get(self.at..).unwrap_or_default();
        let count = rest.len().min(out.len());
        if let (Some(from), Some(to)) = (rest.get(..count), out.get_mut(..count)) {
            to.copy_from_slice(from);
        }
        self.at += count;
        count
    }

    /// Goes back to the start of the record read last.
    pub fn rewind(&mut self) {
        (self.at, self.line) = self.last;
    }

    /// Reads the next record. `width` is the number of fields it should have, where that is known.
    pub fn next(&mut self, width: Option<usize>) -> Next {
        if !self.skip_empty_lines() {
            return Next::End;
        }
        self.last = (self.at, self.line);
        self.parser.reset();
        self.len = 0;
        let mut pos = self.at;
        if !self.parse(&mut pos) {
            return self.skip_line();
        }
        let text = self.window.get(self.at..pos).unwrap_or_default();
        // The file was not read to its end: a last line without its own end is a part of one.
        if !text.ends_with(b"\n") && self.input.stop().is_some() {
            return Next::End;
        }
        let lines = lines_in(text);
        let has_width = width.is_none_or(|width| width == self.len);
        if lines > 1 && !(has_width && is_well_quoted(text, self.delimiter)) {
            return self.skip_line();
        }
        self.at = pos;
        self.line += lines;
        Next::Row
    }

    /// Parses one record from `pos` on and moves `pos` behind it; false if a quote is never closed, or not within the
    /// largest record.
    fn parse(&mut self, pos: &mut usize) -> bool {
        let mut written = 0;
        loop {
            let input = self.window.get(*pos..).unwrap_or_default();
            // An empty input means the end of the file to the parser, so it never sees one.
            let ended = input.is_empty();
            let input = if ended { b"\n" } else { input };
            let fields = self.fields.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(self.len..).unwrap_or_default();
            let (result, read, fields_bytes, fields_count) = self.parser.read_record(input, fields, ends);
            written += fields_bytes;
            self.len += fields_count;
            if !ended {
                *pos += read;
            }
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => return true,
                ReadRecordResult::OutputFull => self.fields.resize(self.fields.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                // The line end that was made up did not end the record: it stands inside quotes.
                ReadRecordResult::InputEmpty if ended || *pos - self.at > RECORD_MAX => return false,
                ReadRecordResult::InputEmpty => self.fill(pos),
            }
        }
    }

    /// Gets more text behind the window, dropping what lies before the current record.
    fn fill(&mut self, pos: &mut usize) {
        self.window.drain(..self.at);
        *pos -= self.at;
        self.at = 0;
        self.last.0 = 0;
        while self.window.len() == *pos && self.input.fill(&mut self.window) {}
    }

    /// Moves to the next line that is not empty; false if there is none.
    fn skip_empty_lines(&mut self) -> bool {
        loop {
            match self.window.get(self.at) {
                Some(b'\n') => {
                    self.at += 1;
                    self.line += 1;
                }
                Some(_) => return true,
                None => {
                    let mut at = self.at;
                    self.fill(&mut at);
                    if self.window.is_empty() {
                        return false;
                    }
                }
            }
        }
    }

    /// Gives up the line at which the current record starts.
    fn skip_line(&mut self) -> Next {
        let mut skipped = 0;
        loop {
            let rest = self.window.get(self.at..).unwrap_or_default();
            let end = rest.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(rest.len(), |end| end + 1);
            skipped += length;
            self.at += length;
            if end.is_none() {
                let mut at = self.at;
                self.fill(&mut at);
            }
            if end.is_some() || self.window.is_empty() {
                self.line += 1;
                return if skipped > RECORD_MAX { Next::TooLong } else { Next::OpenQuote };
            }
        }
    }
}

fn parser(delimiter: u8, has_quotes: bool) -> Reader {
    ReaderBuilder::new().delimiter(delimiter).quoting(has_quotes).terminator(Terminator::Any(b'\n')).build()
}

/// Whether every quote that opens a field is closed right before a delimiter or the end of the record.
fn is_well_quoted(record: &[u8], delimiter: u8) -> bool {
    let record = record.strip_suffix(b"\n").unwrap_or(record);
    let mut bytes = record.iter().copied().peekable();
    let mut at_start = true;
    while let Some(byte) = bytes.next() {
        if at_start && byte == b'"' {
            // To the closing quote, over doubled ones.
            while let Some(inner) = bytes.next() {
                if inner == b'"' && bytes.next_if_eq(&b'"').is_none() {
                    break;
                }
            }
            if bytes.peek().is_some_and(|&next| next != delimiter) {
                return false;
            }
            at_start = false;
        } else {
            at_start = byte == delimiter;
        }
    }
    true
}

/// The number of lines that a record covers; the last line of a file may lack its end.
fn lines_in(record: &[u8]) -> u64 {
    let inner = record.strip_suffix(b"\n").unwrap_or(record);
    // Nearly all records are one line, and looking for a byte is quicker than counting it.
    if inner.contains(&b'\n') { 1 + inner.iter().filter(|&&byte| byte == b'\n').count() as u64 } else { 1 }
}

/// One record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    /// The line it starts at, counted from 1.
    pub line: u64,
    fields: &'r [u8],
    ends: &'r [usize],
}

impl<'r> Row<'r> {
    /// A row of fields that end at these bytes.
    pub fn new(line: u64, fields: &'r [u8], ends: &'r [usize]) -> Self {
        Self { line, fields, ends }
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field without the blanks around it; empty if there is no such field.
    #[inline(always)] // Several times for every cell of a file, in a crate that is made small.
    pub fn cell(&self, index: usize) -> &'r [u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.fields.get(start..end).unwrap_or_default().trim_ascii()
    }

    /// Whether it has no value at all.
    pub fn is_empty(&self) -> bool {
        self.cells().all(<[u8]>::is_empty)
    }

    /// All fields without the blanks around them.
    pub fn cells(&self) -> impl Iterator<Item = &'r [u8]> {
        let row = *self;
        (0..row.len()).map(move |index| row.cell(index))
    }
}
