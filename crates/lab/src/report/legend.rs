//! The names of a plot's lines.

use super::look::{STYLES, shape};
use super::plot::{LEFT, Look, Plot, RIGHT, WIDTH};
use super::text::escape;

/// Names of lines above the plot, in as many rows as they need.
pub(super) struct Legend {
    places: Vec<(f64, f64)>,
    pub(super) height: f64,
}

impl Legend {
    pub(super) fn of(plot: &Plot) -> Legend {
        let (mut x, mut row) = (LEFT, 0.0);
        let mut places = Vec::new();
        for line in &plot.lines {
            let width = 44.0 + 7.2 * line.name.chars().count() as f64;
            if x + width > WIDTH - RIGHT && x > LEFT {
                x = LEFT;
                row += 20.0;
            }
            places.push((x, row));
            x += width;
        }
        Legend { height: if places.is_empty() { 0.0 } else { row + 26.0 }, places }
    }

    pub(super) fn draw(&self, plot: &Plot, top: f64, out: &mut String) {
        for (line, (x, row)) in plot.lines.iter().zip(&self.places) {
            let y = top + row + 10.0;
            let style = line.style % STYLES;
            let class = line.look.class();
            out.push_str(&format!(
                "<g class=\"s{style}\"><path class=\"{class}\" d=\"M{x:.1} {y:.1}h24\"/>"
            ));
            if line.look != Look::Reference {
                shape(style, x + 12.0, y, line.look == Look::Published, out);
            }
            out.push_str(&format!(
                "<text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                x + 30.0,
                y + 4.5,
                escape(&line.name)
            ));
        }
    }
}
