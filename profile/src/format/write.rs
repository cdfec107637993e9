//! Writes pprof's format.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;

use super::profile::Profile;

impl Profile {
    /// Returns the profile in pprof's format without compression: the content of a `.pb` file.
    ///
    /// Reading these bytes returns an equal profile.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.tables.encode_to_vec()
    }

    /// Returns the profile in pprof's format, compressed with gzip: the content of a `.pb.gz` file.
    ///
    /// # Errors
    ///
    /// Does not fail in practice, because it writes to memory.
    pub fn to_gzip(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(vec![], Compression::default());
        encoder.write_all(&self.to_bytes())?;
        encoder.finish()
    }
}
