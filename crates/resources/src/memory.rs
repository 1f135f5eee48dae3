//! Checks for memory before a network or a run needs it. An allocation that fails later would end the program. An
//! allocation that the system cannot back would take the whole machine down.

use std::fs;
use std::path::Path;

/// The largest request, in bytes, that is granted without a check: the check would cost more.
const LITTLE: u64 = 1 << 26;

/// The number of bytes left to the rest of the machine.
const RESERVE: u64 = 1 << 28;

/// The number of bytes, or the share of the limit, kept free within a limit of the process or its control group. A run
/// may need more memory before the next check.
const OWN_RESERVE: u64 = 1 << 26;
const OWN_PART: u64 = 4;

/// Makes sure that this machine has this number of bytes left for a purpose, such as "the run".
///
/// # Errors
/// If there is not enough memory. The error says how much would be needed and what to do.
pub fn make_sure_of(bytes: u64, purpose: &str) -> Result<(), String> {
    if bytes <= LITTLE {
        return Ok(());
    }
    // A system that does not tell what is left still refuses what it could never give.
    let can_give = |bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    if left().is_none_or(|left| bytes <= left) && usize::try_from(bytes).is_ok_and(can_give) {
        return Ok(());
    }
    let gigabytes = bytes as f64 / 1e9;
    Err(format!("{purpose} would need {gigabytes:.1} GB of memory, more than there is: take fewer nodes"))
}

/// The same for this number of nodes, where `bytes` says what a number of nodes needs. The error names a number of
/// nodes for which there is enough memory.
///
/// # Errors
/// If there is not enough memory.
pub fn make_sure_of_nodes(nodes: u32, bytes: impl Fn(u32) -> f64, purpose: &str) -> Result<(), String> {
    let refused = |nodes: u32| make_sure_of(bytes(nodes) as u64, purpose).err();
    let Some(refusal) = refused(nodes) else { return Ok(()) };
    let (mut fits, mut too_many) = (0, nodes);
    while too_many - fits > 1 {
        let middle = fits + (too_many - fits) / 2;
        if refused(middle).is_none() { fits = middle } else { too_many = middle }
    }
    // Two digits: what is left changes from one moment to the next.
    let unit = 10u32.pow(fits.max(1).ilog10().saturating_sub(1));
    Err(format!("{refusal}, some {}", fits / unit * unit))
}

/// Whether memory is so short, as far as the system tells, that a run should stop.
#[must_use]
pub fn is_short() -> bool {
    left_on_machine().is_some_and(|left| left < RESERVE) || own_limits().iter().any(Limited::is_short)
}

/// The bytes that are left.
fn left() -> Option<u64> {
    left_on_machine().into_iter().chain(own_limits().iter().map(Limited::left)).min()
}

/// A limit, and what is used of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limited {
    limit: u64,
    used: u64,
}

impl Limited {
    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    fn is_short(&self) -> bool {
        self.left() < OWN_RESERVE.min(self.limit / OWN_PART)
    }
}

/// The limits on the process and on its control group, as in a container.
fn own_limits() -> Vec<Limited> {
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let process = || of_process(&read("/proc/self/limits")?, &read("/proc/self/status")?);
    of_groups(&groups, Path::new("/sys/fs/cgroup")).into_iter().chain(process()).collect()
}

/// The memory available without swapping, as Linux reports it.
fn left_on_machine() -> Option<u64> {
    kilobytes(&read("/proc/meminfo")?, "MemAvailable:")
}

/// The limit on the address space, if there is one.
fn of_process(limits: &str, status: &str) -> Option<Limited> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    Some(Limited { limit: line.split_whitespace().next()?.parse().ok()?, used: kilobytes(status, "VmSize:")? })
}

/// The limits on control groups of either version, and on their ancestors. They are found from lines such as
/// `4:memory:/path` or `0::/path`.
fn of_groups(groups: &str, root: &Path) -> Vec<Limited> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (folder, path, names) = match (parts.next()?, parts.next()?, parts.next()?) {
            ("0", "", path) => (root.to_path_buf(), path, SECOND),
            (_, controllers, path) if controllers.split(',').any(|one| one == "memory") => {
                (root.join("memory"), path, FIRST)
            }
            _ => return None,
        };
        // In a container the path may be the path outside, which cannot be read. The process' own group is at the root
        // then.
        let path = Path::new(path).strip_prefix("/").ok()?;
        Some(path.ancestors().filter_map(|path| of_group(&folder.join(path), names)).collect::<Vec<_>>())
    };
    groups.lines().filter_map(of_line).flatten().collect()
}

/// The file with a group's limit, the file with its usage, and the keys of the usage that the system can drop.
type Names = (&'static str, &'static str, [&'static str; 2]);

const FIRST: Names = ("memory.limit_in_bytes", "memory.usage_in_bytes", ["total_inactive_file ", "total_active_file "]);
const SECOND: Names = ("memory.max", "memory.current", ["inactive_file ", "active_file "]);

/// The limit on a group; `None` if there is no such group or no limit.
fn of_group(folder: &Path, (limit, usage, droppable): Names) -> Option<Limited> {
    let number = |name| read(folder.join(name))?.trim().parse::<u64>().ok();
    let (limit, usage) = (number(limit)?, number(usage)?);
    let stat = read(folder.join("memory.stat")).unwrap_or_default();
    let after = |word: &str| stat.lines().find_map(|line| line.strip_prefix(word)?.parse::<u64>().ok());
    let droppable: u64 = droppable.into_iter().filter_map(after).sum();
    Some(Limited { limit, used: usage.saturating_sub(droppable) })
}

/// The number of kilobytes after a word, in bytes.
fn kilobytes(told: &str, word: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix(word))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_read() {
        let told = "MemTotal:       24689764 kB\nMemFree:        13163892 kB\nMemAvailable:   21478312 kB\n";
        assert_eq!(kilobytes(told, "MemAvailable:"), Some(21_478_312 << 10));
        assert_eq!(kilobytes("MemTotal:       24689764 kB\n", "MemAvailable:"), None);
    }

    #[test]
    fn a_limit_on_the_address_space_is_read() {
        let limits = |limit| format!("Limit    Soft Limit\nMax address space    {limit}    unlimited    bytes\n");
        let status = "Name: bellwether\nVmPeak:     9000 kB\nVmSize:\t    3000 kB\n";
        let limited = Limited { limit: 3_145_728_000, used: 3_000 << 10 };
        assert_eq!(of_process(&limits("3145728000"), status), Some(limited));
        assert_eq!(of_process(&limits("unlimited"), status), None);
    }

    #[test]
    fn limits_on_groups_are_found_in_either_version() {
        let root = tempfile::tempdir().unwrap();
        let write = |group: &str, name, text| {
            let folder = root.path().join(group);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), text).unwrap();
        };
        let found = |groups| of_groups(groups, root.path());
        assert_eq!(found("0::/a/b\n4:cpu,memory:/c\n3:cpuset:/\n\n"), []);
        write("a/b", "memory.max", "max\n");
        write("a/b", "memory.current", "700\n");
        assert_eq!(found("0::/a/b"), []);
        write("a", "memory.max", "1000\n");
        write("a", "memory.current", "800\n");
        assert_eq!(found("0::/a/b"), [Limited { limit: 1000, used: 800 }]);
        write("a/b", "memory.max", "900\n");
        write("a/b", "memory.stat", "anon 500\ninactive_file 150\nactive_file 40\n");
        assert_eq!(found("0::/a/b"), [Limited { limit: 900, used: 510 }, Limited { limit: 1000, used: 800 }]);
        write("memory/c", "memory.limit_in_bytes", "2000\n");
        write("memory/c", "memory.usage_in_bytes", "500\n");
        write("memory/c", "memory.stat", "inactive_file 7\ntotal_inactive_file 100\ntotal_active_file 50\n");
        assert_eq!(found("4:cpu,memory:/c"), [Limited { limit: 2000, used: 350 }]);
    }

    #[test]
    fn little_is_left_if_it_is_little_of_the_limit() {
        let megabytes = |limit: u64, used: u64| Limited { limit: limit << 20, used: used << 20 };
        assert_eq!(
            [megabytes(1000, 900), megabytes(1000, 937), megabytes(1000, 2000)].map(|all| all.left() >> 20),
            [100, 63, 0]
        );
        assert_eq!([megabytes(1000, 900), megabytes(1000, 937)].map(|all| all.is_short()), [false, true]);
        assert_eq!([megabytes(40, 20), megabytes(40, 31)].map(|all| all.is_short()), [false, true]);
    }

    #[test]
    fn more_than_there_is_is_refused_with_the_figure() {
        let refusal = "the network would need 18000000.0 GB of memory, more than there is: take fewer nodes";
        assert_eq!(make_sure_of(18_000_000_000_000_000, "the network"), Err(refusal.into()));
        assert_eq!(make_sure_of(1 << 20, "the network"), Ok(()));
        // Cut to 32 bits this would be one byte.
        assert!(make_sure_of((1 << 60) + 1, "the network").is_err());
    }
}
