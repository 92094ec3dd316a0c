use super::*;
use super::naive;
use std::time::Instant;

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 { self.0 ^= self.0 << 13; self.0 ^= self.0 >> 7; self.0 ^= self.0 << 17; self.0 }
    fn below(&mut self, n: u32) -> u32 { ((self.next() >> 20) % u64::from(n)) as u32 }
}

/// Life of a busy cluster: (what, moved per decision...).
fn life(placement: Placement, nodes: u32, per_node: u32, size: &dyn Fn(&mut Rng) -> u32, steps: u32, elastic: bool, fill: f64) -> String {
    let jobs = if nodes > 5000 { 20 } else { 400 } * nodes as usize;
    let mut places = Places::new(&Cluster::new(nodes, per_node).unwrap(), jobs);
    (0..nodes).for_each(|n| places.add_node(n));
    let mut placer = placement.placer();
    let mut rng = Rng(88172645463325252);
    let mut running: Vec<JobId> = Vec::new();
    let mut idle: Vec<JobId> = (0..jobs as u32).map(JobId).collect();
    let mut extra = 0u64; let (mut decisions, mut moved, mut with_moves, mut t, mut n_run, mut worst) = (0u64, 0u64, 0u64, 0.0, 0u64, 0.0f64);
    for step in 0..steps {
        // one or two end
        while f64::from(places.gpus_free()) < (1.0 - fill) * f64::from(places.gpus_present()) && !running.is_empty() || (step % 3 == 0 && !running.is_empty()) {
            let at = rng.below(running.len() as u32) as usize;
            let j = running.swap_remove(at);
            places.release(j); idle.push(j);
            if step % 3 == 0 { break; }
        }
        places.take_touched();
        let mut wanted: Vec<(JobId, u32)> = Vec::new();
        let mut budget = places.gpus_free();
        let mut started = Vec::new();
        let n = if elastic { 1 + rng.below(3) } else { 1 };
        for i in 0..n {
            if elastic && i > 0 && !running.is_empty() {
                let j = running[rng.below(running.len() as u32) as usize];
                let has = places.gpus_of(j);
                let g = if rng.below(2) == 0 { has * 2 } else { has / 2 };
                if g > 0 && wanted.iter().all(|(o, _)| *o != j) && g.saturating_sub(has) <= budget { budget = budget + has - g; wanted.push((j, g)); }
            } else if let Some(&j) = idle.last() {
                let g = size(&mut rng);
                if g <= budget { idle.pop(); started.push(j); budget -= g; wanted.push((j, g)); }
            }
        }
        if wanted.is_empty() { continue; }
        let at = Instant::now();
        placer.place(&mut places, &wanted);
        let took = at.elapsed().as_secs_f64();
        t += took; worst = worst.max(took);
        decisions += 1;
        running.extend(started);
        n_run += running.len() as u64;
        for (j, g) in &wanted { extra += u64::from(places.of(*j).len() as u32 - places.nodes_needed(*g)); }
        let m = places.take_touched().into_iter().filter(|(j, _)| wanted.iter().all(|(o, _)| o != j)).count() as u64;
        moved += m; with_moves += u64::from(m > 0);
    }
    format!("{:?} {nodes}x{per_node}: {decisions} decisions, {:.0} jobs, {:.2} us/decision, worst {:.0} us, {:.3} moved/decision, {:.1}% with moves, {:.3} extra nodes", placement, n_run as f64 / decisions as f64, t / decisions as f64 * 1e6, worst * 1e6, moved as f64 / decisions as f64, 100.0 * with_moves as f64 / decisions as f64, extra as f64 / decisions as f64)
}

#[test]
#[ignore]
fn spread_only() {
    let pow = |rng: &mut Rng| 1 << [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6][rng.below(12) as usize];
    for _ in 0..3 { println!("{}", life(Placement::Spread, 300, 8, &pow, 100_000, true, 0.8)); }
    for _ in 0..3 { println!("{}", life(Placement::Buddy, 300, 8, &pow, 100_000, true, 0.97)); }
}

#[test]
#[ignore]
fn timing() {
    let pow = |rng: &mut Rng| 1 << [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6][rng.below(12) as usize];
    let any = |rng: &mut Rng| { let most = [2, 8, 8, 20, 40][rng.below(5) as usize]; 1 + rng.below(most) };
    for elastic in [false, true] {
        for fill in [0.8, 0.97, 1.0] {
            println!("elastic {elastic} fill {fill}");
            for p in Placement::ALL {
                println!("pow  {}", life(*p, 300, 8, &pow, 100_000, elastic, fill));
            }
            println!("any  {}", life(Placement::Buddy, 300, 8, &any, 100_000, elastic, fill));
            println!("any6 {}", life(Placement::Buddy, 300, 6, &any, 100_000, elastic, fill));
        }
    }
    for p in Placement::ALL {
        println!("{}", life(*p, 20_000, 8, &pow, 100_000, true, 0.97));
    }
}

#[test]
#[ignore]
fn large() {
    let pow = |rng: &mut Rng| 1 << [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6][rng.below(12) as usize];
    let any = |rng: &mut Rng| { let most = [2, 8, 8, 20, 40, 500][rng.below(6) as usize]; 1 + rng.below(most) };
    for (n, g) in [(20_000, 8), (65_536, 64)] {
    for fill in [0.97, 1.0] {
    for p in Placement::ALL {
        println!("{}", life(*p, n, g, &pow, 1_000_000, true, fill));
        println!("{}", life(*p, n, g, &any, 1_000_000, true, fill));
    } } }
}

fn feasible(masks: &[u64], per_node: u32, sizes: &mut Vec<u32>) -> bool {
    // in-node sizes only
    let mut free = masks.to_vec();
    sizes.sort_by_key(|s| std::cmp::Reverse(*s));
    'next: for s in sizes.iter() {
        for f in free.iter_mut() {
            for at in 0..per_node / s {
                let b = crate::places::first_gpus(*s) << (at * s);
                if *f & b == b { *f &= !b; continue 'next; }
            }
        }
        return false;
    }
    true
}

#[test]
#[ignore]
fn optimum() {
    for (nodes, per_node) in [(3, 8), (4, 8), (6, 4), (2, 16)] {
    let mut rng = Rng(88172645463325252 + 7);
    let (mut best_sum, mut got_sum, mut n, mut worse) = (0, 0, 0, 0);
    let mut placer = Placement::Buddy.placer();
    for _ in 0..3000 {
        let mut places = Places::new(&Cluster::new(nodes, per_node).unwrap(), 200);
        (0..nodes).for_each(|n| places.add_node(n));
        let mut next = 0;
        // fill, end some at random
        for _ in 0..40 {
            let g = 1 << rng.below(3);
            if g <= places.gpus_free() { placer.place(&mut places, &[(JobId(next), g)]); next += 1; }
            if rng.below(3) == 0 { let j = JobId(rng.below(next)); places.release(j); }
        }
        for _ in 0..(2 + rng.below(6)) { let j = JobId(rng.below(next)); places.release(j); }
        places.take_touched();
        let top = places.gpus_free().min(per_node);
        if top < 2 { continue; }
        let g = 1 << (1 + rng.below(top.ilog2()));
        let holders: Vec<JobId> = (0..next).map(JobId).filter(|j| places.gpus_of(*j) > 0).collect();
        let masks: Vec<u64> = (0..nodes).map(|n| places.free_mask(n)).collect();
        if feasible(&masks, per_node, &mut vec![g]) { continue; }
        // optimum
        let mut best = None;
        'outer: for k in 1..=4usize {
            let mut idx: Vec<usize> = (0..k).collect();
            loop {
                if k > holders.len() { break; }
                let mut m = masks.clone();
                let mut sizes = vec![g];
                for i in &idx { for h in places.of(holders[*i]) { m[h.node as usize] |= h.mask; } sizes.push(places.gpus_of(holders[*i])); }
                if feasible(&m, per_node, &mut sizes) { best = Some(k); break 'outer; }
                let mut p = k;
                loop { if p == 0 { break; } p -= 1; if idx[p] < holders.len() - k + p { break; } if p == 0 { p = usize::MAX; break; } }
                if p == usize::MAX { break; }
                idx[p] += 1; for q in p + 1..k { idx[q] = idx[q - 1] + 1; }
            }
        }
        let mut after = places.clone();
        placer.place(&mut after, &[(JobId(next), g)]);
        let moved = after.take_touched().len() - 1;
        let Some(best) = best else { println!("over 4"); continue };
        assert!(moved >= best, "{moved} {best}");
        n += 1; best_sum += best; got_sum += moved; worse += usize::from(moved > best);
    }
    println!("{nodes}x{per_node}: {n} cases with migration: optimum {best_sum}, got {got_sum}, worse in {worse}");
    }
}
#[allow(unused)]
fn _n(p: &Places) { naive::check(p) }
