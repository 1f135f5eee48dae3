//! A process' state in the words of its paper.

use std::fmt::{self, Debug};

/// The variables of a process and their values, in the order of its fields: `tid 5, ntid 3`.
///
/// They are read from the `Debug` form of the state, whose fields bear the names of the paper. Fields of the role and
/// of its parts count as the process' own. The name of the role is left out, since [`role`](crate::Process::role) tells
/// it, and so is what is [given](Given). Any other part is one variable: `kept {epoch 2, round 1}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables(pub Vec<(String, String)>);

impl Variables {
    /// The variables of this state.
    pub fn of(state: &impl Debug) -> Self {
        let text = format!("{state:?}");
        let mut variables = Self::default();
        match (Reader { rest: &text }).value() {
            Value::Struct(fields) => fields.into_iter().for_each(|(name, value)| variables.collect(name, value)),
            Value::Unit(_) | Value::Group { .. } => {}
        }
        variables
    }

    /// The value of a variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    fn collect(&mut self, name: &str, value: Value) {
        match value {
            Value::Struct(fields) if name == ROLE => self.collect_all(fields),
            Value::Unit(_) if name == ROLE => {}
            Value::Unit("_") => {}
            value => self.0.push((name.into(), value.to_string())),
        }
    }

    /// The fields of the role, and those of its parts.
    fn collect_all(&mut self, fields: Vec<(&str, Value)>) {
        for (name, value) in fields {
            match value {
                Value::Struct(fields) => self.collect_all(fields),
                value => self.collect(name, value),
            }
        }
    }
}

/// The field that holds the role.
const ROLE: &str = "role";

/// A parameter of an algorithm: part of a process, but no variable of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Given<T>(pub T);

impl<T> Debug for Given<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

/// A value in its `Debug` form.
enum Value<'a> {
    /// A number, a word, or a variant without fields.
    Unit(&'a str),
    /// Named fields, or one unnamed field that has named ones.
    Struct(Vec<(&'a str, Self)>),
    /// A list, a set, a map or unnamed fields, with what stands before it.
    Group { name: &'a str, open: char, items: Vec<(Option<Box<Self>>, Self)> },
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit(word) => f.write_str(&word.to_lowercase()),
            Self::Struct(fields) => {
                let fields = fields.iter().map(|(name, value)| format!("{name} {value}"));
                write!(f, "{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Self::Group { name: "Some", items, .. } if items.len() == 1 => items[0].1.fmt(f),
            Self::Group { name, open, items } => {
                let close = match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                };
                let item = |(key, value): &(Option<Box<Self>>, Self)| match key {
                    Some(key) => format!("{key}: {value}"),
                    None => value.to_string(),
                };
                let items = items.iter().map(item).collect::<Vec<_>>().join(", ");
                write!(f, "{}{open}{items}{close}", name.to_lowercase())
            }
        }
    }
}

/// Reads a value in its `Debug` form.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Value<'a> {
        let name = self.take_until(&[',', '{', '}', '(', ')', '[', ']', ':']);
        match self.rest.chars().next() {
            Some(open @ ('{' | '(' | '[')) => {
                self.rest = &self.rest[1..];
                let items = self.items();
                match (open, items.as_slice()) {
                    ('{', _) if !name.is_empty() => {
                        let named = |(key, value): (Option<Box<Value<'a>>>, _)| match key.map(|key| *key) {
                            Some(Value::Unit(name)) => Some((name, value)),
                            _ => None,
                        };
                        Value::Struct(items.into_iter().filter_map(named).collect())
                    }
                    ('(', [(None, Value::Struct(_))]) => items.into_iter().next().expect("there is one").1,
                    _ => Value::Group { name, open, items },
                }
            }
            _ => Value::Unit(name),
        }
    }

    /// The items of a group, up to its end.
    fn items(&mut self) -> Vec<(Option<Box<Value<'a>>>, Value<'a>)> {
        let mut items = vec![];
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            match self.rest.chars().next() {
                None => return items,
                Some('}' | ')' | ']') => {
                    self.rest = &self.rest[1..];
                    return items;
                }
                Some(_) => {}
            }
            let value = self.value();
            items.push(match self.rest.strip_prefix(':') {
                Some(rest) => {
                    self.rest = rest.trim_start();
                    (Some(Box::new(value)), self.value())
                }
                None => (None, value),
            });
        }
    }

    fn take_until(&mut self, ends: &[char]) -> &'a str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.trim()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{Id, Port};

    fn told(state: &impl Debug) -> String {
        let each = Variables::of(state).0.into_iter().map(|(name, value)| format!("{name} = {value}"));
        each.collect::<Vec<_>>().join("; ")
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "read by Debug")]
    enum Role {
        Asleep,
        Second { tid: Id, ntid: Id },
        Marked(Territory),
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "read by Debug")]
    struct Territory {
        parent: Option<Port>,
        out: Vec<Option<Id>>,
        done: BTreeSet<Port>,
        queues: [Vec<Id>; 2],
        due: BTreeMap<Id, u64>,
        echoed: bool,
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "read by Debug")]
    struct Process {
        id: Id,
        announcement: Given<bool>,
        role: Role,
    }

    #[test]
    fn fields_of_the_role_are_variables_and_its_name_is_not() {
        let process = |role| Process { id: Id(3), announcement: Given(true), role };
        assert_eq!(told(&process(Role::Asleep)), "id = 3");
        assert_eq!(told(&process(Role::Second { tid: Id(3), ntid: Id(5) })), "id = 3; tid = 3; ntid = 5");
    }

    /// Names of a part may be those of the process or of its role.
    #[test]
    fn a_part_is_one_variable() {
        #[derive(Debug)]
        #[allow(dead_code, reason = "read by Debug")]
        struct Parted {
            id: Id,
            kept: Option<Kept>,
            heard: BTreeMap<Port, Whose>,
            role: Role,
        }
        #[derive(Debug)]
        #[allow(dead_code, reason = "read by Debug")]
        struct Kept {
            tid: Id,
            whose: Whose,
        }
        #[derive(Debug)]
        #[allow(dead_code, reason = "read by Debug")]
        struct Whose {
            id: Option<Id>,
            start: u64,
        }
        let whose = |id: Option<u64>| Whose { id: id.map(Id), start: 1 };
        let parted = |kept: Option<Kept>| Parted {
            id: Id(3),
            kept,
            heard: [(Port(1), whose(None))].into(),
            role: Role::Second { tid: Id(4), ntid: Id(5) },
        };
        let rest = "heard = {port 1: {id none, start 1}}; tid = 4; ntid = 5";
        assert_eq!(told(&parted(None)), format!("id = 3; kept = none; {rest}"));
        let kept = "kept = {tid 7, whose {id 8, start 1}}";
        assert_eq!(told(&parted(Some(Kept { tid: Id(7), whose: whose(Some(8)) }))), format!("id = 3; {kept}; {rest}"));
    }

    #[test]
    fn lists_sets_maps_and_nothing_are_written_plainly() {
        let territory = Territory {
            parent: Some(Port(2)),
            out: vec![Some(Id(7)), None],
            done: [Port(0), Port(1)].into(),
            queues: [vec![], vec![Id(4)]],
            due: [(Id(4), 9)].into(),
            echoed: false,
        };
        let process = Process { id: Id(3), announcement: Given(true), role: Role::Marked(territory) };
        let expected = "id = 3; parent = port 2; out = [7, none]; done = {port 0, port 1}; queues = [[], [4]]; \
                        due = {4: 9}; echoed = false";
        assert_eq!(told(&process), expected);
    }
}
