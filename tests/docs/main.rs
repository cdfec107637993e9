//! The tests of the documentation, with one module for each subject.

#[cfg(unix)]
mod budget;
mod checks_run;
mod hidden_lines;
mod links;
mod modules;
mod paths;
