//! Codecs as child processes: right ones pass, and whatever a wrong one does is named, with the
//! values, in bounded time.

#[path = "../../../../tests/common/exec_child.rs"]
mod child;
mod faults;
mod languages;
mod lifetimes;
