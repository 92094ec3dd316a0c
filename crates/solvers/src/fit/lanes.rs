//! Logarithms, e^-x and log(1 + e^-x) for four numbers at a time, as `libm` computes them one by one.
//!
//! Where a number is in the usual range, `libm` chooses between a few formulas. Here all of them are computed and one is
//! taken, so that the compiler may compute several numbers at once; each formula is that of `libm` (FreeBSD's `e_log.c`,
//! `e_exp.c` and `s_log1p.c`), operation by operation, and so are the results, to the bit. Others are left to `libm`.

/// How many numbers at a time.
pub(super) const LANES: usize = 4;

/// A number for each lane.
pub(super) type Lanes = [f64; LANES];

/// Beyond this, e^-x nears what can only be written with fewer digits.
const USUAL_MAX: f64 = 700.0;
/// Compared are the upper halves of numbers: below the first one whose upper half is larger than that of 2^-28, `libm`
/// computes e^-x otherwise.
const USUAL_MIN: f64 = f64::from_bits(0x3e30_0001_0000_0000);

/// Added to a number from 0 to 2^51, it leaves a whole number, which the last bits of the sum spell.
const WHOLE: f64 = 4_503_599_627_370_496.0;
const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;

const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
const LN2_INVERSE: f64 = std::f64::consts::LOG2_E;

/// e^-x and log(1 + e^-x).
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub(super) fn exp_and_log1p(x: &Lanes) -> (Lanes, Lanes) {
    let usual = |x: f64| (x == 0.0) | (USUAL_MIN..=USUAL_MAX).contains(&x);
    if !x.iter().fold(true, |all, x| all & usual(*x)) {
        let small = x.map(|x| libm::exp(-x));
        return (small, small.map(libm::log1p));
    }
    let small = std::array::from_fn(|lane| exp_of_minus(x[lane]));
    (small, std::array::from_fn(|lane| log1p(small[lane])))
}

/// The logarithm.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub(super) fn log(x: &Lanes) -> Lanes {
    match x.iter().all(|x| (f64::MIN_POSITIVE..=f64::MAX).contains(x)) {
        true => std::array::from_fn(|lane| log_of_usual(x[lane])),
        false => x.map(libm::log),
    }
}

/// log(x), of x above 0 that has all digits.
#[inline(always)]
fn log_of_usual(x: f64) -> f64 {
    /// The upper half of 1 less that of sqrt(1/2), and the latter.
    const UP: u64 = (0x3ff0_0000 - 0x3fe6_a09e) << 32;
    const ROOT: u64 = 0x3fe6_a09e << 32;

    // x = 2^doublings x a number from sqrt(1/2) to sqrt(2).
    let bits = x.to_bits() + UP;
    let doublings = f64::from_bits(WHOLE.to_bits() | (bits >> 52)) - (WHOLE + 1023.0);
    let f = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + ROOT) - 1.0;
    let (half_square, s, r) = series(f);
    s * (half_square + r) + doublings * LN2_LOW - half_square + f + doublings * LN2_HIGH
}

/// What both logarithms of 1 + f are put together from.
#[inline(always)]
fn series(f: f64) -> (f64, f64, f64) {
    const L1: f64 = 6.666_666_666_666_735e-1;
    const L2: f64 = 3.999_999_999_940_942e-1;
    const L3: f64 = 2.857_142_874_366_239e-1;
    const L4: f64 = 2.222_219_843_214_978_4e-1;
    const L5: f64 = 1.818_357_216_161_805e-1;
    const L6: f64 = 1.531_383_769_920_937_3e-1;
    const L7: f64 = 1.479_819_860_511_658_6e-1;

    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (L2 + w * (L4 + w * L6));
    let odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
    (half_square, s, odd + even)
}

/// e^-x, of 0 or x from [`USUAL_MIN`] to [`USUAL_MAX`].
#[inline(always)]
fn exp_of_minus(x: f64) -> f64 {
    const P1: f64 = 1.666_666_666_666_660_2e-1;
    const P2: f64 = -2.777_777_777_701_559_3e-3;
    const P3: f64 = 6.613_756_321_437_934e-5;
    const P4: f64 = -1.653_390_220_546_525_2e-6;
    const P5: f64 = 4.138_136_797_057_238_5e-8;
    /// The first number whose upper half is larger than that of log(2) / 2.
    const HALF_LN2: f64 = f64::from_bits(0x3fd6_2e43_0000_0000);

    // -x = -halvings x log(2) + a rest.
    let nearest = LN2_INVERSE * x + 0.5;
    let rounded = (nearest + WHOLE) - WHOLE;
    let whole = if rounded > nearest { rounded - 1.0 } else { rounded };
    let halvings = if x >= HALF_LN2 { whole } else { 0.0 };
    let (high, low) = (-x + halvings * LN2_HIGH, -halvings * LN2_LOW);
    let rest = high - low;
    let square = rest * rest;
    let c = rest - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))));
    let unscaled = 1.0 + (rest * c / (2.0 - c) - low + high);
    let scale = f64::from_bits(ONE_BITS.wrapping_sub((halvings + WHOLE).to_bits() << 52));
    unscaled * scale
}

/// log(1 + x), of x from 0 to 1.
#[inline(always)]
fn log1p(x: f64) -> f64 {
    /// The first number whose upper half is not smaller than that of sqrt(2) - 1.
    const ROOT: f64 = f64::from_bits(0x3fda_827a_0000_0000);
    /// And of 2^-53.
    const TINY: f64 = f64::from_bits(0x3ca0_0000_0000_0000);

    let is_large = x >= ROOT;
    let sum = 1.0 + x;
    // What is lost of x in the sum.
    let lost = if is_large { (x - (sum - 1.0)) / sum } else { 0.0 };
    let f = if is_large { sum * 0.5 - 1.0 } else { x };
    let doubled = if is_large { 1.0 } else { 0.0 };
    let (half_square, s, r) = series(f);
    let log = s * (half_square + r) + (doubled * LN2_LOW + lost) - half_square + f + doubled * LN2_HIGH;
    if x >= TINY { log } else { x }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn check(x: Lanes) {
        let (small, log) = exp_and_log1p(&x);
        for lane in 0..LANES {
            let exp = libm::exp(-x[lane]);
            assert_eq!(small[lane].to_bits(), exp.to_bits(), "exp(-{:e}), {:x}", x[lane], x[lane].to_bits());
            assert_eq!(log[lane].to_bits(), libm::log1p(exp).to_bits(), "log1p({exp:e}), {:x}", exp.to_bits());
        }
    }

    fn check_log(x: Lanes) {
        let found = log(&x);
        for lane in 0..LANES {
            assert_eq!(
                found[lane].to_bits(),
                libm::log(x[lane]).to_bits(),
                "log({:e}), {:x}",
                x[lane],
                x[lane].to_bits()
            );
        }
    }

    #[test]
    fn logarithms_are_those_of_libm_to_the_bit() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..500_000 {
            check_log(std::array::from_fn(|_| f64::from_bits(random.random::<u64>() >> 1).min(1e300)));
            check_log(std::array::from_fn(|_| libm::exp(60.0 * random.random::<f64>() - 30.0)));
        }
        // Around powers of 2 and their halfway points.
        for power in -1022..=1023 {
            for place in [1.0, std::f64::consts::SQRT_2].map(|part| part * libm::exp2(f64::from(power))) {
                for off in [-(1_i64 << 33), -(1 << 32), -1, 0, 1, 1 << 32, 1 << 33] {
                    check_log([f64::from_bits(place.to_bits().saturating_add_signed(off)), place, 1.0, 2.0]);
                }
            }
        }
        check_log([0.0, -0.0, 1.0, 5e-324]);
        check_log([f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 1e-310]);
        assert!(log(&[-1.0, f64::NAN, 1.0, 1.0])[..2].iter().all(|log| log.is_nan()));
    }

    #[test]
    fn results_are_those_of_libm_to_the_bit() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for most in [1e-30, 1e-16, 1e-8, 1e-3, 0.1, 0.5, 1.5, 10.0, 40.0, 100.0, 700.0, 1000.0] {
            for _ in 0..100_000 {
                check(std::array::from_fn(|_| most * random.random::<f64>()));
            }
        }
    }

    #[test]
    fn results_are_those_of_libm_where_formulas_change() {
        // Around what is compared with, and around multiples of log(2) / 2; and what is no usual number.
        let half_ln2 = std::f64::consts::LN_2 / 2.0;
        let places = (0..2020).map(|halves| f64::from(halves) * half_ln2);
        // 1 + e^-x is about a root of 2 there.
        let root = -libm::log(std::f64::consts::SQRT_2 - 1.0);
        let ends = [0x3fd6_2e43_0000_0000, 0x3ff0_a2b2_0000_0000, 0x3e30_0001_0000_0000].map(f64::from_bits);
        let tiny = [2.0, 1.0, 0.5].map(|part| -libm::log(part * f64::EPSILON));
        for place in places.chain(ends).chain(tiny).chain([0.0, root, 700.0, 708.4, 745.2, 1e300]) {
            for off in -200_i64..200 {
                let bits = place.to_bits().saturating_add_signed(off);
                check([f64::from_bits(bits), place, root, 1e-9]);
            }
            for off in -2000_i64..2000 {
                let near = f64::from_bits(place.to_bits().saturating_add_signed(off << 24));
                check([near, 2.0 * near, 0.0, 699.0]);
            }
        }
        let (small, log) = exp_and_log1p(&[f64::NAN, f64::INFINITY, -1.0, 2.0]);
        assert!(small[0].is_nan() && log[0].is_nan());
        check([-1.0, f64::INFINITY, -800.0, 2.0]);
        assert_eq!((small[1], small[3].to_bits()), (0.0, libm::exp(-2.0).to_bits()));
    }
}
