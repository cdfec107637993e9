//! The first and the last line that a child writes to standard error, for the message of its
//! failure.
//!
//! Python prints the error after the stack trace, Go and Java before it.

use super::protocol::printable;

/// The number of bytes of a line that are kept.
const KEPT: usize = 200;

/// The first and the last line since the last request, in bounded memory.
#[derive(Default)]
pub(super) struct Lines {
    first: Vec<u8>,
    last: Vec<u8>,
    open: Vec<u8>,
}

impl Lines {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.close();
            } else if self.open.len() < KEPT {
                self.open.push(byte);
            }
        }
    }

    fn close(&mut self) {
        if self.open.iter().all(u8::is_ascii_whitespace) {
            self.open.clear();
        } else if self.first.is_empty() {
            self.first = std::mem::take(&mut self.open);
        } else {
            self.last = std::mem::take(&mut self.open);
        }
    }

    /// Returns the lines as the end of a message, or an empty string if there are none.
    pub(super) fn excerpt(&mut self) -> String {
        self.close();
        match (self.first.is_empty(), self.last.is_empty()) {
            (true, _) => String::new(),
            (false, true) => format!("; on stderr: {}", printable(&self.first)),
            (false, false) => {
                format!("; on stderr: {} ... {}", printable(&self.first), printable(&self.last))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_has_the_first_and_the_last_line() {
        let mut lines = Lines::default();
        assert_eq!(lines.excerpt(), "");
        lines.push(b"panic: in");
        lines.push(b"dex\n\n");
        assert_eq!(lines.excerpt(), "; on stderr: panic: index");
        lines.push(b"goroutine 1\nmain.go:5\n\n  \nexit status 2");
        assert_eq!(lines.excerpt(), "; on stderr: panic: index ... exit status 2");
        lines.clear();
        lines.push(&[b'x'; 1 << 16]);
        assert_eq!(lines.excerpt().len(), "; on stderr: ".len() + KEPT);
    }
}
