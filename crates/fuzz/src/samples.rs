//! Samples: small tables of our own, and the beginnings of public files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a file that are taken.
const BYTES: u64 = 6_000;
/// Files of a folder that are taken.
const FILES_MAX: usize = 12;

/// Tables of every kind that has a format.
const TABLES: &[&str] = &[
    "job_id,submit_s,model,gpus,samples,batch_global,gpus_min,gpus_max,deadline_s,best_effort,user\n\
     a,0,bert,2,9,64,1,4,99,0,ann\n\"b, c\",5,bert,1,8,64,,,,1,bob\n",
    "model,batch_global,gpus,placement,samples_per_s\nbert,64,1,packed,10\nbert,64,2,spread,17\n",
    "node,start_s,end_s\nn1,0,100\nn2,50,900\n",
    "time,node,up\n0,n1,1\n100,n1,0\n",
    "start_time,end_time,num_gpus,user,state\n2024-05-01 10:00:00,2024-05-01 11:00:00,8,ann,COMPLETED\n",
    "job_id;submit_s;model;gpus;duration_s\na;1,5;bert;1;1.234,5\n",
    "# BERT\n| GPUs | Batch / GPU | seq/s TF32 | FP16 (seq/s) |\n|---|:-:|--:|---|\n| 1 | 8 | 1,200 | OOM |\n| 8x A100 | 8 | ~9.1k | 2 |\n",
    "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n  creationTimestamp: \"2026-07-01T00:00:00Z\"\nspec: &a\n  template: \
     {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}}\nstatus:\n  startTime: 2026-07-01T00:01:00Z\n  \
     completionTime: '2026-07-01T01:01:00Z'\n---\nkind: List\nitems:\n- kind: Job\n  spec: *a\n",
    "division,submitter,accelerator_model_name,accelerators_count,notes,bert\nclosed,A,H100,8,\"a, b\",5.5\n",
];

/// Own tables and the beginnings of the files of the data pack.
pub(crate) fn tables() -> Vec<Vec<u8>> {
    let own = TABLES.iter().map(|text| text.as_bytes().to_vec());
    own.chain(pack().iter().filter_map(|path| beginning(path))).collect()
}

/// Texts, one sample each.
pub(crate) fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn beginning(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Some files of each folder of the data pack, in order of their names.
fn pack() -> Vec<PathBuf> {
    let root = std::env::var_os("ELASTIPLAN_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let mut files = Vec::new();
    gather(&root, &mut files);
    files
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let (folders, plain): (Vec<PathBuf>, Vec<PathBuf>) = paths.into_iter().partition(|path| path.is_dir());
    files.extend(plain.into_iter().take(FILES_MAX));
    folders.iter().for_each(|folder| gather(folder, files));
}
