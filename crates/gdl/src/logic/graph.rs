//! Strongly connected components.

/// The strongly connected components of a graph given by targets, each after those that it can
/// reach (Tarjan 1972, without recursion).
pub(crate) fn components(targets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; targets.len()];
    let mut low = vec![0; targets.len()];
    let mut on_stack = vec![false; targets.len()];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..targets.len() {
        if order[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 {
                order[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&target) = targets[node].get(*next) {
                *next += 1;
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let start = stack.iter().rposition(|&n| n == node).unwrap_or(0);
                let members = stack.split_off(start);
                members.iter().for_each(|&m| on_stack[m] = false);
                found.push(members);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn a_component_comes_after_those_it_reaches() {
        // 0 → 1 ⇄ 2 → 3, 4 → 4
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        let mut sorted: Vec<Vec<usize>> = found.clone();
        sorted.iter_mut().for_each(|c| c.sort_unstable());
        assert_eq!(sorted, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let n = 200_000;
        let chain: Vec<Vec<usize>> =
            (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect();
        assert_eq!(components(&chain).len(), n);
    }
}
