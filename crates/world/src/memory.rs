//! Room for a run, asked for before it is needed: an allocation that fails later would end the program.

/// Makes sure that this machine could give so many bytes at once.
///
/// # Errors
/// If it could not; the error says how much is missing and what to do.
pub fn make_sure_of(bytes: usize) -> Result<(), String> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| {
        let gigabytes = bytes as f64 / 1e9;
        format!("the run would need {gigabytes:.1} GB of memory, more than there is: take fewer nodes")
    })
}
