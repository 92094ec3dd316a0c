//! What holds for any input.

use std::collections::BTreeMap;
use std::io::Read;

use elastiplan_formats::export::{write_curves, write_jobs, write_table};
use elastiplan_formats::{Import, Options, Source, Stream, import};
use elastiplan_model::{
    BatchRange, Curve, CurveKey, CurvePoint, Curves, Job, Law, ModelId, PowerLaw, RescaleSeconds, Severity, Trace, Work,
};
use proptest::prelude::*;

use crate::{assert_adds_up, read};

const SEEDS: [&str; 18] = [
    "job_id,submit_s,model,gpus,samples,gpus_min,deadline_s\na,0,bert,1,9,1,5\n\"b\",1,gpt2,2,9,,\nc,2,bert,4,9,2,8\n",
    "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\na,5,9,bert,7,64,1,8\nb,6,9,vgg16,8,32,2,8\n",
    "global_batch_size,1,2,4\n64,6.03,8.64,nan\n128,3,,0\n",
    "model,batch_global,gpus,samples_per_s\nbert,64,1,10\nbert,64,2,19\nbert,,1,10\n",
    "job_id,submit_s,model,gpus,gpu_seconds,epochs,samples_per_epoch,rescale_up_s,rescale_down_s\na,0,bert,1,9,,,5,\nb,1,bert,1,,3,50,,8\n",
    "model,gpus,nodes,samples_per_s\nbert,1,1,10\nbert,2,1,19\nbert,2,2,17\nbert,4,,0\n",
    "model,gpus,placement,samples_per_s\nbert,1,packed,10\nbert,2,packed,19\nbert,2,spread,17\nbert,4,,0\n",
    "gpu_type;model;global_batch_size;num_gpus;iterations_per_second\nA100;bert;64;1;6\nT4;bert;64;2;8\n",
    "node,start_s,end_s\na,0,9\nb,1,\na,12.5,13\n",
    "timestamp,node,idle\n2021-02-10 20:21:15,a,1\n2021-02-10 20:22:15,b,1\n2021-02-10 20:23:15,a,0\n",
    "timestamp,a,b\n2021-02-10 20:21:15,0,1\n2021-02-10 20:22:15,1,1\n2021-02-10 20:23:15,1,0\n",
    "time_s,nodes\n0,3\n5,1\n9,4\n",
    "placement,local_bsz,step_time,sync_time\n1,4,0.5,0.01\n1,8,0.7,0.02\n2,4,0.6,0.1\n11,4,0.8,0.3\n12,8,0.9,0.4\n",
    "num_nodes,num_replicas,local_bsz,step_time,sync_time\n2,3,4,1,0.5\n6,6,4,1.5,0.9\n6,24,8,2,1.2\n",
    "progress,iteration,metric,grad_sqr,grad_var\n10,10,0.1,5,2\n20,20,0.2,4,3\n30.5,31,0.2,0,4\n",
    "name,time,application,num_replicas,batch_size\nbert-0,5,bert,2,8\nbert-1,6.5,bert,4,16\n",
    "model,weights,batch_per_gpu,time_s\nbert,15e6,8,0.1\nbert,15e6,16,0.19\nvgg16,138e6,8,0.2\nvgg16,138e6,4,0.21\n",
    "weights,gpus,time_s\n10e6,1,0\n10e6,2,0.01\n10e6,8,0.03\n20e6,2,0.02\n20e6,4,0.03\n40e6,8,0.02\n",
];

/// Pieces that break things.
const PIECES: [&str; 22] = [
    "\"", ",", "\n", "\r", ";", "\t", "\u{feff}", "1e300", "nan", "-1", "", "\0", "gpus", "bert", "1,5", "\"\"\n", "1",
    "spread", "nodes", "0", "9", "1e17",
];

/// A valid file with some of its bytes replaced by breaking pieces.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    damaged(0..SEEDS.len())
}

/// The same, of some of the files.
fn damaged(seeds: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..4_usize, 0..PIECES.len()), 0..8);
    (seeds, edits, 0..4_u8).prop_map(|(seed, edits, encoding)| {
        let mut text = SEEDS[seed].to_string();
        for (at, length, piece) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                text.replace_range(at..end, PIECES[piece]);
            }
        }
        match encoding {
            0 => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => text.encode_utf16().flat_map(u16::to_be_bytes).skip(1).collect(),
            _ => text.into_bytes(),
        }
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,3}", "[ -~äß☃]{1,9}"]
        .prop_map(|name| name.trim().to_string())
        .prop_filter("empty", |n| !n.is_empty())
}

fn job() -> impl Strategy<Value = Job> {
    let work = (0..5, 1e-9..1e18_f64, 1e-9..1e18_f64).prop_map(|(unit, amount, samples_each)| match unit {
        0 => Work::Samples(amount),
        1 => Work::Iterations(amount.ceil()),
        2 => Work::GpuSeconds(amount),
        3 => Work::Epochs { epochs: amount, samples_each },
        _ => Work::DurationOnRequested(amount),
    });
    let seconds = || prop_oneof![Just(0.0), 0.0..=31_536_000.0_f64];
    let rescale = prop::option::of((seconds(), seconds()).prop_map(|(up_s, down_s)| RescaleSeconds { up_s, down_s }));
    let limits = prop::option::of((1..=65_536_u32, 0..65_536_u32));
    let batch = prop::option::of(1..=1_u32 << 30);
    let late = prop::option::of(0.0..1e9_f64);
    let user = prop::option::of(name());
    (name(), 0.0..1e10_f64, 0..3_u32, 1..=65_536_u32, (work, limits, batch, late, user, rescale)).prop_map(
        |(name, submit_s, model, gpus_requested, (work, limits, batch_global, late, user, rescale))| Job {
            name,
            source_row: 0,
            submit_s,
            model: ModelId(model),
            batch_global,
            gpus_requested,
            gpus_min: limits.map(|(min, _)| min),
            gpus_max: limits.map(|(min, more)| min.saturating_add(more).min(65_536)),
            work,
            deadline_s: late.map(|late| submit_s + late),
            user,
            rescale,
            batch_range: batch_global.map(|own| BatchRange { least: own.div_ceil(2), most: own }),
            priority: Some(submit_s + 0.5).filter(|priority| *priority < 1e6),
        },
    )
}

fn trace() -> impl Strategy<Value = Trace> {
    prop::collection::vec(job(), 1..20).prop_map(|mut jobs| {
        #[allow(clippy::disallowed_methods)]
        jobs.sort_by(|a, b| a.name.cmp(&b.name));
        jobs.dedup_by(|a, b| a.name == b.name);
        Trace::new(vec!["bert".into(), "a, b".into(), "\"q\"".into()], jobs).unwrap()
    })
}

fn curves() -> impl Strategy<Value = Curves> {
    let curve = (name(), prop::option::of(1..=1_u32 << 30), detailed(), any::<bool>());
    prop::collection::vec(curve, 1..6).prop_map(|list| {
        let curve = |(model, batch_global, measured, ends)| {
            let curve = made(CurveKey { model, batch_global }, measured);
            if ends { curve.ending_at_last_point() } else { curve }
        };
        list.into_iter().map(curve).collect()
    })
}

/// What a curve is made of.
#[derive(Clone, Debug)]
enum Measured {
    CountOnly(BTreeMap<u32, f64>),
    Spread(BTreeMap<u32, f64>, BTreeMap<u32, f64>),
    /// By GPUs and nodes.
    ByNodes(BTreeMap<(u32, u32), f64>),
}

fn detailed() -> impl Strategy<Value = Measured> {
    // Few and near numbers of GPUs meet, on other nodes or spread.
    let gpus = || prop_oneof![1..=8_u32, 1..=65_535_u32];
    let points = move || prop::collection::btree_map(gpus(), 1e-9..1e18_f64, 1..6);
    let on_nodes = gpus().prop_flat_map(|gpus| (Just(gpus), 1..=gpus));
    prop_oneof![
        points().prop_map(Measured::CountOnly),
        (points(), points()).prop_map(|(packed, spread)| Measured::Spread(packed, spread)),
        prop::collection::btree_map(on_nodes, 1e-9..1e18_f64, 1..9).prop_map(Measured::ByNodes),
    ]
}

fn made(key: CurveKey, measured: Measured) -> Curve {
    let point = |(gpus, samples_per_s)| CurvePoint { gpus, samples_per_s };
    match measured {
        Measured::CountOnly(points) => Curve::new(key, points).unwrap(),
        Measured::Spread(packed, spread) => {
            Curve::new(key, packed).unwrap().with_spread(spread.into_iter().map(point).collect()).unwrap()
        }
        Measured::ByNodes(points) => {
            let rows = points.into_iter().map(|((gpus, nodes), speed)| (nodes, point((gpus, speed))));
            Curve::by_nodes(key, rows).unwrap()
        }
    }
}

/// Jobs with their models by name: models are numbered anew in the order of the file.
fn named(trace: &Trace) -> Vec<(Job, String)> {
    let bare = |job: &Job| Job { source_row: 0, model: ModelId(0), ..job.clone() };
    trace.jobs().iter().map(|job| (bare(job), trace.model_name(job.model).to_string())).collect()
}

/// Gives a few bytes at a time.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.min(buffer.len());
        self.0.read(&mut buffer[..size])
    }
}

/// A file that is not used has at least a warning.
fn assert_unused_is_reported(import: &Import) -> Result<(), TestCaseError> {
    let is_reported = import.diagnostics.iter().any(|d| d.severity > Severity::Info);
    for file in &import.files {
        prop_assert!(file.not_used.is_none() || is_reported, "{file}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        assert_adds_up(&read(&[("x.csv", &bytes)]));
    }

    #[test]
    fn any_text_is_survived(text in "[a-z_,;\"\r\n\t0-9.|-]{0,200}") {
        assert_adds_up(&read(&[("x.csv", text.as_bytes())]));
    }

    #[test]
    fn any_damage_is_survived(first in mutated(), second in mutated()) {
        assert_adds_up(&read(&[("a/x.csv", &first), ("b/x.csv", &second)]));
    }

    /// Parts of a profile, each damaged: whatever comes of them runs, or is reported.
    #[test]
    fn any_damaged_profile_is_survived(damage in prop::collection::vec(damaged(12..15), 1..5), seed in 1..40_u32) {
        let names = ["a/placements.csv", "a/scalability.csv", "a/validation-4.csv", "a/validation-8.csv", "b/validation-8.csv"];
        let files: Vec<(&str, &[u8])> = names.iter().copied().zip(damage.iter().map(Vec::as_slice)).collect();
        let import = read(&files);
        assert_adds_up(&import);
        assert_unused_is_reported(&import)?;
        for curve in import.curves.as_slice() {
            let Some(curve) = curve.at_batch(seed) else { continue };
            let at = |gpus| (curve.samples_per_s(gpus), curve.efficiency().unwrap().at(seed, 1.0, 2.0).0);
            for (speed, worth) in (1..9).map(at) {
                prop_assert!(speed >= 0.0 && speed.is_finite() && worth > 0.0 && worth.is_finite());
            }
        }
    }

    /// What a job scalability analyzer measured, damaged: whatever comes of it runs, or is reported.
    #[test]
    fn any_damaged_measurements_are_survived(
        models in damaged(16..17),
        more_models in damaged(16..17),
        all_reduce in damaged(17..18),
        without in 0..3_usize,
        batch in 1..40_u32,
    ) {
        let mut files: Vec<(&str, &[u8])> = vec![("a.csv", &models), ("b.csv", &all_reduce), ("c.csv", &more_models)];
        files.truncate(3 - without);
        let import = read(&files);
        assert_adds_up(&import);
        assert_unused_is_reported(&import)?;
        for curve in import.curves.as_slice() {
            let Some(curve) = curve.at_batch(batch) else { continue };
            for speed in (1..9).map(|gpus| curve.samples_per_s(gpus)) {
                prop_assert!(speed >= 0.0 && speed.is_finite());
            }
        }
    }

    #[test]
    fn the_size_of_reads_does_not_matter(bytes in mutated(), size in 1..9_usize) {
        let source = |size| {
            let reader = Box::new(Stream(Trickle(&bytes, size)));
            Source { path: "x.csv".into(), bytes_total: None, reader }
        };
        let read = |size| import(vec![source(size)], &Options::default(), &mut |_| {});
        prop_assert_eq!(read(size), read(usize::MAX));
    }

    #[test]
    fn a_damaged_cell_costs_at_most_its_row(row in 0..20_usize, cell in "[^,\"\r\n]{0,9}") {
        let line = |index: usize| format!("j{index},0,bert,{},9\n", if index == row { &cell } else { "1" });
        let text: String = (0..20).map(line).collect();
        let import = read(&[("x.csv", format!("job_id,submit_s,model,gpus,samples\n{text}").as_bytes())]);
        prop_assert!(import.trace.unwrap().jobs().len() >= 19);
    }

    #[test]
    fn jobs_read_back_the_same(trace in trace()) {
        let import = read(&[("x.csv", &write_jobs(&trace))]);
        prop_assert_eq!(import.files[0].rows_rejected, 0);
        prop_assert_eq!(named(&import.trace.unwrap()), named(&trace));
    }

    #[test]
    fn curves_read_back_the_same(curves in curves()) {
        let import = read(&[("x.csv", &write_curves(&curves))]);
        prop_assert_eq!((import.files[0].rows_rejected, import.files[0].rows_defaulted), (0, 0));
        prop_assert_eq!(import.curves, curves);
    }

    #[test]
    fn the_order_of_points_does_not_matter(curves in curves(), seed in any::<prop::sample::Index>()) {
        let text = String::from_utf8(write_curves(&curves)).unwrap();
        let (header, rows) = text.split_once('\n').unwrap();
        let mut rows: Vec<&str> = rows.lines().collect();
        let middle = seed.index(rows.len());
        rows.rotate_left(middle);
        rows[..middle].reverse();
        let import = read(&[("x.csv", format!("{header}\n{}\n", rows.join("\n")).as_bytes())]);
        prop_assert_eq!(import.curves, curves);
    }
}

#[test]
fn formulas_are_written_as_their_points() {
    let key = CurveKey { model: "bert".into(), batch_global: None };
    let law =
        Curve::from_law(key.clone(), Law::Power(PowerLaw { samples_per_s: 100.0, factor: 0.8, gpus_max: 9 })).unwrap();
    let points = law.points().iter().map(|point| (point.gpus, point.samples_per_s));
    let measured = Curve::new(key, points).unwrap().ending_at_last_point();
    let import = read(&[("x.csv", &write_curves(&[law].into_iter().collect()))]);
    assert_eq!(import.curves.as_slice(), [measured]);
}

#[test]
fn optional_columns_are_there_only_if_filled() {
    let key = |model: &str| CurveKey { model: model.into(), batch_global: None };
    let point = |gpus, samples_per_s| CurvePoint { gpus, samples_per_s };
    let count_only = Curve::new(key("a"), [(1, 1.5)]).unwrap();
    let spread = Curve::new(key("b"), [(1, 2.0), (2, 4.0)]).unwrap().with_spread(vec![point(2, 3.0)]).unwrap();
    let by_nodes = Curve::by_nodes(key("c"), [(1, point(2, 8.0)), (2, point(2, 7.0))]).unwrap();
    let text = |curves: &[&Curve]| {
        let curves: Curves = curves.iter().map(|curve| (*curve).clone()).collect();
        String::from_utf8(write_curves(&curves)).unwrap()
    };
    assert_eq!(text(&[&count_only]), "model,gpus,samples_per_s\na,1,1.5\n");
    let (spread, by_nodes) = (spread.ending_at_last_point(), by_nodes.ending_at_last_point());
    assert_eq!(
        text(&[&spread]),
        "model,gpus,placement,samples_per_s\nb,1,packed,2\nb,2,packed,4\nb,3,packed,0\nb,2,spread,3\n"
    );
    assert_eq!(text(&[&by_nodes]), "model,gpus,nodes,samples_per_s\nc,2,1,8\nc,2,2,7\nc,3,,0\n");
    assert_eq!(
        text(&[&count_only, &spread, &by_nodes]),
        "model,gpus,nodes,placement,samples_per_s\na,1,,,1.5\nb,1,,packed,2\nb,2,,packed,4\nb,3,,packed,0\n\
         b,2,,spread,3\nc,2,1,,8\nc,2,2,,7\nc,3,,,0\n"
    );
}

#[test]
fn tables_are_quoted_where_needed() {
    let rows = [["plain", "1,5"], ["two\nlines", "a \"quote\""], ["", ""]];
    let text = String::from_utf8(write_table(&["name", "value"], rows)).unwrap();
    assert_eq!(text, "name,value\nplain,\"1,5\"\n\"two\nlines\",\"a \"\"quote\"\"\"\n,\n");
}
