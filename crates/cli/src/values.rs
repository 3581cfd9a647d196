//! Values that options of several commands take: memory, times, whole numbers. Clap names the option
//! and what was given.

use std::ops::RangeInclusive;
use std::time::Duration;

use parse_size::Config;

/// Reads an amount of memory in bytes: a plain number is megabytes, `100K`, `512M` and `4G` say what
/// they are.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let bytes = Config::new().with_default_factor(1_000_000).parse_size(text);
    bytes.ok().filter(|bytes| *bytes > 0).ok_or_else(|| {
        "expected an amount of memory above 0, such as 512 (megabytes), 512M or 4G".to_owned()
    })
}

/// The longest time: 30 years.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// Reads a time above 0: a plain number is seconds, `250ms`, `30s`, `5m` and `2h` say what they are.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        // In capitals too: nobody gives a search months.
        Err(_) => humantime::parse_duration(&text.to_lowercase()).ok(),
    };
    time.filter(|time| !time.is_zero() && *time <= LONGEST).ok_or_else(|| {
        "expected a time above 0, such as 0.5 (seconds), 250ms, 30s, 5m or 2h".to_owned()
    })
}

/// Reads a whole number.
pub(crate) fn whole(text: &str) -> Result<u64, String> {
    read(text).ok_or_else(|| "expected a whole number such as 10000, 10_000 or 1e4".to_owned())
}

/// Reads a whole number in a range. The type must be that of the option.
pub(crate) fn within<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = read(text).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            let most = if *last == u64::MAX { String::new() } else { format!(" to {last}") };
            format!("expected a whole number from {first}{most}, such as 10, 10_000 or 1e4")
        })
    }
}

/// A whole number as planners' strings have it, or in groups like 10_000.
fn read(text: &str) -> Option<u64> {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    if !digit(text.chars().next()) || !digit(text.chars().next_back()) || text.contains("__") {
        return None;
    }
    patience::whole(&text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_memory_is_megabytes() {
        assert_eq!(memory("512"), Ok(512_000_000));
        assert_eq!(memory("512m"), Ok(512_000_000));
        assert_eq!(memory("512MB"), Ok(512_000_000));
        assert_eq!(memory("4G"), Ok(4_000_000_000));
        assert_eq!(memory("1.5kB"), Ok(1500));
        assert_eq!(memory("1GiB"), Ok(1 << 30));
        for wrong in ["", "G", "0", "0G", "-1", "-1G", "4X", "nan", "inf", "1e30", "é"] {
            assert!(memory(wrong).unwrap_err().contains("512M"), "{wrong}");
        }
    }

    #[test]
    fn plain_times_are_seconds() {
        assert_eq!(seconds("1"), Ok(Duration::from_secs(1)));
        assert_eq!(seconds("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("2H"), Ok(Duration::from_secs(7200)));
        assert_eq!(seconds("1h 30m"), Ok(Duration::from_secs(5400)));
        for wrong in ["", "s", "0", "0s", "-1", "-1s", "1x", "soon", "nan", "inf", "1e300", "99y"] {
            assert!(seconds(wrong).unwrap_err().contains("a time above 0"), "{wrong}");
        }
    }

    #[test]
    fn whole_numbers_are_written_in_three_ways() {
        for ten_thousand in ["10000", "10_000", "1e4", "1E4", "1e+4", "1.0e4"] {
            assert_eq!(whole(ten_thousand), Ok(10_000), "{ten_thousand}");
        }
        assert_eq!(whole("18446744073709551615"), Ok(u64::MAX));
        for wrong in
            ["", "-1", "+1", "1.5", "1.5e0", "1e-1", "1e30", "_1", "1_", "1__0", "e4", "inf"]
        {
            assert!(whole(wrong).unwrap_err().contains("expected a whole number"), "{wrong}");
        }
        assert_eq!(within::<u16>(1..=1024)("1e3"), Ok(1000));
        assert!(within::<u16>(1..=1024)("1025").unwrap_err().contains("from 1 to 1024"));
        assert!(within::<u64>(1..=u64::MAX)("0").unwrap_err().contains("from 1,"));
        // The type's own end counts too.
        assert!(within::<u32>(0..=u64::MAX)("1e10").is_err());
    }
}
