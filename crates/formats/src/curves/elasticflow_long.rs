//! ElasticFlow's throughput profiles joined to one table, a row for each measured point.
//!
//! ```csv
//! gpu_type,model,global_batch_size,num_gpus,iterations_per_second
//! A100,bert,64,1,6.030661553957379
//! ```

use crate::curves::long::{self, LongColumns, SpeedUnit};
use crate::format::{Format, Rows};
use crate::report::FileKind;
use crate::text::header::{Header, Spec};

static SPEC: Spec = Spec {
    required: &[&["model"], &["global_batch_size"], &["num_gpus"], &["iterations_per_second"]],
    optional: &["gpu_type"],
};

pub(crate) static FORMAT: Format = Format::of(FileKind::CurvesElasticFlowLong, &SPEC, |table, _| {
    let columns = columns(&table.header);
    Rows::Curves(columns.map(|columns| long::read(table, &columns)).unwrap_or_default())
});

fn columns(header: &Header) -> Option<LongColumns> {
    Some(LongColumns {
        model: header.find("model")?,
        gpus: header.find("num_gpus")?,
        speed: vec![(header.find("iterations_per_second")?, SpeedUnit::IterationsPerSecond)],
        batch: header.find("global_batch_size"),
        gpu_type: header.find("gpu_type"),
        nodes: None,
        placement: None,
    })
}
