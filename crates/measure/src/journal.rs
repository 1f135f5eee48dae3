//! The CSV file of a sweep. It grows row by row, and a killed sweep can go on with its file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bellwether_ask::{Environment, Sweep};

use crate::plan::{Item, Plan};
use crate::proof;
use crate::row::Row;
use crate::{Error, Shard};

/// A file that is being written, a whole row at a time.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a file. An existing file is only overwritten if it has no complete line, or holds all of this very part.
    pub fn create(path: &Path, plan: &Plan, shard: Shard, environment: &dyn Environment) -> Result<Self, Error> {
        if path.is_file() {
            let Found { rows, whole } = Found::read(path, environment)?;
            belongs(path, &rows, plan, shard, environment)?;
            let (held, all) = (rows.len(), plan.part(shard).count());
            if whole > 0 && held < all {
                let reason =
                    format!("{held} of {all} runs of this very sweep are there: go on with --resume, or remove it");
                return Err(Error::file(path, reason));
            }
        }
        let file = File::create(path).map_err(|error| Error::file(path, error))?;
        let mut journal = Self { path: path.into(), file };
        journal.write(&header())?;
        Ok(journal)
    }

    /// Goes on with a file, or begins it if there is none. Returns the rows in the file, which are the first rows of
    /// this part.
    pub fn resume(
        path: &Path,
        plan: &Plan,
        shard: Shard,
        environment: &dyn Environment,
    ) -> Result<(Self, Vec<Row>), Error> {
        if !path.exists() {
            return Ok((Self::create(path, plan, shard, environment)?, vec![]));
        }
        let Found { rows, whole } = Found::read(path, environment)?;
        belongs(path, &rows, plan, shard, environment)?;
        let fail = |error: io::Error| Error::file(path, error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(fail)?;
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(fail)?;
        let mut journal = Self { path: path.into(), file };
        if whole == 0 {
            journal.write(&header())?;
        }
        Ok((journal, rows))
    }

    /// Adds a row.
    pub fn append(&mut self, row: &Row) -> Result<(), Error> {
        self.write(&line(row))
    }

    /// Writes a row at once: killing the program damages at most the last row.
    fn write(&mut self, line: &[u8]) -> Result<(), Error> {
        self.file.write_all(line).map_err(|error| Error::Output(self.path.clone(), error))
    }
}

/// Makes sure that these rows are the first of a part of this sweep.
fn belongs(path: &Path, rows: &[Row], plan: &Plan, shard: Shard, environment: &dyn Environment) -> Result<(), Error> {
    let mut expected = plan.part(shard);
    let mut audit = Audit::new(plan, environment);
    for (line, row) in (2..).zip(rows) {
        audit.is_of_this_sweep(path, line, row)?;
        match expected.next().map(|number| plan.item(number)) {
            Some(item) if row.is_of(item) => audit.agrees(path, line, row, item)?,
            Some(item) => {
                let reason = format!("line {line}: here is {row}, where part {shard} has {item}: another part?");
                return Err(Error::file(path, reason));
            }
            None => return Err(Error::file(path, format!("line {line}: part {shard} has no more rows"))),
        }
    }
    Ok(())
}

/// Holds rows against the plan of their sweep.
struct Audit<'a> {
    plan: &'a Plan,
    environment: &'a dyn Environment,
    /// What is proved about the runs of a cell, by algorithm, ids and network.
    proves: BTreeMap<(&'static str, Option<String>, String), [bool; 8]>,
    /// The number of links of a network, by its name and seed. All algorithms share the network.
    links: BTreeMap<(String, u64), u64>,
}

impl<'a> Audit<'a> {
    fn new(plan: &'a Plan, environment: &'a dyn Environment) -> Self {
        Self { plan, environment, proves: BTreeMap::new(), links: BTreeMap::new() }
    }

    /// Makes sure that a row is of this sweep, and that its file is what it was.
    fn is_of_this_sweep(&self, path: &Path, line: u64, row: &Row) -> Result<(), Error> {
        if row.sweep != self.plan.definition {
            return Err(Error::file(path, another(&row.sweep, &self.plan.definition)));
        }
        if self.plan.has_changed(row) {
            let reason = "has another content now: restore it, or begin a new CSV file";
            return Err(Error::file(path, format!("line {line}: {} {reason}", row.topology)));
        }
        Ok(())
    }

    /// Makes sure that the links and the bounds of a row are those of its run.
    fn agrees(&mut self, path: &Path, line: u64, row: &Row, item: Item<'_>) -> Result<(), Error> {
        let Self { plan, environment, proves, links } = self;
        let links = match links.entry((item.cell.name.clone(), item.seed)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(plan.links(item, *environment)?),
        };
        let entrant = &item.cell.entrant;
        let proves = match proves.entry((entrant.info.name, entrant.ids(), item.cell.name.clone())) {
            // Each run has faults of its own.
            _ if plan.has_random_faults() => plan.proves(item, *environment)?,
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(unknown) => *unknown.insert(plan.proves(item, *environment)?),
        };
        let reason = if row.links == links {
            proof::contradicts(row, plan.entry(item), plan.sizes(item, row), proves)
        } else {
            Some(format!("column links: {}, where the network has {links}", row.links))
        };
        let advice = "take the row out, and --resume runs it again";
        reason.map_or(Ok(()), |reason| Err(Error::file(path, format!("line {line}: {reason}: {advice}"))))
    }
}

/// Writes all rows.
pub fn write(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    out.write_all(&header())?;
    rows.iter().try_for_each(|row| out.write_all(&line(row)))
}

/// The rows of all parts of a sweep, in the order of its plan.
pub fn merge(parts: &[PathBuf], plan: &Plan, environment: &dyn Environment) -> Result<Vec<Row>, Error> {
    // By number: the row, and the part that it comes from.
    let mut rows: BTreeMap<u64, (usize, Row)> = BTreeMap::new();
    let mut audit = Audit::new(plan, environment);
    for (part, path) in parts.iter().enumerate() {
        for (line, row) in (2..).zip(Found::read(path, environment)?.rows) {
            audit.is_of_this_sweep(path, line, &row)?;
            let Some(number) = plan.number(&row) else {
                return Err(Error::file(path, format!("line {line}: its sweep has no {row} with this seed")));
            };
            audit.agrees(path, line, &row, plan.item(number))?;
            if let Some((other, row)) = rows.insert(number, (part, row)) {
                let other = parts[other].display();
                return Err(Error::file(path, format!("line {line}: {row} is in {other} already")));
            }
        }
    }
    if let Some(first) = (0..plan.count()).find(|number| !rows.contains_key(number)) {
        return Err(Error::refused(format!(
            "{} of {} runs are missing, the first of them {}: is a part not complete (--resume goes on with it), or \
             not named?",
            plan.count() - rows.len() as u64,
            plan.count(),
            plan.item(first)
        )));
    }
    Ok(rows.into_values().map(|(_, row)| row).collect())
}

/// The sweep whose parts these are.
///
/// # Errors
/// If they have no rows, or rows whose sweep cannot be read.
pub fn sweep(parts: &[PathBuf], environment: &dyn Environment) -> Result<Sweep, Error> {
    for path in parts {
        if let Some(row) = Found::read(path, environment)?.rows.into_iter().next() {
            let unreadable = || Error::file(path, format!("its sweep is not one that can be read: {}", row.sweep));
            return Sweep::read(&row.sweep).ok_or_else(unreadable);
        }
    }
    Err(Error::refused("no part has a row: nothing to merge"))
}

fn another(theirs: &str, ours: &str) -> String {
    let besides_runs = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(String::from).collect();
        let runs = words.iter().position(|word| word == "--runs");
        runs.and_then(|runs| words.get_mut(runs + 1)).map(String::clear);
        words
    };
    let hint = if besides_runs(theirs) == besides_runs(ours) {
        "\nThe runs of a size stand together, so none can be added at the end: take another file, or remove this one"
    } else {
        ""
    };
    format!("this belongs to another sweep:\n  {theirs}\nand not to\n  {ours}{hint}")
}

/// The content of a file: its complete rows, and their length in bytes. A damaged last line is left out.
struct Found {
    rows: Vec<Row>,
    whole: u64,
}

impl Found {
    fn read(path: &Path, environment: &dyn Environment) -> Result<Self, Error> {
        if path.exists() && !path.is_file() {
            return Err(Error::file(path, "this is no file whose rows could be read"));
        }
        let bytes = environment.read(path, None)?;
        if !header().starts_with(&bytes[..bytes.len().min(header().len())]) {
            return Err(Error::file(path, "this is no file of `bellwether sweep --csv`, and is left alone"));
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let bytes = &bytes[..whole];
        if whole > 0 && !bytes.starts_with(&header()) {
            return Err(Error::file(path, "this is no file of `bellwether sweep --csv`: its first line is another"));
        }
        let mut reader = csv::Reader::from_reader(bytes);
        let rows = reader.deserialize().collect::<Result<Vec<Row>, _>>();
        let rows = rows.map_err(|error| Error::file(path, unreadable(&error)))?;
        let unsound = |(line, row): (u64, &Row)| Some((line, row.to_string(), row.unsound()?));
        if let Some((line, row, reason)) = (2..).zip(&rows).find_map(unsound) {
            return Err(Error::file(path, format!("line {line}: {row} contradicts itself: {reason}")));
        }
        Ok(Self { rows, whole: whole as u64 })
    }
}

/// What is wrong with a row, and in which column.
fn unreadable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { pos: Some(pos), err } => {
            let column = err.field().and_then(|field| COLUMNS.get(field as usize));
            let column = column.map_or(String::new(), |column| format!("column {column}: "));
            format!("line {}: {column}{}", pos.line(), err.kind())
        }
        _ => error.to_string(),
    }
}

/// The names of the columns.
const COLUMNS: [&str; 31] = [
    "algorithm",
    "topology",
    "nodes",
    "links",
    "timing",
    "seed",
    "run",
    "messages",
    "announce",
    "bits",
    "time",
    "leader",
    "ok",
    "outcome",
    "per_node",
    "phases",
    "proved_best",
    "proved_mean",
    "proved_worst",
    "proved_announce",
    "proved_time",
    "proved_mean_phases",
    "proved_phases",
    "diameter_bound",
    "sweep",
    "overhead",
    "ids",
    "crc32",
    "broken",
    "failover",
    "proved_failover",
];

/// The first line.
fn header() -> Vec<u8> {
    (COLUMNS.join(",") + "\n").into_bytes()
}

/// A row as a line.
fn line(row: &Row) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    writer.serialize(row).expect("a row is plain data");
    writer.into_inner().expect("nothing fails in memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back_as_it_was_under_the_names_of_its_columns() {
        let text = "peterson,ring:8,8,8,uniform,9007199254740991,3,22,8,91,36893488147419103230.25,,false,no-leader,\
                    7,3,,20.71785714285714,36,8,,,4,27,\"bellwether sweep peterson --nodes 8,16\",\
                    96,descending,3421780262,1,12.5,16.25\n";
        let whole = [header(), text.as_bytes().to_vec()].concat();
        let row: Row = csv::Reader::from_reader(&whole[..]).deserialize().next().unwrap().unwrap();
        assert_eq!((row.leader, row.ok, row.proved_worst.as_ref().map(|bound| bound.0)), (None, false, Some(36.0)));
        assert_eq!(String::from_utf8(line(&row)).unwrap(), text);
        let mut writer = csv::Writer::from_writer(vec![]);
        writer.serialize(&row).unwrap();
        assert_eq!(writer.into_inner().unwrap(), whole);
    }
}
