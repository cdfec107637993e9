//! The checks under an operating system.

use std::fmt::{self, Write};

struct Stdout;

impl Write for Stdout {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print!("{text}");
        Ok(())
    }
}

fn main() {
    core_checks::run(&mut Stdout);
}
