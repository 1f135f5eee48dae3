//! Helpers for several tests.

use bellwether_world::host::{Bytes, Now, Watch};

/// Keeps the sizes that a run reports.
#[derive(Default)]
pub struct Scales(pub Option<Bytes>);

impl Watch for Scales {
    fn go_on(&mut self, _: u64, _: Option<Now>) -> bool {
        true
    }

    fn weighs(&mut self, bytes: Bytes) {
        self.0 = Some(bytes);
    }
}
