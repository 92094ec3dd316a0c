//! Rows that jobs share one after another: of a large run, only the jobs that hold GPUs in view have rows, and a row is
//! used again shortly after its job's end.

mod pen;
mod picture;
mod rows;

pub use picture::PackedStrip;
pub use rows::PackedRows;
