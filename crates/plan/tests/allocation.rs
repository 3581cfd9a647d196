//! After warm-up a simulation allocates nothing.
#![allow(unsafe_code)] // an allocator that counts cannot be written otherwise

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use patience_games::{ConnectFour, Sailing};
use patience_model::{Game, Rng};
use patience_plan::uct::{Rollout, Selection, Settings, Uct};
use patience_plan::{Planner, Root};

struct Counting;

thread_local! {
    /// Those of this thread: other tests go on meanwhile.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that ends has none any more.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<G: Game>(game: &G, settings: Settings) -> u64 {
    let uct: Uct<Rollout<_>> = Uct::new(settings, Rollout::default()).unwrap();
    let root = || Root::Certain(game.start(&mut Rng::new(1)));
    let mut search = uct.search(game, root(), Rng::new(7));
    for _ in 0..10_000 {
        search.step();
    }
    search.restart(root(), Rng::new(7));
    let before = ALLOCATIONS.get();
    for _ in 0..10_000 {
        search.step();
    }
    ALLOCATIONS.get() - before
}

#[test]
fn a_simulation_allocates_nothing_after_warm_up() {
    assert_eq!(allocations(&ConnectFour, Settings::default()), 0);
    let tuned = Settings { selection: Selection::Tuned { c: 1.0 }, ..Settings::default() };
    assert_eq!(allocations(&ConnectFour, tuned), 0);
    assert_eq!(allocations(&ConnectFour, Settings::minimax_monte_carlo()), 0);
    let lake = Sailing::new(4).unwrap();
    assert_eq!(allocations(&lake, Settings { stop_episodes: true, ..Settings::default() }), 0);
}
