//! Tables of throughput by numbers of GPUs: vendors' in Markdown, and results of MLPerf.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::data_pack::folder;
use crate::{as_text, given, read};

/// Compares what comes of a document with what is expected.
fn check(path: &str, text: &str, expected: Expect) {
    let import = read(&[(path, text.as_bytes())]);
    crate::assert_adds_up(&import);
    let told = as_text(&import);
    let told = told.lines().filter(|line| !line.contains("Read so; it has no")).map(|line| format!("{line}\n"));
    expected.assert_eq(&told.collect::<String>());
}

/// Compares the curves of a document with what is expected, a line each.
fn check_curves(text: &str, expected: &[&str]) {
    let import = read(&[("bert.md", text.as_bytes())]);
    crate::assert_adds_up(&import);
    let text = given(&import);
    assert_eq!(text.lines().map(|line| line.trim_start_matches("~ ")).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn columns_in_any_order() {
    let expected = ["bert 1:1200 8:9000.5"];
    check_curves("| GPUs | img/s |\n|---|---|\n| 1 | 1,200 |\n| 8 | 9,000.5 |\n", &expected);
    check_curves("img/s | GPUs\n-----|----\n1200 img/s | 1\n9000.5 img/s | 8", &expected);
    check_curves(
        "| Speedup | **Number of GPUs** | Sequences per sec |\n|:-:|--:|:--|\n|1 x|1|1.2k|\n|7.5 x|8|9000.5|\n",
        &expected,
    );
    check_curves("| Nodes | GPUs per node | tokens/s |\n|---|---|---|\n|1|1|1200|\n|2|4|9,000.5|\n", &expected);
    check_curves("| GPUs | images/s/GPU |\n|---|---|\n|1|1200|\n|8|1125.0625|\n", &expected);
}

#[test]
fn models_by_column_heading_title_and_name() {
    let table = "| GPUs | img/s |\n|--|--|\n| 1 | 10 |\n| 2 | 19 |\n";
    let check = |text: String, model: &str| check_curves(&text, &[&format!("{model} 1:10 2:19")]);
    check("| Model | GPUs | img/s |\n|--|--|--|\n| vgg | 1 | 10 |\n| vgg | 2 | 19 |\n".into(), "vgg");
    check(format!("## ResNet-50\n\nSome text.\n\n{table}"), "ResNet-50");
    check(format!("# ResNet-50\n\n[paper](x)\n\n## Training performance: DGX A100 (8x A100)\n{table}"), "ResNet-50");
    check(format!("## Results\n{table}"), "bert");
    check(format!("```\n# no heading\n```\n\n{table}"), "bert");
}

#[test]
fn batch_sizes() {
    let table = |name: &str, rows: &[[u32; 3]]| {
        let rows = rows.iter().map(|[gpus, batch, speed]| format!("| {gpus} | {batch} | {speed} |\n"));
        format!("| GPUs | {name} | img/s |\n|---|---|---|\n{}", rows.collect::<String>())
    };
    // The batch grows with the GPUs: one curve.
    check_curves(&table("Global batch", &[[1, 256, 10], [2, 512, 19]]), &["bert 1:10 2:19"]);
    check_curves(&table("Batch", &[[1, 256, 10], [2, 512, 19]]), &["bert 1:10 2:19"]);
    check_curves(&table("Batch size / GPU", &[[1, 256, 10], [2, 256, 19]]), &["bert 1:10 2:19"]);
    // The batch stays, or there are several for a number of GPUs: a curve for each.
    check_curves(&table("Global batch", &[[1, 256, 10], [2, 256, 17]]), &["bert at batch 256 1:10 2:17"]);
    check_curves(
        &table("Batch", &[[1, 256, 10], [2, 256, 17], [1, 512, 11], [2, 512, 20]]),
        &["bert at batch 256 1:10 2:17", "bert at batch 512 1:11 2:20"],
    );
    check_curves(
        &table("Local batch size", &[[1, 32, 8], [2, 32, 15], [1, 64, 10], [2, 64, 19]]),
        &["bert (batch size 32) 1:8 2:15", "bert (batch size 64) 1:10 2:19"],
    );
}

#[test]
fn a_table_with_everything_wrong() {
    check(
        "bert.md",
        "# Numbers\n\
         | GPU | GPUs | Batch | img/s TF32 | img/s FP16 |\n\
         |-----|------|-------|------------|------------|\n\
         | A100 | 1 | 256 | 100 | 180 |\n\
         | A100 | 2 | 256 | 190 | OOM |\n\
         | A100 | two | 256 | 190 | 300 |\n\
         | A100 | 4 | big | 190 | 300 |\n\
         | A100 | 4 | 256 | - | n/a |\n\
         | A100 | 4 | 256 | 12,5 | 600 |\n\
         | A100 | 4 | 256 | 370 | 610 |\n\
         | V100 | 4 | 256 | 200 | 300 |\n\
         \n\
         ## Another\n\
         | GPUs | latency |\n|---|---|\n| 1 | 3 |\n\n\
         | GPUs | img/s TF32 | img/s FP16 |\n|---|---|---|\n| 16 | 1000 | 2000 |\n",
        expect![[r#"
            bert.md: Scaling table of Another and 1 more, by headings, title and the file's name: 4 curves, 7 points; 9 rows read, 1 with values filled in, 4 left out
            x bert.md, row 6: two. Whole number of GPUs from 1 to 65,536. Row left out. Write a number
            x bert.md, row 7: big. Whole number from 1 to 1,073,741,824. Row left out. Write a number
            x bert.md, row 8: -, n/a. A throughput per second. Row left out. Write a number such as 16,621 img/s; OOM means that the model does not run on that many GPUs
            ! bert.md, row 9: 12,5. A throughput per second, with commas between thousands and a decimal point. Treated as missing. Write a number such as 16,621 img/s
            ! bert.md, row 10: Numbers FP16. One throughput for a model, batch size and number of GPUs. The first is used. Remove one of them
            i bert.md, row 11: V100. One GPU type at a time: the first of the file. Row left out. Take the rows of the first type out to use another
            i bert.md, row 5: OOM. A throughput above 0 where the model runs. Taken as: does not run on that many GPUs. Fill in the value if it does
            i bert.md: Another FP16 and 1 more. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            ~ Another FP16 16:2000
            ~ Another TF32 16:1000
            ~ Numbers FP16 at batch 256 1:180 4:600
            ~ Numbers TF32 at batch 256 1:100 2:190 4:370
        "#]],
    );
}

#[test]
fn models_have_the_points_of_one_table() {
    check(
        "bert.md",
        "## Training performance: DGX-1\n|GPUs|img/s|\n|-|-|\n|1|10|\n|8|70|\n\n\
         ## Training performance: DGX-2\n|GPUs|img/s|\n|-|-|\n|1|12|\n|16|150|\n|x|1|\n",
        expect![[r#"
            bert.md: Scaling table of bert, by the file's name: 1 curve, 2 points; 5 rows read, 1 left out
            x bert.md, row 12: x. Whole number of GPUs from 1 to 65,536. Row left out. Write a number
            ! bert.md, rows 10, 11: bert. The points of a model from one table: the first. Not used. Take the other table out, or give it a column Model
            ~ bert 1:10 8:70
        "#]],
    );
}

#[test]
fn documents_without_a_table_are_refused() {
    check(
        "README.md",
        "# A model\n\nSee [the paper](https://x.y).\n",
        expect![[r#"
            README.md: Scaling table. Not used. There is no table with a column of GPUs and one of throughput per second
            x README.md. There is no table with a column of GPUs and one of throughput per second. File not used. Give it a table such as | GPUs | images/s |, or drop a CSV file
        "#]],
    );
    check(
        "README.md",
        "# A model\n\n| GPUs | Time per step |\n|---|---|\n| 1 | 2 ms |\n\nSee [the paper](https://x.y).\n",
        expect![[r#"
            README.md: Scaling table. Not used. There is no table with a column of GPUs and one of throughput per second
            x README.md. There is no table with a column of GPUs and one of throughput per second. File not used. Give it a table such as | GPUs | images/s |, or drop a CSV file
        "#]],
    );
}

#[test]
fn results_of_mlperf() {
    check(
        "summary.csv",
        "division,availability,submitter,system,accelerator_model_name,accelerators_count,framework,notes,bert,gpt3,resnet,details_url\n\
         closed,available,A,a-8,H100,8,x,\"8 nodes, fast\",5.5,,0,u\n\
         closed,available,A,a-16,H100,16,x,,3,soon,7.5,u\n\
         division,availability,submitter,system,accelerator_model_name,accelerators_count,framework,notes,bert,gpt3,resnet,details_url\n\
         closed,available,B,b-16,H100,16,x,,2.5,,,u\n\
         closed,available,B,b-4096,TPU-v5e,4096,x,,,44,,u\n\
         closed,available,B,b-none,H100,,x,,1,,,u\n\
         closed,available,B,b-empty,H100,8,x,,,,,u\n\
         open,available,C,c-8,H100,8,x,,1,,,u\n",
        expect![[r#"
            summary.csv: MLPerf Training results: 2 curves, 3 points; 7 rows read, 2 with values filled in, 4 left out
            x summary.csv, row 7, accelerators_count: empty. Whole number from 1 to 65,536. Row left out. Fill in the value
            ! summary.csv, row 2, resnet: 0. Minutes above 0, at most 1e9. Treated as missing. Correct the value
            ! summary.csv, row 3, gpt3: soon. Minutes above 0, at most 1e9. Treated as missing. Write a number
            i summary.csv, row 4. The header stands once, on top. Line skipped. Nothing to do, if files were joined; the rows below it are read
            i summary.csv, row 5, bert: 2.5. One time for a benchmark and a number of accelerators: the first. Not used. Keep the row of the system that you plan with
            i summary.csv, row 6, accelerator_model_name: TPU-v5e. One accelerator at a time: that of the first row with a result. Row left out. Keep the rows of one accelerator to use another
            i summary.csv, row 8. A time of some benchmark. Row left out. Nothing to do: the system has no result
            i summary.csv, row 9, division: open. The closed division, in which every system trains the same model. Row left out. Nothing to do: times of the open division are of other models
            i summary.csv: resnet. Two measured points or more make a curve. Its speed is used for every larger number of GPUs. Add measured points
            i summary.csv, samples_per_s. samples_per_s, as this source has it. A sample is a whole training to the target quality: 1 / (60 x minutes). Nothing to do: larger batches need more samples, so that times are all there is to compare
            i summary.csv, gpus. gpus, as this source has it. An accelerator is a GPU. Nothing to do
            ~ bert 8:0.0030303030303030303 16:0.005555555555555556
            ~ resnet 16:0.0022222222222222222
        "#]],
    );
}

/// The figures of the published table.
#[test]
fn the_table_of_resnet50_is_read_as_it_stands() {
    let Some(folder) = folder("mlperf-and-vendor-tables") else { return };
    let text = std::fs::read(folder.join("nvidia-dle.resnet50v1.5.dgx-a100.table.md")).unwrap();
    let import = read(&[("resnet50v1.5.md", &text)]);
    assert_eq!(given(&import), "~ resnet50v1.5 TF32 1:938 8:7248\n~ resnet50v1.5 mixed precision 1:2470 8:16621\n");
}

/// Each scaling table in the docs gives the curves behind it.
#[test]
fn the_tables_in_the_docs_are_read_as_they_say() {
    let text = include_str!("../../../../docs/import.md");
    let mut examples = 0;
    for block in text.split("\n```curves\n").skip(1) {
        let (table, rest) = block.split_once("\n```").unwrap();
        let expected = rest.split_once("```csv\n").unwrap().1.split_once("\n```").unwrap().0;
        let import = read(&[("gpt2.md", table.as_bytes())]);
        let written = elastiplan_formats::export::write_curves(&import.curves);
        assert_eq!(String::from_utf8(written).unwrap().trim_end(), expected, "{table}");
        assert!(import.files[0].source.is_some(), "{table}");
        examples += 1;
    }
    assert_eq!(examples, 2);
}

/// A number with commas between thousands, as vendors write it.
fn separated(number: u32) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(",")
}

proptest! {
    /// Points are those of the rows, the first of each number of GPUs, in whatever order the columns stand and however
    /// numbers are written.
    #[test]
    fn points_are_those_of_the_rows(
        rows in prop::collection::vec((1..3000_u32, 1..2_000_000_u32), 1..20),
        order in Just([0_usize, 1, 2]).prop_shuffle(),
        (with_bars, with_commas, with_unit) in any::<(bool, bool, bool)>(),
    ) {
        let number = |value: u32| if with_commas { separated(value) } else { value.to_string() };
        let line = |cells: [String; 3]| {
            let cells: Vec<&str> = order.iter().map(|at| cells[*at].as_str()).collect();
            let line = cells.join(" | ");
            if with_bars { format!("| {line} |\n") } else { format!("{line}\n") }
        };
        let header = if with_unit { "Throughput" } else { "Throughput (img/s)" };
        let mut text = line(["GPUs".into(), header.into(), "Speedup".into()]);
        text += &line(["---".into(), ":--:".into(), "--:".into()]);
        let mut expected = BTreeMap::new();
        for (gpus, speed) in rows {
            let unit = if with_unit { " img/s" } else { "" };
            text += &line([number(gpus), format!("{}{unit}", number(speed)), "1.5 x".into()]);
            expected.entry(gpus).or_insert(f64::from(speed));
        }
        let import = read(&[("x.md", text.as_bytes())]);
        crate::assert_adds_up(&import);
        let points = import.curves.as_slice()[0].points().iter().map(|point| (point.gpus, point.samples_per_s));
        prop_assert_eq!(points.collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
    }
}
