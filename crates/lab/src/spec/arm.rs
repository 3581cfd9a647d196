//! Arms: what is compared.

use crate::hash::hash;
use crate::keys::{Keys, SpecFault, listed};
use crate::reader::Reader;
use crate::spec::published::{self, Published};
use crate::template::{self, Binding};
use crate::versions::Versions;
use patience_plan::did_you_mean;

/// One of the things that an experiment compares.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name; it is part of the arm's own random streams.
    pub name: String,
    /// The line that it belongs to in charts.
    pub series: String,
    /// Where it stands on that line: the first variable of its sweep.
    pub x: Option<f64>,
    /// The numbers of its sweep.
    pub variables: Vec<(String, f64)>,
    /// The words of its sweep.
    pub words: Vec<(String, String)>,
    /// The game, as a string that the registry knows.
    pub game: String,
    /// The planner, as a string that the registry knows.
    pub planner: String,
    /// All keys of its task; its own override the experiment's.
    pub task: Keys,
    /// What was published about it.
    pub published: Vec<Published>,
    /// What in the spec its results depend on: the experiment's name and seed, the arm's name, game
    /// and planner, and the task's keys. Not the number of units, and nothing that is shown.
    identity: [String; 6],
    lines: Vec<(String, usize)>,
}

impl Arm {
    /// Hash of all that its results depend on: what the spec says, and these versions.
    pub fn hash(&self, versions: &Versions) -> String {
        self.hash_of(&versions.text())
    }

    /// Hash of what the spec says of it, whatever the versions: whether two specs ask for the same.
    pub fn identity(&self) -> String {
        self.hash_of("")
    }

    pub(crate) fn hash_of(&self, versions: &str) -> String {
        hash([versions].into_iter().chain(self.identity.iter().map(String::as_str)))
    }

    /// The line of one of its keys, such as `planner` or `task.runs`, or else of the arm.
    pub fn line_of(&self, key: &str) -> usize {
        if let Some((_, line)) = self.lines.iter().find(|(k, _)| k == key) {
            return *line;
        }
        let in_task = key.strip_prefix("task.").and_then(|k| self.task.get(k));
        in_task.map_or_else(|| self.lines.first().map_or(1, |(_, l)| *l), |item| item.line)
    }

    /// A reader of its task's keys.
    pub fn task_reader(&self) -> Reader<'_> {
        Reader::new(&self.task, "task")
    }
}

/// Reads all arms with their sweeps expanded; no name may come twice.
pub(super) fn read_all(
    tables: &[&Keys],
    experiment: &str,
    seed: u64,
    task: &Keys,
    quick_sweep: Option<&Keys>,
) -> Result<Vec<Arm>, SpecFault> {
    let mut arms: Vec<Arm> = Vec::new();
    for (i, table) in tables.iter().enumerate() {
        let mut reader = Reader::new(table, format!("arm {}", i + 1)).knows(&[
            "name",
            "series",
            "game",
            "planner",
            "sweep",
            "task",
            "published",
        ])?;
        for binding in template::bindings(&mut reader, quick_sweep)? {
            let mut arm = read(&mut reader, &binding, experiment, seed, task)?;
            // What was published about an arm says nothing about a smaller one.
            if !template::is_own(&mut reader, &binding)? {
                arm.published.clear();
            }
            if arms.iter().any(|a| a.name == arm.name) {
                return Err(reader.fault(
                    "name",
                    format!("there is another arm called {:?}; names must differ", arm.name),
                ));
            }
            arms.push(arm);
        }
        reader.finish()?;
    }
    Ok(arms)
}

fn read(
    reader: &mut Reader<'_>,
    binding: &Binding,
    experiment: &str,
    seed: u64,
    task: &Keys,
) -> Result<Arm, SpecFault> {
    let mut text = |key: &str| -> Result<Option<String>, SpecFault> {
        let Some(text) = reader.text(key)? else { return Ok(None) };
        template::expand(&text, binding).map(Some).map_err(|m| reader.fault(key, m))
    };
    let name = text("name")?;
    let series = text("series")?;
    let game = text("game")?.unwrap_or_default();
    let planner = text("planner")?.unwrap_or_default();
    let name = reader.need("name", name)?;
    if name.trim().is_empty() {
        return Err(reader.fault("name", "expected a name, got an empty string"));
    }
    let mut task = task.clone();
    if let Some(own) = reader.table("task")? {
        task.overlay(own);
    }
    let task = template::expand_table(&task, binding)?;
    let mut kind = Reader::new(&task, "task");
    let word = kind.text("kind")?;
    kind.need("kind", word)?;
    let published = published::read_all(reader, binding)?;
    let lines = ["name", "game", "planner", "published"]
        .iter()
        .map(|key| ((*key).to_owned(), reader.get(key).map_or(reader.line(), |item| item.line)))
        .collect();
    let variables = template::numbers(binding);
    Ok(Arm {
        identity: [
            experiment.to_owned(),
            seed.to_string(),
            name.clone(),
            game.clone(),
            planner.clone(),
            task.canonical(),
        ],
        series: series.unwrap_or_else(|| name.clone()),
        x: variables.first().map(|(_, x)| *x),
        name,
        variables,
        words: template::words(binding),
        game,
        planner,
        task,
        published,
        lines,
    })
}

/// Selects arms by name, where `*` stands for anything, and by series.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// Names; empty: all.
    pub arms: Vec<String>,
    /// Series; empty: all.
    pub series: Vec<String>,
}

impl Select {
    /// Whether an arm is selected.
    pub fn matches(&self, arm: &Arm) -> bool {
        (self.arms.is_empty() || self.arms.iter().any(|p| wild(p, &arm.name)))
            && (self.series.is_empty() || self.series.iter().any(|p| wild(p, &arm.series)))
    }

    /// Reads `arms` and `series`; each pattern must match an arm.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        known: &[Arm],
        binding: &Binding,
    ) -> Result<Select, SpecFault> {
        let mut list = |key: &str, name: fn(&Arm) -> &str| -> Result<Vec<String>, SpecFault> {
            let mut patterns = Vec::new();
            for pattern in reader.texts(key)?.unwrap_or_default() {
                let pattern =
                    template::expand(&pattern, binding).map_err(|m| reader.fault(key, m))?;
                if !known.iter().any(|arm| wild(&pattern, name(arm))) {
                    let near = did_you_mean(&pattern, known.iter().map(name));
                    let all = listed(known.iter().map(name));
                    let message = format!("{pattern:?} matches no arm{near}{all}");
                    return Err(reader.fault(key, message));
                }
                patterns.push(pattern);
            }
            Ok(patterns)
        };
        let select = Select {
            arms: list("arms", |arm| &arm.name)?,
            series: list("series", |arm| &arm.series)?,
        };
        if !known.iter().any(|arm| select.matches(arm)) {
            return Err(reader.fault("arms", "arms and series together match no arm"));
        }
        Ok(select)
    }
}

/// Reads the name of one arm.
pub(super) fn one(
    reader: &mut Reader<'_>,
    key: &str,
    known: &[Arm],
    binding: &Binding,
) -> Result<Option<String>, SpecFault> {
    let Some(name) = reader.text(key)? else { return Ok(None) };
    let name = template::expand(&name, binding).map_err(|m| reader.fault(key, m))?;
    if known.iter().any(|arm| arm.name == name) {
        return Ok(Some(name));
    }
    let near = did_you_mean(&name, known.iter().map(|arm| arm.name.as_str()));
    let all = listed(known.iter().map(|arm| arm.name.as_str()));
    Err(reader.fault(key, format!("there is no arm called {name:?}{near}{all}")))
}

/// Whether `name` matches `pattern`, in which `*` stands for anything.
fn wild(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == name };
    let (middle, end) = tail.rsplit_once('*').unwrap_or(("", tail));
    let Some(mut rest) = name.strip_prefix(head).and_then(|n| n.strip_suffix(end)) else {
        return false;
    };
    // Each part at its first place: if any match exists, this one does.
    for part in middle.split('*') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::wild;

    #[test]
    fn stars_stand_for_anything() {
        assert!(wild("UCT B=2*", "UCT B=2 D=20"));
        assert!(wild("*", "") && wild("*", "x") && wild("a*b*c", "a--b--c") && wild("é*", "éa"));
        assert!(wild("a*a", "aba") && !wild("a*a", "a") && wild("**", "x") && wild("*b*", "abc"));
        assert!(!wild("UCT", "UCT 2") && !wild("a*b", "ac") && !wild("a*b*", "ac"));
    }
}
