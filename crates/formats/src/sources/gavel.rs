//! The traces of Gavel (Narayanan et al., OSDI 2020) and Shockwave (Zheng et al., NSDI 2023): tabs and no header, in
//! three generations of 7, 10 and 12 columns. Models are named with the batch size of a worker, as in the throughputs.
//!
//! Steps are those of all workers together, so that samples are steps times the batch size of a worker.

use super::{JobTable, Known, Tell, Treatment, is_number};

const GAVEL: &str = "https://github.com/stanford-futuredata/gavel (scheduler/traces)";
const MAPPING_BATCH: &str = "Steps of all workers times the batch size that the model's name says";
const SAMPLES: (&str, &str, &str) =
    ("samples", MAPPING_BATCH, "Nothing to do: throughputs count steps in the same way");
const DROP_CURVES: &str = "Drop simulation_throughputs.json, or tacc_throughputs.json, beside it for curves";

pub(crate) static PHILLY: Known = Known {
    name: "Gavel trace (7 columns)",
    origin: GAVEL,
    tell: Tell::FirstRow {
        delimiter: b'\t',
        names: &[
            "job_type",
            "command",
            "num_steps_arg",
            "needs_data_dir",
            "total_steps",
            "arrival_time",
            "scale_factor",
        ],
        fits: |cells| is_command(cells, 2) && ends_in_numbers(cells, 4),
    },
    treatment: Treatment::Jobs(jobs(
        "submit_s=arrival_time s model=job_type gpus=scale_factor \
         samples=total_steps*max(after(job_type,'batch size '),1)",
        "names of jobs, users or deadlines",
    )),
};

pub(crate) static PHYSICAL: Known = Known {
    name: "Gavel trace (10 columns)",
    origin: GAVEL,
    tell: Tell::FirstRow {
        delimiter: b'\t',
        names: &[
            "job_type",
            "command",
            "working_directory",
            "num_steps_arg",
            "needs_data_dir",
            "total_steps",
            "scale_factor",
            "priority_weight",
            "SLO",
            "arrival_time",
        ],
        fits: |cells| is_command(cells, 3) && ends_in_numbers(cells, 6),
    },
    treatment: Treatment::Jobs(jobs(
        "submit_s=arrival_time s model=job_type gpus=scale_factor priority=priority_weight \
         samples=total_steps*max(after(job_type,'batch size '),1)",
        "names of jobs or users; deadlines (SLO) are multiples of a duration that it does not have",
    )),
};

pub(crate) static SHOCKWAVE: Known = Known {
    name: "Shockwave trace",
    origin: "https://github.com/uw-mad-dash/shockwave (scheduler/traces/reproduce)",
    tell: Tell::FirstRow {
        delimiter: b'\t',
        names: &[
            "job_type",
            "command",
            "working_directory",
            "num_steps_arg",
            "needs_data_dir",
            "total_steps",
            "scale_factor",
            "mode",
            "priority_weight",
            "SLO",
            "duration",
            "arrival_time",
        ],
        fits: |cells| {
            is_command(cells, 3) && ends_in_numbers(cells, 4) && cells.get(7).is_some_and(|mode| !is_number(mode))
        },
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[
            SAMPLES,
            (
                "batch_max",
                "Jobs keep their first batch size: by how much a job of mode accordion or gns grows it is not in the trace",
                "Add batch_min and batch_max to the jobs, once they are exported",
            ),
        ],
        ..jobs(
            "submit_s=arrival_time s model=job_type gpus=scale_factor priority=priority_weight \
             samples=total_steps*max(after(job_type,'batch size '),1) \
             deadline_s=arrival_time s+positive(SLO)*duration s",
            "names of jobs or users",
        )
    }),
};

/// Jobs whose curves are in a file of throughputs, and whose samples follow from the model's name.
const fn jobs(mapping: &'static str, lacks: &'static str) -> JobTable {
    JobTable { next: DROP_CURVES, assumed: &[SAMPLES], ..JobTable::of(mapping, lacks) }
}

/// Whether the first two cells are text, and the one at this place is an option of a command.
fn is_command(cells: &[&str], option_at: usize) -> bool {
    let is_text = |cell: &&str| !cell.is_empty() && !is_number(cell);
    cells.iter().take(2).all(is_text) && cells.get(option_at).is_some_and(|option| option.starts_with('-'))
}

/// Whether so many cells at the end are numbers.
fn ends_in_numbers(cells: &[&str], count: usize) -> bool {
    cells.iter().rev().take(count).all(|cell| is_number(cell))
}
