//! How options are written that several commands have: memory, times, whole numbers. Clap names the
//! option and what was given.

/// Reads an amount of memory in bytes: a plain number is megabytes, `100K`, `512M` and `4G` say what
/// they are.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    let wrong = || {
        "expected an amount of memory above 0: a number of megabytes, or one such as 512M or 4G"
            .to_owned()
    };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "B" => 1.0,
        "K" | "KB" => 1e3,
        "" | "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        _ => return Err(wrong()),
    };
    let bytes = digits.parse::<f64>().map_err(|_| wrong())? * factor;
    if !(1.0..1e18).contains(&bytes) {
        return Err(wrong());
    }
    Ok(bytes as u64)
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
        for wrong in ["", "G", "0", "0G", "-1", "-1G", "4X", "4 G", "nan", "inf", "1e30", "é"] {
            assert!(memory(wrong).unwrap_err().contains("512M"), "{wrong}");
        }
    }
}
