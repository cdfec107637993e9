//! The options for the codecs to check.

#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use clap::ValueHint;
use clap::{Args, ValueEnum};
#[cfg(unix)]
use every_input::Exec;
use every_input::{Checkpoint, Codec};
use zigzag_varint::Kernel;

#[cfg(unix)]
use super::common::duration;
use super::common::{CODEC, kernel};
use crate::codecs::{Api, CodecInteger, name_of};
use crate::output::error::Error;

/// The codecs to check.
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
    /// Check a codec in any language, run as a child process
    ///
    /// COMMAND starts a program that encodes and decodes values by the protocol that `sweep protocol`
    /// prints. One child runs for each thread. COMMAND is split into words as in a
    /// shell, but no shell runs. The option can be repeated, as --codec.
    #[cfg(unix)]
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString, help_heading = CODEC)]
    exec: Vec<String>,
    /// Time limit for each answer of the --exec program
    #[cfg(unix)]
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "10s",
        value_parser = duration,
        requires = "exec",
        help_heading = CODEC,
        hide_short_help = true
    )]
    exec_timeout: Duration,
}

impl CodecArguments {
    /// Takes the codec with this name, unless the command line names another.
    ///
    /// # Errors
    ///
    /// Returns an error if the codec is not built in.
    pub(crate) fn default_to(&mut self, name: &str) -> Result<(), Error> {
        if self.builtin.is_empty() && self.commands().is_empty() {
            let codec = Api::from_str(name, false).map_err(|_| {
                let name = name.escape_debug();
                Error::usage(format_args!(
                    "--replay: the failures are of the codec '{name}', which is not built in; add --exec or --codec"
                ))
            })?;
            self.builtin.push(codec);
        }
        Ok(())
    }

    /// Checks that only the kernel of `--kernel` has taken part in the sweep of a checkpoint. A
    /// kernel that was chosen automatically may differ from one machine to another.
    ///
    /// # Errors
    ///
    /// Returns an error if another kernel has.
    pub(crate) fn check_kernel(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let before = checkpoint.report().and_then(|report| report.kernel.as_deref());
        match (&self.kernels[..], before) {
            ([kernel], Some(before)) if before != kernel.name() => Err(Error::file(format_args!(
                "--kernel {kernel}: the sweep of this checkpoint has used the kernel {before}; remove --kernel to \
                 resume it with any kernel, or name another checkpoint",
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the codecs that the arguments name: first the built-in ones, then those of `--exec`.
    ///
    /// # Errors
    ///
    /// Returns an error if the program of `--exec` cannot be started, if no codec has the kernel,
    /// or if a codec does not support the type.
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
        let mut codecs = Vec::new();
        for (codec, kernel) in variants {
            codecs.push(codec.codec(kernel).map_err(Error::usage)?);
        }
        #[cfg(unix)]
        for command in &self.exec {
            let codec = Exec::start(command, self.exec_timeout);
            codecs.push(Box::new(codec.map_err(|error| Error::usage(format_args!("--exec: {error}")))?));
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
        options.extend(self.commands().iter().map(|command| ("--exec", command.clone())));
        #[cfg(unix)]
        if !self.exec.is_empty() {
            let timeout = humantime::format_duration(self.exec_timeout).to_string();
            options.push(("--exec-timeout", timeout.replace(' ', "")));
        }
        options.into_iter().flat_map(|(option, value)| [option.to_owned(), value]).collect()
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
        &self.exec
    }

    #[cfg(not(unix))]
    fn commands(&self) -> &[String] {
        &[]
    }
}
