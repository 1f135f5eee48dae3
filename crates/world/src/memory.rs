//! Room for a network or a run, asked for before it is needed: an allocation that fails later would end the program,
//! and one that the system cannot keep would take the machine with it.

use std::fs;
use std::path::Path;

/// So little is always there; to ask costs more than it.
const LITTLE: usize = 1 << 26;

/// So many bytes are left to the rest of the machine.
const RESERVE: u64 = 1 << 28;

/// Makes sure that this machine has so many bytes left for what is to come, as in "the run".
///
/// # Errors
/// If it has not; the error says how much would be needed and what to do.
pub fn make_sure_of(bytes: usize, purpose: &str) -> Result<(), String> {
    if bytes <= LITTLE {
        return Ok(());
    }
    // A system that does not tell what is left refuses at least what it could never give.
    if left().is_none_or(|left| bytes as u64 <= left) && Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    let gigabytes = bytes as f64 / 1e9;
    Err(format!("{purpose} would need {gigabytes:.1} GB of memory, more than there is: take fewer nodes"))
}

/// Whether so little is left, as far as the system tells, that what goes on should stop.
#[must_use]
pub fn is_short() -> bool {
    let is_below = |least: u64| move |left: u64| left < least;
    left_on_machine().is_some_and(is_below(RESERVE)) || left_to_us().is_some_and(is_below(LITTLE as u64))
}

/// The bytes that are left.
fn left() -> Option<u64> {
    left_on_machine().into_iter().chain(left_to_us()).min()
}

/// What is left within limits that are set on the process itself or on the control group that it is in, as in a container.
fn left_to_us() -> Option<u64> {
    left_to_group().into_iter().chain(left_to_process()).min()
}

/// What can be had without swapping, as Linux tells it.
fn left_on_machine() -> Option<u64> {
    kilobytes(&read("/proc/meminfo")?, "MemAvailable:")
}

/// What the limit on the address space leaves.
fn left_to_process() -> Option<u64> {
    let limit = address_space(&read("/proc/self/limits")?)?;
    Some(limit.saturating_sub(kilobytes(&read("/proc/self/status")?, "VmSize:")?))
}

/// What the limits leave that are set on the control group or on one that it is in.
fn left_to_group() -> Option<u64> {
    let groups = read("/proc/self/cgroup")?;
    let of_line = |line| {
        let (folder, path, names) = group(line)?;
        // In a container the path may be the one outside, where nobody can look; then the own group is on top.
        let path = Path::new(path).strip_prefix("/").ok()?;
        path.ancestors().filter_map(|path| left_in(&Path::new(folder).join(path), names)).min()
    };
    groups.lines().filter_map(of_line).min()
}

/// The files of a group that tell its limit and what it uses, and the word before what of that can be dropped.
type Names = (&'static str, &'static str, &'static str);

const FIRST: Names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ");
const SECOND: Names = ("memory.max", "memory.current", "inactive_file ");

/// Where to look for a group, in either version, from a line such as `4:memory:/path` or `0::/path`.
fn group(line: &str) -> Option<(&'static str, &str, Names)> {
    let mut parts = line.splitn(3, ':');
    match (parts.next()?, parts.next()?, parts.next()?) {
        ("0", "", path) => Some(("/sys/fs/cgroup", path, SECOND)),
        (_, controllers, path) if controllers.split(',').any(|one| one == "memory") => {
            Some(("/sys/fs/cgroup/memory", path, FIRST))
        }
        _ => None,
    }
}

/// What a group has left; `None` if it is not there or has no limit.
fn left_in(folder: &Path, (limit, usage, droppable): Names) -> Option<u64> {
    let number = |name| read(folder.join(name))?.trim().parse::<u64>().ok();
    let (limit, usage) = (number(limit)?, number(usage)?);
    let stat = read(folder.join("memory.stat")).unwrap_or_default();
    let droppable = stat.lines().find_map(|line| line.strip_prefix(droppable)?.parse::<u64>().ok());
    Some(limit.saturating_sub(usage.saturating_sub(droppable.unwrap_or(0))))
}

/// The limit on the address space, if there is one.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What stands after a word, in bytes.
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
        let told = |limit| {
            format!("Limit    Soft Limit    Hard Limit    Units\nMax address space    {limit}    unlimited    bytes\n")
        };
        assert_eq!(address_space(&told("3145728000")), Some(3_145_728_000));
        assert_eq!(address_space(&told("unlimited")), None);
    }

    #[test]
    fn groups_are_found_in_either_version() {
        assert_eq!(group("0::/user.slice"), Some(("/sys/fs/cgroup", "/user.slice", SECOND)));
        assert_eq!(group("4:cpu,memory:/a:b"), Some(("/sys/fs/cgroup/memory", "/a:b", FIRST)));
        assert_eq!(group("3:cpuset:/"), None);
        assert_eq!(group(""), None);
    }

    #[test]
    fn a_group_has_left_what_it_does_not_need() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name, text| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(left_in(folder.path(), SECOND), None);
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(left_in(folder.path(), SECOND), None);
        write("memory.max", "1000\n");
        assert_eq!(left_in(folder.path(), SECOND), Some(300));
        write("memory.stat", "anon 500\ninactive_file 150\n");
        assert_eq!(left_in(folder.path(), SECOND), Some(450));
        write("memory.current", "1100\n");
        assert_eq!(left_in(folder.path(), SECOND), Some(50));
    }

    #[test]
    fn more_than_there_is_is_refused_with_the_figure() {
        let refusal = "the network would need 18000000.0 GB of memory, more than there is: take fewer nodes";
        assert_eq!(make_sure_of(18_000_000_000_000_000, "the network"), Err(refusal.into()));
        assert_eq!(make_sure_of(1 << 20, "the network"), Ok(()));
    }
}
