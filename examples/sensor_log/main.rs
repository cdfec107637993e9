//! A sensor's log: `log.rs` runs on a microcontroller without `std`, this program plays the sensor and reads the log.
//!
//! `cargo run --example sensor_log`

#[allow(unreachable_pub)] // public for the microcontroller's program
mod log;

use log::{Log, Reading, readings};
use zigzag_varint::DecodeError;

/// What the microcontroller has to spare.
const MEMORY: usize = 4096;

/// Weather, once in ten seconds or so.
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
    println!("{:.2} bytes a reading, {} as a struct", bytes as f64 / count as f64, size_of::<Reading>());
    assert!(count > 2 * MEMORY / size_of::<Reading>());

    let read = readings(log.bytes()).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(read, written);
    println!("the first: {:?}", read[0]);
    println!("the last:  {:?}", read[count - 1]);

    // Sent over a bad line: what came before the fault is still there.
    let mut damaged = log.bytes().to_vec();
    damaged[bytes / 2..][..5].fill(0xff);
    let sound = readings(&damaged).take_while(Result::is_ok).count();
    let error = readings(&damaged).find_map(Result::err).expect("a fault");
    println!("damaged: {sound} readings, then: {error}");
    assert!(error.offset() >= bytes / 2 && error.offset() < bytes / 2 + 5);
    Ok(())
}
