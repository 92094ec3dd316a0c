//! BFTrainer's decision as a program: solved by a solver that knows nothing of it, both forms must come to the optimum
//! of `choose_counts`; and the text says what the data say.

#![allow(clippy::unwrap_used, clippy::panic)] // Clippy lets tests unwrap, but not what tests share.

#[path = "programs/solved.rs"]
mod solved;

use std::collections::BTreeMap;

use elastiplan_solvers::counts_program::{
    Instance, Kind, PAIRS_MAX, Program, ProgramError, Sense, Trainer, by_count, by_node,
};
use expect_test::expect_file;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use solved::{assert_is_possible, solve};

fn names(nodes: usize) -> Vec<String> {
    (0..nodes).map(|node| node.to_string()).collect()
}

/// Trainers on curves of any shape; a third of the pools have just lost nodes, which leaves some Trainers with fewer
/// than they run on.
fn instance(random: &mut ChaCha8Rng) -> Instance {
    let mut nodes = random.random_range(0..=9_usize);
    let mut holders: Vec<Option<usize>> = vec![None; nodes];
    let mut trainers = Vec::new();
    for at in 0..random.random_range(1..=3) {
        let most = random.random_range(1..=12_usize);
        let fewest = random.random_range(1..=4.min(most));
        let (speed, exponent) = (random.random_range(1.0..9.0), random.random_range(0.3..1.1));
        let noise = if random.random_bool(0.4) { 0.4 } else { 0.0 };
        let mut gain = |count: usize| match count {
            0 => 0.0,
            _ if count < fewest => f64::NEG_INFINITY,
            _ => speed * libm::pow(count as f64, exponent) * (1.0 + noise * random.random::<f64>()),
        };
        let gains: Vec<f64> = (0..=most).map(&mut gain).collect();
        for holder in &mut holders {
            if holder.is_none() && random.random_bool(0.4) {
                *holder = Some(at);
            }
        }
        trainers.push((gains, random.random_range(0.0..30.0), random.random_range(0.0..20.0)));
    }
    if random.random_bool(0.35) {
        holders.retain(|_| random.random_bool(0.7));
        nodes = holders.len();
    }
    let trainer = |(at, (gains, up_s, down_s)): (usize, (Vec<f64>, f64, f64))| {
        let held = |place: &u32| holders[*place as usize] == Some(at);
        let holds: Vec<u32> = (0..nodes as u32).filter(held).collect();
        let change_s = |count: usize| match count.cmp(&holds.len()) {
            std::cmp::Ordering::Greater => up_s,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => down_s,
        };
        Trainer { name: format!("job-{at}"), change_s: (0..gains.len()).map(change_s).collect(), gains, holds }
    };
    let trainers = trainers.into_iter().enumerate().map(trainer).collect();
    Instance { t_fwd_s: [5.0, 20.0, 60.0, 120.0][random.random_range(0..4)], nodes: names(nodes), trainers }
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0), "{what}: {found} for {expected}");
}

/// The values that variables have in the optimum keep every constraint, and make what the optimum is. No variable is a
/// number of something.
fn assert_optimum_is_possible(program: &Program, optimum: f64, what: &str) {
    assert_close(program.optimum(), optimum, what);
    assert!(program.variables.iter().all(|variable| variable.kind != Kind::Integer), "{what}");
    assert_is_possible(program, what);
}

#[test]
fn both_forms_have_the_optimum_of_the_counts() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut below_minimum, mut not_concave) = (0, 0);
    for case in 0..500 {
        let instance = instance(&mut random);
        let optimum = instance.best().value;
        for trainer in &instance.trainers {
            let fewest = trainer.gains.iter().skip(1).position(|gain| gain.is_finite()).unwrap() + 1;
            below_minimum += u32::from((1..fewest).contains(&trainer.holds.len()));
            let bend = |three: &[f64]| three[2] - three[1] > three[1] - three[0] + 1e-9;
            not_concave += u32::from(trainer.gains[fewest..].windows(3).any(bend));
        }
        let (counts, nodes) = (by_count(&instance).unwrap(), by_node(&instance).unwrap());
        for (form, program) in [("by count", counts), ("by node", nodes)] {
            let what = format!("case {case}, {form}");
            assert_optimum_is_possible(&program, optimum, &what);
            assert_close(solve(&program).unwrap(), optimum, &what);
        }
    }
    assert!(below_minimum > 50 && not_concave > 150, "{below_minimum} and {not_concave}");
}

/// What the print says instead must be wrong somewhere, or nothing was to be mended.
#[test]
fn as_printed_it_misses_optima() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let (mut by_big_m, mut without_0) = (0, 0);
    for _ in 0..200 {
        let instance = instance(&mut random);
        let (optimum, pool) = (instance.best().value, instance.nodes.len() as f64);
        let program = by_node(&instance).unwrap();
        let is_missed =
            |program: &Program| solve(program).is_none_or(|found| found < optimum - 1e-6 * optimum.abs().max(1.0));
        let mut printed = program.clone();
        for constraint in
            printed.sections.iter_mut().filter(|section| section.equation == "10").flat_map(|s| &mut s.constraints)
        {
            let last = constraint.terms.last_mut().filter(|term| term.factor == 2.0 * pool);
            if let Some(big) = last {
                big.factor = pool + 1.0;
                constraint.right -= if constraint.sense == Sense::AtMost { pool - 1.0 } else { 0.0 };
            }
        }
        by_big_m += u32::from(is_missed(&printed));
        let mut printed = program;
        let zeros: Vec<usize> = (0..printed.variables.len())
            .filter(|at| printed.variables[*at].name.starts_with("w_") && printed.variables[*at].name.ends_with("_0"))
            .collect();
        for constraint in printed.sections.iter_mut().flat_map(|section| &mut section.constraints) {
            constraint.terms.retain(|term| !zeros.contains(&term.variable));
        }
        without_0 += u32::from(is_missed(&printed));
    }
    println!("of 200, with M = |N| + 1 {by_big_m} are missed, without a breakpoint at 0 {without_0}");
    assert!(by_big_m > 10 && without_0 > 10, "{by_big_m} and {without_0}");
}

/// Factors by variable; sense and number, but for the objective.
type Sum = (BTreeMap<String, f64>, Option<(String, f64)>);

/// What a reader of the format takes from a text: every constraint by its name with its factors, and the variables by
/// kind.
#[derive(Debug, Default, PartialEq)]
struct Read {
    sums: BTreeMap<String, Sum>,
    free: Vec<String>,
    binaries: Vec<String>,
}

fn read(text: &str) -> Read {
    let mut read = Read::default();
    let mut part = "";
    let mut words: Vec<String> = Vec::new();
    for line in text.lines().map(|line| line.split('\\').next().unwrap().trim()).filter(|line| !line.is_empty()) {
        match line {
            "Maximize" | "Subject To" | "Bounds" | "Binaries" | "End" => part = line,
            _ if part == "Bounds" => read.free.push(line.strip_suffix(" free").unwrap().into()),
            _ if part == "Binaries" => read.binaries.extend(line.split(' ').map(String::from)),
            _ => words.extend(line.split(' ').map(String::from)),
        }
    }
    let (mut name, mut sign, mut factor, mut sense) = (String::new(), 1.0, 1.0, None);
    for word in words {
        let sum = |name: &String| name.clone();
        if let Some(begun) = word.strip_suffix(':') {
            name = begun.into();
            assert!(read.sums.insert(sum(&name), Default::default()).is_none(), "{name} twice");
            (sign, factor, sense) = (1.0, 1.0, None);
        } else if ["<=", ">=", "="].contains(&word.as_str()) {
            sense = Some(word);
        } else if word == "+" || word == "-" {
            sign = if word == "-" { -1.0 } else { 1.0 };
        } else if let Ok(number) = word.parse::<f64>() {
            factor = number;
            if let Some(sense) = &sense {
                read.sums.get_mut(&name).unwrap().1 = Some((sense.clone(), number));
            }
        } else {
            assert!(read.sums.get_mut(&name).unwrap().0.insert(word, sign * factor).is_none());
            (sign, factor) = (1.0, 1.0);
        }
    }
    read
}

/// The same from the data.
fn read_back(program: &Program) -> Read {
    let terms = |terms: &[elastiplan_solvers::counts_program::Term]| {
        terms.iter().map(|term| (program.name_of(term).to_string(), term.factor)).collect::<BTreeMap<_, _>>()
    };
    let mut sums = BTreeMap::from([("obj".to_string(), (terms(&program.objective), None))]);
    for constraint in program.sections.iter().flat_map(|section| &section.constraints) {
        let sense = match constraint.sense {
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
            Sense::Exactly => "=",
        };
        let right = Some((sense.to_string(), constraint.right));
        assert!(sums.insert(constraint.name.clone(), (terms(&constraint.terms), right)).is_none());
    }
    let of_kind = |kind| program.variables.iter().filter(move |v| v.kind == kind).map(|v| v.name.clone()).collect();
    Read { sums, free: of_kind(Kind::Free), binaries: of_kind(Kind::Binary) }
}

#[test]
fn the_text_says_what_the_data_say() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let instance = instance(&mut random);
        for program in [by_count(&instance).unwrap(), by_node(&instance).unwrap()] {
            let text = program.to_lp();
            assert_eq!(read(&text), read_back(&program), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        }
    }
}

/// Two Trainers on five nodes, of which one has just joined. The second has lost one, and cannot run on the other
/// alone.
fn two_trainers() -> Instance {
    let trainer = |name: &str, holds: &[u32], gains: &[f64], up_s: f64, down_s: f64| {
        let change_s = |count: usize| match count.cmp(&holds.len()) {
            std::cmp::Ordering::Greater => up_s,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => down_s,
        };
        Trainer {
            name: name.into(),
            holds: holds.to_vec(),
            gains: gains.to_vec(),
            change_s: (0..gains.len()).map(change_s).collect(),
        }
    };
    let trainers = vec![
        trainer("alexnet", &[0, 1, 2], &[0.0, 7.1, 13.1, 17.1, 21.1, 25.9], 20.0, 12.0),
        trainer("resnet18", &[3], &[0.0, f64::NEG_INFINITY, 10.6, 15.5, 20.4], 18.0, 10.0),
    ];
    let nodes = ["4", "7", "8", "11", "12"].map(String::from).to_vec();
    Instance { t_fwd_s: 120.0, nodes, trainers }
}

#[test]
fn two_trainers_as_text() {
    let instance = two_trainers();
    expect_file!["programs/two_trainers_by_count.lp"].assert_eq(&by_count(&instance).unwrap().to_lp());
    expect_file!["programs/two_trainers_by_node.lp"].assert_eq(&by_node(&instance).unwrap().to_lp());
}

#[test]
fn what_cannot_be_written() {
    let by_node_of = |change: fn(&mut Instance)| {
        let mut instance = two_trainers();
        change(&mut instance);
        by_node(&instance).map(|_| ())
    };
    let resnet18 = || "resnet18".to_string();
    assert_eq!(by_node_of(|_| {}), Ok(()));
    assert_eq!(by_node_of(|instance| instance.trainers.clear()), Err(ProgramError::NoJobs));
    assert_eq!(
        by_node_of(|instance| instance.trainers[0].change_s[5] += 1.0),
        Err(ProgramError::Costs("alexnet".into()))
    );
    assert_eq!(by_node_of(|instance| instance.trainers[1].gains[3] = f64::NAN), Err(ProgramError::Gaps(resnet18())));
    assert_eq!(by_node_of(|instance| instance.trainers[1].holds[0] = 2), Err(ProgramError::Holds(resnet18())));
    assert_eq!(by_node_of(|instance| instance.trainers[1].holds[0] = 5), Err(ProgramError::Holds(resnet18())));
    let name = |name: &str| Err(ProgramError::NodeName(name.into()));
    assert_eq!(by_node_of(|instance| instance.nodes[3] = "7".into()), name("7"));
    assert_eq!(by_node_of(|instance| instance.nodes[3] = "a b".into()), name("a b"));
    let mut large = two_trainers();
    large.nodes = names(PAIRS_MAX / 2 + 1);
    assert_eq!(by_node(&large), Err(ProgramError::TooLarge { trainers: 2, nodes: large.nodes.len() }));
    assert!(by_count(&large).is_ok());
}

#[test]
fn no_trainer_can_run_and_no_node_is_there() {
    let idle = Trainer { name: "a\nb".into(), ..Trainer::default() };
    let instance = Instance { t_fwd_s: 1.0, nodes: vec![], trainers: vec![idle] };
    for program in [by_count(&instance).unwrap(), by_node(&instance).unwrap()] {
        assert_optimum_is_possible(&program, 0.0, "idle");
        assert_eq!(read(&program.to_lp()), read_back(&program));
    }
}
