//! Writing and reading a profile returns the same profile.

use std::error::Error;
use std::io::Read;

use flate2::read::GzDecoder;
use pprof_views::Profile;
use proptest::prelude::*;

use super::synthetic::{arbitrary, small};

proptest! {
    #[test]
    fn writing_and_reading_returns_an_equal_profile(synthetic in arbitrary()) {
        let profile = Profile::from_bytes(&synthetic.bytes()).expect("a profile");
        prop_assert_eq!(profile.len(), synthetic.samples.len());
        prop_assert_eq!(profile.duration_nanos(), synthetic.duration);
        prop_assert_eq!(&Profile::from_bytes(&profile.to_bytes()).expect("bytes that were just written"), &profile);
        prop_assert_eq!(&Profile::from_bytes(&profile.to_gzip()?).expect("gzip that was just written"), &profile);
    }
}

#[test]
fn totals_are_the_sums_of_the_values() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    assert_eq!(profile.sample_types().collect::<Vec<_>>(), [("samples", "count"), ("cpu", "nanoseconds")]);
    assert_eq!((profile.total(0), profile.total(1), profile.total(2)), (27, 255_100_000, 0));
    assert_eq!(profile.len(), 12);
    Ok(())
}

#[test]
fn a_compressed_profile_is_gzip() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    let mut uncompressed = vec![];
    GzDecoder::new(&profile.to_gzip()?[..]).read_to_end(&mut uncompressed)?;
    assert_eq!(uncompressed, profile.to_bytes());
    Ok(())
}
