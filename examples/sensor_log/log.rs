//! The part that runs on the microcontroller. It uses only `core`, and neither allocates nor
//! panics.

use zigzag_varint::{BufferTooSmall, Canonical, DecodeError, Reader, Varint};

/// One measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The time since the start in milliseconds.
    pub time: u32,
    /// The temperature in hundredths of a degree Celsius.
    pub temperature: i16,
    /// The air pressure in pascals.
    pub pressure: u32,
}

/// A log of readings in `N` bytes of memory. Each reading is stored as the difference from the
/// previous one.
pub struct Log<const N: usize> {
    bytes: [u8; N],
    used: usize,
    last: Reading,
}

impl<const N: usize> Log<N> {
    /// Creates an empty log. It is `const`, so that a log can be a `static`.
    pub const fn new() -> Self {
        let last = Reading { time: 0, temperature: 0, pressure: 0 };
        Self { bytes: [0; N], used: 0, last }
    }

    /// Appends a reading.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] if the log is full. It is unchanged then: send it, and start a new one.
    pub fn push(&mut self, reading: Reading) -> Result<(), BufferTooSmall> {
        let time = reading.time.wrapping_sub(self.last.time);
        let temperature = reading.temperature.wrapping_sub(self.last.temperature);
        let pressure = reading.pressure.wrapping_sub(self.last.pressure) as i32;

        let mut end = self.used;
        end += time.encode_to_slice(&mut self.bytes[end..])?;
        end += temperature.encode_to_slice(&mut self.bytes[end..])?; // signed types are zigzag-coded: small steps in both directions are short
        end += pressure.encode_to_slice(&mut self.bytes[end..])?;
        self.used = end;
        self.last = reading;
        Ok(())
    }

    /// Returns the encoded readings.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }
}

/// Returns an iterator over the readings of a log. If the log is damaged, an error is the last
/// item.
pub fn readings(log: &[u8]) -> impl Iterator<Item = Result<Reading, DecodeError>> {
    let mut reader = Reader::new(log);
    let mut last = Reading::default();
    let mut next = move || {
        last.time = last.time.wrapping_add(reader.read::<Canonical<u32>>()?);
        last.temperature = last.temperature.wrapping_add(reader.read::<Canonical<i16>>()?);
        last.pressure = last.pressure.wrapping_add_signed(reader.read::<Canonical<i32>>()?);
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
