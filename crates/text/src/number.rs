//! Decimal numbers, read to the nearest `f64`.

use minimal_lexical::parse_float;

/// Reads a number as `str::parse::<f64>` does, to the same bit; `None` for other text.
///
/// The standard library looks up powers of ten in a table of 10 kB that no compression makes smaller, in every
/// WebAssembly module that reads a number. Where numbers come by the million, as in imported files, its way is faster.
///
/// ```
/// use elastiplan_text::number;
///
/// assert_eq!(number("-2.5e3"), Some(-2500.0));
/// assert_eq!(number("1e400"), Some(f64::INFINITY));
/// assert_eq!(number("12h"), None);
/// ```
pub fn number(text: &str) -> Option<f64> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = decimal(unsigned).or_else(|| named(unsigned))?;
    Some(if is_negative { -value } else { value })
}

/// Reads digits with a point and an exponent, both optional.
fn decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, self::exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    if !has_digits || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    Some(parse_float::<f64, _, _>(whole.as_bytes().iter(), fraction.as_bytes().iter(), exponent))
}

/// Reads an exponent. One beyond the range of `i32` is its end: the number is 0 or infinite long before.
fn exponent(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = |sum: i32, digit: u8| sum.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
    (!digits.is_empty() && is_digits(digits)).then(|| sign * digits.bytes().fold(0, value))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Values that have a name.
fn named(text: &str) -> Option<f64> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    match () {
        () if is("inf") || is("infinity") => Some(f64::INFINITY),
        () if is("nan") => Some(f64::NAN),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str) {
        let (found, expected) = (number(text).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let good =
            "0 -0 +1 1. .5 00.100 1e5 1E+05 -2.5e-3 0e999999999999 1e400 1e-400 4.9e-324 2.4e-324 inf -Infinity NaN";
        let bad = "|-|+|.|e5|1e|1e+|1.2.3|1,000|1_000|0x10| 1|1 |--1|+-1|1e5.0|1f|\u{661}|infinit|1e\u{2212}5";
        good.split(' ').chain(bad.split('|')).for_each(check);
        // Halfway between two numbers, and just beside.
        for text in [
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.99999999999999999999",
            "1.7976931348623158e308",
        ] {
            check(text);
        }
        check(&format!("9007199254740993.{}1", "0".repeat(900)));
        check(&format!("0.{}1e900", "0".repeat(900)));
        check(&format!("1{}e-900", "0".repeat(900)));
        // The number in the middle of the two smallest ones has 751 digits.
        let middle = format!("{:.1075}", f64::from_bits(1));
        check(&middle);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn what_is_written_is_read_to_the_bit(bits: u64) {
            let value = f64::from_bits(bits);
            check(&value.to_string());
            check(&format!("{value:e}"));
            check(&format!("{value:.3}"));
        }

        #[test]
        fn any_digits(text in "[+-]?[0-9]{0,24}(\\.[0-9]{0,24})?([eE][+-]?[0-9]{0,3})?") {
            check(&text);
        }

        #[test]
        fn any_text(text in "[-+0-9.eEinfa]{0,8}") {
            check(&text);
        }
    }
}
