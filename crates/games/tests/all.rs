//! All tests of the crate in one program, so that it is linked once.

mod benchmarks;
mod black_hole;
mod competition;
mod conformance;
mod connect_four;
mod encoded;
mod freecell_dead_ends;
mod freecell_deals;
mod freecell_distance;
mod freecell_engine;
mod freecell_heuristics;

mod freecell_text;
mod golden;
mod golf;
mod klondike;
mod klondike_best;
mod klondike_figure_2;
mod klondike_game;
mod klondike_golden;
mod klondike_lift;
mod klondike_nested;
mod klondike_shortest;
mod klondike_solver;
mod klondike_stock;
mod klondike_table;
mod pgame;
mod sailing;
mod samegame;
mod samegame_bound;
mod samegame_golden;
mod samegame_nrpa;
mod samegame_solve;
mod samegame_text;
mod tictactoe;
mod tiger;
