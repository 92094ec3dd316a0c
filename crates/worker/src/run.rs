//! One run, in slices.

use std::cell::Cell;
use std::time::Duration;

use elastiplan_engine::Step;
use elastiplan_planner::{PolicyRun, timed_simulation};
use elastiplan_policies::PolicySpec;
use gloo::timers::future::sleep;

use crate::Packed;
use crate::global::{now_ms, post, working_on};
use crate::messages::{BoundScenario, Response};
use crate::module::Abilities;

/// A cancel is heard after at most this long; browsers add up to 4 ms between slices.
const SLICE_MS: f64 = 24.0;
/// Steps between two looks at the clock.
const STEPS: u32 = 32;
const PROGRESS_EVERY_MS: f64 = 50.0;
const PARTIAL_EVERY_MS: f64 = 250.0;
/// A record takes time to make, to read and to draw: between two, at least this many times what making it took.
const PARTIAL_COSTS: f64 = 8.0;

/// Runs one policy and posts how far it has come.
pub(crate) async fn run(
    id: u32,
    scenario: BoundScenario,
    policy: &str,
    abilities: Abilities,
    is_cancelled: &Cell<bool>,
) -> Result<Response, String> {
    working_on(id);
    let start_ms = now_ms();
    let (scenario, workload) = scenario.unpack()?;
    let policy: PolicySpec = policy.parse().map_err(|error| format!("{error}"))?;
    let timed = timed_simulation(&scenario, &workload, &policy, abilities.build, now_ms);
    let (mut simulation, times) = timed.map_err(|error| error.to_string())?;
    let result = |run| {
        let decision_times = Some(times.borrow().clone());
        let run = PolicyRun { decision_times, ..PolicyRun::of(policy.clone(), run, &workload) };
        Packed::of(&run).map_err(|error| error.to_string())
    };
    let (mut told_ms, mut next_partial_ms) = (start_ms, start_ms + PARTIAL_EVERY_MS);
    loop {
        working_on(id);
        let slice_ms = now_ms();
        let mut step = Step::More;
        while step == Step::More && now_ms() - slice_ms < SLICE_MS {
            for _ in 0..STEPS {
                step = simulation.step().map_err(|error| error.to_string())?;
            }
        }
        if step == Step::Finished {
            break;
        }
        if now_ms() - told_ms >= PROGRESS_EVERY_MS {
            told_ms = now_ms();
            post(Some(id), &Response::RunProgress(simulation.progress()));
        }
        let began_ms = now_ms();
        if began_ms >= next_partial_ms {
            post(Some(id), &Response::RunPartial(result(simulation.record())?));
            let took_ms = now_ms() - began_ms;
            next_partial_ms = now_ms() + (took_ms * PARTIAL_COSTS).max(PARTIAL_EVERY_MS);
        }
        sleep(Duration::ZERO).await;
        if is_cancelled.get() {
            break;
        }
    }
    let result = result(simulation.record())?;
    Ok(Response::RunEnded { result, wall_ms: now_ms() - start_ms })
}
