//! The check of decoders on byte strings: a correct decoder passes, and every injected fault is
//! reported.

mod bulk_faults;
mod checkpoint;
mod correct_decoders;
mod coverage;
mod limits;
mod one_value_faults;
mod watching;
