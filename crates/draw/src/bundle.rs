//! ES modules as one script. A page opened from disk cannot import any.
//!
//! Each module becomes a function that returns its exports. Its imports are taken from the results of the functions
//! above it.

use std::collections::BTreeMap;

/// Modules and all that they import, as one script. All modules are given with their paths.
///
/// It knows `import { a, b as c } from './x.js'`, `import * as x from './x.js'` and `import './x.js'`; `export` before
/// a function, a class or a constant; and `export { a, b as c }`. Each stands at the beginning of a line.
///
/// # Errors
/// If a module is not there, imports itself by way of others, or has another form of import or export.
pub fn script(modules: &[(&str, &str)], entries: &[&str]) -> Result<String, String> {
    let mut bundle = Bundle { modules, ..Bundle::default() };
    entries.iter().try_for_each(|entry| bundle.add(entry))?;
    Ok(bundle.script)
}

#[derive(Default)]
struct Bundle<'a> {
    modules: &'a [(&'a str, &'a str)],
    /// The exports of the modules that are in the script. `None` stands for a module that is being added.
    exports: BTreeMap<String, Option<Vec<String>>>,
    script: String,
}

impl Bundle<'_> {
    fn add(&mut self, path: &str) -> Result<(), String> {
        match self.exports.get(path) {
            Some(Some(_)) => return Ok(()),
            Some(None) => return Err(format!("{path}: it imports itself by way of others")),
            None => {}
        }
        let (_, module) = self.modules.iter().find(|(other, _)| *other == path).ok_or(format!("{path}: not there"))?;
        self.exports.insert(path.into(), None);
        let (mut text, mut exports) = (String::new(), vec![]);
        let mut lines = module.lines();
        while let Some(line) = lines.next() {
            let mut statement = line.to_string();
            if line.starts_with("import") || line.starts_with("export {") {
                while !statement.ends_with(';') {
                    statement += lines.next().ok_or(format!("{path}: no ; ends `{line}`"))?.trim();
                }
            }
            let unknown = || format!("{path}: cannot be joined: `{statement}`");
            if line.starts_with("import") {
                let (what, from) = imported(&statement).ok_or_else(unknown)?;
                let from = resolved(path, from);
                self.add(&from).map_err(|problem| format!("{problem}, imported by {path}"))?;
                match what {
                    Imported::Nothing => {}
                    Imported::All(name) => text += &format!("const {name} = {};", value(&from)),
                    Imported::Names(names) => {
                        let there = self.exports[&from].as_deref().unwrap_or_default();
                        if let Some((name, _)) = names.iter().find(|(name, _)| !there.iter().any(|own| own == name)) {
                            return Err(format!("{path}: {from} does not export {name}"));
                        }
                        text += &format!("const {{ {} }} = {};", fields(&names), value(&from));
                    }
                }
            } else if let Some(list) = statement.strip_prefix("export {") {
                let names = names(list.strip_suffix("};").ok_or_else(unknown)?).ok_or_else(unknown)?;
                exports.extend(names.into_iter().map(|(own, name)| (name, own)));
            } else if let Some(own) = line.strip_prefix("export ") {
                let name = defined(own).ok_or_else(unknown)?;
                exports.push((name.into(), name.into()));
                text += own;
            } else {
                text += line;
            }
            text.push('\n');
        }
        let returned = fields(&exports);
        self.script += &format!("const {} = (() => {{\n{text}return {{ {returned} }};\n}})();\n", value(path));
        self.exports.insert(path.into(), Some(exports.into_iter().map(|(name, _)| name).collect()));
        Ok(())
    }
}

/// What an import brings in.
enum Imported<'a> {
    Nothing,
    All(&'a str),
    Names(Vec<(String, String)>),
}

/// What a statement imports, and from where.
fn imported(statement: &str) -> Option<(Imported<'_>, &str)> {
    let rest = statement.strip_prefix("import ")?.strip_suffix("';")?;
    if let Some(from) = rest.strip_prefix('\'') {
        return Some((Imported::Nothing, from));
    }
    let (what, from) = rest.split_once(" from '")?;
    match what.strip_prefix("* as ") {
        Some(name) => Some((Imported::All(name), from)),
        None => Some((Imported::Names(names(what.strip_prefix('{')?.strip_suffix('}')?)?), from)),
    }
}

/// The names of a list such as `a, b as c`: what each is, and what it becomes.
fn names(list: &str) -> Option<Vec<(String, String)>> {
    let named = |item: &str| {
        let (own, other) = item.split_once(" as ").unwrap_or((item, item));
        [own, other].iter().all(|name| is_name(name)).then(|| (own.into(), other.into()))
    };
    list.split(',').map(str::trim).filter(|item| !item.is_empty()).map(named).collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part_of_name)
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The fields of an object, or of a pattern that takes it apart.
fn fields(names: &[(String, String)]) -> String {
    let field = |(key, own): &(String, String)| if key == own { key.clone() } else { format!("{key}: {own}") };
    names.iter().map(field).collect::<Vec<_>>().join(", ")
}

/// The name that a line defines. A variable is not allowed: a module that imports it would not see it change.
fn defined(line: &str) -> Option<&str> {
    let words = ["function* ", "function ", "async function* ", "async function ", "class ", "const "];
    let definition = words.iter().find_map(|what| line.strip_prefix(what))?;
    definition.split(|c| !is_part_of_name(c)).next().filter(|name| is_name(name))
}

/// The path of a module that this one names.
fn resolved(path: &str, named: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The name of a module's constant.
fn value(path: &str) -> String {
    path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_the_value_of_what_it_exports() {
        let modules = [
            (
                "page/y.js",
                "import { a, b as z } from './x.js';\nimport {\n  d,\n} from '../e.js';\n\
                 import * as x from './x.js';\n\nexport const c = a;\nexport class D {}\n\
                 export async function e_1() {}\nexport { c as f, z };\n",
            ),
            ("page/x.js", "import '../e.js';\nconst [a, b] = [1, 2];\nexport {\n  a,\n  b,\n};\n"),
            ("e.js", "export function d() {}"),
            ("unused.js", "export default 1;"),
        ];
        let expected = "const e_js = (() => {\nfunction d() {}\nreturn { d };\n})();\n\
                        const page_x_js = (() => {\n\nconst [a, b] = [1, 2];\n\nreturn { a, b };\n})();\n\
                        const page_y_js = (() => {\nconst { a, b: z } = page_x_js;\nconst { d } = e_js;\n\
                        const x = page_x_js;\n\nconst c = a;\nclass D {}\nasync function e_1() {}\n\n\
                        return { c, D, e_1, f: c, z };\n})();\n";
        assert_eq!(script(&modules, &["e.js", "page/y.js"]).as_deref(), Ok(expected));
    }

    #[test]
    fn what_cannot_be_joined_is_named() {
        let problem = |text| script(&[("a.js", text), ("b.js", "import './a.js';\nexport const b = 1;")], &["a.js"]);
        for (text, expected) in [
            ("import './b.js';", "a.js: it imports itself by way of others, imported by b.js, imported by a.js"),
            ("import './c.js';", "c.js: not there, imported by a.js"),
            ("import c from './b.js';", "a.js: cannot be joined: `import c from './b.js';`"),
            ("import { a, }", "a.js: no ; ends `import { a, }`"),
            ("export default 1;", "a.js: cannot be joined: `export default 1;`"),
            ("export let a = 1;", "a.js: cannot be joined: `export let a = 1;`"),
            ("export const { a } = {};", "a.js: cannot be joined: `export const { a } = {};`"),
            ("export { a } from './b.js';", "a.js: cannot be joined: `export { a } from './b.js';`"),
        ] {
            assert_eq!(problem(text), Err(expected.into()));
        }
        let modules = [("a.js", "import { c } from './b.js';"), ("b.js", "export const b = 1;")];
        assert_eq!(script(&modules, &["a.js"]), Err("a.js: b.js does not export c".into()));
    }
}
