//! Charts: which results are drawn and tabulated.

use crate::expression::Expression;
use crate::keys::{Item, Keys, Node, SpecFault, listed};
use crate::reader::Reader;
use crate::spec::arm::{self, Arm, Select};
use patience_plan::did_you_mean;

/// What a chart shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// A column against its checkpoints, a line per arm.
    Curve,
    /// Where curves fall to a threshold, against the arms' x, a line per series and threshold.
    Crossing,
    /// A column against the arms' x, a line per series.
    Sweep,
    /// A table of arms and columns, with the published figures.
    Table,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its label.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Where it starts, if not at the data.
    pub min: Option<f64>,
    /// Where it ends, if not at the data.
    pub max: Option<f64>,
}

/// A line read from the paper's figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedLine {
    /// The series that it belongs to.
    pub series: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// A `[[chart]]` of a spec.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its line in the file.
    pub line: usize,
    /// What it shows (`kind = "curve"`, `"crossing"`, `"sweep"` or `"table"`).
    pub kind: ChartKind,
    /// Its title.
    pub title: String,
    /// The arms in it (`arms` and `series`).
    pub select: Select,
    /// The columns in it (`column` or `columns`); empty: the first, or all for a table.
    pub columns: Vec<String>,
    /// The line of each of these.
    pub column_lines: Vec<usize>,
    /// The checkpoint that a sweep or a table shows (`at`); default: the last.
    pub at: Option<f64>,
    /// The thresholds of a crossing.
    pub thresholds: Vec<f64>,
    /// The growth with which crossings are compared, such as `2^(depth/2)`: drawn as a
    /// dashed line, and the slope of log crossing against its log is fitted.
    pub against: Option<Expression>,
    /// The arm that a table compares the others with, in pairs of units.
    pub baseline: Option<String>,
    /// The series whose intervals a curve shows as bands; empty: all.
    pub bands: Vec<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The paper's own lines (`published = { UCT = [[2, 100], …] }`).
    pub published: Vec<PublishedLine>,
}

pub(super) fn read(table: &Keys, number: usize, arms: &[Arm]) -> Result<Chart, SpecFault> {
    let mut r = Reader::new(table, format!("chart {number}")).knows(&[
        "kind",
        "title",
        "arms",
        "series",
        "columns",
        "column",
        "at",
        "thresholds",
        "against",
        "baseline",
        "bands",
        "x",
        "y",
        "published",
    ])?;
    let kind = r.word("kind", &["curve", "crossing", "sweep", "table"])?;
    let kind = match r.need("kind", kind)?.as_str() {
        "curve" => ChartKind::Curve,
        "crossing" => ChartKind::Crossing,
        "sweep" => ChartKind::Sweep,
        _ => ChartKind::Table,
    };
    let title = r.text("title")?.unwrap_or_default();
    let select = Select::read(&mut r, arms, &Vec::new())?;
    let mut columns = r.texts("columns")?.unwrap_or_default();
    columns.extend(r.text("column")?);
    let column_lines = column_lines(&mut r);
    let at = r.number("at", f64::NEG_INFINITY..=f64::INFINITY)?;
    let thresholds = thresholds(&mut r, kind)?;
    let against = against(&mut r, arms, &select)?;
    let baseline = arm::one(&mut r, "baseline", arms, &Vec::new())?;
    let bands = bands(&mut r, arms)?;
    let x = axis(&mut r, "x")?;
    let y = axis(&mut r, "y")?;
    let published = published(&mut r, arms)?;
    let needs_x = matches!(kind, ChartKind::Crossing | ChartKind::Sweep);
    if let Some(arm) = arms.iter().find(|a| needs_x && select.matches(a) && a.x.is_none()) {
        return Err(r.fault("kind", format!("arm {:?} has no sweep, so it has no x", arm.name)));
    }
    let line = r.line();
    r.finish()?;
    Ok(Chart {
        line,
        kind,
        title,
        select,
        columns,
        column_lines,
        at,
        thresholds,
        against,
        baseline,
        bands,
        x,
        y,
        published,
    })
}

/// The lines of the columns' names, in the order in which they are read.
fn column_lines(r: &mut Reader<'_>) -> Vec<usize> {
    let items = ["columns", "column"].into_iter().filter_map(|key| r.get(key));
    let lines = |item: &Item| match &item.node {
        Node::List(names) => names.iter().map(|name| name.line).collect(),
        _ => vec![item.line],
    };
    items.flat_map(lines).collect()
}

fn thresholds(r: &mut Reader<'_>, kind: ChartKind) -> Result<Vec<f64>, SpecFault> {
    let thresholds = r.numbers("thresholds")?.unwrap_or_default();
    if kind == ChartKind::Crossing && thresholds.is_empty() {
        return Err(r.fault("thresholds", "a crossing needs at least one threshold"));
    }
    Ok(thresholds)
}

fn bands(r: &mut Reader<'_>, arms: &[Arm]) -> Result<Vec<String>, SpecFault> {
    let bands = r.texts("bands")?.unwrap_or_default();
    for name in &bands {
        known_series(name, arms).map_err(|message| r.fault("bands", message))?;
    }
    Ok(bands)
}

fn known_series(name: &str, arms: &[Arm]) -> Result<(), String> {
    let all = || arms.iter().map(|arm| arm.series.as_str());
    if all().any(|series| series == name) {
        return Ok(());
    }
    Err(format!("no series {name:?}{}{}", did_you_mean(name, all()), listed(all())))
}

/// A formula whose variables all the arms have.
pub(super) fn against(
    r: &mut Reader<'_>,
    arms: &[Arm],
    select: &Select,
) -> Result<Option<Expression>, SpecFault> {
    let Some(text) = r.text("against")? else { return Ok(None) };
    let formula = Expression::parse(&text).map_err(|m| r.fault("against", m))?;
    for arm in arms.iter().filter(|a| select.matches(a)) {
        let known = || arm.variables.iter().map(|(k, _)| k.as_str());
        if let Some(name) = formula.variables().iter().find(|v| !known().any(|k| k == **v)) {
            let near = did_you_mean(name, known());
            let message = format!("arm {:?} has no variable `{name}`{near}", arm.name);
            return Err(r.fault("against", message));
        }
    }
    Ok(Some(formula))
}

fn axis(r: &mut Reader<'_>, key: &str) -> Result<Axis, SpecFault> {
    let Some(table) = r.table(key)? else { return Ok(Axis::default()) };
    let mut a = Reader::new(table, key).knows(&["label", "log", "min", "max"])?;
    let any = f64::NEG_INFINITY..=f64::INFINITY;
    let axis = Axis {
        label: a.text("label")?.unwrap_or_default(),
        log: a.flag("log")?.unwrap_or(false),
        min: a.number("min", any.clone())?,
        max: a.number("max", any)?,
    };
    if axis.log && axis.min.is_some_and(|v| v <= 0.0) {
        return Err(a.fault("min", "a logarithmic axis starts above 0"));
    }
    if let (Some(min), Some(max)) = (axis.min, axis.max)
        && min >= max
    {
        return Err(a.fault("max", "expected min < max"));
    }
    a.finish()?;
    Ok(axis)
}

fn published(r: &mut Reader<'_>, arms: &[Arm]) -> Result<Vec<PublishedLine>, SpecFault> {
    let Some(table) = r.table("published")? else { return Ok(Vec::new()) };
    let fault =
        |item: &Item, message: String| SpecFault::new("published", message).or_line(item.line);
    let wrong = |item| fault(item, "expected a list of points [x, y] per series".to_owned());
    let mut lines = Vec::new();
    for (series, item) in &table.entries {
        known_series(series, arms).map_err(|message| fault(item, message))?;
        let Node::List(items) = &item.node else { return Err(wrong(item)) };
        let points: Result<_, _> =
            items.iter().map(|item| point(&item.node).ok_or_else(|| wrong(item))).collect();
        lines.push(PublishedLine { series: series.clone(), points: points? });
    }
    Ok(lines)
}

fn point(node: &Node) -> Option<(f64, f64)> {
    let Node::List(pair) = node else { return None };
    let [x, y] = &pair[..] else { return None };
    let finite = |item: &Item| item.node.number().filter(|v| v.is_finite());
    Some((finite(x)?, finite(y)?))
}
