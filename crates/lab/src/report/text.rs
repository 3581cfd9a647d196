//! Numbers and words for people.

use crate::stats::Bounds;

/// Text that is safe in HTML and SVG, in attributes too.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML knows no other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with about four digits.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "–"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        }
        .to_owned();
    }
    let size = value.abs().log10().floor() as i32;
    let text = if (-4..0).contains(&size) || (0..7).contains(&size) {
        let decimals = (3 - size).clamp(0, 7) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        let mantissa = format!("{:.2}", value / 10f64.powi(size));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}×10{}", superscript(size))
    };
    text.replacen('-', "−", 1)
}

/// A power of ten's exponent.
pub(super) fn superscript(n: i32) -> String {
    n.to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            c => char::from_u32('⁰' as u32 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
        })
        .collect()
}

/// A figure with as many decimals as its interval is worth: two digits of the half width.
pub(super) fn figure(value: f64, bounds: &Bounds) -> (String, String) {
    let half = (bounds.high - bounds.low) / 2.0;
    if !half.is_finite() || half <= 0.0 || value.abs() >= 1e7 {
        return (number(value), interval(bounds, number));
    }
    let decimals = (1 - half.log10().floor() as i32).clamp(0, 8) as usize;
    let fixed = |v: f64| {
        let text = format!("{v:.decimals$}");
        // A negative number that rounds to zero has no sign.
        let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
        if zero { text.replacen('-', "", 1) } else { text.replacen('-', "−", 1) }
    };
    (fixed(value), interval(bounds, fixed))
}

fn interval(bounds: &Bounds, shown: impl Fn(f64) -> String) -> String {
    let end = |v: f64| if v.is_finite() { shown(v) } else { number(v) };
    format!("[{}, {}]", end(bounds.low), end(bounds.high))
}

/// How long something took.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A day, from seconds since 1970 (Howard Hinnant's civil calendar algorithm).
pub(super) fn day(seconds: i64) -> String {
    let z = seconds.div_euclid(86_400) + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Notes as HTML: paragraphs, lists of lines that start with `- `, `code` and **strong**.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::new();
    for block in text.split("\n\n").map(str::trim).filter(|b| !b.is_empty()) {
        let mut paragraph = String::new();
        let mut items: Vec<String> = Vec::new();
        for line in block.lines() {
            let line = line.trim();
            if let Some(item) = line.strip_prefix("- ") {
                items.push(item.to_owned());
            } else {
                let target = items.last_mut().unwrap_or(&mut paragraph);
                if !target.is_empty() {
                    target.push(' ');
                }
                target.push_str(line);
            }
        }
        if !paragraph.is_empty() {
            out.push_str(&format!("<p>{}</p>", spans(&paragraph)));
        }
        if !items.is_empty() {
            let items: String =
                items.iter().map(|item| format!("<li>{}</li>", spans(item))).collect();
            out.push_str(&format!("<ul>{items}</ul>"));
        }
    }
    out
}

fn spans(text: &str) -> String {
    let mut out = String::new();
    // Every second part is between backticks.
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 1 {
            out.push_str(&format!("<code>{}</code>", escape(part)));
            continue;
        }
        for (j, part) in part.split("**").enumerate() {
            let part = escape(part);
            out.push_str(&if j % 2 == 1 { format!("<strong>{part}</strong>") } else { part });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (value, shown) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.5, "0.5"),
            (-0.25, "−0.25"),
            (0.036_97, "0.03697"),
            (123_456.0, "123456"),
            (100.0, "100"),
            (12_345_678.0, "1.23×10⁷"),
            (0.000_012, "1.2×10⁻⁵"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(number(value), shown);
        }
        let bounds = Bounds { low: 0.3502, high: 0.389 };
        assert_eq!(figure(0.369_71, &bounds), ("0.370".into(), "[0.350, 0.389]".into()));
        let bounds = Bounds { low: -0.2, high: 0.2 };
        assert_eq!(figure(-0.001, &bounds), ("0.00".into(), "[−0.20, 0.20]".into()));
    }

    #[test]
    fn days() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(-86_400), "1969-12-31");
    }

    #[test]
    fn prose_is_escaped() {
        assert_eq!(
            prose("a <b> `x<y` **c**\nd\n\n- e\n- f\n  g"),
            "<p>a &lt;b&gt; <code>x&lt;y</code> <strong>c</strong> d</p>\
             <ul><li>e</li><li>f g</li></ul>"
        );
        assert_eq!(escape("\"'&\u{1}"), "&quot;&#39;&amp;\u{fffd}");
    }
}
