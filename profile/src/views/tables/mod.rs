//! The tables of `go tool pprof`: `top`, `tree`, `peek` and `list`.

mod calls;
mod list;
mod peek;
mod source;
mod top;
mod tree;
