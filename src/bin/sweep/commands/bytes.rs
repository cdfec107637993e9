//! `sweep bytes`: checks every decoder of the crate on every byte string up to a length, and on
//! structured longer ones.

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
use crate::codecs::{Api, CodecInteger, IntegerType, name_of, with_type};
use crate::output::error::{Error, ExitCode};
#[cfg(unix)]
use crate::output::files::Destinations;
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
    /// Include every string of 0 to N bytes, N at most 5 [default: 3]
    ///
    /// Each further byte takes 256 times as long. Of longer strings there are structured ones.
    #[arg(long, value_name = "N", value_parser = length, help_heading = WHAT)]
    len: Option<usize>,
    /// Integer types to decode, separated by commas; u64 with --exec [default: u8,u16,u32,u64,i64]
    #[arg(long = "type", value_name = "TYPE,...", value_delimiter = ',', help_heading = WHAT)]
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
    pub(crate) fn run(mut self) -> Result<ExitCode, Error> {
        let outputs = self.run.open(&self.programs())?;
        let replay = self.run.read_replay()?;
        replay.iter().try_for_each(|replay| self.replay(replay))?;
        if self.types.is_empty() {
            use IntegerType::{I64, U8, U16, U32, U64};
            self.types = if self.is_of_programs() { vec![U64] } else { vec![U8, U16, U32, U64, I64] };
        }
        #[cfg(unix)]
        if self.is_of_programs() {
            return self.run_programs(outputs, replay);
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
        handle_interrupts(self.run.output.quiet);
        let sweep = self.run.apply(Sweep::of(self.strings()), replay, 1)?;
        let subject: Subject<'_> =
            Box::new(|watch, checkpoint| sweep.check_decoders_watched(&decoders, watch, checkpoint));
        run(&self.run, outputs, None, &[subject])
    }

    fn strings(&self) -> ByteStrings {
        ByteStrings::structured(self.len.unwrap_or(3))
    }

    /// Takes the strings, the types and the decoders of a file of failures, where the command line names
    /// none.
    fn replay(&mut self, Replay { value_type, codec, .. }: &Replay) -> Result<(), Error> {
        let has_len = |&len: &usize| Sweep::of(ByteStrings::structured(len)).name() == *value_type;
        let len = (0..=ByteStrings::MAX_LEN_FOR_DECODERS).find(has_len).ok_or_else(|| {
            let strings = value_type.escape_debug();
            Error::usage(format_args!(
                "--replay: the failures are of {strings}, not of byte strings for decoders; leave out `bytes`"
            ))
        })?;
        self.len.get_or_insert(len);
        let (names, types) = codec.rsplit_once(" as ").unwrap_or((codec, ""));
        if self.types.is_empty() {
            let types = types.split(", ");
            self.types = types.filter_map(|name| IntegerType::from_str(name, false).ok()).collect();
        }
        #[cfg(unix)]
        if self.is_of_programs() {
            self.canonical |= names.starts_with("exec: ") && types.ends_with(", canonical");
            return Ok(());
        }
        if self.decoders.is_empty() {
            let is_named = |api: &Api, name| name_of(api) == name;
            let known = names.split(", ").map(|name| Api::decoders().find(|api| is_named(api, name)));
            let known: Option<_> = known.collect();
            self.decoders = known.ok_or_else(|| unnamed_codec(codec, "--decoder"))?;
        }
        Ok(())
    }

    fn is_of_programs(&self) -> bool {
        !self.programs().is_empty()
    }

    #[cfg(unix)]
    fn programs(&self) -> Vec<&str> {
        self.exec.commands.iter().map(String::as_str).collect()
    }

    #[cfg(not(unix))]
    fn programs(&self) -> Vec<&str> {
        Vec::new()
    }
}

#[cfg(unix)]
impl BytesCommand {
    fn run_programs(&self, outputs: Destinations, replay: Option<Replay>) -> Result<ExitCode, Error> {
        handle_interrupts(self.run.output.quiet);
        let sweeps = self.types.len() * self.exec.commands.len();
        let sweep = self.run.apply(Sweep::of(self.strings()), replay, sweeps)?;
        let mut subjects = Vec::new();
        for &value_type in &self.types {
            subjects.extend(with_type!(value_type, programs(self, &sweep))?);
        }
        run(&self.run, outputs, None, &subjects)
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
