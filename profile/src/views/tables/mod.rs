//! The tables of `go tool pprof`: `top`, `peek` and `list`.

mod columns;
mod heading;
mod list;
mod peek;
mod source;
mod table;
mod top;
