//! An input that arrives in pieces, as a reader with a buffer and as a buffer of the crate `bytes`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// Pieces of an input, in order. For readers, an empty piece is an interruption.
#[derive(Clone, Debug)]
pub struct Pieces<'a>(pub VecDeque<&'a [u8]>);

impl<'a> Pieces<'a> {
    /// Splits `src` into pieces of the lengths that `next_len` returns.
    pub fn new(mut src: &'a [u8], mut next_len: impl FnMut() -> usize) -> Self {
        let mut pieces = VecDeque::new();
        while !src.is_empty() {
            let (piece, rest) = src.split_at(next_len().min(src.len()));
            pieces.push_back(piece);
            src = rest;
        }
        Self(pieces)
    }

    /// Returns the number of bytes that are left.
    pub fn len(&self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    /// Returns the current piece, or `None` for an interruption.
    fn fill(&mut self) -> Option<&'a [u8]> {
        match self.0.front() {
            Some([]) => {
                self.0.pop_front();
                None
            }
            piece => Some(piece.copied().unwrap_or_default()),
        }
    }

    /// Removes bytes from the start of the current piece, which is dropped when it is empty.
    fn remove(&mut self, n: usize) {
        if n > 0 {
            let piece = self.0.front_mut().expect("no bytes are left");
            *piece = &piece[n..];
            if piece.is_empty() {
                self.0.pop_front();
            }
        }
    }

    fn copy_to(&mut self, dst: &mut [u8]) -> Option<usize> {
        let piece = self.fill()?;
        let n = piece.len().min(dst.len());
        dst[..n].copy_from_slice(&piece[..n]);
        self.remove(n);
        Some(n)
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.copy_to(dst).ok_or_else(|| io::ErrorKind::Interrupted.into())
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill().ok_or_else(|| io::ErrorKind::Interrupted.into())
    }

    fn consume(&mut self, n: usize) {
        self.remove(n);
    }
}

impl bytes::Buf for Pieces<'_> {
    fn remaining(&self) -> usize {
        self.len()
    }

    fn chunk(&self) -> &[u8] {
        self.0.iter().find(|piece| !piece.is_empty()).copied().unwrap_or_default()
    }

    fn advance(&mut self, mut n: usize) {
        while n > 0 {
            let step = self.fill().map_or(0, |piece| piece.len().min(n));
            self.remove(step);
            n -= step;
        }
    }
}

mod embedded {
    use embedded_io::{BufRead, ErrorKind, ErrorType, Read};

    use super::Pieces;

    impl ErrorType for Pieces<'_> {
        type Error = ErrorKind;
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
            self.copy_to(dst).ok_or(ErrorKind::Interrupted)
        }
    }

    impl BufRead for Pieces<'_> {
        fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
            self.fill().ok_or(ErrorKind::Interrupted)
        }

        fn consume(&mut self, n: usize) {
            self.remove(n);
        }
    }
}
