//! An input of a property. Its first bytes select a type, a limit or the lengths of pieces.

/// A reader over the bytes of an input. Bytes past the end are zero.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// Reads the lengths of the pieces of the rest.
    pub fn cuts(&mut self) -> Cuts {
        Cuts { lengths: [self.byte(), self.byte(), self.byte()], next: 0 }
    }

    pub fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// An endless sequence of the lengths of pieces, 0 to 15 bytes each. Every seventh is at least 1.
#[derive(Clone)]
pub struct Cuts {
    lengths: [u8; 3],
    next: usize,
}

impl Cuts {
    pub fn next(&mut self) -> usize {
        let length = match self.next {
            6 => 1 + self.lengths[0] % 4,
            next if next % 2 == 0 => self.lengths[next / 2] % 16,
            next => self.lengths[next / 2] / 16,
        };
        self.next = (self.next + 1) % 7;
        length.into()
    }
}

/// Numbers at the limits of types.
pub const NUMBERS: [&str; 8] = [
    "0",
    "1",
    "9",
    "99",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
];

/// Returns `text` with one decimal number replaced by `other`: number `index`, modulo the count.
pub fn renumbered(text: &[u8], index: usize, other: &str) -> Vec<u8> {
    let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let starts = |at: &usize| digit(*at) && (*at == 0 || !digit(at - 1));
    let count = (0..text.len()).filter(starts).count();
    let Some(first) = (0..text.len()).filter(starts).nth(index % count.max(1)) else { return text.to_vec() };
    let end = (first..).find(|&at| !digit(at)).unwrap_or(first);
    [&text[..first], other.as_bytes(), &text[end..]].concat()
}
