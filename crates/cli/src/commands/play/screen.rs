//! The terminal: keys in, pictures out.

use std::path::PathBuf;
use std::time::Duration;

use patience::Table;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use super::Thinking;
use super::app::App;
use super::draw::draw;
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
                if let Event::Key(key) = event::read()?
                    && key.kind == KeyEventKind::Press
                {
                    app.key(key);
                }
            }
        }
        Ok(())
    })();
    ratatui::restore();
    played.map(|()| Code::Success).map_err(fault)
}
