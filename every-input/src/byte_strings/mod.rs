//! Checks decoders on byte strings, valid or not, against an independent reference decoder.
//!
//! A sweep over values gives a decoder only bytes that an encoder wrote. This check gives it
//! *every* byte string up to a length, and structured strings up to eleven bytes. Structured
//! strings have every pattern of continuation bits. Their payloads are equal in all bytes but one.
//! That one takes each bit alone, and the limits of the last byte for every integer width.
//!
//! The reference decoder calculates in base 128 and shares no code with any codec. A decoder must
//! return the same value and length as the reference decoder, or the same error kind and offset.
//! This is checked in lenient and in canonical mode.
//!
//! Bulk decoders use their vector code only on long inputs. So strings are given in five
//! placements:
//!
//! | placement | input | strings | decoders |
//! |---|---|---|---|
//! | one value | the string; one value is decoded | all (bulk decoders: up to 3 bytes, and structured strings) | all |
//! | all values | the string; all values are decoded | all | bulk |
//! | stream | a stream of 1024 strings; most adjacent strings have the same continuation bits | all | all |
//! | mixed stream | a stream of 1024 dissimilar strings with long varints between them; the capacity for values varies | up to 3 bytes, and structured strings; one in 16 of the longer ones | bulk |
//! | appended | 0 to 99 bytes of valid varints, then the string | up to 2 bytes, and structured strings | bulk |
//!
//! In both kinds of streams, a string that ends inside a varint is terminated by a byte `01`, so
//! that the varint does not continue in the next string. Only the last string of a mixed stream
//! stays truncated. After an error, decoding continues with the next string.
//!
//! See [`ByteDecoder`] for an example.

mod batch;
pub(crate) mod decoder;
pub(crate) mod decoders;
mod placement_check;
pub(crate) mod reference;
mod strings;

pub use decoder::{BulkOutcome, ByteDecoder, DecodingError, ErrorKind, Outcome};
pub use decoders::Decoders;
