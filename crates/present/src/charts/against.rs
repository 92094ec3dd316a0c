//! Each job under the baseline against the same job under another policy: one dot a job.

use elastiplan_compare::{Badge, Jobs};
use elastiplan_engine::Run;
use elastiplan_metrics::{EQUAL_WITHIN_S, Ending};
use elastiplan_model::order::sort_by;
use elastiplan_model::{JobId, Workload};
use elastiplan_text::format;

use crate::figure::axis::{Axis, Scale, Spacing};
use crate::figure::table::{Cell, Column, Table};
use crate::figure::{Dot, Figure, Guide, Series, Shape, Tone, label_of};
use crate::runs::{RunEntry, shown};
use elastiplan_text::words;

/// The runs that can be compared job by job with the baseline: shown, with a record, of the same jobs.
pub fn comparable(runs: &[RunEntry]) -> impl Iterator<Item = &RunEntry> + Clone {
    let has_jobs = |entry: &RunEntry| entry.result.is_some() && entry.own_workload.is_none();
    let baseline = runs.iter().find(|entry| entry.slot == 0).filter(|entry| has_jobs(entry));
    shown(runs).filter(move |entry| baseline.is_some() && entry.slot > 0 && has_jobs(entry))
}

/// The baseline across, `compared` up, both with this spacing. `None` where one of the two has no record, or has other
/// jobs.
pub fn against(runs: &[RunEntry], workload: &Workload, compared: Badge, spacing: Spacing) -> Option<Figure> {
    let other = comparable(runs).find(|entry| entry.slot == compared.slot())?;
    let of_slot = |slot: usize| runs.iter().find(|entry| entry.slot == slot);
    let baseline = of_slot(0)?;
    let record = |slot: usize| Some(&of_slot(slot)?.result.as_ref()?.run);
    let records: Vec<Option<&Run>> = (0..=other.slot).map(record).collect();
    let jobs = Jobs::new(workload, &records, EQUAL_WITHIN_S);
    let mut dots: Vec<Dot> = jobs.ids().filter_map(|job| dot(&jobs, compared, job)).collect();
    sort_by(&mut dots, |a, b| a.difference().total_cmp(&b.difference()));
    let times_s = dots.iter().flat_map(|dot| [dot.x, dot.y]);
    let log = (spacing == Spacing::Log).then(|| Axis::log_time(times_s.clone())).flatten();
    let axis = log.unwrap_or_else(|| Axis::from_zero(Scale::Time, times_s.fold(0.0, f64::max)));
    let letter = compared.letter();
    let left_out = workload.trace().jobs().len() - dots.len();
    let note = format!(
        "Without {} under both",
        words::counted(left_out as u64, "job that does", "jobs that do") + " not complete"
    );
    Some(Figure {
        name: format!("each-job-a-against-{}", letter.to_ascii_lowercase()),
        title: format!("Each job, A against {letter}"),
        summary: summary(&jobs, &dots, compared),
        x: axis.clone().captioned(format!("completion under {} →", label_of(baseline))),
        y: axis.captioned(format!("↑ under {}", label_of(other))),
        series: series(&jobs, &dots, compared),
        guides: vec![Guide::Diagonal {
            above: format!("later under {letter}"),
            below: format!("sooner under {letter}"),
        }],
        notes: if left_out > 0 { vec![note] } else { Vec::new() },
        table: table(&jobs, &dots, (baseline, other, compared)),
        ..Figure::default()
    })
}

/// The mark of a job that completes under both policies.
fn dot(jobs: &Jobs, compared: Badge, job: JobId) -> Option<Dot> {
    Some(Dot { x: jobs.jct_s(Badge::BASELINE, job)?, y: jobs.jct_s(compared, job)?, job })
}

/// Crosses lie on top: what is missed counts more than by how much a job is later.
fn series(jobs: &Jobs, dots: &[Dot], compared: Badge) -> Vec<Series> {
    let letter = compared.letter();
    let tones: Vec<Tone> = dots.iter().map(|dot| tone(jobs, dot, compared)).collect();
    let of_tone = |(wanted, label): (Tone, String)| {
        let marks = dots.iter().zip(&tones).filter(|(_, tone)| **tone == wanted);
        Series { label, tone: wanted, shape: Shape::Dots(marks.map(|(dot, _)| *dot).collect()) }
    };
    let labels = [
        (Tone::Missed, format!("missed under {letter}")),
        (Tone::Worse, format!("later under {letter}")),
        (Tone::Better, format!("sooner under {letter}")),
        (Tone::Equal, "equal".to_string()),
    ];
    labels.into_iter().map(of_tone).collect()
}

fn tone(jobs: &Jobs, dot: &Dot, compared: Badge) -> Tone {
    if jobs.meets_deadline(compared, dot.job) == Some(false) {
        return Tone::Missed;
    }
    match jobs.ending(compared, dot.job) {
        Some(Ending::Sooner) => Tone::Better,
        Some(Ending::Later) => Tone::Worse,
        _ => Tone::Equal,
    }
}

fn summary(jobs: &Jobs, dots: &[Dot], compared: Badge) -> String {
    let count = |wanted: Ending| {
        let found = dots.iter().filter(|dot| jobs.ending(compared, dot.job) == Some(wanted)).count();
        format::count(found as u64)
    };
    let letter = compared.letter();
    format!(
        "Completion time of each job under A and under {letter}: {} sooner under {letter}, {} equal, {} later",
        count(Ending::Sooner),
        count(Ending::Equal),
        count(Ending::Later)
    )
}

/// From the job that gains most to the one that loses most.
fn table(jobs: &Jobs, dots: &[Dot], (baseline, other, compared): (&RunEntry, &RunEntry, Badge)) -> Table {
    let letter = compared.letter();
    let row = |dot: &Dot| {
        let name = jobs.job(dot.job).map_or_else(String::new, |job| job.name.clone());
        let deadline = match jobs.meets_deadline(compared, dot.job) {
            Some(true) => Cell::Text("met".into()),
            Some(false) => Cell::Text("missed".into()),
            None => Cell::Missing,
        };
        let times = [Cell::Time(dot.x), Cell::Time(dot.y), Cell::Difference(dot.difference())];
        std::iter::once(Cell::Text(name)).chain(times).chain([deadline]).collect()
    };
    let columns: [Column; 5] = [
        ("Job", "job").into(),
        (label_of(baseline), format!("{}_s", baseline.name())).into(),
        (label_of(other), format!("{}_s", other.name())).into(),
        ("Difference", "difference_s").into(),
        (format!("Deadline under {letter}"), format!("deadline_{}", other.name())).into(),
    ];
    Table::new(columns, dots.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{entries, sample_runs};

    const C: usize = 2;

    fn compared() -> (Vec<RunEntry>, std::rc::Rc<Workload>, Figure) {
        let (runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        let figure = against(&runs, &workload, Badge::of_slot(C).unwrap(), Spacing::Log).unwrap();
        (runs, workload, figure)
    }

    #[test]
    fn every_job_that_completes_under_both_has_one_mark_in_its_place() {
        let (runs, workload, figure) = compared();
        let mut seen = 0;
        for (dot, tone) in figure.dots() {
            let job = &workload.trace().jobs()[dot.job.index()];
            let jct_s = |run: usize| {
                let jobs = &runs[run].result.as_ref().unwrap().run.jobs;
                jobs.end_s[dot.job.index()].unwrap() - job.submit_s
            };
            assert_eq!((dot.x, dot.y), (jct_s(0), jct_s(C)));
            let is_missed = job.deadline_s.is_some_and(|deadline_s| job.submit_s + dot.y > deadline_s);
            let expected = match dot.y - dot.x {
                _ if is_missed => Tone::Missed,
                difference_s if difference_s < -60.0 => Tone::Better,
                difference_s if difference_s > 60.0 => Tone::Worse,
                _ => Tone::Equal,
            };
            assert_eq!(tone, expected, "{}", job.name);
            seen += 1;
        }
        assert_eq!(seen, 48);
    }

    #[test]
    fn dots_above_the_diagonal_are_later() {
        let (_, _, figure) = compared();
        assert_eq!(figure.x.share(1000.0), figure.y.share(1000.0), "both axes are alike");
        for (dot, tone) in figure.dots().filter(|(_, tone)| *tone == Tone::Worse) {
            assert!(figure.y.share(dot.y) > figure.x.share(dot.x), "{dot:?} {tone:?}");
        }
    }

    #[test]
    fn rows_go_from_most_gained_to_most_lost() {
        let (_, _, figure) = compared();
        let differences: Vec<f64> = figure
            .table
            .rows
            .iter()
            .map(|row| match row[3] {
                Cell::Difference(difference_s) => difference_s,
                _ => panic!("no difference"),
            })
            .collect();
        assert!(differences.is_sorted() && differences.len() == 48);
    }

    #[test]
    fn there_is_nothing_to_compare_without_two_records() {
        let (runs, workload, _) = compared();
        let check = |runs: &[RunEntry], slot: usize, expected: bool| {
            let figure = against(runs, &workload, Badge::of_slot(slot).unwrap(), Spacing::Log);
            assert_eq!(figure.is_some(), expected, "{slot}");
        };
        check(&runs, 0, false);
        check(&runs[..1], 1, false);
        check(&entries(&["fixed", "elastic-dp"]), 1, false);
        let (mut hidden, mut others) = (runs.clone(), runs.clone());
        hidden[1].is_hidden = true;
        check(&hidden, 1, false);
        check(&hidden, C, true);
        others[1].own_workload = Some(std::rc::Rc::clone(&workload));
        check(&others, 1, false);
        check(&runs, 1, true);
    }

    #[test]
    fn spacing_moves_dots_and_nothing_else() {
        let (runs, workload, log) = compared();
        let linear = against(&runs, &workload, Badge::of_slot(C).unwrap(), Spacing::Linear).unwrap();
        assert_eq!((linear.x.scale, linear.x.from, log.x.scale), (Scale::Time, 0.0, Scale::LogTime));
        assert_eq!((&linear.table, linear.dots().count()), (&log.table, 48));
        assert!(linear.dots().all(|(dot, _)| dot.x.max(dot.y) <= linear.x.to));
    }
}
