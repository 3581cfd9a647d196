//! The network as JSON.

use serde_json::{Value, json};

use crate::network::{Evaluation, Network, for_each_bit};

/// All of a network: nodes with their inputs, what they stand for, and an order in which each comes after
/// its inputs.
///
/// A node is given from outside (a fact of the state, a move), or the conjunction or disjunction of its
/// inputs. An input is a node's number plus one, negative where it is negated. `order` lists nodes; an array
/// in it is a cycle, whose nodes are the least fixpoint.
pub fn to_json(network: &Network) -> Value {
    let show = |term| network.terms.show(term).to_string();
    let texts = |terms: &[_]| terms.iter().map(|&term| show(term)).collect::<Vec<String>>();
    let mut initial = Vec::new();
    for_each_bit(&network.initial, |base| initial.push(base));
    let roles = network.roles.iter().enumerate().map(|(role, &name)| {
        let (input, legal) = (network.input_start[role], network.legal_start[role]);
        let moves = network.moves[role].iter().enumerate().map(|(number, &action)| {
            json!({ "move": show(action), "does": input + number, "legal": legal + number })
        });
        let named = |list: &[(crate::TermId, u32)], word: &str| -> Vec<Value> {
            list.iter().map(|&(term, node)| json!({ word: show(term), "node": node })).collect()
        };
        json!({
            "role": show(name),
            "moves": moves.collect::<Vec<Value>>(),
            "goals": named(&network.goals[role], "goal"),
            "sees": named(&network.sees[role], "sees"),
        })
    });
    let roles: Vec<Value> = roles.collect();
    let nodes = network.nodes.iter().map(|node| {
        let signed = |&(input, negated): &(u32, bool)| {
            let number = i64::from(input) + 1;
            if negated { -number } else { number }
        };
        let inputs: Vec<i64> = node.inputs.iter().map(signed).collect();
        match (node.given, node.conjunction) {
            (true, _) => json!({ "kind": "given" }),
            (false, true) => json!({ "kind": "and", "inputs": inputs }),
            (false, false) => json!({ "kind": "or", "inputs": inputs }),
        }
    });
    let nodes: Vec<Value> = nodes.collect();
    let order = network.order.iter().map(|evaluation| match *evaluation {
        Evaluation::Node(node) => json!(node),
        Evaluation::Loop(number) => {
            let members = &network.loops[number as usize].members;
            json!(members.iter().map(|member| member.node).collect::<Vec<u32>>())
        }
    });
    let order: Vec<Value> = order.collect();
    let next = network.next_words.start * 64;
    json!({
        "format": "patience network 1",
        "facts": texts(&network.bases),
        "initial": initial,
        "next": (next..next + network.bases.len()).collect::<Vec<usize>>(),
        "terminal": network.terminal,
        "roles": roles,
        "nodes": nodes,
        "order": order,
    })
}
