//! `--failures`: writes every failure to a file, one per line, while the sweep runs.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use varint_sweep::replay::FailureRecord;
use varint_sweep::{Failure, OutputFile, OutputStream};

use super::error::Error;
use super::named_output::{cannot_open, cannot_write};

/// The name of the content in error messages.
const CONTENT: &str = "list of failures";

/// A file of failures that is being written. It replaces an existing file only at the end, so that
/// a reader never sees half of it.
#[derive(Clone)]
pub(crate) struct FailuresFile {
    path: PathBuf,
    stream: Arc<Mutex<Stream>>,
}

/// The stream, or the first error; `None` after the end.
type Stream = Option<io::Result<BufWriter<OutputStream>>>;

impl FailuresFile {
    /// Opens the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let stream = OutputFile::create(path).and_then(OutputFile::stream);
        let stream = stream.map_err(|error| cannot_open(CONTENT, path, &error))?;
        Ok(Self { path: path.to_owned(), stream: Arc::new(Mutex::new(Some(Ok(BufWriter::new(stream))))) })
    }

    /// Adds a failure of this codec on values of this type.
    pub(crate) fn add(&self, value_type: &str, codec: &str, failure: &Failure) {
        let mut stream = lock(&self.stream);
        let Some(Ok(writer)) = &mut *stream else { return };
        let write = |writer: &mut BufWriter<_>| {
            serde_json::to_writer(&mut *writer, &FailureRecord::new(value_type, codec, failure))?;
            writer.write_all(b"\n")
        };
        if let Err(error) = write(writer) {
            *stream = Some(Err(error));
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Returns an error if a failure could not be written. An existing file is unchanged then.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Some(stream) = lock(&self.stream).take() else { return Ok(()) };
        let finish = |writer: BufWriter<OutputStream>| writer.into_inner()?.finish();
        stream.and_then(finish).map_err(|error| cannot_write(CONTENT, &self.path, &error))
    }
}

fn lock(stream: &Mutex<Stream>) -> MutexGuard<'_, Stream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}
