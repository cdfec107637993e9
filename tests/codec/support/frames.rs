//! Length-prefixed payloads: the oracle, and a suite for every API.

use zigzag_varint::{FrameError, LengthPrefix, Reader};

use zigzag_varint_oracle::{self as oracle, ErrorAt};

/// The settings with which a payload is read.
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

/// An error on reading a payload. Unlike [`FrameError`], tests can construct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadError {
    Prefix(ErrorAt),
    TooLong { len: u64, max_len: usize, offset: usize },
    Truncated { len: usize, missing: usize, offset: usize },
}

impl From<FrameError> for PayloadError {
    fn from(error: FrameError) -> Self {
        let offset = error.offset().unwrap_or_else(|| panic!("not an error of reading: {error:?}"));
        match error {
            FrameError::Prefix(error) => Self::Prefix(error.into()),
            FrameError::TooLong { len, max_len, .. } => Self::TooLong { len, max_len, offset },
            FrameError::Truncated { len, missing, .. } => Self::Truncated { len, missing, offset },
            other => panic!("not an error of reading: {other:?}"),
        }
    }
}

impl PayloadError {
    /// Returns the error inside an I/O error, whose kind must match it.
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

/// The payload and the length of the frame in bytes, or the error.
pub type Outcome = Result<(Vec<u8>, usize), PayloadError>;

/// A function that reads one payload.
pub type Api<'a> = &'a dyn Fn(&[u8], Rules) -> Outcome;

/// Reads a payload as specified: the oracle.
pub fn read(src: &[u8], rules: Rules) -> Outcome {
    read_borrowed(src, rules).map(|(payload, used)| (payload.to_vec(), used))
}

/// Reads a payload like [`read`], without copying it.
pub fn read_borrowed(src: &[u8], rules: Rules) -> Result<(&[u8], usize), PayloadError> {
    let bits = if rules.u32_prefix { 32 } else { 64 };
    let (len, used) = oracle::decode(src, bits, rules.canonical).map_err(PayloadError::Prefix)?;
    let limit = if rules.u32_prefix { rules.max_len.min(u32::MAX as usize) } else { rules.max_len };
    if len > limit as u128 {
        return Err(PayloadError::TooLong { len: len as u64, max_len: limit, offset: 0 });
    }
    let (rest, len) = (&src[used..], len as usize);
    match rest.get(..len) {
        Some(payload) => Ok((payload, used + len)),
        None => Err(PayloadError::Truncated { len, missing: len - rest.len(), offset: src.len() }),
    }
}

/// Returns the payload with its prefix.
pub fn frame(payload: &[u8]) -> Vec<u8> {
    [&oracle::encode_all([payload.len() as u128]), payload].concat()
}

/// Reads a payload from a slice.
pub fn by_slice(src: &[u8], rules: Rules) -> Outcome {
    let (payload, used) = rules.prefix().decode(src)?;
    let [end, end_in_source] = [payload, &src[..used]].map(|bytes| bytes.as_ptr_range().end);
    assert_eq!(end, end_in_source, "the payload is borrowed from the source");
    Ok((payload.to_vec(), used))
}

/// Decodes the prefix alone, and takes the payload from the slice.
pub fn by_prefix(src: &[u8], rules: Rules) -> Outcome {
    let (len, used) = rules.prefix().decode_prefix(src)?;
    let payload = src[used..].get(..len);
    let truncated = || {
        let missing = len.saturating_sub(src.len() - used);
        PayloadError::Truncated { len, missing, offset: src.len() }
    };
    payload.map(|payload| (payload.to_vec(), used + len)).ok_or_else(truncated)
}

/// Reads a payload with a reader that has read two values before.
pub fn by_reader(src: &[u8], rules: Rules) -> Outcome {
    let input = [&[0x07, 0xac, 0x02], src].concat();
    let mut reader = Reader::new(&input);
    assert_eq!((reader.read::<u8>(), reader.read::<u64>()), (Ok(7), Ok(300)));
    match reader.read_length_prefixed(rules.prefix()) {
        Ok(payload) => Ok((payload.to_vec(), reader.position() - 3)),
        Err(error) => {
            assert_eq!(reader.position(), 3, "a failed read keeps the position");
            let mut error = error.into();
            let (PayloadError::Prefix(ErrorAt { offset, .. })
            | PayloadError::TooLong { offset, .. }
            | PayloadError::Truncated { offset, .. }) = &mut error;
            *offset -= 3; // a Reader counts from the start of its slice
            Err(error)
        }
    }
}

/// Compares an API with the oracle on `src`, with all settings and with limits around the length in
/// the prefix.
pub fn compare(name: &str, api: Api, src: &[u8]) {
    let len = oracle::decode(src, 64, false).map_or(0, |(len, _)| len);
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    for max_len in [0, len.saturating_sub(1), len, len.saturating_add(1), 1 << 20, usize::MAX] {
        for rules in Rules::each(max_len) {
            assert_eq!(api(src, rules), read(src, rules), "{name} on {src:02x?} with {rules:?}");
        }
    }
}

/// Compares an API with the oracle on payloads and prefixes of all kinds.
pub fn suite(name: &str, api: Api) {
    let payload: Vec<u8> = (0..=255).cycle().take(20_000).collect();
    for len in [0, 1, 2, 126, 127, 128, 129, 300, 8191, 8192, 8193, 16_383, 16_384, 20_000] {
        let whole = frame(&payload[..len]);
        compare(name, api, &whole);
        compare(name, api, &[&whole[..], &[0x80, 0x00, 0x07]].concat());
        for cut in [0, 1, 2, 3, len / 2, len.saturating_sub(1), len, len + 1] {
            compare(name, api, &whole[..cut.min(whole.len())]);
        }
    }
    for overlong in [&[0x80, 0x00][..], &[0x81, 0x00, 9], &[0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 7, 7]] {
        compare(name, api, overlong);
    }
    let bare_prefixes =
        [u64::MAX, u64::MAX - 1, u64::from(u32::MAX) + 1, u64::from(u32::MAX), 1 << 31, 1 << 20, 300];
    for len in bare_prefixes {
        let prefix = oracle::encode_all([u128::from(len)]);
        compare(name, api, &[&prefix[..], b"few"].concat());
        for cut in 0..=prefix.len() {
            compare(name, api, &prefix[..cut]);
        }
    }
    let endless = [0x80; 12];
    let out_of_range = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
    compare(name, api, &endless);
    compare(name, api, &out_of_range);
    compare(name, api, &out_of_range[5..]);
}
