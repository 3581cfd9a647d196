//! The terminal: keys in, pictures out.

use std::path::PathBuf;
use std::time::Duration;

use patience::Table;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use super::Thinking;
use super::app::App;
use super::draw::{Hit, at, draw};
use crate::exit::{Code, Failure};

/// Keys are waited for so long before the game is looked at again.
const TICK: Duration = Duration::from_millis(50);

pub(super) fn run(
    table: Table,
    thinking: Thinking,
    watch: bool,
    save: PathBuf,
) -> Result<Code, Failure> {
    let fault = |error: std::io::Error| Failure::new(Code::Fault, format!("terminal: {error}"));
    let mut terminal = ratatui::try_init().map_err(fault)?;
    // A terminal without a mouse plays by keys.
    let _ = execute!(std::io::stdout(), EnableMouseCapture);
    let mut app = App::new(table, thinking, watch, save);
    let played = (|| {
        let mut changed = true;
        while !app.over {
            if changed {
                terminal.draw(|frame| draw(frame, &app))?;
            }
            changed = app.tick();
            if event::poll(TICK)? {
                changed = true;
                match event::read()? {
                    Event::Key(key) if key.kind == KeyEventKind::Press => app.key(key),
                    Event::Mouse(mouse)
                        if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
                    {
                        let area = terminal.get_frame().area();
                        match at(&app, area, mouse.column, mouse.row) {
                            Some(Hit::Table(place)) => app.choose(&place),
                            Some(Hit::Listed(place)) => app.play_listed(place),
                            None => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    })();
    let _ = execute!(std::io::stdout(), DisableMouseCapture);
    ratatui::restore();
    played.map(|()| Code::Success).map_err(fault)
}
