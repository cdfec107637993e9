//! The part for the microcontroller: `core` alone, no allocation, no panic.

use zigzag_varint::{BufferTooSmall, DecodeError, Reader, Varint};

/// One measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Milliseconds since the start.
    pub time: u32,
    /// Hundredths of a degree Celsius.
    pub temperature: i16,
    /// Pascals.
    pub pressure: u32,
}

/// Readings in `N` bytes of memory, each stored as what has changed since the one before.
pub struct Log<const N: usize> {
    bytes: [u8; N],
    used: usize,
    last: Reading,
}

impl<const N: usize> Log<N> {
    /// Fits a `static`.
    pub const fn new() -> Self {
        let last = Reading { time: 0, temperature: 0, pressure: 0 };
        Self { bytes: [0; N], used: 0, last }
    }

    /// Appends a reading. Where it does not fit the log stays as it was: send it away, and start another.
    pub fn push(&mut self, reading: Reading) -> Result<(), BufferTooSmall> {
        let time = reading.time.wrapping_sub(self.last.time);
        let temperature = reading.temperature.wrapping_sub(self.last.temperature);
        let pressure = reading.pressure.wrapping_sub(self.last.pressure) as i32;

        let mut end = self.used;
        end += time.encode_to_slice(&mut self.bytes[end..])?;
        end += temperature.encode_to_slice(&mut self.bytes[end..])?; // signed: small steps either way are short
        end += pressure.encode_to_slice(&mut self.bytes[end..])?;
        self.used = end;
        self.last = reading;
        Ok(())
    }

    /// What there is to send.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }
}

/// The readings of a log, up to its end or to the first byte that cannot be.
pub fn readings(log: &[u8]) -> impl Iterator<Item = Result<Reading, DecodeError>> {
    let mut reader = Reader::new(log);
    let mut last = Reading::default();
    let mut next = move || {
        last.time = last.time.wrapping_add(reader.read_canonical()?);
        last.temperature = last.temperature.wrapping_add(reader.read_canonical()?);
        last.pressure = last.pressure.wrapping_add_signed(reader.read_canonical()?);
        Ok((last, reader.is_empty()))
    };
    let mut done = log.is_empty();
    core::iter::from_fn(move || {
        if done {
            return None;
        }
        let item = next();
        done = !matches!(item, Ok((_, false)));
        Some(item.map(|(reading, _)| reading))
    })
}
