//! `sweep bytes`: checks every decoder of the crate on every byte string up to a length, and on
//! structured longer ones.

#[cfg(unix)]
use clap::builder::ArgPredicate;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
#[cfg(unix)]
use every_input::ExecDecoder;
use every_input::byte_strings::Decoders;
use every_input::replay::Replay;
use every_input::{ByteStrings, Sweep};
use zigzag_varint::Kernel;

#[cfg(unix)]
use super::run::subject;
use super::run::{Subject, run};
use super::sweep::EXIT_CODES;
use crate::arguments::codecs::unnamed_codec;
use crate::arguments::common::{CODEC, WHAT, count, kernel};
#[cfg(unix)]
use crate::arguments::exec::ExecArguments;
use crate::arguments::run::RunArguments;
use crate::codecs::{Api, CodecInteger, IntegerType, with_type};
use crate::output::error::{Error, ExitCode};
use crate::output::signals::handle_interrupts;

const EXAMPLES: &str = r#"
Examples:
  sweep bytes               check a sample of the strings for 10 seconds, five types, every decoder
  sweep bytes --exhaustive  check all strings of up to three bytes, and structured ones
  sweep bytes --exhaustive --decoder bulk --kernel scalar  check one decoder on one kernel
  sweep bytes --exec "node decoder.js"  check a decoder of u64 in another language
  sweep bytes --len 4 --exhaustive --shard 3/8 --json shard-3.json
                            check part 3 of 8; sweep merge joins the reports
"#;

/// Check decoders on every byte string up to a length
///
/// Checks every byte string of up to --len bytes, valid or not, and structured strings of up to 11
/// bytes, with every pattern of continuation bits; or a sample of them, if that takes longer than
/// --budget. Every decoder decodes each string alone and within a sequence of values. It does so
/// twice: the lenient mode accepts overlong encodings, and the canonical mode rejects them.
///
/// An independent reference decoder calculates the expected result: the value and its length, or
/// the kind and offset of the error. A program of --exec gets each string alone, and rejects overlong
/// encodings or accepts them.
#[derive(Args)]
#[command(after_long_help = [EXIT_CODES, EXAMPLES].concat())]
pub(crate) struct BytesCommand {
    /// Include every string of 0 to N bytes, N at most 5
    ///
    /// Each further byte takes 256 times as long. Of longer strings there are structured ones.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = length, help_heading = WHAT)]
    len: usize,
    /// Integer types to decode, separated by commas; u64 with --exec
    #[arg(
        long = "type",
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "u8,u16,u32,u64,i64",
        help_heading = WHAT
    )]
    #[cfg_attr(unix, arg(default_value_if("commands", ArgPredicate::IsPresent, "u64")))]
    types: Vec<IntegerType>,
    /// Decoders to check, separated by commas [default: all]
    #[arg(long = "decoder", value_name = "NAME,...", value_delimiter = ',', value_parser = decoder(), help_heading = CODEC)]
    #[cfg_attr(unix, arg(conflicts_with = "commands"))]
    decoders: Vec<Api>,
    /// Kernels for --decoder bulk, separated by commas [default: all of this CPU]
    #[arg(long = "kernel", value_name = "NAME,...", value_delimiter = ',', value_parser = kernel(), hide_possible_values = true, help_heading = CODEC)]
    #[cfg_attr(unix, arg(conflicts_with = "commands"))]
    kernels: Vec<Kernel>,
    #[cfg(unix)]
    #[command(flatten)]
    exec: ExecArguments,
    /// Expect that the program of --exec rejects overlong encodings
    ///
    /// Without the option, it must accept them. A decoder of this crate is checked in both modes.
    #[cfg(unix)]
    #[arg(long, requires = "commands", help_heading = CODEC)]
    canonical: bool,
    #[command(flatten)]
    run: RunArguments,
}

impl BytesCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        #[cfg(unix)]
        if !self.exec.commands.is_empty() {
            return self.run_programs();
        }
        let chosen: Vec<Api> =
            if self.decoders.is_empty() { Api::decoders().collect() } else { self.decoders.clone() };
        if !self.kernels.is_empty() && !chosen.iter().any(|decoder| decoder.has_kernels()) {
            return Err(Error::usage(
                "--kernel: none of these decoders has kernels to choose from; add --decoder bulk or remove --kernel",
            ));
        }
        let kernels =
            if self.kernels.is_empty() { Kernel::available().collect() } else { self.kernels.clone() };
        let mut decoders = Decoders::new();
        for &value_type in &self.types {
            decoders = with_type!(value_type, with_decoders(decoders, &chosen, &kernels));
        }
        let replay = self.run.read_replay()?;
        let is_of_program = |replay: &&Replay| replay.codec.starts_with("exec: ");
        if let Some(replay) = replay.as_ref().filter(is_of_program).filter(|_| self.decoders.is_empty()) {
            return Err(unnamed_codec(&replay.codec, "--decoder"));
        }
        handle_interrupts(self.run.output.quiet);
        let sweep = self.run.apply(Sweep::of(ByteStrings::structured(self.len)), replay, 1)?;
        let subject: Subject<'_> =
            Box::new(|watch, checkpoint| sweep.check_decoders_watched(&decoders, watch, checkpoint));
        run(&self.run, None, &[subject])
    }
}

#[cfg(unix)]
impl BytesCommand {
    fn run_programs(&self) -> Result<ExitCode, Error> {
        let replay = self.run.read_replay()?;
        handle_interrupts(self.run.output.quiet);
        let sweeps = self.types.len() * self.exec.commands.len();
        let sweep = self.run.apply(Sweep::of(ByteStrings::structured(self.len)), replay, sweeps)?;
        let mut subjects = Vec::new();
        for &value_type in &self.types {
            subjects.extend(with_type!(value_type, programs(self, &sweep))?);
        }
        run(&self.run, None, &subjects)
    }
}

#[cfg(unix)]
fn programs<'s, T: CodecInteger>(
    arguments: &BytesCommand,
    sweep: &'s Sweep<ByteStrings>,
) -> Result<Vec<Subject<'s>>, Error> {
    let BytesCommand { exec, canonical, .. } = arguments;
    let mode = if *canonical { ", canonical" } else { "" };
    let decoders = exec.commands.iter().zip(exec.start(ExecDecoder::<T>::start)?);
    let subject = |(command, decoder): (&String, ExecDecoder<T>)| {
        let name = format!("exec: {command} as {}{mode}", <T as every_input::Number>::NAME);
        subject(sweep, name, decoder.canonical(*canonical))
    };
    Ok(decoders.map(subject).collect())
}

fn with_decoders<T: CodecInteger>(all: Decoders, chosen: &[Api], kernels: &[Kernel]) -> Decoders {
    chosen.iter().fold(all, |all, decoder| decoder.add_to::<T>(all, kernels))
}

fn length(text: &str) -> Result<usize, String> {
    const MAX: usize = ByteStrings::MAX_LEN_FOR_DECODERS;
    let len = count(text).ok().filter(|&len| len <= MAX as u64).map(|len| len as usize);
    len.ok_or_else(|| format!("choose 0 to {MAX} (structured strings of up to 11 bytes are always checked)"))
}

fn decoder() -> impl TypedValueParser<Value = Api> {
    let values = Api::decoders().filter_map(|api| api.to_possible_value());
    PossibleValuesParser::new(values).try_map(|name| Api::from_str(&name, false))
}
