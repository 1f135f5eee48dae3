//! MatrixMarket: a square matrix, a line for each entry, as in `1 2 0.5`. An entry is a link, and its value is ignored.

use super::Assembly;
use super::ordinals::{Line, lines};

const HEAD: &str = "%%MatrixMarket";
const SIZE: &str = "the size is ROWS COLUMNS ENTRIES, as in '3 3 2'";

/// Whether a text begins like MatrixMarket.
pub fn is_matrix_market(text: &str) -> bool {
    text.get(..HEAD.len()).is_some_and(|start| start.eq_ignore_ascii_case(HEAD))
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let head = text.lines().next().unwrap_or_default().to_ascii_lowercase();
    let directed = match head.split_whitespace().collect::<Vec<_>>()[..] {
        [first, "matrix", "coordinate", _, symmetry] if first == HEAD.to_ascii_lowercase() => symmetry == "general",
        _ => {
            let wanted = "'%%MatrixMarket matrix coordinate pattern symmetric' or the like";
            return Err(format!("line 1: the first line is {wanted}: only coordinate matrices are read"));
        }
    };
    let mut lines = lines(text).filter(|line| !line.text.is_empty());
    let size = lines.next().ok_or_else(|| format!("there is nothing after the first line: {SIZE}"))?;
    let mut words = size.words();
    let mut number = || size.count(words.next(), SIZE);
    let (rows, columns, entries) = (number()?, number()?, number()?);
    if rows != columns {
        return Err(size.wrong(format!("a network is a square matrix, not {rows} rows and {columns} columns")));
    }
    let mut assembly = Assembly::ordinals(rows);
    assembly.directed = directed;
    lines.try_for_each(|line: Line| line.link(&mut line.words(), &mut assembly))?;
    let found = assembly.links();
    if found != entries as usize {
        return Err(size.wrong(format!("{entries} entries are announced, and there are {found}")));
    }
    Ok(assembly)
}
