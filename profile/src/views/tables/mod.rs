//! The tables of `go tool pprof`: `top`, `peek` and `list`.

mod calls;
mod list;
mod peek;
mod source;
mod top;
