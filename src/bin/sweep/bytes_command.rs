//! `sweep bytes`: checks every decoder of the crate on every byte string up to a length, and on
//! structured longer ones.

use clap::{Args, ValueEnum};
use varint_sweep::Sweep;
use varint_sweep::byte_strings::{Decoders, MAX_EXHAUSTIVE_LEN, MAX_STRUCTURED_LEN};
use zigzag_varint::Kernel;

use super::builtin_decoders::{BuiltinDecoder, ConstDecode};
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_headings::{CODEC, WHAT};
use super::integer_type::{IntegerType, with_type};
use super::run_arguments::{RunArguments, Subject};
use super::sweep_command::EXIT_CODES;
use super::value_parsers::{count, kernel};

const EXAMPLES: &str = "
Examples:
  sweep bytes               check a sample of the strings for 10 seconds, five types, every decoder
  sweep bytes --exhaustive  check all strings of up to three bytes, and structured ones
  sweep bytes --exhaustive --decoder bulk --kernel scalar  check one decoder on one kernel
  sweep bytes --len 4 --exhaustive --shard 3/8 --json shard-3.json
                            check part 3 of 8; sweep merge joins the reports
";

/// Check decoders on every byte string up to a length
///
/// Checks every byte string of up to --len bytes, valid or not, and structured strings of up to 11
/// bytes, with every pattern of continuation bits; or a sample of them, if that takes longer than
/// --budget. Every decoder decodes each string alone and within a sequence of values. It does so
/// twice: the lenient mode accepts overlong encodings, and the canonical mode rejects them.
///
/// An independent reference decoder calculates the expected result: the value and its length, or
/// the kind and offset of the error.
#[derive(Args)]
#[command(after_long_help = [EXIT_CODES, EXAMPLES].concat())]
pub(crate) struct BytesCommand {
    /// Include every string of 0 to N bytes, N at most 5
    ///
    /// Each further byte takes 256 times as long. Of longer strings there are structured ones.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count, help_heading = WHAT)]
    len: u64,
    /// Integer types to decode, separated by commas
    #[arg(
        long = "type",
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "u8,u16,u32,u64,i64",
        help_heading = WHAT
    )]
    types: Vec<IntegerType>,
    /// Decoders to check, separated by commas [default: all]
    #[arg(long = "decoder", value_name = "NAME,...", value_delimiter = ',', help_heading = CODEC)]
    decoders: Vec<BuiltinDecoder>,
    /// Kernels for --decoder bulk, separated by commas [default: all of this CPU]
    #[arg(long = "kernel", value_name = "NAME,...", value_delimiter = ',', value_parser = kernel(), hide_possible_values = true, help_heading = CODEC)]
    kernels: Vec<Kernel>,
    #[command(flatten)]
    run: RunArguments,
}

impl BytesCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        if !self.kernels.is_empty() && !self.decoders().iter().any(|decoder| decoder.has_kernels()) {
            return Err(Error::usage(
                "--kernel: none of these decoders has kernels to choose from; add --decoder bulk or remove --kernel",
            ));
        }
        let mut decoders = Decoders::new();
        if !self.kernels.is_empty() {
            decoders = decoders.with_chosen_kernels();
        }
        for value_type in distinct(&self.types) {
            decoders = with_type!(value_type, with_decoders(decoders, self));
        }
        if self.len > MAX_EXHAUSTIVE_LEN as u64 {
            return Err(Error::usage(self.too_long(&decoders)));
        }
        let replay = self.run.read_replay()?;
        let sweep = self.run.apply(Sweep::of_byte_strings(self.len as usize), replay, 1)?;
        let subject = Subject {
            names: [sweep.name(), "decoders".into()],
            replay_command: None,
            check: Box::new(|_, watch, checkpoint| sweep.check_watched(&decoders, watch, checkpoint)),
        };
        self.run.run(vec![subject], |_| Ok(()))
    }

    fn decoders(&self) -> &[BuiltinDecoder] {
        if self.decoders.is_empty() { BuiltinDecoder::value_variants() } else { &self.decoders }
    }

    /// Returns the message for a length beyond the limit. It has the time that this length would
    /// take, from a trial with the same decoders and types.
    fn too_long(&self, decoders: &Decoders) -> String {
        let strings = 256f64.powi(self.len.min(100) as i32);
        let len = self.len;
        let remedy = format!(
            "choose 0 to {MAX_EXHAUSTIVE_LEN} (structured strings of up to {MAX_STRUCTURED_LEN} bytes are always checked)"
        );
        let trial = Sweep::of_byte_strings(1).exhaustive().max_failures(0).check(decoders);
        match trial {
            Ok(trial) => {
                let years = strings / trial.values_per_second.max(1.0) / 31_557_600.0;
                format!("--len {len}: {strings:.1e} strings would take {years:.1e} years here; {remedy}")
            }
            Err(_) => format!("--len {len}: {strings:.1e} strings are too many; {remedy}"),
        }
    }
}

/// Adds the decoders of one type.
fn with_decoders<T: ConstDecode>(all: Decoders, arguments: &BytesCommand) -> Decoders {
    let kernels = match &arguments.kernels[..] {
        [] => Kernel::available().collect(),
        chosen => distinct(chosen),
    };
    let decoders = distinct(arguments.decoders()).into_iter();
    decoders.fold(all, |all, decoder| decoder.add_to::<T>(all, &kernels))
}

/// Returns the items without repetitions.
fn distinct<I: Copy + PartialEq>(items: &[I]) -> Vec<I> {
    let is_first = |&(index, item): &(usize, &I)| !items[..index].contains(item);
    items.iter().enumerate().filter(is_first).map(|(_, item)| *item).collect()
}
