//! The page around a report: one file, nothing from outside, light and dark.

use super::look;
use super::text::escape;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c1f24;--soft:#5b6470;--line:#dfe3e8;--paper:#fff;--card:#f7f8fa;--good:#0a7a4b;--bad:#b3261e;--open:#8a6100}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa4af;--line:#2c3138;--paper:#15181c;--card:#1c2025;--good:#4fd69c;--bad:#ff8f87;--open:#f0c04a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:2.5rem 1.25rem 5rem;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem}h3{font-size:1.05rem;margin:2rem 0 .5rem}
p{margin:.5rem 0}.soft{color:var(--soft)}.paper{color:var(--soft);margin:0 0 .75rem}
section.experiment{border-top:1px solid var(--line);margin-top:3rem;padding-top:2rem}
section.experiment:first-child{border-top:0;margin-top:0;padding-top:0}
figure{margin:1.5rem 0}figure svg{display:block;width:100%;height:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{text-align:left;padding:.4rem .7rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:.85rem}td.n,th.n{text-align:right;white-space:nowrap}
td small{color:var(--soft)}td.n small{white-space:nowrap}
.tag{display:inline-block;border-radius:1rem;padding:.05rem .6rem;font-size:.8rem;font-weight:600;border:1px solid currentColor;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}.open{color:var(--open)}
.facts{display:flex;flex-wrap:wrap;gap:.35rem 1.5rem;padding:0;margin:.75rem 0;list-style:none;color:var(--soft);font-size:.9rem}
.notes{background:var(--card);border-radius:.5rem;padding:.6rem 1.1rem;margin:1rem 0}
details{margin:.75rem 0}summary{cursor:pointer;color:var(--soft)}
pre{background:var(--card);border-radius:.5rem;padding:1rem;overflow-x:auto;font-size:.82rem;line-height:1.45}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
@media print{body{max-width:none}details{display:none}}
";

/// The whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n",
        escape(title),
        look::STYLE
    )
}

/// A small coloured word.
pub(super) fn tag(class: &str, word: &str) -> String {
    format!("<span class=\"tag {class}\">{}</span>", escape(word))
}

/// A table; the header and the rows are HTML already.
pub(super) fn table(caption: &str, header: &[(&str, bool)], rows: &[Vec<String>]) -> String {
    let class = |numeric: bool| if numeric { " class=\"n\"" } else { "" };
    let mut out = String::from("<div class=\"scroll\"><table>");
    if !caption.is_empty() {
        out.push_str(&format!("<caption>{}</caption>", escape(caption)));
    }
    out.push_str("<thead><tr>");
    for (name, numeric) in header {
        out.push_str(&format!("<th{}>{}</th>", class(*numeric), escape(name)));
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (cell, (_, numeric)) in row.iter().zip(header) {
            out.push_str(&format!("<td{}>{cell}</td>", class(*numeric)));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    out
}
