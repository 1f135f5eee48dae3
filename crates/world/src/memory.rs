//! Room for a network or a run, asked for before it is needed: an allocation that fails later would end the program,
//! and one that the system cannot keep would take the machine with it.

/// So little is always there; to ask costs more than it.
const LITTLE: usize = 1 << 26;

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

/// The bytes that this machine has left, if it tells.
#[must_use]
pub fn left() -> Option<u64> {
    available(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// The bytes that can be had without swapping, as Linux tells them.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_read() {
        let told = "MemTotal:       24689764 kB\nMemFree:        13163892 kB\nMemAvailable:   21478312 kB\n";
        assert_eq!(available(told), Some(21_478_312 << 10));
        assert_eq!(available("MemTotal:       24689764 kB\n"), None);
    }

    #[test]
    fn more_than_there_is_is_refused_with_the_figure() {
        let refusal = "the network would need 18000000.0 GB of memory, more than there is: take fewer nodes";
        assert_eq!(make_sure_of(18_000_000_000_000_000, "the network"), Err(refusal.into()));
        assert_eq!(make_sure_of(1 << 20, "the network"), Ok(()));
    }
}
