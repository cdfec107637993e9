//! The log of a sensor. `log.rs` runs on a microcontroller without `std`. This program simulates
//! the sensor and reads the log.
//!
//! `cargo run --example sensor_log`

#[allow(unreachable_pub)] // public for the program on the microcontroller
mod log;

use log::{Log, Reading, readings};
use zigzag_varint::DecodeError;

/// The memory for the log in bytes.
const MEMORY: usize = 4096;

/// Simulates the weather, with one reading about every ten seconds.
fn measure(step: u32) -> Reading {
    let swing = (f64::from(step) / 40.0).sin();
    Reading {
        time: step * 10_000 + step * 7919 % 13,
        temperature: (swing * 800.0) as i16 - 250,
        pressure: (101_325.0 + swing * 90.0) as u32,
    }
}

fn main() -> Result<(), DecodeError> {
    let mut log = Log::<MEMORY>::new();
    let mut written = Vec::new();
    let full = loop {
        let reading = measure(written.len() as u32);
        match log.push(reading) {
            Ok(()) => written.push(reading),
            Err(full) => break full,
        }
    };
    let (bytes, count) = (log.bytes().len(), written.len());
    println!("{count} readings in {bytes} of {MEMORY} bytes, then: {full}");
    println!("{:.2} bytes per reading, {} as a struct", bytes as f64 / count as f64, size_of::<Reading>());
    assert!(count > 2 * MEMORY / size_of::<Reading>());

    let read = readings(log.bytes()).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(read, written);
    println!("first: {:?}", read[0]);
    println!("last:  {:?}", read[count - 1]);

    // If the log is damaged on the way, the readings before the damage can still be decoded.
    let mut damaged = log.bytes().to_vec();
    damaged[bytes / 2..][..5].fill(0xff);
    let valid = readings(&damaged).take_while(Result::is_ok).count();
    let error = readings(&damaged).find_map(Result::err).expect("an error");
    println!("damaged log: {valid} readings, then: {error}");
    assert!(error.offset() >= bytes / 2 && error.offset() < bytes / 2 + 5);
    Ok(())
}
