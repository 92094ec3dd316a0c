//! The checksum of gzip and zip (CRC-32), by a table that is made when it is needed: as data it would be larger than the
//! code that unpacks.

/// The checksum of bytes so far.
pub(super) struct Crc {
    table: [u32; 256],
    state: u32,
}

impl Crc {
    pub fn new() -> Self {
        let mut table = [0; 256];
        for (byte, entry) in (0..).zip(&mut table) {
            *entry = (0..8).fold(byte, |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)));
        }
        Self { table, state: !0 }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.state = bytes.iter().fold(self.state, |state, byte| {
            let entry = self.table.get(usize::from(state as u8 ^ byte)).copied().unwrap_or_default();
            (state >> 8) ^ entry
        });
    }

    pub fn sum(&self) -> u32 {
        !self.state
    }

    pub fn reset(&mut self) {
        self.state = !0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Crc;

    proptest! {
        #[test]
        fn sums_are_those_of_another_implementation(parts in prop::collection::vec(any::<Vec<u8>>(), 0..4)) {
            let (mut ours, mut other) = (Crc::new(), flate2::Crc::new());
            for part in &parts {
                ours.update(part);
                other.update(part);
            }
            prop_assert_eq!(ours.sum(), other.sum());
        }
    }
}
