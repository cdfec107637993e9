//! The fields of a protobuf message in a stream, one at a time, so that the message is never in memory
//! as a whole.

use std::io::{self, BufRead, Read, Take};

use prost::DecodeError;
use prost::encoding::{WireType, decode_key, decode_varint};

use super::ProfileError;

pub(super) struct Fields<R> {
    source: Take<R>,
    error: fn(io::Error) -> ProfileError,
    /// The current field.
    buffer: Vec<u8>,
    /// Where its content begins, if it has a length.
    content: Option<usize>,
}

pub(super) fn malformed(error: DecodeError) -> ProfileError {
    ProfileError::Malformed(error.to_string())
}

pub(super) fn truncated(part: &str) -> ProfileError {
    ProfileError::Malformed(format!("the end of a {part} is missing"))
}

impl<R: BufRead> Fields<R> {
    /// Errors of the source are passed to `error`.
    pub(super) fn new(source: R, limit: u64, error: fn(io::Error) -> ProfileError) -> Self {
        Self { source: source.take(limit.saturating_add(1)), error, buffer: vec![], content: None }
    }

    /// Returns whether the message has more bytes than the limit.
    pub(super) fn is_too_large(&self) -> bool {
        self.source.limit() == 0
    }

    /// Reads the next field and returns its tag, or `None` at the end of the message.
    pub(super) fn next(&mut self) -> Result<Option<u32>, ProfileError> {
        self.buffer.clear();
        self.content = None;
        if self.varint()?.is_none() {
            return Ok(None);
        }
        let (tag, wire_type) = decode_key(&mut &*self.buffer).map_err(malformed)?;
        let size = match wire_type {
            WireType::Varint => return self.varint()?.ok_or_else(|| truncated("varint")).map(|_| Some(tag)),
            WireType::SixtyFourBit => 8,
            WireType::ThirtyTwoBit => 4,
            WireType::LengthDelimited => {
                let size = self.varint()?.ok_or_else(|| truncated("varint"))?;
                self.content = Some(self.buffer.len());
                size
            }
            WireType::StartGroup | WireType::EndGroup => {
                return Err(ProfileError::Malformed(format!("field {tag} is of the wire type of groups")));
            }
        };
        let read = self.source.by_ref().take(size).read_to_end(&mut self.buffer).map_err(self.error)?;
        if read as u64 == size { Ok(Some(tag)) } else { Err(truncated("field")) }
    }

    /// Returns the current field with its tag.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns the content of the current field, which must have a length.
    pub(super) fn content(&self) -> Result<&[u8], ProfileError> {
        let start = self
            .content
            .ok_or_else(|| ProfileError::Malformed("wrong wire type of a sample or string".into()))?;
        Ok(&self.buffer[start..])
    }

    /// Reads a varint into the buffer. It is `None` at the end of the message.
    fn varint(&mut self) -> Result<Option<u64>, ProfileError> {
        let start = self.buffer.len();
        while self.buffer.len() < start + 10 && self.buffer[start..].last().is_none_or(|last| *last > 0x7f) {
            let Some(&byte) = self.source.fill_buf().map_err(self.error)?.first() else {
                return if self.buffer.len() == start { Ok(None) } else { Err(truncated("varint")) };
            };
            self.source.consume(1);
            self.buffer.push(byte);
        }
        decode_varint(&mut &self.buffer[start..]).map(Some).map_err(malformed)
    }
}
