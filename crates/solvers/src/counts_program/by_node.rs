//! The program of the paper, node by node.

use std::cmp::Ordering;

use super::{Constraint, Instance, Kind, Program, ProgramError, Sense, Term, Trainer};
use Sense::{AtLeast, AtMost, Exactly};

/// Trainers times nodes, at most: beyond this it is too long to read, and a small solver takes minutes.
pub const PAIRS_MAX: usize = 1000;

/// Two slopes are one if they differ by no more than this share of the greatest gain.
const STRAIGHT_WITHIN: f64 = 1e-12;

const OBJECTIVE: &str = "(16) What Trainers gain in T_fwd, less what they gain now times the seconds that changes take";

const OTHERWISE_4: &str = "y^u and its rows are left out: N_j <= N_max holds for N_j = 0, too. M is N_min in the first row: \
                        with |N| + 1 a Trainer whose N_min is larger than that could not hold none";
const OTHERWISE_9: &str = "the four rows come to one, as it is known which c are 1";
const OTHERWISE_10: &str = "M is 2|N|: the printed M > |N| is too small, as to give up or take d nodes needs M >= 2d";
const OTHERWISE_11: &str = "a breakpoint at 0 is added: without it the weights forbid N_j = 0. Which two neighbours have \
                         weight is said by binaries b, as not every solver knows SOS2; curves need not be concave, so it \
                         must be said";
const OTHERWISE_14: &str = "the sum over Trainers is left out: R_j is each Trainer's own";

/// What there is to be found for one Trainer.
struct Row<'a> {
    number: usize,
    trainer: &'a Trainer,
    /// Fewest and most nodes on which it runs; `None` if it cannot run at all.
    limits: Option<(usize, usize)>,
    up_s: f64,
    down_s: f64,
    /// Numbers of nodes with gains, between which they are straight.
    points: Vec<(usize, f64)>,
    /// Whether it holds each node, in the optimum.
    x: Vec<usize>,
    u: Vec<usize>,
    y: usize,
    z: usize,
    z_up: usize,
    z_down: usize,
    nodes: usize,
    gain: usize,
    seconds: usize,
    weights: Vec<usize>,
    segments: Vec<usize>,
}

/// A binary `x_j_n` for each Trainer `j` and node `n`, and the other variables of the paper:
///
/// | variable | paper | is |
/// |---|---|---|
/// | `N_j` | N_j | nodes that the Trainer gets |
/// | `y_j` | y^l_j | 1 if it gets none |
/// | `u_j_n` | u_jn | 1 if it gets the node and did not have it, or the other way round |
/// | `z_j` | z_j | 1 if it does not grow: then it only gives up |
/// | `zu_j`, `zd_j` | z^u_j, z^d_j | 1 if it grows, if it shrinks |
/// | `w_j_n` | w_j^i | weight of the breakpoint at `n` nodes |
/// | `b_j_n` | SOS2 | 1 if the weights lie on the stretch that ends at `n` nodes |
/// | `f_j`, `R_j` | O_j(N_j), R_j | what it gains a second; seconds that the change takes |
pub fn by_node(instance: &Instance) -> Result<Program, ProgramError> {
    instance.check()?;
    let (trainers, nodes) = (instance.trainers.len(), instance.nodes.len());
    if trainers.saturating_mul(nodes) > PAIRS_MAX {
        return Err(ProgramError::TooLarge { trainers, nodes });
    }
    let best = instance.best();
    let holders = instance.holders(&best.units);
    let mut program = Program { about: instance.about(&best), objective_says: OBJECTIVE, ..Program::default() };
    let mut rows = Vec::new();
    for (at, trainer) in instance.trainers.iter().enumerate() {
        rows.push(Row::add(&mut program, instance, at, trainer, &holders)?);
    }
    let gained = |row: &Row<'_>| Term { factor: instance.t_fwd_s, variable: row.gain };
    let paid = |row: &Row<'_>| Term { factor: -row.trainer.gain_now(), variable: row.seconds };
    let terms = rows.iter().flat_map(|row| [gained(row), paid(row)]);
    program.objective = terms.filter(|term| term.factor != 0.0).collect();
    add_constraints(&mut program, instance, &rows);
    Ok(program)
}

/// All constraints, equation by equation.
fn add_constraints(program: &mut Program, instance: &Instance, rows: &[Row<'_>]) {
    let pool = instance.nodes.len() as f64;
    let all = |of: &dyn Fn(&Row<'_>) -> Vec<Constraint>| rows.iter().flat_map(of).collect::<Vec<_>>();
    let once = |(at, node): (usize, &String)| {
        let x = rows.iter().filter_map(|row| Some((1.0, *row.x.get(at)?)));
        Constraint::new(format!("once_{node}"), x, AtMost, 1.0)
    };
    program.section("2", "N_j is how many nodes Trainer j gets", "", all(&|row| vec![row.count()]));
    program.section(
        "4",
        "None, or N_min to N_max, of which there are no more than |N|",
        OTHERWISE_4,
        all(&|row| row.size(pool)),
    );
    program.section("5", "A node has one Trainer at most", "", instance.nodes.iter().enumerate().map(once).collect());
    program.section("9", "u_jn is 1 where x_jn is not c_jn", OTHERWISE_9, all(&|row| row.changes(instance)));
    program.section(
        "10",
        "Nobody migrates: it only takes nodes, or only gives some up",
        OTHERWISE_10,
        all(&|row| row.no_migration(pool)),
    );
    program.section("11", "N_j lies on a stretch between two breakpoints", OTHERWISE_11, all(&|row| row.between()));
    program.section("12", "There it gains what lies on the straight line", "", all(&|row| vec![row.gained()]));
    program.section("14", "Seconds that the change takes", OTHERWISE_14, all(&|row| vec![row.change_s()]));
    program.section("15", "zu_j is 1 if it grows, zd_j if it shrinks", "", all(&|row| row.signs(pool)));
}

impl<'a> Row<'a> {
    /// Adds its variables, with what they are in the optimum.
    fn add(
        program: &mut Program,
        instance: &Instance,
        at: usize,
        trainer: &'a Trainer,
        holders: &[Option<usize>],
    ) -> Result<Self, ProgramError> {
        let (number, pool) = (at + 1, instance.nodes.len());
        let limits = limits(trainer, pool).ok_or_else(|| ProgramError::Gaps(trainer.name.clone()))?;
        let held = trainer.holds.len();
        let (from, to) = limits.unwrap_or_default();
        let after = |grows: bool| {
            std::iter::once(0).chain(from..=to).filter(move |n| if grows { *n > held } else { *n < held })
        };
        let cost = |grows| one_cost(trainer, after(grows)).ok_or_else(|| ProgramError::Costs(trainer.name.clone()));
        let (up_s, down_s) = (cost(true)?, cost(false)?);
        let points = breakpoints(trainer, limits);
        let count = holders.iter().filter(|holder| **holder == Some(at)).count();
        let mut binary = |name: String, is: bool| program.add_binary(name, is);
        let (mut x, mut u) = (Vec::new(), Vec::new());
        for ((place, node), holder) in (0..).zip(&instance.nodes).zip(holders) {
            let (had, has) = (trainer.holds.contains(&place), *holder == Some(at));
            x.push(binary(format!("x_{number}_{node}"), has));
            u.push(binary(format!("u_{number}_{node}"), has != had));
        }
        let y = binary(format!("y_{number}"), count == 0);
        let z = binary(format!("z_{number}"), count < held);
        let z_up = binary(format!("zu_{number}"), count > held);
        let z_down = binary(format!("zd_{number}"), count < held);
        let stretch = points.iter().skip(1).position(|(nodes, _)| count <= *nodes);
        let ends = points.iter().skip(1).enumerate();
        let segments = ends.map(|(k, (nodes, _))| binary(format!("b_{number}_{nodes}"), stretch == Some(k))).collect();

        let weight = |k: usize| weight_of(&points, stretch, k, count);
        let names = points.iter().enumerate().map(|(k, (nodes, _))| (format!("w_{number}_{nodes}"), weight(k)));
        let weights: Vec<usize> = names.map(|(name, value)| program.add(name, Kind::Positive, value)).collect();
        let gain = points.iter().enumerate().map(|(k, (_, gain))| weight(k) * gain).sum();
        let seconds = match count.cmp(&held) {
            Ordering::Greater => up_s,
            Ordering::Less => down_s,
            Ordering::Equal => 0.0,
        };
        let nodes = program.add(format!("N_{number}"), Kind::Positive, count as f64);
        let below_0 = points.iter().any(|(_, gain)| *gain < 0.0);
        let gain = program.add(format!("f_{number}"), if below_0 { Kind::Free } else { Kind::Positive }, gain);
        let seconds = program.add(format!("R_{number}"), Kind::Positive, seconds);
        Ok(Self {
            number,
            trainer,
            limits,
            up_s,
            down_s,
            points,
            x,
            u,
            y,
            z,
            z_up,
            z_down,
            nodes,
            gain,
            seconds,
            weights,
            segments,
        })
    }

    fn held(&self) -> f64 {
        self.trainer.holds.len() as f64
    }

    fn named(&self, name: &str) -> String {
        format!("{name}_{}", self.number)
    }

    fn count(&self) -> Constraint {
        let x = self.x.iter().map(|x| (-1.0, *x));
        Constraint::new(self.named("nodes"), std::iter::once((1.0, self.nodes)).chain(x), Exactly, 0.0)
    }

    fn size(&self, pool: f64) -> Vec<Constraint> {
        let Some((fewest, most)) = self.limits else { return Vec::new() };
        let (fewest, most) = (fewest as f64, most as f64);
        vec![
            Constraint::new(self.named("least"), [(1.0, self.nodes), (fewest, self.y)], AtLeast, fewest),
            Constraint::new(self.named("none"), [(1.0, self.nodes), (pool, self.y)], AtMost, pool),
            Constraint::new(self.named("most"), [(1.0, self.nodes)], AtMost, most),
        ]
    }

    fn changes(&self, instance: &Instance) -> Vec<Constraint> {
        let pairs = self.x.iter().zip(&self.u).zip((0..).zip(&instance.nodes));
        let change = |((x, u), (place, node)): ((&usize, &usize), (u32, &String))| {
            let had = self.trainer.holds.contains(&place);
            let (sign, right) = if had { (1.0, 1.0) } else { (-1.0, 0.0) };
            Constraint::new(format!("changes_{}_{node}", self.number), [(1.0, *u), (sign, *x)], Exactly, right)
        };
        pairs.map(change).collect()
    }

    fn no_migration(&self, pool: f64) -> Vec<Constraint> {
        let big = 2.0 * pool;
        let with = |sign: f64| {
            let u = self.u.iter().map(move |u| (sign, *u));
            std::iter::once((1.0, self.nodes)).chain(u).chain([(big, self.z)])
        };
        vec![
            Constraint::new(self.named("grows"), with(-1.0), AtLeast, self.held()),
            Constraint::new(self.named("gives"), with(1.0), AtMost, self.held() + big),
        ]
    }

    fn between(&self) -> Vec<Constraint> {
        let one = |variables: &[usize]| variables.iter().map(|variable| (1.0, *variable)).collect::<Vec<_>>();
        let at = self.weights.iter().zip(&self.points).map(|(weight, (nodes, _))| (-(*nodes as f64), *weight));
        let mut all = vec![
            Constraint::new(self.named("weights"), one(&self.weights), Exactly, 1.0),
            Constraint::new(self.named("at"), std::iter::once((1.0, self.nodes)).chain(at), Exactly, 0.0),
        ];
        if self.segments.is_empty() {
            return all;
        }
        all.push(Constraint::new(self.named("stretch"), one(&self.segments), Exactly, 1.0));
        for (k, (weight, (nodes, _))) in self.weights.iter().zip(&self.points).enumerate() {
            // The stretch that ends here and the one that begins here.
            let touching = self.segments.iter().skip(k.saturating_sub(1)).take(if k == 0 { 1 } else { 2 });
            let terms = std::iter::once((1.0, *weight)).chain(touching.map(|segment| (-1.0, *segment)));
            all.push(Constraint::new(format!("pair_{}_{nodes}", self.number), terms, AtMost, 0.0));
        }
        all
    }

    fn gained(&self) -> Constraint {
        let gains = self.weights.iter().zip(&self.points).map(|(weight, (_, gain))| (-gain, *weight));
        Constraint::new(self.named("gains"), std::iter::once((1.0, self.gain)).chain(gains), Exactly, 0.0)
    }

    fn change_s(&self) -> Constraint {
        let terms = [(1.0, self.seconds), (-self.up_s, self.z_up), (-self.down_s, self.z_down)];
        Constraint::new(self.named("takes"), terms, Exactly, 0.0)
    }

    fn signs(&self, pool: f64) -> Vec<Constraint> {
        let held = self.held();
        let (nodes, up, down) = (self.nodes, self.z_up, self.z_down);
        vec![
            Constraint::new(self.named("up_if"), [(1.0, nodes), (held - pool, up)], AtMost, held),
            Constraint::new(self.named("up_then"), [(1.0, nodes), (-(held + 1.0), up)], AtLeast, 0.0),
            Constraint::new(self.named("down_then"), [(1.0, nodes), (pool - held + 1.0, down)], AtMost, pool),
            Constraint::new(self.named("down_if"), [(1.0, nodes), (held, down)], AtLeast, held),
        ]
    }
}

/// Fewest and most nodes of the pool on which it runs, `None` inside if on no number of them; `None` if it does not run
/// on all in between.
fn limits(trainer: &Trainer, pool: usize) -> Option<Option<(usize, usize)>> {
    let runs =
        || (1..).zip(trainer.gains.iter().skip(1)).take(pool).filter(|(_, gain)| gain.is_finite()).map(|(n, _)| n);
    let Some((fewest, most)) = runs().next().zip(runs().last()) else { return Some(None) };
    (runs().count() == most - fewest + 1).then_some(Some((fewest, most)))
}

/// Seconds that changes to any of these numbers of nodes take; `None` if not all take as long.
fn one_cost(trainer: &Trainer, mut after: impl Iterator<Item = usize>) -> Option<f64> {
    let cost_s = |nodes: usize| trainer.change_s.get(nodes).copied().unwrap_or(0.0);
    let first_s = after.next().map_or(0.0, cost_s);
    // What it does not gain now it cannot lose: then it does not matter.
    let is_one = trainer.gain_now() == 0.0 || after.all(|nodes| cost_s(nodes) == first_s);
    is_one.then_some(first_s)
}

/// 0, and of the numbers on which it runs those where its gains have a bend, with the first and the last.
fn breakpoints(trainer: &Trainer, limits: Option<(usize, usize)>) -> Vec<(usize, f64)> {
    let gain = |nodes: usize| trainer.gains.get(nodes).copied().filter(|gain| gain.is_finite()).unwrap_or(0.0);
    let Some((fewest, most)) = limits else { return vec![(0, gain(0))] };
    let greatest = (fewest..=most).map(|nodes| gain(nodes).abs()).fold(0.0, f64::max);
    let bends = |nodes: &usize| {
        let bend = gain(nodes + 1) - 2.0 * gain(*nodes) + gain(nodes.saturating_sub(1));
        *nodes == fewest || *nodes == most || bend.abs() > STRAIGHT_WITHIN * greatest
    };
    std::iter::once(0).chain((fewest..=most).filter(bends)).map(|nodes| (nodes, gain(nodes))).collect()
}

/// The weight of a breakpoint where `count` lies on a stretch: that which ends at breakpoint `stretch + 1`.
fn weight_of(points: &[(usize, f64)], stretch: Option<usize>, point: usize, count: usize) -> f64 {
    let ends = |from: usize| points.get(from).zip(points.get(from + 1)).map(|((a, _), (b, _))| (*a as f64, *b as f64));
    let Some((from, (low, high))) = stretch.and_then(|from| Some((from, ends(from)?))) else {
        return f64::from(u8::from(point == 0));
    };
    let share = (count as f64 - low) / (high - low);
    match point {
        _ if point == from => 1.0 - share,
        _ if point == from + 1 => share,
        _ => 0.0,
    }
}
