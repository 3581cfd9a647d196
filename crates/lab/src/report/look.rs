//! How plots look: colours for light and dark pages, and the shapes of marks.

/// How many styles there are in the style sheet.
pub(super) const STYLES: usize = 8;

/// The style sheet of plots.
pub(super) const STYLE: &str = "\
.plot{--ink:#1c1f24;--soft:#5b6470;--grid:#e4e7eb;--paper:#fff;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
.plot text{fill:var(--ink);font-size:13px}.plot .soft{fill:var(--soft);font-size:12px}.plot .head{font-size:15px;font-weight:600}\
.plot .grid{stroke:var(--grid);stroke-width:1}.plot .minor{stroke:var(--grid);stroke-width:.5}.plot .axis{stroke:var(--soft);stroke-width:1}\
.plot .zero{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4}\
.plot .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}.plot .band{fill:var(--c);opacity:.16}\
.plot .bar{stroke:var(--c);stroke-width:1.4;fill:none}.plot .mark{fill:var(--c);stroke:var(--paper);stroke-width:1}\
.plot .hollow{fill:var(--paper);stroke:var(--c);stroke-width:1.6}.plot .ref{fill:none;stroke:var(--soft);stroke-width:1.4;stroke-dasharray:7 5}\
.plot .pub{fill:none;stroke:var(--c);stroke-width:1.4;stroke-dasharray:1.5 4;stroke-linecap:round}.plot .hit{fill:transparent}\
.s0{--c:#0069b4}.s1{--c:#d1480c}.s2{--c:#00875f}.s3{--c:#b8478f}.s4{--c:#b07800}.s5{--c:#2b9bd6}.s6{--c:#6b4fc0}.s7{--c:#5f6b76}\
@media (prefers-color-scheme:dark){.plot{--ink:#e8eaed;--soft:#9aa4af;--grid:#2c3138;--paper:#15181c}\
.s0{--c:#5cb3ff}.s1{--c:#ff8a5c}.s2{--c:#3fd0a0}.s3{--c:#f08cca}.s4{--c:#f0c04a}.s5{--c:#8fd3ff}.s6{--c:#b3a0ff}.s7{--c:#aab4be}}";

/// A mark: circle, square, diamond or triangle.
pub(super) fn shape(style: usize, x: f64, y: f64, hollow: bool, out: &mut String) {
    let class = if hollow { "hollow" } else { "mark" };
    let path = match style % 4 {
        0 => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x - 4.0),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.8 4.8l-4.8 4.8l-4.8 -4.8z", y - 4.8),
        _ => format!("M{x:.1} {:.1}l4.6 8h-9.2z", y - 5.2),
    };
    out.push_str(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
}
