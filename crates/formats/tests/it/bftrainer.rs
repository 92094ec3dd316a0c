//! Trainers of BFTrainer: good tables, every kind of damage, and the published ones.

use elastiplan_formats::FileKind;
use elastiplan_model::{Cluster, Severity, Workload};
use expect_test::{Expect, expect};

use crate::data_pack::folder;
use crate::{as_text, read};

const BOUNDS: &str = "job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub\n\
    J0-vgg,18,12,1.0,4.0,1e6,2021-02-10 20:21:15\n\
    J1-vgg,17.5,11,1.0,4.0,1e6,2021-02-10 20:21:51\n\
    J2-net,18,12,2.0,4.0,1e6,2021-02-10 20:22:27.5\n";
const SPEEDS: &str = "job,Ns,Ps,Os,Tsub\n\
    J0-vgg,\"[0, 1, 4]\",\"[0.0, 10.0, 30.0]\",\"[0.0, 1.0, 3.0]\",2021-02-10 20:21:15\n\
    J1-vgg,\"[0, 1, 4]\",\"[0.0, 10.0, 30.0]\",\"[0.0, 1.0, 3.0]\",2021-02-10 20:21:51\n\
    J2-net,\"[0, 1, 2, 4]\",\"[0.0, 5.0, 9.0, 15.0]\",\"[0.0, 1.0, 1.8, 3.0]\",2021-02-10 20:22:27\n";

fn check(bounds: &str, speeds: &str, expected: Expect) {
    let files = [("x.Jbnd.csv", bounds.as_bytes()), ("x.JNPs.csv", speeds.as_bytes())];
    let files: Vec<(&str, &[u8])> = files.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    let import = read(&files);
    crate::assert_adds_up(&import);
    expected.assert_eq(&as_text(&import));
}

#[test]
fn trainers_that_are_equally_fast_are_one_model() {
    check(
        BOUNDS,
        SPEEDS,
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 3 jobs; 3 rows read
            x.JNPs.csv: BFTrainer speeds of Trainers: 3 curves, 7 points; 3 rows read
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            = J0-vgg row 2 at 0 vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
            = J1-vgg row 3 at 36 vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 17.5 up 11 down
            = J2-net row 4 at 72.5 net on 2 (Some(2) to Some(4)), 1000000 samples, rescale 18 up 12 down
            ~ net 1:5 2:9 4:15 end
            ~ vgg 1:10 4:30 end
        "#]],
    );
}

#[test]
fn as_data_frames_are_written() {
    let (bounds, speeds) = (BOUNDS.replacen("job", "", 1), SPEEDS.replacen("job", "", 1));
    check(
        &bounds.replace("J0-", "").replace("J1-", "b-"),
        &speeds.replace("J0-", "").replace("J1-", "b-"),
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 3 jobs; 3 rows read
            x.JNPs.csv: BFTrainer speeds of Trainers: 3 curves, 7 points; 3 rows read
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            = vgg row 2 at 0 trainer on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
            = b-vgg row 3 at 36 vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 17.5 up 11 down
            = J2-net row 4 at 72.5 net on 2 (Some(2) to Some(4)), 1000000 samples, rescale 18 up 12 down
            ~ net 1:5 2:9 4:15 end
            ~ trainer 1:10 4:30 end
            ~ vgg 1:10 4:30 end
        "#]],
    );
}

#[test]
fn equal_endings_with_other_speeds_stay_apart() {
    check(
        BOUNDS,
        &SPEEDS.replacen("30.0", "31.0", 1),
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 3 jobs; 3 rows read
            x.JNPs.csv: BFTrainer speeds of Trainers: 3 curves, 7 points; 3 rows read
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            i x.JNPs.csv, row 2, Os: [0.0, 1.0, 3.0]. An objective in proportion to the speed. Not used: a policy says what is to be greatest. Choose the objective where the policy is set
            = J0-vgg row 2 at 0 J0-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
            = J1-vgg row 3 at 36 J1-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 17.5 up 11 down
            = J2-net row 4 at 72.5 net on 2 (Some(2) to Some(4)), 1000000 samples, rescale 18 up 12 down
            ~ J0-vgg 1:10 4:31 end
            ~ J1-vgg 1:10 4:30 end
            ~ net 1:5 2:9 4:15 end
        "#]],
    );
}

#[test]
fn bounds_alone_and_speeds_alone() {
    check(
        BOUNDS,
        "",
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 3 jobs; 3 rows read
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            = J0-vgg row 2 at 0 J0-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
            = J1-vgg row 3 at 36 J1-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 17.5 up 11 down
            = J2-net row 4 at 72.5 J2-net on 2 (Some(2) to Some(4)), 1000000 samples, rescale 18 up 12 down
        "#]],
    );
    check(
        "",
        SPEEDS,
        expect![[r#"
            x.JNPs.csv: BFTrainer speeds of Trainers: 3 curves, 7 points; 3 rows read
            ~ J0-vgg 1:10 4:30 end
            ~ J1-vgg 1:10 4:30 end
            ~ J2-net 1:5 2:9 4:15 end
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_row_of_bounds() {
    let bounds = "job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub\n\
        a,18,12,1,4,1e6,noon\nb,18,12,1,4,0,0\nc,-1,12,3,2,1e6,2021-02-10\nd,,,0,4,1e6,2021-02-10\n,1,1,1,1,1,2021-02-10\n\
        e,18,12,1,4,1e6,30\n";
    check(
        bounds,
        "",
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 1 job; 6 rows read, 5 left out
            x x.Jbnd.csv, row 2, Tsub: noon. Date and time, or seconds from 0 to 1e11. Row left out. Write it as 2021-02-10 20:21:15, or as a number of seconds
            x x.Jbnd.csv, row 3, Pmax: 0. Number above 0, at most 1e18. Row left out. Correct the value
            x x.Jbnd.csv, rows 4, 5, 6, Tsub: 2021-02-10. All times of a file as the first: date and time, or seconds. Row left out. Write all times in one way
            x x.Jbnd.csv, row 5, Jmin: 0. Whole number from 1 to 65,536. Row left out. Correct the value
            ! x.Jbnd.csv, row 4, Jmin: 3. At most the largest number of GPUs. Both limits treated as missing. Correct one of the two
            ! x.Jbnd.csv, row 4, Tcup: -1. Seconds, from 0 to 31,536,000. rescale_down_s is used. Correct the value
            ! x.Jbnd.csv, row 5, Jmin: 0. Whole number from 1 to 65,536. Treated as missing. Correct the value
            i x.Jbnd.csv, row 5, Tcup: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            i x.Jbnd.csv, row 5, Tcdw: empty. An empty cell means the default. The scenario's rescale cost is used. Fill in the value where another one is meant
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            = e row 7 at 30 e on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_row_of_speeds() {
    let speeds = "job,Ns,Ps,Os\n\
        a,\"[0, 1]\",\"[0, 10]\",\"[0, 7]\"\n\
        a,\"[0, 1]\",\"[0, 11]\",\"[0, 11]\"\n\
        b,0 1,\"[0, 10]\",\"[0, 10]\"\n\
        c,\"[0, 1, 2]\",\"[0, 10]\",\"[0, 10]\"\n\
        d,\"[1, 1]\",\"[9, 10]\",\"[9, 10]\"\n\
        e,\"[1, 2.5]\",\"[9, 10]\",\"[9, 10]\"\n\
        f,\"[1, 2, 3]\",\"[9, 12, 0]\",\"[9, 10, 0]\"\n\
        g,[],[],[]\n\
        h,[0],[0],[0]\n";
    check(
        "",
        speeds,
        expect![[r#"
            x.JNPs.csv: BFTrainer speeds of Trainers: 2 curves, 3 points; 9 rows read, 6 left out
            x x.JNPs.csv, row 3, job: a. One row for a Trainer. The first is used; row left out. Remove one of them
            x x.JNPs.csv, rows 4, 6, 7, 9, Ns: 0 1, [1, 1], [1, 2.5] and 1 other value. Numbers as [0, 1, 2]: nodes from 0 to 65,536, each once, speeds from 0 to 1e18. Row left out. Write the list in square brackets, with commas between its numbers
            x x.JNPs.csv, row 5, Ps: [0, 10]. As many speeds as numbers of nodes. Row left out. Write one speed for each number of nodes
            x x.JNPs.csv, row 9, Ps: []. Numbers as [0, 1, 2]: nodes from 0 to 65,536, each once, speeds from 0 to 1e18. Row left out. Write the list in square brackets, with commas between its numbers
            x x.JNPs.csv: h. A number of GPUs on which the model runs. Curve left out. Add measured points
            i x.JNPs.csv, row 8, Ps: [9, 12, 0]. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i x.JNPs.csv, row 8, Os: [9, 10, 0]. An objective in proportion to the speed. Not used: a policy says what is to be greatest. Choose the objective where the policy is set
            ~ a 1:10 end
            ~ f 1:9 2:12 end
        "#]],
    );
}

/// What is said when the jobs of two tables are bound to their curves and set on a cluster of such nodes.
fn bound(bounds: &str, speeds: &str, nodes: u32) -> String {
    let import = read(&[("x.Jbnd.csv", bounds.as_bytes()), ("x.JNPs.csv", speeds.as_bytes())]);
    let (workload, mut found) = Workload::bind(&import.trace.unwrap(), &import.curves);
    found.extend(workload.check_against(&Cluster::new(nodes, 1).unwrap(), nodes));
    let jobs = workload.trace().jobs().iter().zip(workload.jobs());
    let jobs = jobs.map(|(job, bound)| format!("= {} on {} to {}\n", job.name, bound.gpus_min, bound.gpus_max));
    let found = found.iter().map(|found| format!("{:?} {found}\n", found.severity));
    jobs.chain(found).collect()
}

#[test]
fn speeds_for_other_numbers_of_nodes_than_the_bounds_need() {
    let bounds = "job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub\n\
        fits,18,12,1,4,1e6,0\nfewer,18,12,1,4,1e6,0\nmore,18,12,1,64,1e6,0\nbeyond,18,12,8,16,1e6,0\nnone,18,12,1,4,1e6,0\n";
    let speeds = "job,Ns,Ps\nfits,\"[1, 4]\",\"[1, 3]\"\nfewer,\"[0, 2, 4]\",\"[0, 2, 3]\"\n\
        more,\"[1, 4]\",\"[2, 6]\"\nbeyond,\"[1, 4]\",\"[4, 9]\"\n";
    expect![[r#"
        = fits on 1 to 4
        = fewer on 2 to 4
        = more on 1 to 4
        = beyond on 4 to 4
        Warning row 3, gpus: 1. fewer is measured from 2 GPUs up. Given 2 GPUs. Add a measured point for fewer GPUs
        Warning row 4, gpus_max: 64. more does not run on more than 4 GPUs. At most 4 are given by elastic policies. Add a measured point for more GPUs, or lower the maximum
        Warning row 5, gpus_min: 8. beyond does not run on more than 4 GPUs. 4 is used. Correct the minimum or the curve
        Warning row 5, gpus: 8. beyond does not run on more than 4 GPUs. Given 4 GPUs. Correct the request or the curve
        Warning row 5, gpus_max: 16. beyond does not run on more than 4 GPUs. At most 4 are given by elastic policies. Add a measured point for more GPUs, or lower the maximum
        Error row 6, model: none. none has no throughput curve. Left out. Add a curve for this model, or correct its name
    "#]].assert_eq(&bound(bounds, speeds, 4));
}

#[test]
fn more_nodes_needed_than_there_are() {
    let bounds = "job,Tcup,Tcdw,Jmin,Jmax,Pmax,Tsub\na,18,12,3,4,1e6,0\nb,18,12,4,4,1e6,0\n";
    let speeds = "job,Ns,Ps\na,\"[1, 4]\",\"[1, 3]\"\nb,\"[1, 4]\",\"[1, 3]\"\n";
    expect![[r#"
        = a on 3 to 4
        = b on 4 to 4
        Warning row 3, gpus: b needs 4. At most the cluster's 3 GPUs. No policy can run it: it is declined, or waits until the end and may hold up others. All fit on 4 nodes
    "#]].assert_eq(&bound(bounds, speeds, 3));
}

#[test]
fn no_trainer() {
    let head = BOUNDS.split_inclusive('\n').next().unwrap();
    check(
        head,
        SPEEDS,
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers. Not used. There are no rows below the header
            x.JNPs.csv: BFTrainer speeds of Trainers: 3 curves, 7 points; 3 rows read
            x x.Jbnd.csv. There are no rows below the header. File not used. Check that the file was saved to the end
            ~ J0-vgg 1:10 4:30 end
            ~ J1-vgg 1:10 4:30 end
            ~ J2-net 1:5 2:9 4:15 end
        "#]],
    );
    check(
        BOUNDS,
        "job,Ns,Ps,Os,Tsub\n",
        expect![[r#"
            x.Jbnd.csv: BFTrainer Trainers, 3 jobs; 3 rows read
            x.JNPs.csv: BFTrainer speeds of Trainers. Not used. There are no rows below the header
            i x.Jbnd.csv, gpus. No gpus column. Jmin is used: Trainers ask for no number. The plain format has it
            x x.JNPs.csv. There are no rows below the header. File not used. Check that the file was saved to the end
            = J0-vgg row 2 at 0 J0-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 18 up 12 down
            = J1-vgg row 3 at 36 J1-vgg on 1 (Some(1) to Some(4)), 1000000 samples, rescale 17.5 up 11 down
            = J2-net row 4 at 72.5 J2-net on 2 (Some(2) to Some(4)), 1000000 samples, rescale 18 up 12 down
        "#]],
    );
}

#[test]
fn every_published_trainer_loads() {
    let Some(data) = folder("bftrainer-summit") else { return };
    let sets = [
        ("ImageNet-imgps-1001J.first300", 300, 7),
        ("ImageNet-spdup-1001J.first60", 60, 7),
        ("hps-shufflenet-10J", 10, 1),
    ];
    for (name, jobs, models) in sets {
        let file = |kind: &str| std::fs::read(data.join(format!("{name}.{kind}.csv"))).unwrap();
        let (bounds, speeds) = (file("Jbnd"), file("JNPs"));
        let import = read(&[("Jbnd.csv", &bounds), ("JNPs.csv", &speeds)]);
        let kinds: Vec<FileKind> = import.files.iter().map(|file| file.kind).collect();
        assert_eq!(kinds, [FileKind::JobsBfTrainer, FileKind::CurvesBfTrainer]);
        for file in &import.files {
            assert_eq!((file.rows_read, file.rows_defaulted, file.rows_rejected), (jobs, 0, 0), "{file}");
        }
        assert_eq!(import.diagnostics.iter().find(|diagnostic| diagnostic.severity > Severity::Info), None);
        assert_eq!(import.curves.as_slice().len(), models);
        let (workload, found) = Workload::bind(&import.trace.unwrap(), &import.curves);
        assert_eq!((workload.jobs().len() as u64, found.len()), (jobs, 0), "{found:?}");
        let bound = workload.jobs()[0];
        assert_eq!((bound.gpus_min, bound.gpus_max, bound.samples), (1, 64, 1.3e8));
    }
}
