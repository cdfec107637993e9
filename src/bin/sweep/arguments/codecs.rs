//! The options for the codecs to check.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
#[cfg(unix)]
use every_input::ExecCodec;
use every_input::{Codec, Wire};
use zigzag_varint::Kernel;

use super::common::{CODEC, kernel};
#[cfg(unix)]
use super::exec::ExecArguments;
use crate::codecs::{Api, CodecInteger, name_of};
use crate::output::error::Error;

/// The name of the wire format in reports of `--round-trip`.
const ANY: &str = "any";

/// The remedy for a wire format that no built-in codec has.
const OTHER_WIRE: &str =
    if cfg!(unix) { "remove --wire, or check a program with --exec only" } else { "remove --wire" };

fn wire_format() -> impl TypedValueParser<Value = Wire> {
    let value = |wire: Wire| {
        PossibleValue::new(wire.name()).help(match wire {
            Wire::Leb128 => "unsigned LEB128, as in Protocol Buffers; signed types by zigzag",
            Wire::SignedLeb128 => "signed LEB128, as in DWARF and WebAssembly",
            Wire::PrefixVarint => "PrefixVarint, as in the Rust crate vint64; signed types by zigzag",
        })
    };
    PossibleValuesParser::new(Wire::ALL.map(value))
        .try_map(|name| wire_by_name(&name).ok_or("unknown wire format"))
}

#[cfg(unix)]
fn ulps(text: &str) -> Result<f64, String> {
    let ulps = text.parse().ok().filter(|ulps: &f64| ulps.is_finite() && *ulps >= 0.0);
    ulps.ok_or_else(|| "expected a number of units in the last place, such as 0.5 or 2".into())
}

fn wire_by_name(name: &str) -> Option<Wire> {
    Wire::ALL.into_iter().find(|wire| wire.name() == name)
}

/// Returns the error for failures of a codec or program that the command line has to name, with
/// `--exec` or another option. No command of a file is run.
pub(crate) fn unnamed_codec(name: &str, other: &str) -> Error {
    let shown = name.escape_debug();
    if name.starts_with("exec: ") {
        return Error::usage(format_args!(
            "--replay: the failures are of '{shown}', and no command of a file is run; give --exec again, or add {other}"
        ));
    }
    Error::usage(format_args!(
        "--replay: the failures are of the codec '{shown}', which is not built in; add --exec or {other}"
    ))
}

#[derive(Args)]
pub(crate) struct CodecArguments {
    /// Built-in codec to check (see --list) [default: bulk]
    ///
    /// The option can be repeated, also together with --exec. Several codecs are swept one after the
    /// other, each for its part of the budget, and a table shows their speed.
    #[arg(long = "codec", value_name = "NAME", value_enum, hide_possible_values = true, help_heading = CODEC)]
    builtin: Vec<Api>,
    /// Kernel that the codec runs on (see --list) [default: the fastest]
    ///
    /// A kernel is an implementation of the bulk functions for one instruction set. The option
    /// applies to the codecs bulk and canonical. If it is repeated, the codec is swept on each one.
    #[arg(long = "kernel", value_name = "NAME", value_parser = kernel(), hide_possible_values = true, help_heading = CODEC, hide_short_help = true)]
    kernels: Vec<Kernel>,
    #[cfg(unix)]
    #[command(flatten)]
    pub(crate) exec: ExecArguments,
    /// Compare a function of --exec with that of this program
    ///
    /// Both programs are called with each value, and must return the same bytes, or floats as --ulps
    /// says. They have the same protocol and time limit.
    #[cfg(unix)]
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "commands",
        conflicts_with_all = ["builtin", "kernels", "wire", "round_trip"],
        help_heading = CODEC,
        hide_short_help = true
    )]
    pub(crate) reference: Option<String>,
    /// Compare floats with --reference by units in the last place
    ///
    /// The results of both programs are floats of --type, and a result passes if it is at most N units
    /// away, such as 0.5, or if both are NaN. The reference may return a wider result: an f32 or f64
    /// for a narrower float, or 16 bytes, which are two f64 whose sum is the result. The report has the worst
    /// input, and a table of the worst by exponent.
    #[cfg(unix)]
    #[arg(long, value_name = "N", value_parser = ulps, requires = "reference", help_heading = CODEC, hide_short_help = true)]
    pub(crate) ulps: Option<f64>,
    /// Wire format in which the bytes are checked [default: leb128]
    ///
    /// The built-in codecs write leb128. The other formats are for --exec.
    #[arg(long, value_name = "FORMAT", value_parser = wire_format(), conflicts_with = "round_trip", help_heading = CODEC, hide_short_help = true)]
    wire: Option<Wire>,
    /// Check only that decoding returns the value, in any wire format
    ///
    /// The decoder has to read all bytes. The encodings may be as long as the longest of leb128: 10
    /// bytes for 64 bits. A fault that the encoder and the decoder share is not found.
    #[arg(long, help_heading = CODEC, hide_short_help = true)]
    round_trip: bool,
}

impl CodecArguments {
    /// Returns the commands that the options name.
    pub(crate) fn programs(&self) -> Vec<&str> {
        #[cfg(unix)]
        let reference = self.reference.as_deref();
        #[cfg(not(unix))]
        let reference = None;
        self.commands().iter().map(String::as_str).chain(reference).collect()
    }

    /// Takes the codec with this name, unless the command line names another.
    pub(crate) fn default_to(&mut self, name: &str) -> Result<(), Error> {
        if self.builtin.is_empty() && self.commands().is_empty() {
            let codec = Api::from_str(name, false).map_err(|_| unnamed_codec(name, "--codec"))?;
            self.builtin.push(codec);
        }
        Ok(())
    }

    pub(crate) fn replay_wire(&mut self, name: &str) -> Result<(), Error> {
        if name == self.wire_name() {
            return Ok(());
        }
        let remedy = match (self.wire, self.round_trip) {
            (Some(_), _) => "remove --wire",
            (None, true) => "remove --round-trip",
            (None, false) => {
                (self.wire, self.round_trip) = (wire_by_name(name), name == ANY);
                if self.wire_name() == name {
                    return Ok(());
                }
                "check them in the program that wrote the file"
            }
        };
        let name = name.escape_debug();
        Err(Error::usage(format_args!("--replay: the failures are of the wire format {name}; {remedy}")))
    }

    /// Returns the wire format; `None` for any.
    pub(crate) fn wire(&self) -> Option<Wire> {
        (!self.round_trip).then(|| self.wire.unwrap_or(Wire::Leb128))
    }

    pub(crate) fn wire_name(&self) -> &'static str {
        self.wire().map_or(ANY, Wire::name)
    }

    /// Returns the codecs that the arguments name: first the built-in ones, then those of `--exec`.
    pub(crate) fn all<T: CodecInteger>(&self) -> Result<Vec<Box<dyn Codec<T>>>, Error> {
        let variants = self.variants();
        if !self.kernels.is_empty() && variants.iter().all(|(codec, _)| !codec.has_kernels()) {
            let exec = self.commands().iter().map(|_| "--exec".to_owned());
            let names: Vec<_> = variants.iter().map(|(codec, _)| name_of(codec)).chain(exec).collect();
            return Err(Error::usage(format_args!(
                "--kernel: no kernels to choose from (codecs: {}); use --codec bulk, or remove --kernel",
                names.join(", ")
            )));
        }
        if let Some((codec, _)) = variants.first()
            && let Some(wire) = self.wire().filter(|wire| *wire != Wire::Leb128)
        {
            let (wire, codec) = (wire.name(), name_of(codec));
            return Err(Error::usage(format_args!(
                "--wire {wire}: the codec {codec} writes leb128; {OTHER_WIRE}"
            )));
        }
        let mut codecs = Vec::new();
        for (codec, kernel) in variants {
            codecs.push(codec.codec(kernel).map_err(Error::usage)?);
        }
        #[cfg(unix)]
        for codec in self.exec.start(ExecCodec::start)? {
            codecs.push(Box::new(codec));
        }
        Ok(codecs)
    }

    /// Returns the options that name these codecs, as words of a command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut options: Vec<(&str, String)> = vec![];
        if self.builtin.is_empty() && self.commands().is_empty() {
            options.push(("--codec", name_of(&Api::Bulk)));
        }
        options.extend(self.builtin.iter().map(|codec| ("--codec", name_of(codec))));
        options.extend(self.kernels.iter().map(|kernel| ("--kernel", kernel.name().to_owned())));
        #[cfg(unix)]
        options.extend(self.exec.options());
        #[cfg(unix)]
        options.extend(self.reference.iter().map(|command| ("--reference", command.clone())));
        #[cfg(unix)]
        options.extend(self.ulps.iter().map(|ulps| ("--ulps", ulps.to_string())));
        options.extend(self.wire.iter().map(|wire| ("--wire", wire.name().to_owned())));
        let words = options.into_iter().flat_map(|(option, value)| [option.to_owned(), value]);
        words.chain(self.round_trip.then(|| "--round-trip".into())).collect()
    }

    /// Returns each built-in codec with each kernel that is given for it.
    fn variants(&self) -> Vec<(Api, Option<Kernel>)> {
        let default: &[_] = if self.commands().is_empty() { &[Api::Bulk] } else { &[] };
        let builtin = if self.builtin.is_empty() { default } else { &self.builtin };
        let variants = builtin.iter().flat_map(|&codec| {
            let kernels: &[_] = if codec.has_kernels() { &self.kernels } else { &[] };
            let given = kernels.iter().map(move |&kernel| (codec, Some(kernel)));
            given.chain(kernels.is_empty().then_some((codec, None)))
        });
        variants.collect()
    }

    #[cfg(unix)]
    fn commands(&self) -> &[String] {
        &self.exec.commands
    }

    #[cfg(not(unix))]
    fn commands(&self) -> &[String] {
        &[]
    }
}
