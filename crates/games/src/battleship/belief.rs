//! Fleets that agree with what was shot, each alike.

use patience_model::Rng;

use super::fleet::{PLACES, Place, SHIPS, Squares};

/// Ships that cover all hits, and where the others may lie as far as these allow.
struct Cover {
    fleet: Squares,
    room: Squares,
    /// Which ships are placed.
    placed: [bool; 4],
    /// How many ways there are to place the others, if they did not touch one another.
    ways: f64,
}

/// Draws a fleet.
///
/// A hit is covered by one of the ships: all ways to cover all hits are listed, each with the number of
/// places that are left for the other ships. One is drawn in proportion, and the others are placed each by
/// itself. If they touch all is drawn again: every fleet has the same chance then, and what is thrown away
/// is little.
pub(super) fn draw(hits: Squares, misses: Squares, rng: &mut Rng) -> Squares {
    let mut open: [Vec<Place>; 4] = Default::default();
    for (open, all) in open.iter_mut().zip(PLACES.iter()) {
        open.extend(all.iter().filter(|place| place.ship & misses == 0));
    }
    let mut covers = Vec::new();
    cover(&open, hits, Cover { fleet: 0, room: 0, placed: [false; 4], ways: 1.0 }, &mut covers);
    let sum: f64 = covers.iter().map(|cover| cover.ways).sum();
    loop {
        let mut left = rng.unit() * sum;
        let drawn = covers.iter().find(|cover| {
            left -= cover.ways;
            left < 0.0
        });
        // Rounding may leave nothing; what agrees with no fleet at all has no cover.
        let Some(drawn) = drawn.or(covers.last()) else { return hits };
        if let Some(fleet) = complete(&open, hits, drawn, rng) {
            return fleet;
        }
    }
}

/// Where a ship may lie beside those that cover all hits.
fn free(open: &[Place], hits: Squares, room: Squares) -> impl Iterator<Item = &Place> + Clone {
    open.iter().filter(move |place| place.ship & (room | hits) == 0)
}

/// Lists the ways to cover all hits, from one in which some are.
fn cover(open: &[Vec<Place>; 4], hits: Squares, so_far: Cover, covers: &mut Vec<Cover>) {
    let Cover { fleet, room, placed, .. } = so_far;
    let bare = hits & !fleet;
    if bare == 0 {
        let others = (0..SHIPS.len()).filter(|&ship| !placed[ship]);
        let ways = others.map(|ship| free(&open[ship], hits, room).count() as f64).product();
        if ways > 0.0 {
            covers.push(Cover { ways, ..so_far });
        }
        return;
    }
    let first = bare & bare.wrapping_neg();
    for ship in (0..SHIPS.len()).filter(|&ship| !placed[ship]) {
        let fits = |place: &&Place| place.ship & first != 0 && place.ship & room == 0;
        // A hit beside a ship can be no other ship's.
        let spares = |place: &&Place| place.room & !place.ship & hits == 0;
        for place in open[ship].iter().filter(fits).filter(spares) {
            let mut placed = placed;
            placed[ship] = true;
            let (fleet, room) = (fleet | place.ship, room | place.room);
            cover(open, hits, Cover { fleet, room, placed, ways: 1.0 }, covers);
        }
    }
}

/// Places the ships that cover no hit; `None` if they touch.
fn complete(
    open: &[Vec<Place>; 4],
    hits: Squares,
    cover: &Cover,
    rng: &mut Rng,
) -> Option<Squares> {
    let (mut fleet, mut room) = (cover.fleet, cover.room);
    for ship in (0..SHIPS.len()).filter(|&ship| !cover.placed[ship]) {
        let places = free(&open[ship], hits, cover.room);
        let drawn = rng.index(places.clone().count());
        let place = places.clone().nth(drawn)?;
        if place.ship & room != 0 {
            return None;
        }
        (fleet, room) = (fleet | place.ship, room | place.room);
    }
    Some(fleet)
}
