//! Bytes to tables: encodings, records, headers, cells and their values, and the findings of a file while it is read.

pub(crate) mod cells;
pub(crate) mod clock;
pub(crate) mod encoding;
pub(crate) mod findings;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod paths;
pub(crate) mod records;
pub(crate) mod refusal;
pub(crate) mod source;
pub(crate) mod table;
pub(crate) mod times;
pub(crate) mod values;
