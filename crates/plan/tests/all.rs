//! All tests of the crate in one program, so that it is linked once.

mod allocation;
mod alpha_beta;
mod astar;
mod batch;
mod beliefs;
mod contract;
mod despot;
mod determinise;
mod exact_planners;
mod ingredients;
mod nested;
mod sampled_models;
mod solvers;
mod sparse_sampling;
mod tiny;
mod uct;
mod uct_twin;
mod value_iteration;
