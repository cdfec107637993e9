//! Length-prefixed payloads: the oracle, and one suite for every API.

use std::panic::{AssertUnwindSafe, catch_unwind};

use zigzag_varint::{FrameError, LengthPrefix, Reader};

use super::oracle::{self, Fault};

/// How a payload is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub max_len: usize,
    pub u32_prefix: bool,
    pub canonical: bool,
}

impl Rules {
    pub fn each(max_len: usize) -> [Self; 4] {
        [(false, false), (false, true), (true, false), (true, true)].map(|(u32_prefix, canonical)| Self {
            max_len,
            u32_prefix,
            canonical,
        })
    }

    pub fn prefix(self) -> LengthPrefix {
        let prefix = LengthPrefix::new(self.max_len);
        let prefix = if self.u32_prefix { prefix.prefix_u32() } else { prefix };
        if self.canonical { prefix.canonical() } else { prefix }
    }
}

/// What is wrong with a payload, comparable with a [`FrameError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    Prefix(Fault),
    TooLong { len: u64, max_len: usize },
    Truncated { len: usize, missing: usize },
}

impl From<FrameError> for Wrong {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Prefix(error) => Self::Prefix(error.into()),
            FrameError::TooLong { len, max_len } => Self::TooLong { len, max_len },
            FrameError::Truncated { len, missing } => Self::Truncated { len, missing },
            other => panic!("{other:?} on reading"),
        }
    }
}

impl Wrong {
    /// Inside an I/O error, whose kind must fit it.
    pub fn inside(error: std::io::Error) -> Self {
        let kind = error.kind();
        let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<FrameError>());
        let inside = *inside.unwrap_or_else(|| panic!("a FrameError inside {error:?}"));
        let eof = kind == std::io::ErrorKind::UnexpectedEof;
        assert_eq!(inside.is_incomplete(), eof, "{inside:?} of kind {kind:?}");
        assert!(eof || kind == std::io::ErrorKind::InvalidData);
        inside.into()
    }
}

/// The payload and the bytes that it takes with its prefix, or what is wrong.
pub type Outcome = Result<(Vec<u8>, usize), Wrong>;

/// A way to read one payload.
pub type Api<'a> = &'a dyn Fn(&[u8], Rules) -> Outcome;

/// The oracle.
pub fn read(src: &[u8], rules: Rules) -> Outcome {
    borrow(src, rules).map(|(payload, used)| (payload.to_vec(), used))
}

/// The same, without a copy.
pub fn borrow(src: &[u8], rules: Rules) -> Result<(&[u8], usize), Wrong> {
    let prefix = if rules.u32_prefix {
        oracle::decode::<u32>(src, rules.canonical).map(|(len, used)| (u64::from(len), used))
    } else {
        oracle::decode::<u64>(src, rules.canonical)
    };
    let (len, used) = prefix.map_err(Wrong::Prefix)?;
    let limit = if rules.u32_prefix { rules.max_len.min(u32::MAX as usize) } else { rules.max_len };
    if u128::from(len) > limit as u128 {
        return Err(Wrong::TooLong { len, max_len: limit });
    }
    let (rest, len) = (&src[used..], len as usize);
    match rest.get(..len) {
        Some(payload) => Ok((payload, used + len)),
        None => Err(Wrong::Truncated { len, missing: len - rest.len() }),
    }
}

/// The frame of a payload.
pub fn frame(payload: &[u8]) -> Vec<u8> {
    [&oracle::encode(payload.len() as u64), payload].concat()
}

/// From a slice.
pub fn by_slice(src: &[u8], rules: Rules) -> Outcome {
    let (payload, used) = rules.prefix().decode(src)?;
    assert_eq!(payload.as_ptr_range().end, src[..used].as_ptr_range().end, "a part of the source, no copy");
    Ok((payload.to_vec(), used))
}

/// From a slice, the prefix by itself.
pub fn by_prefix(src: &[u8], rules: Rules) -> Outcome {
    let (len, used) = rules.prefix().decode_prefix(src)?;
    let payload = src[used..].get(..len);
    let missing = len.saturating_sub(src.len() - used);
    payload.map(|payload| (payload.to_vec(), used + len)).ok_or(Wrong::Truncated { len, missing })
}

/// By a reader that has read two values before.
pub fn by_reader(src: &[u8], rules: Rules) -> Outcome {
    let input = [&[0x07, 0xac, 0x02], src].concat();
    let mut reader = Reader::new(&input);
    assert_eq!((reader.read::<u8>(), reader.read::<u64>()), (Ok(7), Ok(300)));
    match reader.read_length_prefixed(rules.prefix()) {
        Ok(payload) => Ok((payload.to_vec(), reader.position() - 3)),
        Err(error) => {
            assert_eq!(reader.position(), 3, "a failed read moves nothing");
            Err(match error.into() {
                Wrong::Prefix(fault) => Wrong::Prefix(Fault { offset: fault.offset - 3, ..fault }),
                other => other,
            })
        }
    }
}

/// `src` by an API under all rules, with limits around the length of what is there.
pub fn alike(name: &str, api: Api, src: &[u8]) {
    let len = oracle::decode::<u64>(src, false).map_or(0, |(len, _)| len);
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    for max_len in [0, len.saturating_sub(1), len, len.saturating_add(1), 1 << 20, usize::MAX] {
        for rules in Rules::each(max_len) {
            assert_eq!(api(src, rules), read(src, rules), "{name} on {src:02x?} by {rules:?}");
        }
    }
}

/// Everything that an API can get wrong.
pub fn suite(name: &str, api: Api) {
    let payload: Vec<u8> = (0..=255).cycle().take(20_000).collect();
    for len in [0, 1, 2, 126, 127, 128, 129, 300, 8191, 8192, 8193, 16_383, 16_384, 20_000] {
        let whole = frame(&payload[..len]);
        alike(name, api, &whole);
        alike(name, api, &[&whole[..], &[0x80, 0x00, 0x07]].concat());
        for cut in [0, 1, 2, 3, len / 2, len.saturating_sub(1), len, len + 1] {
            alike(name, api, &whole[..cut.min(whole.len())]);
        }
    }
    for overlong in [&[0x80, 0x00][..], &[0x81, 0x00, 9], &[0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 7, 7]] {
        alike(name, api, overlong);
    }
    let bare_prefixes =
        [u64::MAX, u64::MAX - 1, u64::from(u32::MAX) + 1, u64::from(u32::MAX), 1 << 31, 1 << 20, 300];
    for len in bare_prefixes {
        let prefix = oracle::encode(len);
        alike(name, api, &[&prefix[..], b"few"].concat());
        for cut in 0..=prefix.len() {
            alike(name, api, &prefix[..cut]);
        }
    }
    let endless = [0x80; 12];
    let too_great = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
    alike(name, api, &endless);
    alike(name, api, &too_great);
    alike(name, api, &too_great[5..]);
}

/// That the suite finds what is wrong with an API.
pub fn finds(name: &str, faulty: Api) {
    let run = AssertUnwindSafe(|| suite(name, faulty));
    assert!(catch_unwind(run).is_err(), "the suite passes an API with: {name}");
}
