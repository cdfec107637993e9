//! The decoder's own space: byte strings, sound or not, through every door and against an independent oracle.
//!
//! The sweep over values sees a decoder on what an encoder wrote. Here it gets *every* byte string up to a length, and
//! structured ones up to eleven bytes: every pattern of continuation bits, filled alike but for one byte, which takes
//! the limits of every width and each bit alone. By both policies, lenient and canonical, a door must come to the same
//! value, length, kind of error and offset as an oracle that calculates in base 128 and shares no code with it.
//!
//! Bulk decoders use their vector code only where there is much to decode, so strings come in five placements:
//!
//! | [`Placement`] | strings | doors |
//! |---|---|---|
//! | `First`: the string is the input, one value is asked for | all (bulk: up to 3 bytes, and structured ones) | all |
//! | `Whole`: the string is the input, all values are asked for | all | bulk |
//! | `InOrder`: a stream of 1024 strings, neighbours cut into varints alike | all | all |
//! | `Mixed`: a stream of 1024 strings unlike each other, with long varints between, into rooms of different size | up to 3 bytes, and structured ones; of longer ones one in 16 | bulk |
//! | `AtEnd`: behind 0 to 99 bytes of sound varints, at the end of the input | up to 2 bytes, and structured ones | bulk |
//!
//! In the two kinds of streams a string that ends inside a varint gets a last byte, `01`, so that every string is judged
//! from its first byte on; the last of a mixed stream stays cut short. Behind a fault the decoding starts anew with the
//! next string.
//!
//! ```
//! use zigzag_varint::Kernel;
//! use varint_sweep::bytes::{ByteSweep, NamedDoor};
//!
//! let bulk = NamedDoor::by_name("bulk").unwrap();
//! let report = bulk.add_to(ByteSweep::<u16>::new().len(1), &[Kernel::detect()]).run()?;
//! assert_eq!(report.disagreements, 0);
//! # Ok::<(), varint_sweep::SweepError>(())
//! ```

mod check;
mod disagreement;
mod door;
mod doors;
mod examine;
mod plain;
mod report;
mod run;
mod script;
mod scripts;
mod strings;
mod tally;
mod text;
mod verdict;
mod worker;

pub use disagreement::{Disagreement, Placement};
pub use door::Door;
pub use doors::{ConstDecode, DOORS, NamedDoor};
pub use report::{DoorReport, Report, StringsReport, TypeReport};
pub use run::{ByteSweep, MAX_LEN};
pub use strings::LONGEST;
pub use text::Text;
pub use verdict::{Ended, Fault, Verdict};
