//! Whether what a planner calls a chance to win is one: what it says of the moves that it chooses,
//! beside how the games end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use patience_catalogue::run::{Playing, Plays, RunError, Start, Streams};
use patience_catalogue::{AnyGame, CallError, Measure};
use patience_model::Rng;
use patience_plan::{Budget, Cancel};
use serde::Serialize;

/// A decision that was told with a value, and the end of its game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// The name of the deal.
    pub deal: String,
    /// What was told of the move that was chosen.
    pub value: f64,
    /// Whether that was proven.
    pub sure: bool,
    /// Figures of the search's own.
    pub figures: Vec<f64>,
    /// Whether the game was won.
    pub won: bool,
}

/// Games played to be compared with what was told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Games {
    /// The names of the figures.
    pub figures: Vec<String>,
    /// All decisions, in the order of deals and moves.
    pub decisions: Vec<Decision>,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
}

/// Why no games were played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReliabilityError {
    /// The planner's string.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A run that failed or was cancelled.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Values that are no chances to win.
    #[error("the values of this planner are no chances to win")]
    Measure,
    /// A search that would never end.
    #[error("its searches do not end by themselves: a budget of iterations is needed")]
    Endless,
}

/// Plays the deals of these names, on so many threads. A game depends on the name of its deal alone.
///
/// # Errors
/// If the planner cannot play this game or tells no chances to win, or a game failed.
pub fn play(
    game: &AnyGame,
    planner: &str,
    budget: &Budget,
    deals: &[String],
    threads: usize,
    cancel: &Cancel,
) -> Result<Games, ReliabilityError> {
    let playing = Playing { planner: planner.to_owned(), budget: *budget, ..Playing::default() };
    let plays = game.playing(&playing)?;
    if game.start(0).measure_of(planner)? != Measure::WinProbability {
        return Err(ReliabilityError::Measure);
    }
    if budget.is_unlimited() && !plays.ends().0 {
        return Err(ReliabilityError::Endless);
    }
    let playing = Playing { reuse: plays.advances(), ..playing };
    let plays = game.playing(&playing)?;
    let (next, ended) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<(), RunError> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(deal) = deals.get(number) else { return Ok(()) };
            let one = play_one(&*plays, deal, cancel)?;
            ended.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, one));
        }
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        // A panic is passed on.
        let join = |one: std::thread::ScopedJoinHandle<'_, _>| match one.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        all.into_iter().try_for_each(join)
    })?;
    let mut ended = ended.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    ended.sort_by_key(|(number, _)| *number);
    Ok(Games {
        figures: plays.figures().iter().map(|name| (*name).to_owned()).collect(),
        games: ended.len() as u64,
        won: ended.iter().map(|(_, (won, _))| u64::from(*won)).sum(),
        decisions: ended.into_iter().flat_map(|(_, (_, decisions))| decisions).collect(),
    })
}

fn play_one(
    plays: &dyn Plays,
    deal: &str,
    cancel: &Cancel,
) -> Result<(bool, Vec<Decision>), RunError> {
    let stream = |purpose: &str| Rng::named(0, &["reliability", deal, purpose]);
    let own = |purpose: &str| Rng::named(0, &["reliability", deal, "planner", purpose]);
    let streams = Streams { shared: &stream, own: &own };
    let mut decisions = Vec::new();
    let mut tell = |told: patience_catalogue::run::Told| {
        if let Some(value) = told.value {
            let (sure, figures) = (told.sure, told.figures);
            decisions.push(Decision { deal: deal.to_owned(), value, sure, figures, won: false });
        }
    };
    let played = plays.play_told(Start::Deal(deal), &streams, cancel, Some(&mut tell))?;
    let won = played.result >= 1.0;
    decisions.iter_mut().for_each(|decision| decision.won = won);
    Ok((won, decisions))
}

/// Decisions with values between two tens of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Decisions.
    pub decisions: u64,
    /// Games that they are of.
    pub deals: u64,
    /// The mean of the values told.
    pub told: f64,
    /// The share that was won.
    pub won: f64,
    /// Half the width of its 95% interval. Decisions of one game end alike: games count as one.
    pub half: f64,
}

/// How far what is told comes true.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// Ten bins of ten points.
    pub bins: Vec<Bin>,
    /// The mean square of value less outcome (Brier's score): 0 is best.
    pub brier: f64,
    /// Decisions in the bins.
    pub decisions: u64,
}

impl Reliability {
    /// Of all decisions that were not proven, by a value of each.
    pub fn of(games: &Games, value: impl Fn(&Decision) -> Option<f64>) -> Reliability {
        let open = games.decisions.iter().filter(|d| !d.sure);
        let all: Vec<(&str, f64, f64)> =
            open.filter_map(|d| Some((&*d.deal, value(d)?, f64::from(u8::from(d.won))))).collect();
        let square = |&(_, value, won): &(&str, f64, f64)| (value - won).powi(2);
        let brier = all.iter().map(square).sum::<f64>() / all.len().max(1) as f64;
        let place = |value: f64| ((10.0 * value) as usize).min(9);
        let bin = |number: usize| {
            Bin::of(all.iter().copied().filter(|(_, value, _)| place(*value) == number))
        };
        Reliability { bins: (0..10).map(bin).collect(), brier, decisions: all.len() as u64 }
    }

    /// The largest distance of a bin's share from what was told, beyond its interval.
    pub fn worst(&self) -> f64 {
        let beyond = |bin: &Bin| ((bin.won - bin.told).abs() - bin.half).max(0.0);
        self.bins.iter().filter(|bin| bin.deals > 1).map(beyond).fold(0.0, f64::max)
    }

    /// The diagram: what came true against what was told, with 95% intervals; `plain`, if there is
    /// one, beside it.
    pub fn svg(&self, title: &str, plain: Option<&Reliability>) -> String {
        let (left, top, size) = (50.0, 40.0, 320.0);
        let (x, y) = (|v: f64| left + size * v, |v: f64| top + size * (1.0 - v));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 420\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"400\" height=\"420\" fill=\"white\"/>\n\
             <text x=\"{}\" y=\"20\" text-anchor=\"middle\">{title}</text>\n\
             <path d=\"M{left} {} H{} M{left} {} V{top}\" stroke=\"black\" fill=\"none\"/>\n\
             <path d=\"M{left} {} L{} {top}\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>\n",
            x(0.5),
            y(0.0),
            x(1.0),
            y(0.0),
            y(0.0),
            x(1.0),
        );
        for tenth in (0..=10).step_by(2) {
            let v = f64::from(tenth) / 10.0;
            out += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{v}</text>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{v}</text>\n",
                x(v),
                y(0.0) + 16.0,
                left - 6.0,
                y(v) + 4.0,
            );
        }
        out += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">told</text>\n\
             <text x=\"14\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {})\">won</text>\n",
            x(0.5),
            y(0.0) + 34.0,
            y(0.5),
            y(0.5),
        );
        let both = [(plain, "#c60", "uncorrected"), (Some(self), "#06c", "told")];
        let mut row = 0.0;
        for (of, colour, name) in both {
            let Some(of) = of else { continue };
            out += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{name}, Brier {:.4}</text>\n",
                x(0.06),
                y(0.97) + row,
                x(0.09),
                y(0.97) + row + 4.0,
                of.brier,
            );
            row += 18.0;
            for bin in of.bins.iter().filter(|bin| bin.deals > 1) {
                let (low, high) = ((bin.won - bin.half).max(0.0), (bin.won + bin.half).min(1.0));
                out += &format!(
                    "<path d=\"M{0:.1} {1:.1} V{2:.1}\" stroke=\"{colour}\"/>\
                     <circle cx=\"{0:.1}\" cy=\"{3:.1}\" r=\"3.5\" fill=\"{colour}\"/>\n",
                    x(bin.told),
                    y(low),
                    y(high),
                    y(bin.won),
                );
            }
        }
        out + "</svg>\n"
    }
}

impl Bin {
    fn of<'d>(decisions: impl Iterator<Item = (&'d str, f64, f64)>) -> Bin {
        // Decisions and wins of each deal; they come in the order of deals.
        let mut deals: Vec<(&str, f64, f64)> = Vec::new();
        let mut told = 0.0;
        for (deal, value, won) in decisions {
            told += value;
            match deals.last_mut().filter(|last| last.0 == deal) {
                Some(last) => (last.1, last.2) = (last.1 + 1.0, last.2 + won),
                None => deals.push((deal, 1.0, won)),
            }
        }
        let (n, d) = (deals.iter().map(|deal| deal.1).sum::<f64>(), deals.len() as f64);
        if n == 0.0 {
            return Bin::default();
        }
        let won = deals.iter().map(|deal| deal.2).sum::<f64>() / n;
        // The variance of a ratio of sums over deals.
        let squares: f64 = deals.iter().map(|deal| (deal.2 - won * deal.1).powi(2)).sum();
        let half = if d > 1.0 { 1.96 * (squares * d / (d - 1.0)).sqrt() / n } else { 1.0 };
        Bin { decisions: n as u64, deals: d as u64, told: told / n, won, half }
    }
}
