//! An input that arrives in pieces, as a reader with a buffer and as a buffer of the crate `bytes`.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read};

/// Pieces of an input, in order, and failures between them. A failure is returned once.
#[derive(Clone, Debug)]
pub struct Pieces<'a>(pub VecDeque<Result<&'a [u8], ErrorKind>>);

impl<'a> Pieces<'a> {
    /// Splits `src` into pieces of the lengths that `next_len` returns. A length of 0 is an
    /// interruption.
    pub fn new(mut src: &'a [u8], mut next_len: impl FnMut() -> usize) -> Self {
        let mut pieces = VecDeque::new();
        while !src.is_empty() {
            let (piece, rest) = src.split_at(next_len().min(src.len()));
            pieces.push_back(if piece.is_empty() { Err(ErrorKind::Interrupted) } else { Ok(piece) });
            src = rest;
        }
        Self(pieces)
    }

    /// Returns the pieces of an input that fails between them.
    pub fn failing(head: &'a [u8], tail: &'a [u8]) -> Self {
        Self([Ok(head), Err(ErrorKind::ConnectionReset), Ok(tail)].into())
    }

    /// Returns the number of bytes that are left.
    pub fn len(&self) -> usize {
        self.0.iter().flatten().map(|piece| piece.len()).sum()
    }

    /// Returns the current piece, which is empty at the end of the input, or the failure before it.
    fn fill(&mut self) -> Result<&'a [u8], ErrorKind> {
        while self.0.front() == Some(&Ok(&[])) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some(Err(_)) => self.0.pop_front().unwrap_or(Ok(&[])),
            piece => piece.copied().unwrap_or(Ok(&[])),
        }
    }

    /// Removes bytes from the start of the current piece.
    fn remove(&mut self, n: usize) {
        if n > 0 {
            let piece = self.0.front_mut().and_then(|piece| piece.as_mut().ok()).expect("bytes are left");
            *piece = &piece[n..];
        }
    }

    fn copy_to(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
        let piece = self.fill()?;
        let n = piece.len().min(dst.len());
        dst[..n].copy_from_slice(&piece[..n]);
        self.remove(n);
        Ok(n)
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.copy_to(dst).map_err(io::Error::from)
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill().map_err(io::Error::from)
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
        self.0.iter().flatten().find(|piece| !piece.is_empty()).copied().unwrap_or_default()
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

    fn converted(kind: std::io::ErrorKind) -> ErrorKind {
        if kind == std::io::ErrorKind::Interrupted {
            ErrorKind::Interrupted
        } else {
            ErrorKind::ConnectionReset
        }
    }

    impl ErrorType for Pieces<'_> {
        type Error = ErrorKind;
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, dst: &mut [u8]) -> Result<usize, ErrorKind> {
            self.copy_to(dst).map_err(converted)
        }
    }

    impl BufRead for Pieces<'_> {
        fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
            self.fill().map_err(converted)
        }

        fn consume(&mut self, n: usize) {
            self.remove(n);
        }
    }
}
