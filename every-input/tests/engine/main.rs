//! The tests of the engine, one module per subject. To run one of them:
//! `cargo test -p every-input --test engine merge::`.

/// Calls a generic function for each type.
macro_rules! call_each {
    ($check:ident: $($int:ident)*) => { $($check::<$int>();)* };
}

#[path = "../../../tests/common/leb128.rs"]
mod leb128;
#[path = "../../../tests/common/property/mod.rs"]
mod property;
#[cfg(target_os = "linux")]
#[path = "../../../tests/common/terminal.rs"]
mod terminal;
#[path = "../../../tests/common/waiting.rs"]
mod waiting;

mod byte_properties;
mod byte_strings;
mod checkpoint;
#[cfg(unix)]
mod exec;
mod failure_list;
mod functions;
#[cfg(feature = "half")]
mod halves;
mod interruptions;
mod locks;
mod long_plans;
mod merge;
mod messages;
mod misbehaving;
mod ranges;
mod refused;
mod slow;
mod spaces;
mod stopping;
mod sweep;
mod texts;
#[cfg(target_os = "linux")]
mod threads;
mod watching;
mod ways;
mod wire;
mod worst;
mod written;

/// Returns an exhaustive sweep of the values in a range.
fn exhaustive_in<T: every_input::Integer>(
    range: std::ops::RangeInclusive<i128>,
) -> every_input::Sweep<every_input::Scalars<T>> {
    let range = every_input::Interval { first: *range.start(), last: *range.end() };
    every_input::exhaustive(every_input::all()).ranges([range])
}

/// Returns a codec that is correct for every value.
fn right<T: every_input::Integer>() -> impl every_input::Codec<T> {
    every_input::codec_from_fns("right", leb128::encode, leb128::decode)
}

/// A temporary folder for the files of a test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Opens the checkpoint `sweep.json`.
    fn checkpoint(&self) -> every_input::Checkpoint {
        every_input::Checkpoint::open(&self.path("sweep.json")).unwrap()
    }

    /// Writes a report to a file, and returns its path.
    fn put(&self, name: &str, report: &impl serde::Serialize) -> std::path::PathBuf {
        std::fs::write(self.path(name), serde_json::to_string(report).unwrap()).unwrap();
        self.path(name)
    }
}

/// Returns the listed failures as their first and last inputs.
fn ranges_of(report: &every_input::Report) -> Vec<(&str, Option<&str>)> {
    report.first_failures.iter().map(|one| (&*one.value, one.last.as_deref())).collect()
}

/// A codec of whole blocks by two functions.
struct Blocks<E, D>(&'static str, E, D);

impl<T, E, D> every_input::Codec<T> for Blocks<E, D>
where
    E: Fn(&[T], &mut [u8]) -> Result<usize, every_input::CodecError> + Sync,
    D: Fn(&[u8], &mut [T]) -> Result<usize, every_input::CodecError> + Sync,
{
    fn name(&self) -> &str {
        self.0
    }

    fn encode(&self, values: &[T], dst: &mut [u8]) -> Result<usize, every_input::CodecError> {
        (self.1)(values, dst)
    }

    fn decode(&self, src: &[u8], values: &mut [T]) -> Result<usize, every_input::CodecError> {
        (self.2)(src, values)
    }
}
