//! Checks decoders on byte strings, valid or not, against an independent reference decoder.
//!
//! The sweep over values gives a decoder only what an encoder wrote. This check gives it *every* byte string up to a
//! length, and structured ones up to eleven bytes: every pattern of continuation bits, with equal payloads in all bytes
//! but one, which takes the limits of every width and each bit alone. Lenient and canonical, a decoder must give the
//! same value and length, or the same kind of error and offset, as the reference decoder, which calculates in base 128
//! and shares no code with it.
//!
//! Bulk decoders use their vector code only on long inputs, so strings come in five placements:
//!
//! | [`Placement`] | input | strings | decoders |
//! |---|---|---|---|
//! | `First` | the string; one value is decoded | all (bulk: up to 3 bytes, and structured ones) | all |
//! | `Whole` | the string; all values are decoded | all | bulk |
//! | `InOrder` | a stream of 1024 strings; most neighbours have the same continuation bits | all | all |
//! | `Mixed` | a stream of 1024 unlike strings with long varints between them; the space for values varies | up to 3 bytes, and structured ones; of longer ones one in 16 | bulk |
//! | `AtEnd` | 0 to 99 bytes of valid varints, then the string | up to 2 bytes, and structured ones | bulk |
//!
//! In both kinds of streams a string that ends inside a varint gets a last byte, `01`, so that it does not run into the
//! next one; only the last string of a mixed stream stays truncated. After an error, decoding starts again at the next
//! string.
//!
//! [`ByteDecoder`] has an example.

mod batch;
mod check;
mod decoder;
mod describe;
mod disagreement;
mod inputs;
mod outcome;
mod placement;
mod reference;
mod report;
mod run;
mod strings;
mod text;
mod worker;

pub use decoder::ByteDecoder;
pub use disagreement::Disagreement;
pub use outcome::{BulkOutcome, ErrorKind, Fault, Outcome};
pub use placement::Placement;
pub use report::{DecoderReport, Report, StringsReport, TypeReport};
pub use run::{ByteSweep, MAX_LEN};
pub use strings::LONGEST;
pub use text::Text;
