//! The end of what a child writes to standard error.

use std::collections::VecDeque;

use crate::texts::Printable;

/// The number of bytes that are kept.
const KEPT: usize = 64 << 10;

/// The last bytes since the last request.
#[derive(Default)]
pub(super) struct Tail(VecDeque<u8>);

impl Tail {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
        self.0.drain(..self.0.len().saturating_sub(KEPT));
    }

    /// Returns the lines as the end of a message, or an empty string if there are none.
    pub(super) fn excerpt(&mut self) -> String {
        let text = String::from_utf8_lossy(self.0.make_contiguous()).replace('\t', "    ");
        let text = Printable(text).to_string();
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        match &lines[..] {
            [] => String::new(),
            [line] => format!("; on stderr: {line}"),
            lines => format!("; on stderr:\n    {}", lines.join("\n    ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excerpt_has_the_last_lines() {
        let mut tail = Tail::default();
        assert_eq!(tail.excerpt(), "");
        tail.push(b"panic: in");
        tail.push(b"dex\n\n");
        assert_eq!(tail.excerpt(), "; on stderr: panic: index");
        tail.push(b"goroutine 1\n\tmain.go:5\n\n  \n\x1b[1mexit status 2");
        assert_eq!(
            tail.excerpt(),
            "; on stderr:\n    panic: index\n    goroutine 1\n        main.go:5\n    \u{fffd}[1mexit status 2"
        );
        tail.push(&[b'x'; 1 << 16]);
        tail.push(b"yz");
        assert!(tail.excerpt().ends_with("xyz") && tail.excerpt().len() == "; on stderr: ".len() + KEPT);
        tail.clear();
        assert_eq!(tail.excerpt(), "");
    }
}
