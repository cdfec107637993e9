//! Codecs as child processes: correct ones pass, and every fault of a wrong one is reported for its
//! values in bounded time.

#[path = "../../../../tests/common/exec_child.rs"]
mod child;
mod faults;
mod languages;
mod lifetimes;
