//! Reports: figures, verdicts, claims, and a page that needs nothing from outside.

use crate::support;

use patience_lab::{
    ChartReport, ExportFormat, Location, Report, Ruling, Spec, Store, export, figures, html, report,
};
use support::run_on;

const SPEC: &str = r#"
name = "falling"
title = "Falling <script>alert(1)</script> & rising"
paper = "A paper"
notes = "Some **notes** with `code` & <b>markup</b>."
seed = 3
units = 40
task = { kind = "coin", checkpoints = [1, 3, 10, 30, 100, 300, 1000, 3000] }
[[arm]]
name = "quick n={n}"
series = "quick"
planner = "coin(1{n})"
sweep = { n = [1, 2, 4, 8] }
[[arm]]
name = "slow n={n}"
series = "slow"
planner = "coin(0.0{n})"
sweep = { n = [1, 2, 4, 8] }
published = { value = 0.9, plus_minus = 0.05, confidence = 0.99, units = 100 }
[[chart]]
kind = "curve"
title = "Curves"
arms = "* n=1"
x = { label = "iterations", log = true }
y = { label = "failure rate", log = true }
bands = "quick"
published = { quick = [[1, 0.9], [1000, 0.001]] }
[[chart]]
kind = "crossing"
title = "Crossings"
thresholds = [0.1, 0]
against = "n^2"
x = { label = "n" }
y = { label = "iterations", log = true }
[[chart]]
kind = "sweep"
title = "Sweep"
at = 10
x = { label = "n" }
[[chart]]
kind = "table"
title = "Table"
baseline = "quick n=1"
[[claim]]
text = "quick is below slow"
check = "difference"
arm = "quick n=1"
minus = "slow n=1"
at = 100
below = 0
[[claim]]
text = "quick is above slow"
check = "difference"
arm = "quick n={n}"
minus = "slow n={n}"
sweep = { n = [1, 2] }
at = 100
above = 0
[[claim]]
text = "quick gets there far earlier"
check = "ratio"
arm = "quick n=1"
over = "slow n=1"
threshold = 0.1
below = 0.1
[[claim]]
text = "not measured"
check = "value"
arm = "quick n=1"
at = 17
below = 1
[[claim]]
text = "grows"
check = "slope"
series = "quick"
threshold = 0.1
against = "n"
below = 100
"#;

fn made() -> (tempfile::TempDir, Store, Report) {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(&dir.path().join("s.db")).unwrap();
    let spec = Spec::parse("falling.toml", SPEC, false).unwrap();
    run_on(&spec, &mut store, 2).unwrap();
    let made = report(store.reading(), &[]).unwrap();
    (dir, store, made)
}

#[test]
fn figures_verdicts_and_claims() {
    let (_dir, store, made) = made();
    let e = &made.experiments[0];
    assert_eq!((e.arms.len(), e.done, e.total), (8, 320, 320));
    let slow = e.arms.iter().find(|a| a.name == "slow n=1").unwrap();
    assert_eq!((slow.units, slow.columns.len()), (40, 8));
    let published = slow.columns.last().unwrap().published.unwrap();
    assert_eq!(published.verdict, Location::Below);
    assert_eq!(published.significant, Some(true));
    assert!(slow.columns[0].published.is_none());
    let verdicts: Vec<_> = e.claims.iter().map(|c| c.verdict).collect();
    use Ruling::{Fails, Holds, Undecided};
    assert_eq!(verdicts[..4], [Holds, Fails, Holds, Undecided], "{:#?}", e.claims);
    assert!(e.claims[3].checks[0].note.as_ref().unwrap().contains("not measured at 17"));
    let ChartReport::Crossing { lines, .. } = &e.charts[1] else { panic!() };
    assert_eq!(lines.len(), 4);
    assert!(lines.iter().all(|l| l.points.len() == 4));
    let slow_zero = lines.iter().find(|l| l.series == "slow" && l.threshold == 0.0).unwrap();
    assert!(slow_zero.points[0].crossing.at.is_none(), "not reached must be said");
    let ChartReport::Table { differences, .. } = &e.charts[3] else { panic!() };
    assert_eq!(differences.len(), 7);
    // The same store gives the same report, to the letter.
    let again = report(store.reading(), &["falling".into()]).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&made).unwrap());
    let error = report(store.reading(), &["fallin".into()]).unwrap_err();
    assert!(error.to_string().contains("did you mean `falling`?"), "{error}");
}

#[test]
fn json_has_what_scripts_rely_on() {
    let (_dir, _store, made) = made();
    let json = serde_json::to_value(&made).unwrap();
    let arm = &json["experiments"][0]["arms"][4];
    assert_eq!(arm["name"], "slow n=1");
    let column = &arm["columns"][7];
    for key in ["name", "kind", "x", "units", "value", "at95", "at99", "published"] {
        assert!(!column[key].is_null(), "{key}");
    }
    assert_eq!(column["published"]["verdict"], "below");
    assert_eq!(column["published"]["basis"], "published_interval");
    assert!(column["at95"]["low"].as_f64().unwrap() <= column["value"].as_f64().unwrap());
    assert_eq!(json["experiments"][0]["claims"][0]["verdict"], "holds");
    assert_eq!(json["experiments"][0]["charts"][1]["kind"], "crossing");
}

#[test]
fn the_page_is_self_contained_and_escaped() {
    let (_dir, _store, made) = made();
    let page = html(&made);
    assert!(!page.contains("<script"), "text must be escaped");
    assert!(page.contains("Falling &lt;script&gt;alert(1)&lt;/script&gt; &amp; rising"));
    assert!(page.contains("<strong>notes</strong>") && page.contains("&lt;b&gt;markup"));
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "url(", "@import", "src=", "<link"] {
        assert!(!outside.contains(word), "{word}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(!page.contains("NaN") && !page.contains("inf "));
    assert!(page.contains("not reached within"));
    let drawn = figures(&made);
    assert_eq!(drawn[0].1.matches("class=\"band").count(), 1);
    assert_eq!(drawn.len(), 3);
    assert!(drawn[0].0 == "falling-1" && drawn[0].1.contains("<style>"));
}

#[test]
fn every_element_is_closed() {
    let (_dir, _store, made) = made();
    for (name, svg) in figures(&made) {
        let mut open: Vec<String> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let tag = &tag[..tag.find('>').unwrap_or_else(|| panic!("{name}: <{tag}"))];
            if let Some(closing) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(closing), "{name}");
            } else if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().unwrap().to_owned());
            }
        }
        assert!(open.is_empty(), "{name}: {open:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
}

#[test]
fn exports_read_back_to_the_bit() {
    let (_dir, store, _) = made();
    let mut csv = Vec::new();
    assert_eq!(export(store.reading(), &[], ExportFormat::Csv, &mut csv).unwrap(), 320);
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 1 + 320 * 8);
    let mut jsonl = Vec::new();
    export(store.reading(), &[], ExportFormat::JsonLines, &mut jsonl).unwrap();
    let jsonl = String::from_utf8(jsonl).unwrap();
    let stored = support::table(store.path());
    let mut numbers =
        csv.lines().skip(1).map(|l| l.rsplit(',').next().unwrap().parse::<f64>().unwrap());
    for (row, line) in stored.iter().zip(jsonl.lines()) {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(json["unit"], row.2);
        for (i, bits) in row.3.iter().enumerate() {
            assert_eq!(json["columns"][i]["value"].as_f64().unwrap().to_bits(), *bits);
            assert_eq!(numbers.next().unwrap().to_bits(), *bits);
        }
    }
}

/// Takes so many bytes, then fails: a full disk, or a reader that went away.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Each unit is out before the next is read: nothing is collected first.
#[test]
fn an_export_writes_as_it_reads() {
    let (_dir, store, _) = made();
    for format in [ExportFormat::Csv, ExportFormat::JsonLines] {
        let mut whole = Vec::new();
        export(store.reading(), &[], format, &mut whole).unwrap();
        let mut full = Full(whole.len() / 2);
        let error = export(store.reading(), &[], format, &mut full).unwrap_err();
        assert!(error.to_string().contains("cannot write the export"), "{error}");
        assert!(full.0 < 200, "{} bytes of room were left", full.0);
    }
}

/// Without a table chart that has them, published figures and verdicts get a table of their own.
#[test]
fn no_published_figure_goes_unseen() {
    let page = |text: &str| {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(&dir.path().join("s.db")).unwrap();
        run_on(&Spec::parse("falling.toml", text, false).unwrap(), &mut store, 2).unwrap();
        html(&report(store.reading(), &[]).unwrap())
    };
    let own = "Beside the published figures";
    assert!(!page(SPEC).contains(own));
    let table = "kind = \"table\"\ntitle = \"Table\"\nbaseline = \"quick n=1\"\n";
    for instead in ["kind = \"curve\"\n", &format!("{table}series = \"quick\"\n")] {
        let page = page(&SPEC.replace(table, instead));
        let at = page.find(own).unwrap();
        assert!(at < page.find("<svg").unwrap(), "at the top of the section");
        let rows = &page[at..at + page[at..].find("</table>").unwrap()];
        assert_eq!(rows.matches("failure at 3000").count(), 4, "{rows}");
        assert!(rows.contains("slow n=8") && !rows.contains("quick n="), "{rows}");
        for word in ["Units", "Ours, 95%", "Published", "Verdict", "below", "100 units"] {
            assert!(rows.contains(word), "{word}: {rows}");
        }
    }
    // A second figure of a curve does not fit into the table chart's one line.
    let more = "published = [{ value = 0.9 }, { value = 0.8, at = 10 }]";
    let old = SPEC.lines().find(|l| l.starts_with("published = { value")).unwrap();
    let page = page(&SPEC.replace(old, more));
    let rows = &page[page.find(own).unwrap()..];
    assert_eq!(rows[..rows.find("</table>").unwrap()].matches("<tr>").count(), 5, "{rows}");
}

#[test]
fn open_ends_are_drawn_open() {
    let (_dir, _store, made) = made();
    let e = &made.experiments[0];
    let ChartReport::Crossing { lines, .. } = &e.charts[1] else { panic!() };
    let zero = lines.iter().find(|l| l.series == "quick" && l.threshold == 0.0).unwrap();
    let reached = zero.points.iter().find(|p| p.crossing.at.is_some()).unwrap();
    assert_eq!(reached.crossing.at95.high, f64::INFINITY);
    assert!(reached.crossing.at95.low > 0.0);
    let json = serde_json::to_value(reached).unwrap();
    assert!(json["at95"]["high"].is_null() && json["open"] == "least_value", "{json}");
    let drawn = &figures(&made)[1].1;
    assert!(drawn.contains("open above"));
    assert!(html(&made).contains("left open: no value is below the threshold"));
    // From the start: the bar goes down to the foot, and the tip says 0.
    let early = lines.iter().find(|l| l.series == "quick" && l.threshold == 0.1).unwrap();
    let from_start = early.points.iter().find(|p| p.crossing.from_start).unwrap();
    assert_eq!(from_start.crossing.at95.low, 0.0);
    assert!(drawn.contains("or before, 95% [0, "));
}

#[test]
fn an_empty_experiment_can_be_reported() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(&dir.path().join("s.db")).unwrap();
    let spec = Spec::parse("falling.toml", SPEC, false).unwrap();
    let experiment = patience_lab::check(&spec, &support::resolve).unwrap();
    support::enrol(&mut store, &spec, experiment.columns()[0]);
    let made = report(store.reading(), &[]).unwrap();
    assert!(made.experiments[0].claims.iter().all(|c| c.verdict == Ruling::Undecided));
    assert!(html(&made).contains("unfinished: 0 of 320 units"));
}
