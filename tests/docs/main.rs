//! The tests of the documentation, with one module for each subject.

mod hidden_lines;
mod links;
mod modules;
mod paths;
