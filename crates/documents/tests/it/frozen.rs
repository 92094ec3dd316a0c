//! Files and links of every version that was ever written: they open for ever, and run to the digests they came with.
//!
//! A new version adds a folder beside `v1`; those that are there are never changed.

use std::path::{Path, PathBuf};

use elastiplan_documents::{Bundle, Document, KnownResult, Link, Resolved};
use elastiplan_planner::run;

const VERSIONS: [&str; 1] = ["v1"];

fn folder(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen").join(version)
}

fn digests(resolved: &Resolved) -> Vec<KnownResult> {
    let of_seed = |seed: &u64| {
        let scenario = resolved.with_seed(*seed);
        let workload = scenario.workload().0;
        let result = |policy| {
            let digest = run(&scenario, &workload, policy).unwrap().digest;
            KnownResult { policy: policy.to_string(), seed: *seed, digest }
        };
        resolved.policies.iter().map(result).collect::<Vec<_>>()
    };
    resolved.seeds.iter().flat_map(of_seed).collect()
}

#[test]
fn what_every_version_wrote_opens_and_runs_the_same() {
    for version in VERSIONS {
        let folder = folder(version);
        let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
        let text = |name: &str| String::from_utf8(read(name)).unwrap();
        let opened = Bundle::read("bundle.elastiplan", &read("bundle.elastiplan")).unwrap();
        assert_eq!(opened.faults, [], "{version}");
        let Bundle { document, files, results, view, .. } = opened.bundle;
        assert_eq!(digests(&document.resolve(&|name| files.get(name).cloned()).unwrap()), results, "{version}: bundle");
        assert_eq!(results.len(), 6, "{version}: three policies with two seeds");
        assert_eq!((view.view.as_deref(), view.job.as_deref(), view.t), (Some("jobs"), Some("b & c"), Some(90.5)));

        let link = Link::open(&text("link.txt")).unwrap();
        assert_eq!((link.faults, link.view), (vec![], view), "{version}");
        assert_eq!(digests(&link.document.resolve(&|_| None).unwrap()), results, "{version}: link");

        let document = Document::parse(&text("scenario.json")).unwrap();
        let resolved = document.resolve(&|name| Some(read(name))).unwrap();
        assert_eq!(digests(&resolved), results, "{version}: document");
    }
}
