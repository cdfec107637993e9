//! The tests of the documentation, with one module for each subject.

#[cfg(unix)]
mod checks_run;
mod links;
mod modules;
mod packages;
mod pages;
