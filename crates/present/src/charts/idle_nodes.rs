//! A log of nodes that come and go: how long nodes stay, how many there are, and how often that changes (BFTrainer,
//! Figures 1 and 6).

use elastiplan_metrics::{
    FRAGMENT_LENGTHS_S, FragmentLengths, FragmentShares, IdleNodes, IdlePeriod, idle_period_s, idle_periods,
};
use elastiplan_model::Availability;
use elastiplan_text::format;

use crate::figure::axis::{Axis, Scale};
use crate::figure::table::{Cell, Table};
use crate::figure::{Figure, Series, Shape, Tone, corners};
use elastiplan_text::words;

/// The longest fragment that counts as short in BFTrainer, section 2.1.
const SHORT_S: f64 = 600.0;
/// Calendar units, in seconds.
const UNITS: [(f64, &str); 5] =
    [(31_536_000.0, "year"), (604_800.0, "week"), (86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")];

/// A chart of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfLog {
    /// The lengths of stays.
    #[default]
    Fragments,
    /// The number of nodes.
    Nodes,
    /// The number of events.
    Events,
}

impl OfLog {
    /// All of them, in the order of the menu.
    pub const ALL: [OfLog; 3] = [OfLog::Fragments, OfLog::Nodes, OfLog::Events];

    /// The quantity, with its unit or its period.
    pub fn title(self, log: &Availability) -> String {
        let period = || in_words(idle_period_s(log.end_s() - log.start_s()));
        match self {
            OfLog::Fragments => "Fragments of idle nodes, %".into(),
            OfLog::Nodes => format!("Nodes, mean of every {}", period()),
            OfLog::Events => format!("Events in every {}", period()),
        }
    }

    /// The name of its files and of its option in the menu.
    pub fn name(self) -> &'static str {
        match self {
            OfLog::Fragments => "fragments",
            OfLog::Nodes => "nodes-by-period",
            OfLog::Events => "events-by-period",
        }
    }
}

/// The figure. `has_names`: the log says which nodes there are, and not only how many.
pub fn of_log(shown: OfLog, log: &Availability, has_names: bool) -> Figure {
    let mut figure = match shown {
        OfLog::Fragments => fragments(log),
        OfLog::Nodes => by_period(shown, log, |period| period.nodes_mean),
        OfLog::Events => by_period(shown, log, |period| period.events as f64),
    };
    if !has_names && shown == OfLog::Fragments {
        figure.notes.push("The log counts nodes: the last to come is taken to be the first to go".into());
    }
    figure
}

fn fragments(log: &Availability) -> Figure {
    let (found, lengths) = (IdleNodes::of(log), FragmentLengths::of(log));
    let x = Axis::log_time(lengths.lengths_s.iter().copied()).unwrap_or(Axis::from_zero(Scale::Time, 1.0));
    let line = |label: &str, tone: Tone, share: fn(FragmentShares) -> Option<f64>| {
        let rows = lengths.lengths_s.iter().enumerate();
        let rises = rows.filter_map(|(row, length_s)| Some((*length_s, share(lengths.share_at_row(row)?)? * 100.0)));
        let line = rises.clone().next().map(|_| corners((x.from, 0.0), rises, x.to));
        Series { label: label.into(), tone, shape: Shape::Line(line.into_iter().collect()) }
    };
    let series = vec![
        line("of all fragments", Tone::First, |shares| Some(shares.by_count)),
        line("of node time", Tone::Second, |shares| shares.by_node_time),
    ];
    let short = lengths.share_shorter_than(SHORT_S).map(short_words);
    let open = (found.fragments_open > 0).then(|| {
        let open = words::counted(found.fragments_open, "fragment counts", "fragments count");
        format!("{open} with the length seen: the log ends before")
    });
    Figure {
        name: OfLog::Fragments.name().into(),
        title: OfLog::Fragments.title(log),
        summary: short.clone().unwrap_or_else(|| "No fragment".into()),
        x: x.captioned("length"),
        y: Axis::percent(),
        series,
        notes: short.into_iter().chain(open).collect(),
        table: table_of_fragments(&lengths),
        ..Figure::default()
    }
}

fn short_words(shares: FragmentShares) -> String {
    let hold = shares.by_node_time.map(|share| format!(" and hold {} of node time", format::percent(share)));
    let few = format::percent(shares.by_count);
    format!("{few} of the fragments are shorter than 10 minutes{}", hold.unwrap_or_default())
}

fn table_of_fragments(lengths: &FragmentLengths) -> Table {
    let row = |than_s: f64| {
        let shares = lengths.share_shorter_than(than_s);
        let cell = |share: Option<f64>| share.map_or(Cell::Missing, |share| Cell::Percent(share * 100.0));
        let by_node_time = shares.and_then(|shares| shares.by_node_time);
        vec![Cell::Time(than_s), cell(shares.map(|shares| shares.by_count)), cell(by_node_time)]
    };
    let columns = [
        ("Shorter than", "shorter_than_s"),
        ("Of all fragments", "fragments_percent"),
        ("Of node time", "node_time_percent"),
    ];
    Table::new(columns, FRAGMENT_LENGTHS_S.into_iter().map(row))
}

/// A value that holds for each period.
fn by_period(shown: OfLog, log: &Availability, value: impl Fn(&IdlePeriod) -> f64) -> Figure {
    let span_s = log.end_s() - log.start_s();
    let periods = idle_periods(log, idle_period_s(span_s));
    let most = periods.iter().map(&value).fold(0.0, f64::max);
    let mut steps = periods.iter().map(|period| (period.start_s - log.start_s(), value(period)));
    let line = steps.next().map(|first| corners(first, steps, span_s));
    let title = shown.title(log);
    let (label, scale) = match shown {
        OfLog::Events => ("events", Scale::Count),
        OfLog::Fragments | OfLog::Nodes => ("nodes", Scale::Number),
    };
    Figure {
        name: shown.name().into(),
        summary: format!("{title}: at most {}", format::number(most)),
        title,
        x: Axis::times(0.0, span_s),
        y: Axis::from_zero(scale, most),
        series: vec![Series { label: label.into(), tone: Tone::First, shape: Shape::Line(line.into_iter().collect()) }],
        table: table_by_period(&periods, log.start_s()),
        ..Figure::default()
    }
}

fn table_by_period(periods: &[IdlePeriod], zero_s: f64) -> Table {
    let row = |period: &IdlePeriod| {
        let events = Cell::Written(period.events as f64, format::count(period.events));
        vec![Cell::Time(period.start_s - zero_s), Cell::Number(period.nodes_mean), events]
    };
    let columns = [("From", "start_s"), ("Nodes, mean", "nodes_mean"), ("Events", "events")];
    Table::new(columns, periods.iter().map(row))
}

/// A round time: `6 hours`, `day`.
fn in_words(length_s: f64) -> String {
    let unit = UNITS.into_iter().find(|(unit_s, _)| length_s % unit_s == 0.0);
    match unit.map(|(unit_s, name)| (length_s / unit_s, name)) {
        Some((1.0, name)) => name.into(),
        Some((count, name)) => format!("{count} {name}s"),
        None => format::duration(length_s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::table::Copied;

    const HOUR_S: f64 = 3600.0;

    /// Two nodes for a day: one stays, the other is there for five minutes of every hour.
    fn log() -> Availability {
        let now_and_then = (0..24_u8).map(|hour| f64::from(hour) * HOUR_S).map(|at| (at + 100.0, Some(at + 400.0)));
        let nodes = vec![("a".into(), vec![(100.0, None)]), ("b".into(), now_and_then.collect())];
        Availability::from_intervals(nodes, 24.0 * HOUR_S + 100.0).unwrap()
    }

    fn line(figure: &Figure, at: usize) -> &[(f64, f64)] {
        let Shape::Line(pieces) = &figure.series[at].shape else { panic!("not a line") };
        &pieces[0]
    }

    fn height(figure: &Figure, at: usize, x: f64) -> f64 {
        line(figure, at).iter().take_while(|(from, _)| *from <= x).last().unwrap().1
    }

    #[test]
    fn fragments_are_counted_and_weighed() {
        let figure = of_log(OfLog::Fragments, &log(), true);
        assert_eq!(figure.x.scale, Scale::LogTime);
        assert_eq!((height(&figure, 0, 299.0), height(&figure, 1, 299.0)), (0.0, 0.0));
        assert_eq!(height(&figure, 0, 300.0), 24.0 / 25.0 * 100.0);
        assert_eq!(height(&figure, 1, 300.0), 2.0 / 26.0 * 100.0);
        assert_eq!((height(&figure, 0, 1e9), height(&figure, 1, 1e9)), (100.0, 100.0));
        assert_eq!(figure.summary, "96% of the fragments are shorter than 10 minutes and hold 8% of node time");
        assert_eq!(figure.notes[1], "1 fragment counts with the length seen: the log ends before");
        assert!(
            figure
                .table
                .copied(Copied::Csv)
                .starts_with("shorter_than_s,fragments_percent,node_time_percent\n60,0,0\n")
        );
        assert_eq!(of_log(OfLog::Fragments, &log(), false).notes.len(), 3);
    }

    #[test]
    fn periods_are_steps() {
        let (nodes, events) = (of_log(OfLog::Nodes, &log(), true), of_log(OfLog::Events, &log(), true));
        assert_eq!((&*nodes.title, &*events.title), ("Nodes, mean of every hour", "Events in every hour"));
        for hour in 0..24_u8 {
            let at = (f64::from(hour) + 0.5) * HOUR_S;
            assert_eq!(height(&nodes, 0, at), 1.0 + 1.0 / 12.0);
            // The second node is there to begin with.
            assert_eq!(height(&events, 0, at), if hour == 0 { 1.0 } else { 2.0 });
        }
        assert_eq!(line(&nodes, 0).last().unwrap().0, 24.0 * HOUR_S);
        assert_eq!(nodes.table.rows.len(), 24);
    }

    #[test]
    fn a_log_of_nothing_has_empty_figures() {
        let never = Availability::from_intervals(vec![("a".into(), vec![])], 50.0).unwrap();
        assert!(OfLog::ALL.into_iter().all(|shown| of_log(shown, &never, true).is_empty()));
        let instant = Availability::from_intervals(vec![("a".into(), vec![(7.0, None)])], 7.0).unwrap();
        for shown in OfLog::ALL {
            assert!(of_log(shown, &instant, true).x.to > 0.0);
        }
    }

    #[test]
    fn round_times_have_names() {
        for (length_s, words) in [
            (60.0, "minute"),
            (600.0, "10 minutes"),
            (6.0 * HOUR_S, "6 hours"),
            (86_400.0, "day"),
            (2_419_200.0, "4 weeks"),
            (63_072_000.0, "2 years"),
        ] {
            assert_eq!(in_words(length_s), words);
        }
    }
}
