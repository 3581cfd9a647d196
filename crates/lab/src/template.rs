//! Sweeps: one entry of a spec that stands for several, with `{variable}` in its strings.

use crate::keys::{Item, Keys, Node, SpecFault};
use crate::reader::Reader;
use patience_plan::did_you_mean;

/// The variables of a sweep with the value that each has in one entry, in the order of the file.
pub(crate) type Binding = Vec<(String, Node)>;

/// More arms than any experiment needs.
const MOST_BINDINGS: usize = 10_000;

/// Reads `sweep = { depth = [4, 6, 8] }` and lists its bindings: all combinations, the last
/// variable changing fastest. Values in `quick` take the place of the entry's own.
///
/// Without a sweep there is one empty binding.
pub(crate) fn bindings(
    reader: &mut Reader<'_>,
    quick: Option<&Keys>,
) -> Result<Vec<Binding>, SpecFault> {
    let Some(sweep) = reader.table("sweep")? else { return Ok(vec![Vec::new()]) };
    if sweep.entries.is_empty() {
        return Err(reader.fault("sweep", "expected a variable and its values"));
    }
    let mut all: Vec<Binding> = vec![Vec::new()];
    for (variable, item) in &sweep.entries {
        let values = values(reader, variable, item)?;
        let values = match quick.and_then(|q| q.get(variable)) {
            None => values,
            Some(over) => self::values(reader, variable, over)?,
        };
        if all.len().saturating_mul(values.len()) > MOST_BINDINGS {
            let message = format!("more than {MOST_BINDINGS} combinations");
            return Err(reader.fault("sweep", message));
        }
        all = all
            .iter()
            .flat_map(|binding| {
                values.iter().map(move |value| {
                    let mut longer = binding.clone();
                    longer.push((variable.clone(), value.clone()));
                    longer
                })
            })
            .collect();
    }
    Ok(all)
}

/// Whether a binding is the entry's own: the quick version has put no other value in its place.
pub(crate) fn is_own(reader: &mut Reader<'_>, binding: &Binding) -> Result<bool, SpecFault> {
    Ok(bindings(reader, None)?.contains(binding))
}

/// Whether the quick version has this binding: all its values are among those of `quick`.
pub(crate) fn in_quick(binding: &Binding, quick: Option<&Keys>) -> bool {
    binding.iter().all(|(variable, value)| {
        match quick.and_then(|table| table.get(variable)).map(|item| &item.node) {
            Some(Node::List(values)) => values.iter().any(|item| item.node == *value),
            _ => true,
        }
    })
}

fn values(reader: &Reader<'_>, variable: &str, item: &Item) -> Result<Vec<Node>, SpecFault> {
    let wrong = |item: &Item| {
        let got = item.node.shown();
        let message = format!("{variable}: expected a list of numbers or strings, got {got}");
        reader.fault("sweep", message).or_line(item.line)
    };
    let Node::List(items) = &item.node else { return Err(wrong(item)) };
    if items.is_empty() {
        return Err(reader.fault("sweep", format!("{variable}: the list is empty")));
    }
    items
        .iter()
        .map(|i| match &i.node {
            Node::Integer(_) | Node::Text(_) => Ok(i.node.clone()),
            Node::Number(v) if v.is_finite() => Ok(i.node.clone()),
            _ => Err(wrong(i)),
        })
        .collect()
}

/// The numbers among the variables; the first one is what charts have as their x.
pub(crate) fn numbers(binding: &Binding) -> Vec<(String, f64)> {
    binding.iter().filter_map(|(k, v)| Some((k.clone(), v.number()?))).collect()
}

/// The words among the variables.
pub(crate) fn words(binding: &Binding) -> Vec<(String, String)> {
    let word = |node: &Node| match node {
        Node::Text(word) => Some(word.clone()),
        _ => None,
    };
    binding.iter().filter_map(|(k, v)| Some((k.clone(), word(v)?))).collect()
}

/// Puts the values of the variables into a string. `{{` and `}}` are plain braces.
pub(crate) fn expand(text: &str, binding: &Binding) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            out.push_str(&rest[..1]);
            rest = &rest[2..];
            continue;
        }
        let Some(end) = rest.find('}').filter(|_| rest.starts_with('{')) else {
            return Err(format!("a single brace in {text:?}; write `{{{{` or `}}}}` for a brace"));
        };
        let name = rest[1..end].trim();
        match binding.iter().find(|(k, _)| k == name) {
            Some((_, Node::Text(v))) => out.push_str(v),
            Some((_, v)) => out.push_str(&v.shown()),
            None => {
                let near = did_you_mean(name, binding.iter().map(|(k, _)| k.as_str()));
                return Err(format!("`{{{name}}}` is not a variable of the sweep{near}"));
            }
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Puts the values of the variables into all strings of a table. A string that is one variable
/// and nothing else becomes its value, so that numbers stay numbers.
pub(crate) fn expand_table(table: &Keys, binding: &Binding) -> Result<Keys, SpecFault> {
    let entries = table
        .entries
        .iter()
        .map(|(key, item)| {
            let node = expand_node(&item.node, binding)
                .map_err(|m| SpecFault::new(format!("task.{key}"), m).or_line(item.line))?;
            Ok((key.clone(), Item { node, line: item.line }))
        })
        .collect::<Result<_, SpecFault>>()?;
    Ok(Keys { entries, line: table.line })
}

fn expand_node(node: &Node, binding: &Binding) -> Result<Node, String> {
    Ok(match node {
        Node::Text(text) => {
            let whole = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
            match whole.and_then(|name| binding.iter().find(|(k, _)| k == name.trim())) {
                Some((_, value)) => value.clone(),
                None => Node::Text(expand(text, binding)?),
            }
        }
        Node::List(items) => Node::List(
            items
                .iter()
                .map(|i| Ok(Item { node: expand_node(&i.node, binding)?, line: i.line }))
                .collect::<Result<_, String>>()?,
        ),
        Node::Table(table) => {
            Node::Table(expand_table(table, binding).map_err(|fault| fault.message)?)
        }
        other => other.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding() -> Binding {
        vec![("depth".into(), Node::Integer(4)), ("kind".into(), Node::Text("win-loss".into()))]
    }

    #[test]
    fn strings_are_expanded() {
        let b = binding();
        assert_eq!(expand("pgame(depth={depth}, {kind})", &b).unwrap(), "pgame(depth=4, win-loss)");
        assert_eq!(expand("{{depth}} { depth }", &b).unwrap(), "{depth} 4");
        assert!(expand("{dept}", &b).unwrap_err().contains("did you mean `depth`"));
        assert!(expand("a } b", &b).unwrap_err().contains("single brace"));
        assert!(expand("a { b", &b).unwrap_err().contains("single brace"));
    }

    #[test]
    fn a_whole_variable_keeps_its_type() {
        let table = Keys::parse("n = '{depth}'\ns = 'D{depth}'\nl = ['{depth}', 1]").unwrap();
        let table = expand_table(&table, &binding()).unwrap();
        assert_eq!(table.get("n").unwrap().node, Node::Integer(4));
        assert_eq!(table.get("s").unwrap().node, Node::Text("D4".into()));
        assert_eq!(table.canonical(), "{\"l\"=[4,1,];\"n\"=4;\"s\"=\"D4\";}");
    }

    #[test]
    fn all_combinations_in_order() {
        let table = Keys::parse("sweep = { b = [1, 2], a = ['x', 'y'] }").unwrap();
        let all = bindings(&mut Reader::new(&table, "arm"), None).unwrap();
        let shown: Vec<_> = all.iter().map(|b| expand("{b}{a}", b).unwrap()).collect();
        assert_eq!(shown, ["1x", "1y", "2x", "2y"]);
        let quick = Keys::parse("b = [7]").unwrap();
        let all = bindings(&mut Reader::new(&table, "arm"), Some(&quick)).unwrap();
        assert_eq!(all.len(), 2);
    }
}
