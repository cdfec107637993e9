//! `sweep` without a subcommand: checks a codec.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use every_input::replay::Replay;
#[cfg(unix)]
use every_input::{ExecFunctions, Number, Ulps};
use every_input::{Integer, NoOracle, Report, RoundTrip};
use zigzag_varint::Kernel;

use super::run::{run, subject};
use crate::arguments::codecs::CodecArguments;
use crate::arguments::common::{CODEC, OUTPUT};
use crate::arguments::plan::{Preset, ValueArguments};
use crate::arguments::run::RunArguments;
use crate::codecs::{Api, CodecInteger, FloatType, ValueType, name_of, with_type};
use crate::output::console::print;
use crate::output::error::{Error, ExitCode};
use crate::output::files::Destinations;
use crate::output::signals::handle_interrupts;

/// The exit codes of a sweep, in its long help.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  no failure
    1  failures found, or the program of --exec crashed or hung too often
    2  invalid arguments
    3  a file cannot be used
    4  slower than --min-rate
  124  time limit reached
  130  interrupted
If several of them apply, the first of 3, 130, 1, 124 and 4 is returned.
";

pub(crate) const EXAMPLES: &str = r#"
Examples:
  sweep                              check a random sample of all i64 for 10 seconds
  sweep --type i32 --exhaustive      check all 4,294,967,296 values
  sweep -5..=5 MIN..=-9_000_000_000  check two ranges
  sweep --exec "python3 codec.py"    check a codec in another language
  sweep --exec ./root --reference "python3 root.py" --type u32  check a function against another
  sweep --type f32 --exec "./math sinf" --reference "./math sin" --ulps 1  check a function of floats
  sweep --codec bulk --codec single  sweep two codecs, and show their speed
  sweep --exhaustive --checkpoint x  save progress in the file x; run it again to continue
  sweep --exhaustive --shard 3/8 --json shard-3.json  check part 3 of 8; sweep merge joins the reports
  sweep --budget 5m --json report.json --junit junit.xml  check a codec in a CI job
"#;

#[derive(Args)]
pub(crate) struct SweepCommand {
    #[command(flatten)]
    values: ValueArguments,
    #[command(flatten)]
    codecs: CodecArguments,
    #[command(flatten)]
    run: RunArguments,
    /// List codecs, kernels and presets, and exit
    #[arg(long, help_heading = CODEC)]
    list: bool,
    /// Print the JSON Schema of all reports, and exit
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    schema: bool,
}

impl SweepCommand {
    pub(crate) fn run(mut self) -> Result<ExitCode, Error> {
        if self.list {
            print(&list())?;
            return Ok(ExitCode::Success);
        }
        if self.schema {
            print(Report::JSON_SCHEMA)?;
            return Ok(ExitCode::Success);
        }
        let outputs = self.run.open(&self.codecs.programs())?;
        let replay = self.run.read_replay()?;
        if let Some(replay) = &replay {
            self.values.replay(replay)?;
            replay.wire.as_ref().map_or(Ok(()), |wire| self.codecs.replay_wire(wire))?;
            self.codecs.default_to(&replay.codec)?;
        }
        let (value_type, this) = (self.values.value_type(), &self);
        match value_type {
            ValueType::Integer(integer) => with_type!(integer, sweep(this, outputs, replay)),
            #[cfg(unix)]
            ValueType::Float(float) if self.codecs.reference.is_some() => match float {
                FloatType::F32 => functions::<f32>(this, outputs, replay, ExecFunctions::ulps),
                FloatType::F64 => functions::<f64>(this, outputs, replay, ExecFunctions::ulps),
                FloatType::F16 => functions::<half::f16>(this, outputs, replay, ExecFunctions::ulps),
                FloatType::Bf16 => functions::<half::bf16>(this, outputs, replay, ExecFunctions::ulps),
            },
            ValueType::Float(_) => Err(Error::usage(format_args!(
                "--type {}: floats are for functions of programs; add --exec and --reference",
                name_of(&value_type)
            ))),
        }
    }
}

/// Sweeps one type. Validates all arguments before the work starts.
fn sweep<T: CodecInteger>(
    arguments: &SweepCommand,
    outputs: Destinations,
    replay: Option<Replay>,
) -> Result<ExitCode, Error> {
    let SweepCommand { values, codecs: named, run: options, .. } = arguments;
    #[cfg(unix)]
    if named.reference.is_some() {
        if named.ulps.is_some() {
            return Err(Error::usage(format_args!(
                "--ulps: integers have no units in the last place (--type {}); add --type f32 or f64, or remove --ulps",
                name_of(&values.value_type())
            )));
        }
        return functions::<T>(arguments, outputs, replay, |functions, _| functions);
    }
    handle_interrupts(options.output.quiet);
    let replay_command = Some(&*values.replay_command(named.words()));
    let codecs = named.all::<T>()?;
    let sweep = options.apply(values.sweep::<T>()?, replay, codecs.len())?;
    let any = NoOracle { max_len: <T as Integer>::MAX_LEN };
    let subjects = codecs.iter().map(|codec| match (codec.name().to_owned(), named.wire()) {
        (name, Some(wire)) => subject(&sweep, name, RoundTrip::new(&**codec, wire)),
        (name, None) => subject(&sweep, name, RoundTrip::new(&**codec, any)),
    });
    run(options, outputs, replay_command, &subjects.collect::<Vec<_>>())
}

/// Sweeps functions of programs, each with the same reference.
#[cfg(unix)]
fn functions<T: Number>(
    arguments: &SweepCommand,
    outputs: Destinations,
    replay: Option<Replay>,
    by_ulps: fn(ExecFunctions<T>, Ulps) -> ExecFunctions<T>,
) -> Result<ExitCode, Error> {
    let SweepCommand { values, codecs: CodecArguments { exec, reference, ulps, .. }, run: options, .. } =
        arguments;
    handle_interrupts(options.output.quiet);
    let replay_command = Some(&*values.replay_command(arguments.codecs.words()));
    let reference = reference.as_deref().unwrap_or_default();
    let functions = exec.start(|command, timeout| {
        let functions = ExecFunctions::<T>::start([command, reference], timeout)?;
        Ok(match ulps {
            Some(limit) => by_ulps(functions, Ulps(*limit)),
            None => functions,
        })
    })?;
    let sweep = options.apply(values.sweep::<T>()?, replay, functions.len())?;
    let limit = ulps.map(|limit| format!(", within {limit} ULP")).unwrap_or_default();
    let subjects = exec.commands.iter().zip(functions).map(|(command, function)| {
        subject(&sweep, format!("exec: {command}, reference: {reference}{limit}"), function)
    });
    run(options, outputs, replay_command, &subjects.collect::<Vec<_>>())
}

fn list() -> String {
    let kernels: String = Kernel::available().map(|kernel| format!("  {kernel}\n")).collect();
    format!(
        "codecs (--codec):\n{}\nkernels of this CPU (--kernel), slowest first:\n{kernels}\npresets (--preset):\n{}",
        list_of::<Api>(),
        list_of::<Preset>()
    )
}

fn list_of<T: ValueEnum>() -> String {
    let line = |value: PossibleValue| {
        format!("  {:<12} {}\n", value.get_name(), value.get_help().unwrap_or_default())
    };
    T::value_variants().iter().filter_map(T::to_possible_value).map(line).collect()
}
