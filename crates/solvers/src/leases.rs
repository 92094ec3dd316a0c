//! The tenants that hold a lease now, so that every tenant gets its promised leases.
//!
//! Time is cut into leases. Each tenant must get so many of them before its end, at most one at a time, each for all
//! the units it is wide; at no time are there more units than `capacity`. [`plan`] finds the tenants that hold the
//! lease that begins now: so that as many units are used now as can be, or as few, and every promise can still be kept.
//! This is the mixed-integer program of Chronus (Gao et al., SoCC 2021), in which only the first lease counts.
//!
//! Two facts make it tractable. If leases could be divided, promises could be kept exactly if for every `n` the units
//! that must be used within the first `n` leases are no more than `n` times the capacity; that gives a bound on the use
//! of the first lease. And booking every tenant as late as possible, the widest first, is nearly always feasible and
//! as good as the bound. Where it is not, all choices for the first lease are searched, as far as `work` allows.
//!
//! ```
//! use elastiplan_solvers::leases::{Goal, Tenant, plan};
//!
//! // Two units. The first tenant must have both leases that are left for it, so one unit is left for the others.
//! let tenants = [(1, 2, 2), (1, 1, 2), (2, 1, 9)].map(|(width, needed, until)| Tenant { width, needed, until });
//! let least = plan(&tenants, 0, 2, Goal::Least, &[], 1000).expect("there is room for all");
//! assert_eq!((least.now, least.units, least.bound), (vec![true, false, false], 1, 1));
//! let most = plan(&tenants, 0, 2, Goal::Most, &[], 1000).expect("there is room for all");
//! assert_eq!((most.now, most.units, most.bound), (vec![true, true, false], 2, 2));
//! ```

use elastiplan_model::order::{sort_by_rank, sort_by_wide_rank};

/// A tenant with promised leases. Leases are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Units of each of its leases.
    pub width: u32,
    /// Leases that it still must get.
    pub needed: u32,
    /// The first lease that is too late.
    pub until: u64,
}

/// The objective for the first lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// As many units in use as can be.
    Most,
    /// As few as can be, so that others have the rest.
    Least,
}

/// The leases booked for a tenant: ranges, from the last to the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookings(Vec<(u64, u64)>);

impl Bookings {
    /// Whether a lease is booked.
    pub fn has(&self, lease: u64) -> bool {
        self.0.iter().any(|(from, to)| (*from..*to).contains(&lease))
    }

    /// The number of booked leases.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(from, to)| to - from).sum()
    }

    /// Takes the first lease away.
    pub fn remove_first(&mut self) {
        if let Some((from, to)) = self.0.last_mut() {
            *from += 1;
            if from >= to {
                self.0.pop();
            }
        }
    }

    /// Books one more, which must be before all others.
    fn add_before(&mut self, lease: u64) {
        match self.0.last_mut() {
            Some((from, _)) if *from == lease + 1 => *from = lease,
            _ => self.0.push((lease, lease + 1)),
        }
    }
}

/// The holders of the first lease, and the bookings that keep all promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// For each tenant, whether it holds the lease.
    pub now: Vec<bool>,
    /// Units in use.
    pub units: u32,
    /// No plan that keeps all promises uses more, or fewer; where it is `units`, the plan is proven best.
    pub bound: u32,
    /// The leases of each tenant, this one included.
    pub bookings: Vec<Bookings>,
}

/// Units that are free in each lease from `first` on.
#[derive(Clone, Debug)]
pub struct Free {
    first: u64,
    units: Vec<u32>,
}

impl Free {
    /// All units of the leases from `first` up to `until`, which is not among them.
    pub fn new(first: u64, until: u64, capacity: u32) -> Self {
        Self { first, units: vec![capacity; until.saturating_sub(first) as usize] }
    }

    /// Takes units out of the leases of `bookings`; false if there are not as many.
    pub fn take(&mut self, bookings: &Bookings, width: u32) -> bool {
        let mut fits = true;
        for lease in bookings.0.iter().flat_map(|(from, to)| *from..*to) {
            let at = lease.checked_sub(self.first).map(|at| at as usize);
            match at.and_then(|at| self.units.get_mut(at)) {
                Some(units) if *units >= width => *units -= width,
                _ => fits = false,
            }
        }
        fits
    }

    /// Books a tenant as late as possible; `None`, and nothing is taken, if there is no room.
    pub fn book(&mut self, tenant: &Tenant) -> Option<Bookings> {
        let within = tenant.until.saturating_sub(self.first).min(self.units.len() as u64) as usize;
        let mut bookings = Bookings::default();
        let mut needed = tenant.needed;
        for (at, units) in self.units.iter().enumerate().take(within).rev() {
            if needed == 0 {
                break;
            }
            if *units >= tenant.width {
                bookings.add_before(self.first + at as u64);
                needed -= 1;
            }
        }
        (needed == 0).then(|| {
            self.take(&bookings, tenant.width);
            bookings
        })
    }

    /// Books all, the widest first and of equals the one with the least to spare; `None` if there is no room for a
    /// tenant.
    pub fn book_all(&mut self, tenants: &[Tenant]) -> Option<Vec<Bookings>> {
        let mut bookings = vec![Bookings::default(); tenants.len()];
        for at in in_order(tenants) {
            let booked = self.book(tenants.get(at)?)?;
            *bookings.get_mut(at)? = booked;
        }
        Some(bookings)
    }
}

/// The order in which tenants are booked.
pub fn in_order(tenants: &[Tenant]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tenants.len()).collect();
    let rank = |tenant: &Tenant| {
        let spare = tenant.until.saturating_sub(u64::from(tenant.needed));
        // The latest end first, of those with as much to spare: 32 bits are enough, as for the leases needed.
        let until = (tenant.until - spare) as u32;
        u128::from(!tenant.width) << 96 | u128::from(spare) << 32 | u128::from(!until)
    };
    sort_by_wide_rank(&mut order, |at| tenants.get(*at).map_or(0, rank));
    order
}

/// Finds the tenants that hold the lease number `now`. `known` are bookings that keep all promises, if there are some:
/// they are used where nothing better is found. `work` limits the search by steps, not by time, so that it always ends
/// the same. `None`: the promises cannot be kept, or no way to do so was found.
pub fn plan(tenants: &[Tenant], now: u64, capacity: u32, goal: Goal, known: &[Bookings], work: u32) -> Option<Plan> {
    let mut search = Search { now, capacity, goal, work, best: None };
    let (least, most) = bounds(tenants, now, capacity)?;
    let bound = if goal == Goal::Most { most } else { least };
    let until = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(now);
    let late = Free::new(now, until, capacity).book_all(tenants);
    for bookings in [late, still_valid(tenants, now, capacity, known)].into_iter().flatten() {
        search.offer(tenants, bookings);
    }
    let mut first: Vec<usize> = (0..tenants.len()).collect();
    // Tenants that must have this lease come first; then those that decide most.
    let rank = |tenant: &Tenant| {
        let spare = tenant.until.saturating_sub(now + u64::from(tenant.needed));
        let spare_rank = if goal == Goal::Most { spare } else { u64::MAX - spare };
        u128::from(spare > 0) << 96 | u128::from(spare_rank) << 32 | u128::from(!tenant.width)
    };
    sort_by_wide_rank(&mut first, |at| tenants.get(*at).map_or(0, rank));
    search.choose(tenants, &first, &mut vec![None; tenants.len()], 0, bound);
    search.best.map(|mut plan| {
        plan.bound = if search.work > 0 { plan.units } else { bound };
        plan
    })
}

/// The fewest and the most units that the first lease can use if leases could be divided; `None` if not even then all
/// promises can be kept.
fn bounds(tenants: &[Tenant], now: u64, capacity: u32) -> Option<(u32, u32)> {
    let spare = |tenant: &Tenant| tenant.until.checked_sub(now + u64::from(tenant.needed));
    let wide = tenants.iter().filter(|tenant| tenant.needed > 0);
    if wide.clone().any(|tenant| tenant.width > capacity || spare(tenant).is_none()) {
        return None;
    }
    // Within the first `n` leases a tenant must have those that do not fit after them: a line that rises by its width
    // from its spare leases on until its end. The sum bends only there.
    let mut bends: Vec<(u64, i64)> = Vec::with_capacity(2 * tenants.len());
    for tenant in wide.clone() {
        let slope = i64::from(tenant.width);
        bends.extend([(spare(tenant)?, slope), (tenant.until - now, -slope)]);
    }
    sort_by_rank(&mut bends, |(at, _)| *at);
    let (mut at, mut needed, mut slope) = (0_u64, 0_i128, 0_i64);
    let mut least = 0_i128;
    let mut too_much = |at: u64, needed: i128| {
        let room = i128::from(capacity) * i128::from(at);
        if at > 0 {
            least = least.max(needed - (room - i128::from(capacity)));
        }
        needed > room
    };
    for (bend, change) in bends {
        // The first lease is a place of its own: what must be done in it.
        if at == 0 && bend > 0 && too_much(1, needed + i128::from(slope)) {
            return None;
        }
        needed += i128::from(slope) * i128::from(bend - at);
        (at, slope) = (bend, slope + change);
        if too_much(at, needed) {
            return None;
        }
    }
    let all: u64 = wide.map(|tenant| u64::from(tenant.width)).sum();
    Some((least.clamp(0, i128::from(capacity)) as u32, all.min(u64::from(capacity)) as u32))
}

/// The known bookings, if they keep all promises.
fn still_valid(tenants: &[Tenant], now: u64, capacity: u32, known: &[Bookings]) -> Option<Vec<Bookings>> {
    let until = tenants.iter().map(|tenant| tenant.until).max()?;
    let mut free = Free::new(now, until, capacity);
    let fits = |(tenant, bookings): (&Tenant, &Bookings)| {
        let in_time = bookings.0.first().is_none_or(|(_, to)| *to <= tenant.until);
        in_time && bookings.count() == u64::from(tenant.needed) && free.take(bookings, tenant.width)
    };
    let all = tenants.len() == known.len() && tenants.iter().zip(known).all(fits);
    all.then(|| known.to_vec())
}

/// A search for the best first lease.
struct Search {
    now: u64,
    capacity: u32,
    goal: Goal,
    /// Steps that are left.
    work: u32,
    best: Option<Plan>,
}

impl Search {
    fn is_better(&self, units: u32) -> bool {
        let best = self.best.as_ref().map(|plan| plan.units);
        match self.goal {
            Goal::Most => best.is_none_or(|best| units > best),
            Goal::Least => best.is_none_or(|best| units < best),
        }
    }

    /// A plan that keeps all promises. If much is to be used now, tenants that still fit come sooner than booked.
    fn offer(&mut self, tenants: &[Tenant], mut bookings: Vec<Bookings>) {
        let now = self.now;
        let mut holds: Vec<bool> = bookings.iter().map(|bookings| bookings.has(now)).collect();
        let widths = tenants.iter().map(|tenant| tenant.width);
        let mut units: u32 = widths.zip(&holds).map(|(width, holds)| if *holds { width } else { 0 }).sum();
        if self.goal == Goal::Most {
            for at in in_order(tenants) {
                let (Some(tenant), Some(bookings), Some(holds)) =
                    (tenants.get(at), bookings.get_mut(at), holds.get_mut(at))
                else {
                    continue;
                };
                if !*holds && tenant.needed > 0 && tenant.width <= self.capacity - units {
                    bookings.remove_first();
                    bookings.add_before(now);
                    *holds = true;
                    units += tenant.width;
                }
            }
        }
        if self.is_better(units) {
            self.best = Some(Plan { now: holds, units, bound: units, bookings });
        }
    }

    /// Decides for one tenant after the other whether it holds the first lease.
    fn choose(&mut self, tenants: &[Tenant], order: &[usize], chosen: &mut Vec<Option<bool>>, units: u32, bound: u32) {
        let found = self.best.as_ref().is_some_and(|plan| plan.units == bound);
        if found || self.work == 0 {
            return;
        }
        self.work -= 1;
        let Some((&at, rest)) = order.split_first() else {
            return self.complete(tenants, chosen, units);
        };
        let rest_units: u32 = order.iter().filter_map(|at| tenants.get(*at)).map(|tenant| tenant.width).sum();
        let reachable = match self.goal {
            Goal::Most => units.saturating_add(rest_units).min(self.capacity),
            Goal::Least => units,
        };
        let after = self.after_first(tenants, chosen);
        if !self.is_better(reachable) || bounds(&after, self.now + 1, self.capacity).is_none() {
            return;
        }
        let Some(tenant) = tenants.get(at) else { return };
        let can_hold = tenant.needed > 0 && tenant.width <= self.capacity - units;
        let must_hold = tenant.until <= self.now + u64::from(tenant.needed) && tenant.needed > 0;
        let prefers = if self.goal == Goal::Most { [true, false] } else { [false, true] };
        for holds in prefers {
            if (holds && !can_hold) || (!holds && must_hold) {
                continue;
            }
            if let Some(slot) = chosen.get_mut(at) {
                *slot = Some(holds);
            }
            let width = if holds { tenant.width } else { 0 };
            self.choose(tenants, rest, chosen, units + width, bound);
        }
        if let Some(slot) = chosen.get_mut(at) {
            *slot = None;
        }
    }

    /// What is left to be promised after the first lease, in the best case for tenants that are not decided upon.
    fn after_first(&self, tenants: &[Tenant], chosen: &[Option<bool>]) -> Vec<Tenant> {
        let after = |(tenant, chosen): (&Tenant, &Option<bool>)| {
            let held = u32::from(*chosen != Some(false));
            Tenant { needed: tenant.needed.saturating_sub(held), ..*tenant }
        };
        tenants.iter().zip(chosen).map(after).collect()
    }

    /// Keeps the plan of a complete decision if the later leases can be booked.
    fn complete(&mut self, tenants: &[Tenant], chosen: &[Option<bool>], units: u32) {
        if !self.is_better(units) {
            return;
        }
        let after = self.after_first(tenants, chosen);
        if let Some(mut bookings) = self.book_later(&after, self.now + 1) {
            for (bookings, _) in bookings.iter_mut().zip(chosen).filter(|(_, holds)| **holds == Some(true)) {
                bookings.add_before(self.now);
            }
            let holds = chosen.iter().map(|holds| *holds == Some(true)).collect();
            self.best = Some(Plan { now: holds, units, bound: units, bookings });
        }
    }

    /// Books all tenants from a lease on: as late as possible, or where that fails by searching lease by lease.
    fn book_later(&mut self, tenants: &[Tenant], first: u64) -> Option<Vec<Bookings>> {
        bounds(tenants, first, self.capacity)?;
        let until = tenants.iter().map(|tenant| tenant.until).max().unwrap_or(first);
        let booked = Free::new(first, until, self.capacity).book_all(tenants);
        if booked.is_some() {
            return booked;
        }
        let order = in_order(tenants);
        self.fill(tenants, first, &order, &mut vec![false; tenants.len()], self.capacity)
    }

    /// Tries all maximal sets of tenants for one lease: holding more never hurts later.
    fn fill(
        &mut self,
        tenants: &[Tenant],
        lease: u64,
        order: &[usize],
        holds: &mut Vec<bool>,
        free: u32,
    ) -> Option<Vec<Bookings>> {
        self.work = self.work.checked_sub(1)?;
        let Some((&at, rest)) = order.split_first() else {
            let left_out = |(tenant, holds): (&Tenant, &bool)| !holds && tenant.needed > 0 && tenant.width <= free;
            if tenants.iter().zip(&*holds).any(left_out) {
                return None;
            }
            let after: Vec<Tenant> = tenants
                .iter()
                .zip(&*holds)
                .map(|(tenant, holds)| Tenant { needed: tenant.needed - u32::from(*holds), ..*tenant })
                .collect();
            let mut bookings = self.book_later(&after, lease + 1)?;
            for (bookings, _) in bookings.iter_mut().zip(&*holds).filter(|(_, holds)| **holds) {
                bookings.add_before(lease);
            }
            return Some(bookings);
        };
        let tenant = tenants.get(at)?;
        let can_hold = tenant.needed > 0 && tenant.width <= free;
        let must_hold = tenant.needed > 0 && tenant.until <= lease + u64::from(tenant.needed);
        for hold in [true, false] {
            if (hold && !can_hold) || (!hold && must_hold) {
                continue;
            }
            if let Some(slot) = holds.get_mut(at) {
                *slot = hold;
            }
            let width = if hold { tenant.width } else { 0 };
            if let Some(found) = self.fill(tenants, lease, rest, holds, free - width) {
                return Some(found);
            }
        }
        if let Some(slot) = holds.get_mut(at) {
            *slot = false;
        }
        None
    }
}
