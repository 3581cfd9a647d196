//! Plots as SVG: lines with error bands, linear and logarithmic axes, for light and dark pages.
//!
//! Colours come from the page's style sheet (or from the figure's own, if it stands alone), so
//! one drawing serves both. Marks differ in shape too, for readers who cannot tell colours apart.

use super::legend::Legend;
use super::look::{STYLE, STYLES, shape};
use super::scale::Scale;
use super::text::{escape, number};
use crate::spec::Axis;
use crate::stats::Bounds;

/// A point of a line.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: Mark,
    pub(super) at95: Option<Bounds>,
    /// The interval goes on above its high end, which is only where its bar ends.
    pub(super) open: bool,
}

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// At this value.
    At(f64),
    /// Somewhere above this value: not reached.
    Beyond(f64),
    /// At this value or somewhere below: there from the start.
    Before(f64),
}

/// A line of a plot.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    /// Its colour and marks.
    pub(super) style: usize,
    /// How its interval is drawn, if it has one.
    pub(super) look: Look,
    pub(super) points: Vec<Point>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// A line with a band around it.
    Band,
    /// The same without the band.
    Plain,
    /// Marks with bars, joined by a line.
    Bars,
    /// Dashed, without marks: a reference.
    Reference,
    /// Hollow marks, dotted: from the paper.
    Published,
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) lines: Vec<Line>,
}

pub(super) const WIDTH: f64 = 760.0;
pub(super) const LEFT: f64 = 74.0;
pub(super) const RIGHT: f64 = 22.0;
const PLOT_HEIGHT: f64 = 330.0;
/// The strip below a logarithmic axis where 0 is shown.
const ZERO_STRIP: f64 = 26.0;

/// Draws a plot; alone it carries its own style sheet and background.
pub(super) fn svg(plot: &Plot, alone: bool) -> String {
    let legend = Legend::of(plot);
    let top = 20.0 + if plot.title.is_empty() { 0.0 } else { 22.0 } + legend.height;
    let values = || {
        plot.lines.iter().flat_map(|l| &l.points).flat_map(|p| {
            let y = match p.y {
                Mark::At(y) | Mark::Before(y) => y,
                // Room for the arrow.
                Mark::Beyond(y) => y * 1.6,
            };
            let high = p.at95.map(|b| b.high).filter(|_| !plot.y.log || y > 0.0);
            [Some(y), high].into_iter().flatten()
        })
    };
    let zeros = plot.y.log && values().any(|v| v <= 0.0);
    let bottom = top + PLOT_HEIGHT;
    let floor = if zeros { bottom - ZERO_STRIP } else { bottom };
    let y_values = values().filter(|v| !plot.y.log || *v > 0.0);
    let y = Scale::around(y_values, plot.y.log, (plot.y.min, plot.y.max), (floor, top));
    let x_values = plot.lines.iter().flat_map(|l| l.points.iter().map(|p| p.x));
    let x_pixels = (LEFT, WIDTH - RIGHT);
    let x = Scale::around(x_values, plot.x.log, (plot.x.min, plot.x.max), x_pixels);
    let canvas = Canvas { x, y, zero: zeros.then_some(bottom - 7.0), top, bottom, floor };
    let height = bottom + 52.0;
    let mut out = format!(
        "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\" aria-label=\"{}\">",
        escape(&plot.title)
    );
    if alone {
        out.push_str(&format!(
            "<style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>"
        ));
    }
    if !plot.title.is_empty() {
        out.push_str(&format!(
            "<text class=\"head\" x=\"{LEFT}\" y=\"24\">{}</text>",
            escape(&plot.title)
        ));
    }
    legend.draw(plot, top - legend.height - 2.0, &mut out);
    canvas.frame(plot, &mut out);
    // Bands first, so that no line is hidden.
    plot.lines.iter().for_each(|line| canvas.interval(line, &mut out));
    plot.lines.iter().for_each(|line| canvas.line(line, &mut out));
    out.push_str("</svg>");
    out
}

impl Look {
    pub(super) fn class(self) -> &'static str {
        match self {
            Look::Band | Look::Plain | Look::Bars => "line",
            Look::Reference => "ref",
            Look::Published => "pub",
        }
    }
}

struct Canvas {
    x: Scale,
    y: Scale,
    /// Where 0 is shown on a logarithmic axis.
    zero: Option<f64>,
    top: f64,
    bottom: f64,
    floor: f64,
}

impl Canvas {
    fn place_y(&self, y: f64) -> f64 {
        match self.zero {
            Some(zero) if y <= 0.0 => zero,
            // A band that reaches below the axis ends at its foot.
            _ if y < self.y.min() => self.floor,
            _ => self.y.place(y),
        }
    }

    fn frame(&self, plot: &Plot, out: &mut String) {
        let right = WIDTH - RIGHT;
        for tick in self.y.ticks() {
            let y = self.y.place(tick.at);
            let class = if tick.label.is_some() { "grid" } else { "minor" };
            out.push_str(&format!("<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{right}\"/>"));
            if let Some(label) = tick.label {
                text(LEFT - 8.0, y + 4.0, "end", "soft", &label, out);
            }
        }
        for tick in self.x.ticks() {
            let x = self.x.place(tick.at);
            let (class, from) = match tick.label {
                Some(_) => ("grid", self.top),
                None => ("axis", self.bottom - 4.0),
            };
            out.push_str(&format!(
                "<path class=\"{class}\" d=\"M{x:.1} {from:.1}V{:.1}\"/>",
                self.bottom
            ));
            if let Some(label) = tick.label {
                text(x, self.bottom + 18.0, "middle", "soft", &label, out);
            }
        }
        if let Some(zero) = self.zero {
            let floor = self.floor;
            out.push_str(&format!("<path class=\"zero\" d=\"M{LEFT} {floor:.1}H{right}\"/>"));
            text(LEFT - 8.0, zero + 4.0, "end", "soft", "0", out);
        }
        out.push_str(&format!(
            "<path class=\"axis\" d=\"M{LEFT} {:.1}V{:.1}H{right}\" fill=\"none\"/>",
            self.top, self.bottom
        ));
        text((LEFT + right) / 2.0, self.bottom + 42.0, "middle", "", &plot.x.label, out);
        let middle = (self.top + self.bottom) / 2.0;
        out.push_str(&format!(
            "<text text-anchor=\"middle\" transform=\"translate(18 {middle:.1}) rotate(-90)\">{}</text>",
            escape(&plot.y.label)
        ));
    }

    fn interval(&self, line: &Line, out: &mut String) {
        let style = line.style % STYLES;
        let bounded =
            || line.points.iter().filter_map(|p| Some((p, p.at95.filter(|b| !b.low.is_nan())?)));
        match line.look {
            Look::Band => {
                let mut path = String::new();
                let mut back = Vec::new();
                let drawn = |p: &Point| matches!(p.y, Mark::At(_));
                for (point, bounds) in bounded().filter(|(p, _)| drawn(p)) {
                    let x = self.x.place(point.x);
                    let step = if path.is_empty() { 'M' } else { 'L' };
                    path.push_str(&format!("{step}{x:.1} {:.1}", self.place_y(bounds.high)));
                    back.push((x, self.place_y(bounds.low)));
                }
                for (x, y) in back.iter().rev() {
                    path.push_str(&format!("L{x:.1} {y:.1}"));
                }
                if !path.is_empty() {
                    out.push_str(&format!("<path class=\"band s{style}\" d=\"{path}Z\"/>"));
                }
            }
            Look::Bars => {
                for (point, bounds) in bounded() {
                    let x = self.x.place(point.x);
                    let low = self.place_y(bounds.low);
                    let high = self.place_y(bounds.high);
                    // A cap where the interval ends, the head of an arrow where it does not.
                    let end = if point.open { "m-4 5l4 -5l4 5" } else { "m-3 0h6" };
                    out.push_str(&format!(
                        "<path class=\"bar s{style}\" d=\"M{:.1} {low:.1}h6M{x:.1} {low:.1}V{high:.1}{end}\"/>",
                        x - 3.0
                    ));
                }
            }
            Look::Plain | Look::Reference | Look::Published => {}
        }
    }

    fn line(&self, line: &Line, out: &mut String) {
        let style = line.style % STYLES;
        let mut path = String::new();
        let mut joined = false;
        for point in &line.points {
            match point.y {
                Mark::At(y) | Mark::Before(y) => {
                    let step = if joined { 'L' } else { 'M' };
                    let (x, y) = (self.x.place(point.x), self.place_y(y));
                    path.push_str(&format!("{step}{x:.1} {y:.1}"));
                    joined = true;
                }
                // No line leads to a point that is not known.
                Mark::Beyond(_) => joined = false,
            }
        }
        let class = line.look.class();
        out.push_str(&format!("<g class=\"s{style}\"><path class=\"{class}\" d=\"{path}\"/>"));
        let marks = match line.look {
            Look::Band | Look::Plain => line.points.len() <= 24,
            Look::Bars | Look::Published => true,
            Look::Reference => false,
        };
        for point in &line.points {
            let x = self.x.place(point.x);
            let y = match point.y {
                Mark::At(y) => {
                    let at = self.place_y(y);
                    if marks {
                        let hollow =
                            line.look == Look::Published || (self.zero.is_some() && y <= 0.0);
                        shape(style, x, at, hollow, out);
                    }
                    at
                }
                Mark::Beyond(y) | Mark::Before(y) => {
                    let at = self.place_y(y);
                    let arrow = match point.y {
                        Mark::Beyond(_) => "v-16m-4 5l4 -5l4 5",
                        _ => "v16m-4 -5l4 5l4 -5",
                    };
                    out.push_str(&format!("<path class=\"bar\" d=\"M{x:.1} {at:.1}{arrow}\"/>"));
                    shape(style, x, at, true, out);
                    at
                }
            };
            if line.look != Look::Reference {
                out.push_str(&format!(
                    "<circle class=\"hit\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\"><title>{}</title></circle>",
                    escape(&tip(line, point))
                ));
            }
        }
        out.push_str("</g>");
    }
}

/// What is shown when the pointer rests on a point.
fn tip(line: &Line, point: &Point) -> String {
    let y = match point.y {
        Mark::At(y) => number(y),
        Mark::Beyond(y) => format!("not reached within {}", number(y)),
        Mark::Before(y) => format!("reached at {} or before", number(y)),
    };
    let bounds = match point.at95 {
        Some(b) if point.open => format!(", 95% from {}, open above", number(b.low)),
        Some(b) => format!(", 95% [{}, {}]", number(b.low), number(b.high)),
        None => String::new(),
    };
    format!("{} at {}: {y}{bounds}", line.name, number(point.x))
}

fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str, out: &mut String) {
    out.push_str(&format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escape(words)
    ));
}
