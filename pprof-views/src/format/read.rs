//! Reads pprof's format, with or without gzip compression. Invalid input is an error, never a
//! panic.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use prost::Message;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::ProfileError;
use super::fields::{Fields, malformed, truncated};
use super::limits::Limits;
use super::profile::Profile;
use super::samples::{Samples, reserve};
use super::strings::Strings;
use super::validate::{Ids, validate, wrong_count};
use super::wire::{LABEL, LOCATION_ID, Label, SAMPLE, STRING, Tables, VALUE};

impl Profile {
    /// Reads a profile of any program from a file in pprof's format, with or without gzip
    /// compression.
    ///
    /// # Errors
    ///
    /// - [`ProfileError::Io`] if the file cannot be read.
    /// - [`ProfileError::Gzip`] if the gzip stream is damaged.
    /// - [`ProfileError::Empty`] or [`ProfileError::Malformed`] if the file is not a complete
    ///   profile in pprof's format.
    /// - [`ProfileError::TooLarge`] or [`ProfileError::TooManyFrames`] if the profile is beyond the
    ///   default [`Limits`].
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        Self::from_reader(File::open(path).map_err(ProfileError::Io)?, Limits::default())
    }

    /// Reads a profile from a stream until its end, such as standard input or a file, as
    /// [`read`](Self::read) does, but with these limits.
    ///
    /// Reading takes memory of at most five times the uncompressed size of a profile of a program, and of
    /// 24 times that of any bytes.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    pub fn from_reader(reader: impl Read, limits: Limits) -> Result<Self, ProfileError> {
        read(BufReader::new(reader), limits)
    }

    /// Reads a profile from memory, as [`read`](Self::read) does from a file.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read) except [`ProfileError::Io`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        read(bytes, Limits::default())
    }
}

/// The first two bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

fn read(mut source: impl BufRead, limits: Limits) -> Result<Profile, ProfileError> {
    if source.fill_buf().map_err(ProfileError::Io)?.starts_with(&GZIP) {
        let source = BufReader::new(MultiGzDecoder::new(source));
        Reading::new(limits).finish(Fields::new(source, limits.bytes, ProfileError::Gzip))
    } else {
        Reading::new(limits).finish(Fields::new(source, limits.bytes, ProfileError::Io))
    }
}

/// A profile that is being read.
struct Reading {
    profile: Profile,
    /// The ids in stacks. Locations follow later in most files.
    locations: Ids,
    limits: Limits,
    /// The number of locations in all stacks. Those beyond the limit are counted only.
    frames: usize,
}

impl Reading {
    fn new(limits: Limits) -> Self {
        let profile = Profile::new(Tables::default(), Samples::default(), Strings::default());
        let limits = Limits { frames: limits.frames.min(u32::MAX as usize), ..limits };
        Self { profile, locations: Ids::new("location"), limits, frames: 0 }
    }

    fn finish(mut self, mut fields: Fields<impl BufRead>) -> Result<Profile, ProfileError> {
        let result = self.add_fields(&mut fields);
        if fields.is_too_large() {
            return Err(ProfileError::TooLarge(self.limits.bytes));
        }
        result?;
        drop(fields);
        let Self { mut profile, locations, limits, frames } = self;
        validate(&mut profile, locations).map_err(ProfileError::Malformed)?;
        profile.samples.shrink();
        profile.strings.shrink();
        let lines: Vec<_> = profile.tables.location.iter().map(|it| it.lines().len()).collect();
        let stacks = profile.samples.iter().flat_map(|sample| sample.location_id);
        let all = stacks.map(|&location| lines[location as usize - 1]).fold(0, usize::saturating_add);
        if all.max(frames) > limits.frames {
            let is_heap = profile.sample_types().any(|(_, unit)| unit == "bytes");
            return Err(ProfileError::TooManyFrames { limit: limits.frames, is_heap });
        }
        Ok(profile)
    }

    fn add_fields(&mut self, fields: &mut Fields<impl BufRead>) -> Result<(), ProfileError> {
        let mut is_empty = true;
        while let Some(tag) = fields.next()? {
            is_empty = false;
            let tables = &mut self.profile.tables;
            match tag {
                SAMPLE => self.add_sample(fields.content()?)?,
                STRING => self.profile.strings.push(&String::from_utf8_lossy(fields.content()?)),
                _ => {
                    reserve(&mut tables.sample_type);
                    reserve(&mut tables.mapping);
                    reserve(&mut tables.location);
                    reserve(&mut tables.function);
                    tables.merge(fields.bytes()).map_err(malformed)?;
                    if let Some(location) = tables.location.last_mut() {
                        location.line.shrink_to_fit();
                    }
                }
            }
        }
        if is_empty { Err(ProfileError::Empty) } else { Ok(()) }
    }

    fn add_sample(&mut self, mut content: &[u8]) -> Result<(), ProfileError> {
        while !content.is_empty() {
            let (tag, wire_type) = decode_key(&mut content).map_err(malformed)?;
            match (tag, wire_type) {
                (LOCATION_ID | VALUE, WireType::Varint) => self.add_number(tag, &mut content)?,
                (LOCATION_ID | VALUE, WireType::LengthDelimited) => {
                    let mut packed = split(&mut content)?;
                    while !packed.is_empty() {
                        self.add_number(tag, &mut packed)?;
                    }
                }
                (LABEL, WireType::LengthDelimited) => {
                    let label = Label::decode(split(&mut content)?).map_err(malformed)?;
                    self.profile.samples.add_label(label);
                }
                _ => skip_field(wire_type, tag, &mut content, DecodeContext::default()).map_err(malformed)?,
            }
        }
        let Profile { tables, samples, .. } = &mut self.profile;
        samples.end().map_err(|values| {
            let types = tables.sample_type.len();
            let values = if samples.types() == types { values } else { samples.types() };
            ProfileError::Malformed(wrong_count(values, types))
        })
    }

    fn add_number(&mut self, tag: u32, content: &mut &[u8]) -> Result<(), ProfileError> {
        let number = decode_varint(content).map_err(malformed)?;
        if tag == VALUE {
            self.profile.samples.add_value(number as i64);
            return Ok(());
        }
        self.frames += 1;
        if self.frames <= self.limits.frames {
            let location = self.locations.number(number);
            self.profile.samples.add_location(location);
        }
        Ok(())
    }
}

/// Removes a length and as many bytes from the front of `content`, and returns these bytes.
fn split<'c>(content: &mut &'c [u8]) -> Result<&'c [u8], ProfileError> {
    let size = decode_varint(content).map_err(malformed)?;
    let size =
        usize::try_from(size).ok().filter(|&size| size <= content.len()).ok_or_else(|| truncated("field"))?;
    let (front, rest) = content.split_at(size);
    *content = rest;
    Ok(front)
}
