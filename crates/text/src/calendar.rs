//! Dates and times of day, in UTC, of clocks that count the seconds since 1970.

const DAY_S: i64 = 86_400;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Whether a clock that shows so many seconds counts them since 1970: from September 2001 to 2100. Clocks of
/// simulators begin near 0, and the longest trace lasts a few years.
pub fn is_unix_time(clock_s: f64) -> bool {
    (1e9..4_102_444_800.0).contains(&clock_s)
}

/// A moment as an axis with steps of `step_s` labels it, with only what changes: `14:30`, and `12 Mar` at midnight;
/// with the year from steps of two months on.
pub fn axis_label(unix_s: f64, step_s: f64) -> String {
    let (day, second) = split(unix_s, step_s);
    let (year, month, day_of_month) = date(day);
    match step_s {
        step_s if step_s >= 60.0 * DAY_S as f64 => format!("{day_of_month} {month} {year}"),
        _ if second == 0.0 => format!("{day_of_month} {month}"),
        _ => time_of_day(second, step_s),
    }
}

/// The same with the whole date and the time zone: the first label of an axis.
pub fn first_label(unix_s: f64, step_s: f64) -> String {
    let (day, second) = split(unix_s, step_s);
    let (year, month, day_of_month) = date(day);
    if step_s >= DAY_S as f64 {
        return format!("{day_of_month} {month} {year} UTC");
    }
    format!("{day_of_month} {month} {year} {} UTC", time_of_day(second, step_s))
}

/// A moment as logs write it, to the second: `2026-07-01T14:30:05`.
pub fn date_and_time(unix_s: f64) -> String {
    let (day, second) = split(unix_s, 1.0);
    let (year, month, day_of_month) = date(day);
    let month = 1 + MONTHS.iter().position(|name| *name == month).unwrap_or_default();
    format!("{year:04}-{month:02}-{day_of_month:02}T{}", time_of_day(second, 1.0))
}

/// The day since 1970 and the second of the day, to the millisecond.
fn split(unix_s: f64, step_s: f64) -> (i64, f64) {
    let grain = if step_s < 1.0 { 1e3 } else { 1.0 };
    let rounded = (unix_s * grain).round() / grain;
    let day = (rounded / DAY_S as f64).floor();
    (day as i64, ((rounded - day * DAY_S as f64) * grain).round() / grain)
}

fn time_of_day(second: f64, step_s: f64) -> String {
    let whole = second as i64;
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60);
    match step_s {
        step_s if step_s >= 60.0 => format!("{hours:02}:{minutes:02}"),
        step_s if step_s >= 1.0 => format!("{hours:02}:{minutes:02}:{seconds:02}"),
        _ => format!("{hours:02}:{minutes:02}:{:06.3}", second - (whole - seconds) as f64),
    }
}

/// Year, month and day of the month of a day since 1970, in the Gregorian calendar.
fn date(day: i64) -> (i64, &'static str, i64) {
    // In eras of 400 years that begin on the first of March, a leap day is the last of its year (Hinnant,
    // "chrono-compatible low-level date algorithms").
    let since_year_0 = day + 719_468;
    let (era, of_era) = (since_year_0.div_euclid(146_097), since_year_0.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12;
    let year = era * 400 + year_of_era + i64::from(month < 2);
    (year, MONTHS.get(month as usize).copied().unwrap_or_default(), day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_logs_have_them() {
        let check = |unix_s: f64, expected: &str| assert_eq!(date_and_time(unix_s), expected);
        check(0.0, "1970-01-01T00:00:00");
        check(1_782_864_000.0, "2026-07-01T00:00:00");
        check(951_782_399.4, "2000-02-28T23:59:59");
        check(951_782_399.5, "2000-02-29T00:00:00");
        check(-1.0, "1969-12-31T23:59:59");
    }

    /// Counts days one by one from the first of January 1970 to the end of 2100.
    #[test]
    fn dates_are_those_of_a_calendar_turned_page_by_page() {
        let mut day = 0;
        for year in 1970..=2100 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, days) in MONTHS.into_iter().zip(days) {
                for day_of_month in 1..=days {
                    assert_eq!(date(day), (year, month, day_of_month), "{day}");
                    day += 1;
                }
            }
        }
    }

    #[test]
    fn labels_say_what_changes() {
        // 1615559400 is 12 March 2021, 14:30:00 UTC.
        for (unix_s, step_s, first, other) in [
            (1_615_559_400.0, 1_800.0, "12 Mar 2021 14:30 UTC", "14:30"),
            (1_615_559_405.0, 5.0, "12 Mar 2021 14:30:05 UTC", "14:30:05"),
            (1_615_559_405.25, 0.05, "12 Mar 2021 14:30:05.250 UTC", "14:30:05.250"),
            (1_615_507_200.0, 3_600.0, "12 Mar 2021 00:00 UTC", "12 Mar"),
            (1_615_507_199.999_9, 3_600.0, "12 Mar 2021 00:00 UTC", "12 Mar"),
            (1_615_507_200.0, 86_400.0, "12 Mar 2021 UTC", "12 Mar"),
            (1_615_507_200.0, 5_184_000.0, "12 Mar 2021 UTC", "12 Mar 2021"),
            (951_782_400.0, 86_400.0, "29 Feb 2000 UTC", "29 Feb"),
        ] {
            assert_eq!((first_label(unix_s, step_s).as_str(), axis_label(unix_s, step_s).as_str()), (first, other));
        }
    }

    #[test]
    fn clocks_that_begin_near_zero_have_no_dates() {
        for (clock_s, expected) in
            [(0.0, false), (-1.6e9, false), (4e7, false), (1_615_559_400.0, true), (5e9, false), (f64::NAN, false)]
        {
            assert_eq!(is_unix_time(clock_s), expected, "{clock_s}");
        }
    }
}
