//! Job traces of other systems that share most of their column names with a format that is read, and mean something
//! else by them: recognised by the columns that are theirs alone, and refused with what to do.

use crate::text::header::Header;
use crate::text::refusal::Refusal;

/// A trace that is recognised and not read.
struct Foreign {
    /// The system whose trace it is.
    system: &'static str,
    /// Columns that it has, all of them.
    columns: &'static [&'static str],
    /// How its columns become those of the plain job trace.
    repair: &'static str,
}

/// The first whose columns are all there counts.
static FOREIGN: &[Foreign] = &[
    Foreign {
        system: "Chronus",
        columns: &["num_gpu", "submit_time", "model_name", "expect_time_list", "expect_value_list"],
        repair: "Convert it to the plain job trace: submit_s is submit_time times 60, gpus is num_gpu, model is \
                 model_name, duration_s is duration times 60, deadline_s is submit_s plus expect_time_list times 60 \
                 where best_effort is 0",
    },
    Foreign {
        system: "Tiresias",
        columns: &["num_gpu", "submit_time", "iterations", "model_name", "duration", "interval"],
        repair: "Convert it to the plain job trace: submit_s is submit_time, gpus is num_gpu, model is model_name, \
                 duration_s is duration",
    },
];

/// The refusal of a trace of another system, by its columns.
pub(crate) fn refuse(header: &Header) -> Option<Refusal> {
    let has_all = |foreign: &&Foreign| foreign.columns.iter().all(|column| header.find(column).is_some());
    let Foreign { system, repair, .. } = FOREIGN.iter().find(has_all)?;
    Some(Refusal::new(format!("Job traces of {system} cannot be read here yet"), *repair))
}
