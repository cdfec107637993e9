//! An input whose first bytes choose a type, a limit or where to cut. Where it ends too early they are zeros.

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

    /// Where to cut the rest.
    pub fn cuts(&mut self) -> Cuts {
        Cuts { lengths: [self.byte(), self.byte(), self.byte()], next: 0 }
    }

    pub fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// Lengths of pieces, over and over: none to fifteen bytes each, and not none for ever.
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
