//! The tags of fields, for programs that read and write messages without generated code.

use super::error::{FieldError, MAX_DEPTH};
use crate::const_functions::Const;
use crate::encoded::Encoded;
use crate::length_prefix::LengthPrefix;
use crate::reader::Reader;

/// What follows a tag: the "wire type" of Protocol Buffers, the low three bits of a tag.
///
/// It has another name because a wire type of this crate, such as [`Int32`](super::Int32), also says
/// what the value means. The variants have the names in "Encoding", section "Message Structure".
///
/// | number | `TagType` | types of fields | read the value by |
/// |---|---|---|---|
/// | 0 | `Varint` | `int32` to `bool`, `enum` | [`Reader::read`] with a wire type of [`protobuf`](super) |
/// | 1 | `I64` | `fixed64`, `sfixed64`, `double` | [`Reader::read_array`] and `from_le_bytes` |
/// | 2 | `Len` | `string`, `bytes`, messages, packed fields | [`Reader::read_length_prefixed`] |
/// | 3, 4 | `SGroup`, `EGroup` | the start and the end of a group, which is deprecated | [`Tag::read`] up to its end |
/// | 5 | `I32` | `fixed32`, `sfixed32`, `float` | [`Reader::read_array`] and `from_le_bytes` |
///
/// ```
/// use zigzag_varint::protobuf::{Tag, TagType};
///
/// assert_eq!(Tag::from_u32(0x12).map(Tag::tag_type), Some(TagType::Len));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[doc(alias = "WireType")]
pub enum TagType {
    /// A varint of at most ten bytes.
    Varint = 0,
    /// 64 bits, the lowest byte first.
    I64 = 1,
    /// A length, and that many bytes.
    Len = 2,
    /// The start of a group: fields up to an `EGroup` with the same number.
    SGroup = 3,
    /// The end of a group. No value follows.
    EGroup = 4,
    /// 32 bits, the lowest byte first.
    I32 = 5,
}

/// The tag of a field: its number, and the type of what follows.
///
/// A message is a sequence of fields, each of which is a tag and a value. Constants can stand in the arms
/// of a `match`. A field with another number or type is unknown: [`skip`](Self::skip) it.
///
/// ```
/// use zigzag_varint::protobuf::{FieldError, Sint32, Tag, TagType};
/// use zigzag_varint::{LengthPrefix, Reader, Varint};
///
/// // message Sample { sint32 offset = 1; string name = 2; float celsius = 3; }
/// const OFFSET: Tag = Tag::new(1, TagType::Varint).unwrap();
/// const NAME: Tag = Tag::new(2, TagType::Len).unwrap();
/// const CELSIUS: Tag = Tag::new(3, TagType::I32).unwrap();
/// const BYTES: LengthPrefix = LengthPrefix::without_limit(); // borrowed from the message
///
/// fn parse(message: &[u8]) -> Result<(i32, &[u8], f32), FieldError> {
///     let (mut offset, mut name, mut celsius) = (0, &[][..], 0.0);
///     let mut reader = Reader::new(message);
///     while !reader.is_empty() {
///         match Tag::read(&mut reader)? {
///             OFFSET => offset = reader.read::<Sint32>()?,
///             NAME => name = reader.read_length_prefixed(BYTES)?,
///             CELSIUS => celsius = f32::from_le_bytes(reader.read_array()?),
///             unknown => unknown.skip(&mut reader)?,
///         }
///     }
///     Ok((offset, name, celsius))
/// }
///
/// let mut message = Vec::new();
/// message.extend(OFFSET.encode());
/// message.extend(Sint32::encode(-2));
/// message.extend(Tag::new(1000, TagType::I64).unwrap().encode()); // of a newer sender
/// message.extend(9u64.to_le_bytes());
/// message.extend(NAME.encode());
/// # #[cfg(feature = "alloc")]
/// BYTES.encode_append(b"probe 7", &mut message)?;
/// message.extend(CELSIUS.encode());
/// message.extend(21.5f32.to_le_bytes());
///
/// # #[cfg(feature = "alloc")]
/// assert_eq!(parse(&message)?, (-2, &b"probe 7"[..], 21.5));
/// # Ok::<(), FieldError>(())
/// ```
///
/// On the wire a tag is a `u32`: streams read and write it as one ([`from_u32`](Self::from_u32)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tag(u32);

impl Tag {
    /// The greatest field number, 2^29 - 1.
    pub const MAX_NUMBER: u32 = u32::MAX >> 3;

    /// Creates the tag of a field. Returns `None` if `number` is 0 or above [`MAX_NUMBER`](Self::MAX_NUMBER).
    ///
    /// ```
    /// use zigzag_varint::protobuf::{Tag, TagType};
    ///
    /// const NAME: Tag = Tag::new(2, TagType::Len).unwrap();
    /// assert_eq!(NAME.number(), 2);
    /// assert_eq!(Tag::new(0, TagType::Len), None);
    /// assert_eq!(Tag::new(1 << 29, TagType::Len), None);
    /// ```
    #[must_use]
    pub const fn new(number: u32, tag_type: TagType) -> Option<Self> {
        if number > Self::MAX_NUMBER { None } else { Self::from_u32(number << 3 | tag_type as u32) }
    }

    /// Returns the tag of a number on the wire, or `None` if its field number is 0 or its type is 6 or 7.
    ///
    /// ```
    /// use zigzag_varint::protobuf::{Tag, TagType};
    ///
    /// assert_eq!(Tag::from_u32(0x12), Tag::new(2, TagType::Len));
    /// assert_eq!(Tag::from_u32(0x02), None);
    /// assert_eq!(Tag::from_u32(0x16), None);
    /// ```
    #[must_use]
    pub const fn from_u32(tag: u32) -> Option<Self> {
        if tag >> 3 == 0 || tag & 7 > TagType::I32 as u32 { None } else { Some(Self(tag)) }
    }

    /// Returns the number on the wire: the field number times eight, plus the type.
    ///
    /// ```
    /// use zigzag_varint::protobuf::{Tag, TagType};
    ///
    /// assert_eq!(Tag::new(2, TagType::Len).map(Tag::to_u32), Some(0x12));
    /// ```
    #[must_use]
    pub const fn to_u32(self) -> u32 {
        self.0
    }

    /// Returns the field number, which is 1 to [`MAX_NUMBER`](Self::MAX_NUMBER).
    ///
    /// ```
    /// use zigzag_varint::protobuf::Tag;
    ///
    /// assert_eq!(Tag::from_u32(0x12).map(Tag::number), Some(2));
    /// ```
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 >> 3
    }

    /// Returns the type of what follows the tag.
    ///
    /// ```
    /// use zigzag_varint::protobuf::{Tag, TagType};
    ///
    /// assert_eq!(Tag::from_u32(0x15).map(Tag::tag_type), Some(TagType::I32));
    /// ```
    #[must_use]
    pub const fn tag_type(self) -> TagType {
        match self.0 & 7 {
            0 => TagType::Varint,
            1 => TagType::I64,
            2 => TagType::Len,
            3 => TagType::SGroup,
            4 => TagType::EGroup,
            _ => TagType::I32, // no `Tag` has the types 6 and 7
        }
    }

    /// Encodes the tag into an inline buffer.
    ///
    /// ```
    /// use zigzag_varint::protobuf::{Tag, TagType};
    ///
    /// const TAG: &[u8] = Tag::new(16, TagType::Varint).unwrap().encode().as_bytes();
    /// assert_eq!(TAG, [0x80, 0x01]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn encode(self) -> Encoded<[u8; 5]> {
        Const::<u32>::encode(self.0)
    }

    /// Decodes the tag at the start of `src`, and returns it with the length of its encoding in bytes.
    ///
    /// # Errors
    ///
    /// [`FieldError::Varint`], [`InvalidTag`](FieldError::InvalidTag).
    ///
    /// ```
    /// use zigzag_varint::protobuf::{FieldError, Tag, TagType};
    ///
    /// let (tag, len) = Tag::decode(&[0x80, 0x01, 0x07])?;
    /// assert_eq!((tag.number(), tag.tag_type(), len), (16, TagType::Varint, 2));
    /// assert_eq!(Tag::decode(&[0x00]), Err(FieldError::InvalidTag { tag: 0, offset: 0 }));
    /// # Ok::<(), FieldError>(())
    /// ```
    #[inline]
    pub const fn decode(src: &[u8]) -> Result<(Self, usize), FieldError> {
        match Const::<u32>::decode(src) {
            Ok((tag, len)) => match Self::from_u32(tag) {
                Some(valid) => Ok((valid, len)),
                None => Err(FieldError::InvalidTag { tag, offset: len - 1 }),
            },
            Err(error) => Err(FieldError::Varint(error)),
        }
    }

    /// Reads the next tag.
    ///
    /// # Errors
    ///
    /// Those of [`decode`](Self::decode); the position is unchanged then. At the end of the input the error
    /// is `Truncated`: check [`Reader::is_empty`] first.
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Tag};
    ///
    /// let mut reader = Reader::new(&[0x08, 0x96, 0x01]);
    /// assert_eq!(Tag::read(&mut reader)?.number(), 1);
    /// assert_eq!(reader.read::<u64>()?, 150);
    /// # Ok::<(), zigzag_varint::protobuf::FieldError>(())
    /// ```
    #[inline]
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, FieldError> {
        let mut ahead = reader.clone();
        let tag = ahead.read::<u32>()?;
        let invalid = || FieldError::InvalidTag { tag, offset: last_byte_read(&ahead) };
        let valid = Self::from_u32(tag).ok_or_else(invalid)?;
        *reader = ahead;
        Ok(valid)
    }

    /// Skips the value after this tag, which `reader` has just read. A group is skipped to its end.
    ///
    /// Varints and tags are validated, also within a group; the contents of length-delimited values are not.
    ///
    /// # Errors
    ///
    /// [`FieldError`]; the position is unchanged then. More than 100 nested groups are `TooDeep`, and the
    /// end of a group that is not the innermost open one is `UnexpectedEnd`.
    ///
    /// ```
    /// use zigzag_varint::{Reader, protobuf::Tag};
    ///
    /// // A group with a varint, and a string.
    /// let mut reader = Reader::new(b"\x0b\x10\x96\x01\x0c\x1a\x02hi");
    /// while !reader.is_empty() {
    ///     Tag::read(&mut reader)?.skip(&mut reader)?;
    /// }
    /// # Ok::<(), zigzag_varint::protobuf::FieldError>(())
    /// ```
    #[inline]
    pub fn skip(self, reader: &mut Reader<'_>) -> Result<(), FieldError> {
        match self.tag_type() {
            TagType::Varint => _ = reader.read::<u64>()?,
            TagType::I64 => _ = reader.read_array::<8>()?,
            TagType::Len => _ = reader.read_length_prefixed(LengthPrefix::without_limit())?,
            TagType::I32 => _ = reader.read_array::<4>()?,
            TagType::SGroup => self.skip_group(reader)?,
            TagType::EGroup => {
                let (number, offset) = (self.number(), last_byte_read(reader));
                return Err(FieldError::UnexpectedEnd { number, offset });
            }
        }
        Ok(())
    }

    /// Skips the fields of a group, without recursion: the open groups are in an array.
    #[cold]
    fn skip_group(self, reader: &mut Reader<'_>) -> Result<(), FieldError> {
        let (mut ahead, mut open, mut depth) = (reader.clone(), [self; MAX_DEPTH], 1);
        while depth > 0 {
            let tag = Self::read(&mut ahead)?;
            match tag.tag_type() {
                TagType::SGroup if depth == MAX_DEPTH => {
                    return Err(FieldError::TooDeep { offset: last_byte_read(&ahead) });
                }
                TagType::SGroup => {
                    open[depth] = tag;
                    depth += 1;
                }
                TagType::EGroup if tag.number() == open[depth - 1].number() => depth -= 1,
                _ => tag.skip(&mut ahead)?,
            }
        }
        *reader = ahead;
        Ok(())
    }
}

/// Returns the offset of the last byte of the tag that was just read.
fn last_byte_read(reader: &Reader<'_>) -> usize {
    reader.position().saturating_sub(1)
}
