//! One link per line: two names, and data that is ignored. A line with one name lists a node. A list with tabs or
//! commas may begin with a header that names the columns, `Source` and `Target`.

use std::io::{self, Write};

use super::words::{self, Lines, Row, Separator};
use super::{Assembly, links};
use crate::{Network, Wiring};

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut assembly = Assembly::default();
    let lines = Lines::new(text);
    let (mut columns, mut widest): ((usize, usize), Option<(usize, usize)>) = ((0, 1), None);
    for (index, row) in lines.rows().enumerate() {
        let row = row?;
        if index == 0
            && lines.separator != Separator::Blanks
            && let Some(named) = head(&row)
        {
            (columns, widest) = (named, Some((row.line, row.words.len())));
            continue;
        }
        if row.words.len() == 1 {
            refuse_unseparated(&row, lines.separator)?;
            assembly.node(row.name(0)?);
            continue;
        }
        let first = *widest.get_or_insert((row.line, row.words.len()));
        if row.words.len() <= columns.0.max(columns.1) {
            return Err(format!("line {}: a link has two names, and one is missing", row.line));
        }
        let names = (row.name(columns.0)?, row.name(columns.1)?);
        refuse_other_shapes(&row, lines.separator, first)?;
        let (a, b) = (assembly.node(names.0), assembly.node(names.1));
        assembly.link(a, b, || row.line)?;
    }
    Ok(assembly)
}

/// The columns of the two names, if this line is a header.
pub fn head(row: &Row) -> Option<(usize, usize)> {
    let column = |title: &str| row.texts().position(|word| word.eq_ignore_ascii_case(title));
    column("source").zip(column("target")).or_else(|| column("from").zip(column("to")))
}

/// Whether only weights follow the names.
pub fn has_weights(row: &Row) -> bool {
    row.texts().skip(2).all(|word| word.parse::<f64>().is_ok())
}

/// Refuses a line without any separator: it is more likely two names than one name with blanks.
fn refuse_unseparated(row: &Row, separator: Separator) -> Result<(), String> {
    if separator != Separator::Blanks && row.is_unseparated() {
        let line = row.line;
        return Err(format!("line {line}: there is no {separator} here, as on other lines; {REMEDY}"));
    }
    Ok(())
}

const REMEDY: &str = "separate names that have blanks by tabs or commas, put them in double quotes, or take GraphML";

fn refuse_other_shapes(row: &Row, separator: Separator, (first, columns): (usize, usize)) -> Result<(), String> {
    let line = row.line;
    if separator == Separator::Blanks && !has_weights(row) {
        let names = row.texts().collect::<Vec<_>>().join(" ");
        return Err(format!("line {line}: '{names}' is more than two names and a weight; {REMEDY}"));
    }
    if row.words.len() > columns {
        let count = row.words.len();
        return Err(format!(
            "line {line}: {count} columns, and line {first} has {columns}; put a name that has a {separator} in double \
             quotes"
        ));
    }
    Ok(())
}

/// Writes the nodes first if the order of the links would number them differently.
pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let mut mentioned = 0;
    let in_order = links(network).flat_map(|(a, b)| [a, b]).all(|node| {
        mentioned += u32::from(node == mentioned);
        node < mentioned
    });
    if !in_order || mentioned < network.nodes() {
        for node in 0..network.nodes() {
            words::write_name(network, node, out)?;
            out.write_all(b"\n")?;
        }
    }
    for (a, b) in links(network) {
        words::write_name(network, a, out)?;
        out.write_all(b" ")?;
        words::write_name(network, b, out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
