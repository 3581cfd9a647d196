//! SysAdmin (Guestrin et al. 2003; the planning competition of 2011): keep a ring of computers running.
//!
//! In each move one computer may be rebooted, which then runs for sure. A computer that runs goes on running
//! with probability 0.45 + 0.5·(1 + r)/(1 + n), with r of its n neighbours running; one that has failed comes
//! back by itself with 0.05. Every computer that runs at the beginning of a move brings 1, a reboot costs
//! 0.75. All run at the start, and the game has a fixed number of moves.

mod encoded;
mod entry;

pub use entry::entry;

use patience_model::{Game, Keyed, Label, Outcome, Outcomes, Rng, Scene, Shown, Step, Text};

use crate::words::counted;

/// How likely a computer comes back by itself.
const BACK: f64 = 0.05;
/// What a reboot costs.
const REBOOT: f64 = 0.75;

/// The rules: how many computers there are, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SysAdmin {
    computers: u8,
    horizon: u8,
}

/// Which computers run, as bits, and how many moves are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Computers that run.
    pub running: u16,
    /// Moves left.
    pub left: u8,
}

/// A reboot of a computer, or none.
pub type Reboot = Option<u8>;

impl SysAdmin {
    /// A ring of so many computers for so many moves.
    ///
    /// # Errors
    /// If there are none or more than ten: each move has 2^computers outcomes.
    pub fn new(computers: u8, horizon: u8) -> Result<Self, String> {
        match (1..=10).contains(&computers) && horizon > 0 {
            true => Ok(SysAdmin { computers, horizon }),
            false => Err(format!("there must be 1 to 10 computers and a move, not {computers}")),
        }
    }

    /// How likely a computer runs after a move.
    fn runs(&self, running: u16, reboot: Reboot, computer: u8) -> f64 {
        let runs = |computer: u8| running >> computer & 1 == 1;
        if reboot == Some(computer) {
            return 1.0;
        }
        if !runs(computer) {
            return BACK;
        }
        let n = self.computers;
        let mut neighbours = vec![(computer + 1) % n, (computer + n - 1) % n];
        neighbours.dedup();
        neighbours.retain(|&other| other != computer);
        let up = neighbours.iter().filter(|&&other| runs(other)).count();
        0.45 + 0.5 * (1.0 + up as f64) / (1.0 + neighbours.len() as f64)
    }

    /// Where a computer stands on the board: its column and its row from the top.
    fn square(&self, computer: u8) -> (u8, u8) {
        let half = self.computers.div_ceil(2);
        if computer < half { (computer, 0) } else { (self.computers - 1 - computer, 1) }
    }

    fn reward(running: u16, reboot: Reboot) -> f64 {
        f64::from(running.count_ones()) - if reboot.is_some() { REBOOT } else { 0.0 }
    }
}

impl Game for SysAdmin {
    type State = State;
    type Action = Reboot;
    /// Which computers run.
    type Obs = u16;

    fn start(&self, _: &mut Rng) -> State {
        State { running: (1 << self.computers) - 1, left: self.horizon }
    }

    fn actions(&self, state: &State, out: &mut Vec<Reboot>) {
        out.clear();
        if state.left > 0 {
            out.push(None);
            out.extend((0..self.computers).map(Some));
        }
    }

    fn step(&self, state: &mut State, reboot: Reboot, rng: &mut Rng) -> Step<u16> {
        let reward = Self::reward(state.running, reboot);
        let mut next = 0;
        for computer in 0..self.computers {
            next |= u16::from(rng.chance(self.runs(state.running, reboot, computer))) << computer;
        }
        *state = State { running: next, left: state.left - 1 };
        Step { reward, obs: next }
    }
}

impl Keyed for SysAdmin {
    type Key = State;

    fn key(&self, state: &State) -> State {
        *state
    }
}

impl Outcomes for SysAdmin {
    fn outcomes(&self, state: &State, reboot: Reboot, out: &mut Vec<Outcome<State, u16>>) {
        out.clear();
        let reward = Self::reward(state.running, reboot);
        let chances: Vec<f64> =
            (0..self.computers).map(|c| self.runs(state.running, reboot, c)).collect();
        for running in 0..1_u16 << self.computers {
            let part = |(computer, &p): (usize, &f64)| {
                if running >> computer & 1 == 1 { p } else { 1.0 - p }
            };
            let probability: f64 = chances.iter().enumerate().map(part).product();
            if probability > 0.0 {
                let state = State { running, left: state.left - 1 };
                out.push(Outcome { probability, state, step: Step { reward, obs: running } });
            }
        }
    }
}

impl Text for SysAdmin {
    fn state_text(&self, state: &State) -> String {
        let lamp = |c: u8| if state.running >> c & 1 == 1 { 'o' } else { 'x' };
        let ring: String = (0..self.computers).map(lamp).collect();
        format!("{ring}, {} moves left", state.left)
    }

    fn action_text(&self, _: &State, reboot: Reboot) -> String {
        reboot.map_or_else(|| "wait".to_owned(), |computer| format!("reboot {}", computer + 1))
    }

    fn obs_text(&self, _: &State, running: u16) -> String {
        let failed = (0..self.computers).filter(|computer| running >> computer & 1 == 0);
        let names: Vec<String> = failed.map(|computer| (computer + 1).to_string()).collect();
        match names.is_empty() {
            true => "all are on".to_owned(),
            false => format!("off: {}", names.join(" ")),
        }
    }
}

impl Shown for SysAdmin {
    fn title(&self) -> String {
        "SysAdmin".to_owned()
    }

    fn label(&self, state: &State, reboot: Reboot) -> Label {
        let label = self.action_text(state, reboot);
        match reboot {
            None => Label::words(label),
            Some(computer) => {
                let (column, row) = self.square(computer);
                Label::square(label, column, row)
            }
        }
    }

    /// The ring in two rows: there along the upper one and back along the lower one.
    fn scene(&self, state: &State) -> Scene {
        let half = usize::from(self.computers.div_ceil(2));
        let mut rows = vec![vec![String::new(); half]; if self.computers > 1 { 2 } else { 1 }];
        for computer in 0..self.computers {
            let (column, row) = self.square(computer);
            let look = if state.running >> computer & 1 == 1 { "on" } else { "off" };
            rows[usize::from(row)][usize::from(column)] = format!("{look} {}", computer + 1);
        }
        let text = format!("{} left", counted(state.left.into(), "move"));
        Scene::Grid { rows, text, seen: String::new() }
    }
}
