//! The parts of a study as they are written and read on the page: values of axes in the units of their fields, limits of
//! goals in those of their metrics.

use elastiplan_metrics::{Metrics, Unit as MetricUnit};
use elastiplan_policies::PolicySpec;
use elastiplan_present::goal::GoalKind;
use elastiplan_scenario::fields::{Field, Unit};
use elastiplan_study::{Axis, GoalPart, JOBS_SHARE, POWER_FACTOR, RangePart, Seeds, StudyError, ValuePart, ValuesPart};

use super::study_axes::{label, parameter_of};

/// Values that a chip lists by themselves.
const LISTED_MAX: usize = 4;

/// How a value of an axis is shown: `(value - start) / many`, in a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    start: f64,
    /// How many of the field's units are one of the shown.
    many: f64,
    /// The unit: `min`, `%`; empty for none.
    pub unit: &'static str,
}

impl Scale {
    /// The scale of an axis; `start_s` is the first submission.
    pub fn of(key: &str, start_s: f64) -> Self {
        let control = Field::named(key).and_then(|field| field.control.as_ref());
        let usual = if key == JOBS_SHARE { Unit::Percent } else { Unit::One };
        let unit = control.map_or(usual, |control| control.unit);
        let many = match unit {
            Unit::Hours | Unit::HoursAfterStart => 3600.0,
            Unit::Minutes => 60.0,
            Unit::Percent => 0.01,
            Unit::One | Unit::Factor | Unit::Seconds => 1.0,
        };
        let start = if unit == Unit::HoursAfterStart { start_s } else { 0.0 };
        let own = parameter_of(key).map(|(_, parameter)| parameter.label().1);
        Self { start, many, unit: own.unwrap_or(unit.words().0) }
    }

    fn shown(self, value: f64) -> f64 {
        self.distance_shown(value - self.start)
    }

    fn distance_shown(self, value: f64) -> f64 {
        // Twelve digits are more than anybody types, and hide what division leaves behind.
        (value / self.many * 1e6).round() / 1e6
    }

    fn value(self, shown: f64) -> f64 {
        self.start + self.distance(shown)
    }

    fn distance(self, shown: f64) -> f64 {
        // Dividing by a hundred is exact where multiplying with a hundredth is not.
        if self.many < 1.0 { shown / (1.0 / self.many) } else { shown * self.many }
    }

    /// A value as it is written in a document, as it is shown.
    fn text(self, value: &ValuePart) -> String {
        match value {
            ValuePart::Number(number) => self.shown(*number).to_string(),
            ValuePart::Flag(flag) => if *flag { "on" } else { "off" }.into(),
            ValuePart::Word(word) => word.clone(),
        }
    }

    fn with_unit(self, text: &str) -> String {
        match self.unit {
            "" => text.into(),
            "%" => format!("{text}%"),
            unit => format!("{text} {unit}"),
        }
    }

    /// A value of a point as it is named in a sentence and on a chip: `54 nodes`, `rescale cost 60 s`.
    pub fn named(self, key: &str, text: &str) -> String {
        let shown =
            elastiplan_text::number(text).map_or(text.into(), |value| self.with_unit(&self.shown(value).to_string()));
        let summary = match key {
            JOBS_SHARE => Some("{} of the jobs"),
            POWER_FACTOR => Some("throughput per GPU × {} at each doubling"),
            _ => Field::named(key).and_then(|field| field.control.as_ref()).map(|control| control.summary),
        };
        match summary.filter(|summary| !summary.is_empty()) {
            Some(summary) => {
                let words = summary.replace("{}", &shown);
                if shown == "1" { words.replace("nodes", "node").replace("GPUs", "GPU") } else { words }
            }
            None => format!("{} {shown}", label(key).to_lowercase()),
        }
    }
}

/// How values of an axis are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisForm {
    /// From, to, step.
    Steps,
    /// From, to, each so many times the one before.
    Times,
    /// One by one.
    List,
}

impl AxisForm {
    /// All of them with their names.
    pub const ALL: [(Self, &str); 3] = [(Self::Steps, "Steps"), (Self::Times, "Doubled"), (Self::List, "List")];

    /// The form in which values are given.
    pub fn of(values: &ValuesPart) -> Self {
        match values {
            ValuesPart::List(_) => Self::List,
            ValuesPart::Range(RangePart { times: Some(_), .. }) => Self::Times,
            ValuesPart::Range(_) => Self::Steps,
        }
    }
}

/// Values of an axis as they are typed.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisDraft {
    /// How they are given.
    pub form: AxisForm,
    /// The first.
    pub from: String,
    /// The last.
    pub to: String,
    /// The step, or how many times the one before each is.
    pub by: String,
    /// All of them, with commas.
    pub list: String,
}

impl AxisDraft {
    /// These values as text.
    pub fn of(values: &ValuesPart, scale: Scale) -> Self {
        let empty = || Self {
            form: AxisForm::of(values),
            from: String::new(),
            to: String::new(),
            by: String::new(),
            list: String::new(),
        };
        match values {
            ValuesPart::List(list) => {
                let texts: Vec<String> = list.iter().map(|value| scale.text(value)).collect();
                Self { list: texts.join(", "), ..empty() }
            }
            ValuesPart::Range(RangePart { from, to, step, times }) => {
                let step = scale.distance_shown(step.unwrap_or(1.0));
                Self {
                    from: scale.shown(*from).to_string(),
                    to: scale.shown(*to).to_string(),
                    by: times.map_or(step, |times| times).to_string(),
                    ..empty()
                }
            }
        }
    }

    /// The values, or what is no number.
    pub fn read(&self, scale: Scale) -> Result<ValuesPart, String> {
        if self.form == AxisForm::List {
            let texts = self.list.split(',').map(str::trim).filter(|text| !text.is_empty());
            return Ok(ValuesPart::List(texts.map(|text| value_part(text, scale)).collect()));
        }
        let is_times = self.form == AxisForm::Times;
        let by = number(&self.by, if is_times { "Times" } else { "Step" })?;
        Ok(ValuesPart::Range(RangePart {
            from: scale.value(number(&self.from, "From")?),
            to: scale.value(number(&self.to, "To")?),
            step: (!is_times).then(|| scale.distance(by)),
            times: is_times.then_some(by),
        }))
    }
}

fn number(text: &str, name: &str) -> Result<f64, String> {
    let text = text.trim().trim_end_matches('%');
    text.parse().map_err(|_| match text {
        "" => format!("{name}: a number is needed"),
        text => format!("{name}: {text} is not a number"),
    })
}

fn value_part(text: &str, scale: Scale) -> ValuePart {
    match (text, elastiplan_text::number(text.trim_end_matches('%'))) {
        (_, Some(number)) => ValuePart::Number(scale.value(number)),
        ("on" | "true", _) => ValuePart::Flag(true),
        ("off" | "false", _) => ValuePart::Flag(false),
        _ => ValuePart::Word(text.into()),
    }
}

/// The same values in another form, as near as it comes.
pub fn in_form(axis: &Axis, values: &ValuesPart, form: AxisForm) -> ValuesPart {
    let numbers: Option<Vec<f64>> = axis.values.iter().map(|value| value.number).collect();
    let ends = numbers.as_ref().and_then(|numbers| Some((*numbers.first()?, *numbers.last()?)));
    let of_range = |from: f64, to: f64| match form {
        AxisForm::Times if from > 0.0 => Some(ValuesPart::Range(RangePart { from, to, step: None, times: Some(2.0) })),
        AxisForm::Steps => {
            let is_whole = from.fract() == 0.0 && to.fract() == 0.0;
            let tenth = (to - from) / 10.0;
            let step = if is_whole { tenth.round().max(1.0) } else { tenth };
            (step > 0.0).then_some(ValuesPart::Range(RangePart { from, to, step: Some(step), times: None }))
        }
        _ => None,
    };
    let listed = |value: &elastiplan_study::AxisValue| match value.number {
        Some(number) => ValuePart::Number(number),
        None => value.text.parse().map_or_else(|_| ValuePart::Word(value.text.clone()), ValuePart::Flag),
    };
    match form {
        form if form == AxisForm::of(values) => values.clone(),
        AxisForm::List => ValuesPart::List(axis.values.iter().map(listed).collect()),
        _ => ends.and_then(|(from, to)| of_range(from, to)).unwrap_or_else(|| values.clone()),
    }
}

/// The values of an axis in a few words: `40 to 80`, `7.5 to 120 s`, `keep, pack, spread, buddy`.
pub fn values_words(values: &ValuesPart, scale: Scale) -> String {
    match values {
        ValuesPart::Range(RangePart { from, to, .. }) => {
            scale.with_unit(&format!("{} to {}", scale.shown(*from), scale.shown(*to)))
        }
        ValuesPart::List(list) => match list.as_slice() {
            [first, .., last] if list.len() > LISTED_MAX => {
                let ends = scale.with_unit(&format!("{} to {}", scale.text(first), scale.text(last)));
                format!("{ends}, {} values", list.len())
            }
            list => {
                let texts: Vec<String> = list.iter().map(|value| scale.text(value)).collect();
                scale.with_unit(&texts.join(", "))
            }
        },
    }
}

/// How far values are apart: `step 2`, `doubled`; empty for a list.
pub fn spacing_words(values: &ValuesPart, scale: Scale) -> String {
    match values {
        ValuesPart::Range(RangePart { times: Some(2.0), .. }) => "doubled".into(),
        ValuesPart::Range(RangePart { times: Some(times), .. }) => format!("each × {times}"),
        ValuesPart::Range(RangePart { step, .. }) => {
            format!("step {}", scale.with_unit(&scale.distance_shown(step.unwrap_or(1.0)).to_string()))
        }
        ValuesPart::List(_) => String::new(),
    }
}

/// Why an axis cannot be used, in words; `None` if it can.
pub fn axis_fault(key: &str, values: &ValuesPart, policies: &[PolicySpec]) -> Option<String> {
    Axis::new(key, values, policies).err().map(|error| fault_words(&error))
}

/// An error without its place, which is seen: `From 9 to 3 is not a range from the smaller to the larger number`.
pub fn fault_words(error: &StudyError) -> String {
    let StudyError { value, rule, .. } = error;
    let mut letters = value.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    // The rule of a parameter names the value itself.
    if rule.contains(" is not ") { rule.clone() } else { format!("{first}{} is not {rule}", letters.as_str()) }
}

/// The goal whose limits are written like those of this metric.
fn written_like(unit: MetricUnit) -> Option<GoalKind> {
    match unit {
        MetricUnit::Ratio => Some(GoalKind::Deadlines),
        MetricUnit::Seconds => Some(GoalKind::MeanCompletion),
        MetricUnit::Dollars => Some(GoalKind::Cost),
        _ => None,
    }
}

/// A limit as it is typed: `95%`, `2h 30m`, `$400`, `12`.
pub fn limit_text(metric: &str, limit: f64) -> String {
    let kind = Metrics::info(metric).and_then(|info| written_like(info.unit));
    kind.map_or_else(|| limit.to_string(), |kind| kind.limit_text(limit))
}

/// Reads a limit of a metric. A number alone counts as per cent where the metric is a share.
pub fn read_limit(metric: &str, text: &str) -> Result<f64, String> {
    let text = text.trim();
    let kind = Metrics::info(metric).and_then(|info| written_like(info.unit));
    let found = match kind {
        Some(GoalKind::Deadlines) => {
            let percent = elastiplan_text::number(text.trim_end_matches('%').trim());
            percent.map(|percent| percent / 100.0).filter(|share| (0.0..=1.0).contains(share))
        }
        Some(kind) => kind.read_limit(text),
        None => elastiplan_text::number(text).filter(|number| number.is_finite()),
    };
    let example = kind.map_or("a number", GoalKind::example);
    found.ok_or_else(|| match kind {
        Some(_) => format!("Write a limit like {example}"),
        None => "Write a number".into(),
    })
}

/// The sign and the limit of a goal.
pub fn limit_of(goal: &GoalPart) -> (bool, f64) {
    match (goal.at_least, goal.at_most) {
        (Some(limit), _) => (true, limit),
        (None, limit) => (false, limit.unwrap_or_default()),
    }
}

/// A goal of a metric.
pub fn goal_part(metric: &str, is_least: bool, limit: f64) -> GoalPart {
    GoalPart { metric: metric.into(), at_least: is_least.then_some(limit), at_most: (!is_least).then_some(limit) }
}

/// A goal in words: `≥ 95%`.
pub fn limit_words(goal: &GoalPart) -> String {
    let (is_least, limit) = limit_of(goal);
    format!("{} {}", if is_least { '≥' } else { '≤' }, limit_text(&goal.metric, limit))
}

/// Seeds as they are typed: `10`, `10 to 40`, `10 to 40 until ±5%`, `seeds 3, 7`.
pub fn seeds_text(seeds: &Seeds) -> String {
    match seeds {
        Seeds::Count(count) => count.to_string(),
        Seeds::List(list) => {
            let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
            format!("seeds {}", texts.join(", "))
        }
        Seeds::Until { at_least, at_most, half_width } => {
            let until = half_width.map(|width| format!(" until ±{}%", (width * 1e6).round() / 1e4)).unwrap_or_default();
            format!("{at_least} to {at_most}{until}")
        }
    }
}

/// Reads seeds as [`seeds_text`] writes them; `until ±5%` alone counts from 10 to 40.
pub fn read_seeds(text: &str) -> Result<Seeds, String> {
    let how = || "Write 10, or 10 to 40, or until ±5%, or seeds 3, 7".to_string();
    let text = text.trim().to_lowercase();
    let list = text.strip_prefix("seeds").or(Some(text.as_str()).filter(|text| text.contains(',')));
    let seeds = if let Some(list) = list {
        let seeds = list.split(',').map(str::trim).filter(|text| !text.is_empty()).map(str::parse::<u64>);
        Seeds::List(seeds.collect::<Result<_, _>>().map_err(|_| how())?)
    } else if let Ok(count) = text.parse() {
        Seeds::Count(count)
    } else {
        let (range, width) =
            text.split_once("until").map_or((text.as_str(), None), |(range, width)| (range, Some(width)));
        let width = width.map(|width| width.trim().trim_start_matches('±').trim_end_matches('%').trim());
        let percent = |width: &str| elastiplan_text::number(width).ok_or_else(how);
        let half_width = width.map(percent).transpose()?.map(|percent| percent / 100.0);
        let range = if range.trim().is_empty() && half_width.is_some() { "10 to 40" } else { range };
        let (least, most) = range.split_once("to").ok_or_else(how)?;
        let whole = |text: &str| text.trim().parse::<u32>().map_err(|_| how());
        Seeds::Until { at_least: whole(least)?, at_most: whole(most)?, half_width }
    };
    seeds.check().map_err(|error| fault_words(&error))?;
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(from: f64, to: f64, step: f64) -> ValuesPart {
        ValuesPart::Range(RangePart { from, to, step: Some(step), times: None })
    }

    fn times(from: f64, to: f64, times: f64) -> ValuesPart {
        ValuesPart::Range(RangePart { from, to, step: None, times: Some(times) })
    }

    fn list(values: &[f64]) -> ValuesPart {
        ValuesPart::List(values.iter().copied().map(ValuePart::Number).collect())
    }

    /// What a chip says of an axis; and that what is typed is read as the same.
    fn check(key: &str, values: ValuesPart, expected: &str, spacing: &str) {
        let scale = Scale::of(key, 600.0);
        assert_eq!(values_words(&values, scale), expected, "{key}");
        assert_eq!(spacing_words(&values, scale), spacing, "{key}");
        assert_eq!(AxisDraft::of(&values, scale).read(scale), Ok(values), "{key}");
    }

    #[test]
    fn values_have_the_unit_of_their_field() {
        check("cluster.nodes", steps(40.0, 80.0, 2.0), "40 to 80", "step 2");
        check("cluster.gpus_per_node", times(2.0, 32.0, 2.0), "2 to 32", "doubled");
        check("what_if.rescale_cost_s", times(7.5, 120.0, 4.0), "7.5 to 120 s", "each × 4");
        check("conditions.checkpoint_interval_s", list(&[600.0, 1800.0]), "10, 30 min", "");
        check("conditions.faults.bug_share", steps(0.0, 0.5, 0.07), "0 to 50%", "step 7%");
        check("conditions.until_s", steps(4200.0, 7800.0, 3600.0), "1 to 2 h", "step 1 h");
        check("elastic-dp.delta_s", list(&[0.0, 1.0, 2.0, 3.0, 4.0]), "0 to 4 s, 5 values", "");
        let words = ["keep", "pack"].map(|word| ValuePart::Word(word.into()));
        check("conditions.placement", ValuesPart::List(words.into()), "keep, pack", "");
        let flags = [false, true].map(ValuePart::Flag);
        check("fixed.backfill", ValuesPart::List(flags.into()), "off, on", "");
    }

    #[test]
    fn what_cannot_be_an_axis_says_why() {
        let policies = ["elastic-dp".parse().unwrap()];
        let check = |key: &str, values: ValuesPart, expected: &str| {
            assert_eq!(axis_fault(key, &values, &policies).as_deref(), Some(expected));
        };
        let rule = "From 9 to 3 is not a range from the smaller to the larger number";
        check("cluster.nodes", steps(9.0, 3.0, 1.0), rule);
        check("cluster.nodes", list(&[]), "An empty list is not a list with at least one value");
        check("cluster.nodes", steps(0.0, 3.0, 1.0), "0 is not a whole number from 1 to 65,536");
        let rule = "A list of 10001 is not at most 10000 values: choose a larger step";
        check("cluster.nodes", steps(1.0, 60_000.0, 1.0), rule);
        let own = axis_fault("elastic-dp.delta_s", &list(&[-1.0]), &policies).unwrap();
        assert!(own.starts_with("elastic-dp, delta_s: -1 is not "), "{own}");
        assert_eq!(axis_fault("cluster.nodes", &steps(1.0, 3.0, 1.0), &policies), None);
    }

    #[test]
    fn a_draft_says_what_is_no_number() {
        let scale = Scale::of("cluster.nodes", 0.0);
        let draft = AxisDraft::of(&steps(1.0, 3.0, 1.0), scale);
        let check = |draft: AxisDraft, expected: &str| assert_eq!(draft.read(scale), Err(expected.into()));
        check(AxisDraft { from: "x".into(), ..draft.clone() }, "From: x is not a number");
        check(AxisDraft { to: " ".into(), ..draft.clone() }, "To: a number is needed");
        check(AxisDraft { by: "".into(), form: AxisForm::Times, ..draft }, "Times: a number is needed");
    }

    #[test]
    fn values_change_their_form() {
        let check = |values: ValuesPart, form: AxisForm, expected: ValuesPart| {
            let axis = Axis::new("what_if.rescale_cost_s", &values, &[]).unwrap();
            assert_eq!(in_form(&axis, &values, form), expected);
        };
        check(steps(8.0, 64.0, 8.0), AxisForm::Times, times(8.0, 64.0, 2.0));
        check(times(8.0, 32.0, 2.0), AxisForm::List, list(&[8.0, 16.0, 32.0]));
        check(list(&[8.0, 68.0]), AxisForm::Steps, steps(8.0, 68.0, 6.0));
        check(list(&[0.0, 68.0]), AxisForm::Times, list(&[0.0, 68.0]));
        check(list(&[8.0]), AxisForm::List, list(&[8.0]));
    }

    #[test]
    fn limits_are_typed_in_the_unit_of_their_metric() {
        let check = |metric: &str, text: &str, expected: f64, written: &str| {
            assert_eq!(read_limit(metric, text), Ok(expected));
            assert_eq!(limit_text(metric, expected), written);
        };
        check("deadline_satisfactory_ratio", "95", 0.95, "95%");
        check("job_drop_ratio", "2.5 %", 0.025, "2.5%");
        check("avg_jct_s", "2h 30m", 9000.0, "2h 30m");
        check("cost_dollars", "$1,200", 1200.0, "$1,200");
        check("jobs_dropped", "12", 12.0, "12");
        assert_eq!(read_limit("job_drop_ratio", "140"), Err("Write a limit like 99%".into()));
        assert_eq!(read_limit("avg_jct_s", "soon"), Err("Write a limit like 2h 30m".into()));
        assert_eq!(read_limit("jobs_dropped", "NaN"), Err("Write a number".into()));
        assert_eq!(limit_words(&goal_part("job_drop_ratio", false, 0.05)), "≤ 5%");
    }

    #[test]
    fn seeds_are_typed_as_they_are_said() {
        let check = |text: &str, expected: Seeds, written: &str| {
            assert_eq!(read_seeds(text), Ok(expected.clone()));
            assert_eq!(seeds_text(&expected), written);
            assert_eq!(read_seeds(written), Ok(expected));
        };
        let until = |at_least, at_most, half_width| Seeds::Until { at_least, at_most, half_width };
        check("10", Seeds::Count(10), "10");
        check("5 to 20", until(5, 20, None), "5 to 20");
        check("until ±2.5%", until(10, 40, Some(0.025)), "10 to 40 until ±2.5%");
        check("3, 7", Seeds::List(vec![3, 7]), "seeds 3, 7");
        let fails = |text: &str, expected: &str| assert_eq!(read_seeds(text), Err(expected.into()), "{text}");
        fails("0", "0 is not a number from 1 to 1000");
        fails("20 to 5", "5 is not 20 or more");
        fails("seeds 3, 3", "3 is not a seed that stands there once");
        fails("many", "Write 10, or 10 to 40, or until ±5%, or seeds 3, 7");
        fails("", "Write 10, or 10 to 40, or until ±5%, or seeds 3, 7");
    }

    #[test]
    fn points_are_named_by_their_values() {
        let check = |key: &str, text: &str, expected: &str| {
            assert_eq!(Scale::of(key, 600.0).named(key, text), expected);
        };
        check("cluster.nodes", "54", "54 nodes");
        check("cluster.nodes", "1", "1 node");
        check("what_if.rescale_cost_s", "60", "rescale cost 60 s");
        check("conditions.faults.bug_share", "0.07", "7% of jobs fail");
        check("conditions.until_s", "4200", "ends after 1 h");
        check("jobs.share", "0.5", "50% of the jobs");
        check("curves.power.factor", "0.9", "throughput per GPU × 0.9 at each doubling");
        check("elastic-dp.delta_s", "60", "elastic-dp: delta 60 s");
        check("conditions.placement", "pack", "pack placement");
    }
}
