//! The length of a process' state.

use std::hash::Hasher;

/// The bits of a state that is fed to a hasher: each of its numbers as a binary number, at least one bit.
///
/// States are hashed field by field. So no algorithm has to say what its variables are.
pub fn state_bits(feed: impl FnOnce(&mut dyn Hasher)) -> u64 {
    let mut counter = BitCounter(0);
    feed(&mut counter);
    counter.0
}

struct BitCounter(u64);

impl BitCounter {
    fn number(&mut self, number: u128) {
        self.0 += u64::from((u128::BITS - number.leading_zeros()).max(1));
    }
}

macro_rules! numbers {
    ($($write:ident($number:ty)),*) => {
        $(fn $write(&mut self, number: $number) {
            self.number(u128::try_from(number).unwrap_or(u128::MAX));
        })*
    };
}

impl Hasher for BitCounter {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 += 8 * bytes.len() as u64;
    }

    numbers!(write_u8(u8), write_u16(u16), write_u32(u32), write_u64(u64), write_u128(u128), write_usize(usize));
    numbers!(write_i8(i8), write_i16(i16), write_i32(i32), write_i64(i64), write_i128(i128), write_isize(isize));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash;

    #[test]
    fn numbers_count_by_their_binary_digits() {
        let bits = |state: &dyn Fn(&mut dyn Hasher)| state_bits(state);
        assert_eq!(bits(&|mut hasher| (0_u64, 1_u64, 5_u64, u64::MAX).hash(&mut hasher)), 1 + 1 + 3 + 64);
        assert_eq!(bits(&|mut hasher| Some(9_u32).hash(&mut hasher)), 1 + 4);
        assert_eq!(bits(&|mut hasher| None::<u32>.hash(&mut hasher)), 1);
    }
}
