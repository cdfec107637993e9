//! What is read and written again is the same.

use std::error::Error;
use std::io::Read;

use flate2::read::GzDecoder;
use pprof_views::Profile;
use proptest::prelude::*;

use super::synthetic::{arbitrary, small};

proptest! {
    #[test]
    fn writing_and_reading_gives_the_same_profile(synthetic in arbitrary()) {
        let profile = Profile::from_bytes(&synthetic.bytes()).expect("a profile");
        prop_assert_eq!(profile.len(), synthetic.samples.len());
        prop_assert_eq!(profile.duration_nanos(), synthetic.duration);
        prop_assert_eq!(&Profile::from_bytes(&profile.to_bytes()).expect("its own bytes"), &profile);
        prop_assert_eq!(&Profile::from_bytes(&profile.to_gzip()?).expect("its own bytes, packed"), &profile);
    }
}

#[test]
fn totals_are_those_that_went_in() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    assert_eq!(profile.sample_types().collect::<Vec<_>>(), [("samples", "count"), ("cpu", "nanoseconds")]);
    assert_eq!((profile.total(0), profile.total(1), profile.total(2)), (27, 255_100_000, 0));
    assert_eq!(profile.len(), 12);
    Ok(())
}

#[test]
fn a_packed_profile_is_gzip() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    let mut unpacked = vec![];
    GzDecoder::new(&profile.to_gzip()?[..]).read_to_end(&mut unpacked)?;
    assert_eq!(unpacked, profile.to_bytes());
    Ok(())
}
