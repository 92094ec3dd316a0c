//! The minimum of a smooth function of few variables between bounds, by projected BFGS.
//!
//! As L-BFGS-B, without what many variables need: the whole Hessian is kept, since it is seven by seven, and each step
//! solves exactly for the variables that no bound holds. Arithmetic and square roots only, in one order: the same to
//! the bit everywhere.

/// Variables at a minimum, and the value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum<const N: usize> {
    /// The variables.
    pub at: [f64; N],
    /// The value of the function.
    pub value: f64,
}

/// Bounds of each variable: none is free where both are the same.
pub type Bounds<const N: usize> = [(f64, f64); N];

const STEPS_MAX: u32 = 200;
/// The part of the expected descent that a step must bring.
const DESCENT: f64 = 1e-4;
/// A step is lengthened as long as this part of the slope is left at its end.
const SLOPE: f64 = 0.9;
/// Improvements below this part of the value, several times in a row, are the end.
const IMPROVEMENT_MIN: f64 = 1e-8;
const POOR_STEPS_MAX: u32 = 4;

/// Goes downhill from `start`. `function` returns the value and writes the gradient.
pub fn minimum<const N: usize>(
    start: [f64; N],
    bounds: &Bounds<N>,
    mut function: impl FnMut(&[f64; N], &mut [f64; N]) -> f64,
) -> Minimum<N> {
    let mut at: [f64; N] = std::array::from_fn(|i| start[i].clamp(bounds[i].0, bounds[i].1));
    let mut gradient = [0.0; N];
    let mut value = function(&at, &mut gradient);
    let mut hessian = identity::<N>(1.0);
    let (mut fresh, mut poor) = (true, 0);
    for _ in 0..STEPS_MAX {
        let free: [bool; N] = std::array::from_fn(|i| {
            let (low, high) = bounds[i];
            low < high && !(at[i] <= low && gradient[i] >= 0.0) && !(at[i] >= high && gradient[i] <= 0.0)
        });
        if !(0..N).any(|i| free[i] && gradient[i].abs() > 1e-10) {
            break;
        }
        let direction = newton_step(&hessian, &gradient, &free);
        let slope: f64 = (0..N).map(|i| gradient[i] * direction[i]).sum();
        let mut length = 1.0;
        if fresh {
            // Nothing is known of the curvature yet: no variable moves by more than 1.
            length = 1.0 / direction.iter().fold(1.0, |most: f64, part| most.max(part.abs()));
        }
        let mut taken: Option<([f64; N], [f64; N], f64)> = None;
        for _ in 0..40 {
            let next: [f64; N] =
                std::array::from_fn(|i| (at[i] + length * direction[i]).clamp(bounds[i].0, bounds[i].1));
            let expected: f64 = (0..N).map(|i| gradient[i] * (next[i] - at[i])).sum();
            let mut next_gradient = [0.0; N];
            let next_value = function(&next, &mut next_gradient);
            let better = next_value <= value + DESCENT * expected && expected < 0.0;
            if let Some((_, _, before)) = taken {
                if !better || next_value >= before {
                    break;
                }
            } else if !better {
                length *= 0.4;
                continue;
            }
            taken = Some((next, next_gradient, next_value));
            let slope_left: f64 = (0..N).map(|i| next_gradient[i] * direction[i]).sum();
            if slope_left >= SLOPE * slope || length > 1e6 {
                break;
            }
            length *= 2.5;
        }
        let Some((next, next_gradient, next_value)) = taken else {
            if fresh {
                break;
            }
            (hessian, fresh) = (identity::<N>(1.0), true);
            continue;
        };
        let moved: [f64; N] = std::array::from_fn(|i| next[i] - at[i]);
        let turned: [f64; N] = std::array::from_fn(|i| next_gradient[i] - gradient[i]);
        if fresh {
            let (curvature, square) = (dot(&moved, &turned), dot(&moved, &moved));
            let scale = if curvature > 0.0 && square > 0.0 { curvature / square } else { 1.0 };
            hessian = identity::<N>(scale.clamp(1e-6, 1e6));
            fresh = false;
        }
        update(&mut hessian, &moved, &turned);
        poor = if value - next_value <= IMPROVEMENT_MIN * value.abs().max(1e-12) { poor + 1 } else { 0 };
        (at, gradient, value) = (next, next_gradient, next_value);
        if poor >= POOR_STEPS_MAX {
            break;
        }
    }
    Minimum { at, value }
}

fn identity<const N: usize>(scale: f64) -> [[f64; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { scale } else { 0.0 }))
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    (0..N).map(|i| a[i] * b[i]).sum()
}

/// The step to the minimum of the quadratic model over the free variables, by Cholesky's factors; downhill along the
/// gradient where the model is not convex.
fn newton_step<const N: usize>(hessian: &[[f64; N]; N], gradient: &[f64; N], free: &[bool; N]) -> [f64; N] {
    let mut factor = [[0.0; N]; N];
    let downhill = std::array::from_fn(|i| if free[i] { -gradient[i] } else { 0.0 });
    for i in 0..N {
        for j in 0..=i {
            // What is held becomes a row of the identity, so that the system keeps its size.
            let entry = match free[i] && free[j] {
                true => hessian[i][j],
                false => f64::from(i == j),
            };
            let rest = entry - (0..j).map(|k| factor[i][k] * factor[j][k]).sum::<f64>();
            if i == j {
                if !(rest > 1e-14 && rest.is_finite()) {
                    return downhill;
                }
                factor[i][i] = rest.sqrt();
            } else {
                factor[i][j] = rest / factor[j][j];
            }
        }
    }
    let mut step = downhill;
    for i in 0..N {
        step[i] = (step[i] - (0..i).map(|k| factor[i][k] * step[k]).sum::<f64>()) / factor[i][i];
    }
    for i in (0..N).rev() {
        step[i] = (step[i] - (i + 1..N).map(|k| factor[k][i] * step[k]).sum::<f64>()) / factor[i][i];
    }
    match dot(&step, gradient) < 0.0 && step.iter().all(|part| part.is_finite()) {
        true => step,
        false => downhill,
    }
}

/// Powell's damped BFGS: the Hessian stays positive definite whatever the step has shown.
fn update<const N: usize>(hessian: &mut [[f64; N]; N], moved: &[f64; N], turned: &[f64; N]) {
    let through: [f64; N] = std::array::from_fn(|i| dot(&hessian[i], moved));
    let expected = dot(moved, &through);
    let seen = dot(moved, turned);
    if expected <= 1e-300 || expected.is_nan() {
        return;
    }
    let trust = if seen >= 0.2 * expected { 1.0 } else { 0.8 * expected / (expected - seen) };
    let turned: [f64; N] = std::array::from_fn(|i| trust * turned[i] + (1.0 - trust) * through[i]);
    let seen = dot(moved, &turned);
    if seen <= 1e-300 || seen.is_nan() {
        return;
    }
    // Symmetric to the bit, since products do not depend on the order of two factors.
    for i in 0..N {
        for j in 0..=i {
            hessian[i][j] += turned[i] * turned[j] / seen - through[i] * through[j] / expected;
            hessian[j][i] = hessian[i][j];
        }
    }
}
