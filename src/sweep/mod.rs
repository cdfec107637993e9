//! The sweep engine.
