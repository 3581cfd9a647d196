//! A described game on the engine that suits it, and the role that decides.

use std::sync::Arc;

use crate::ground::GroundError;
use crate::lifted::LiftedWorld;
use crate::network::Network;
use crate::play::World;

/// A described game on the engine that suits it.
#[derive(Clone, Debug)]
pub enum Described {
    /// The propositional network.
    Grounded(Arc<Network>),
    /// The evaluator of rules, and why the game was not grounded.
    Lifted(Arc<LiftedWorld>, GroundError),
}

impl Described {
    /// The number of a role: the one named, or the only one that decides.
    ///
    /// # Errors
    /// Says which roles there are.
    pub fn role(&self, name: Option<&str>) -> Result<usize, String> {
        match self {
            Described::Grounded(world) => deciding_role(&**world, name),
            Described::Lifted(world, _) => deciding_role(&**world, name),
        }
    }
}

/// The number of a role that decides: the one named, or the only one.
///
/// # Errors
/// Says which roles there are.
pub fn deciding_role(world: &impl World, name: Option<&str>) -> Result<usize, String> {
    let names = world.role_names();
    let deciding: Vec<usize> = (0..names.len()).filter(|&r| !world.is_chance(r)).collect();
    let known = deciding.iter().map(|&r| names[r].as_str()).collect::<Vec<_>>().join(", ");
    match (name, &deciding[..]) {
        (None, [only]) => Ok(*only),
        (None, []) => Err("no role decides anything: all is chance".to_owned()),
        (None, _) => Err(format!("several roles decide, so one must be named: {known}")),
        (Some(name), _) => {
            let same = |&&role: &&usize| names[role].eq_ignore_ascii_case(name);
            let chance = name.eq_ignore_ascii_case("random");
            let found = deciding.iter().find(same).copied();
            found.ok_or_else(|| match chance {
                true => format!("the role random is chance (roles that decide: {known})"),
                false => format!("there is no role {name} (roles that decide: {known})"),
            })
        }
    }
}
