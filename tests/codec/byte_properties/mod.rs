//! The properties of the codec that hold for any byte string. Each serves a test and the fuzz
//! target of the same name.

#![allow(dead_code, unreachable_pub)] // each test program and fuzz target uses a part of it

pub mod apis;
pub mod chunks;
mod examples;
pub mod formats;
pub mod kernels;

use crate::property::Property;

pub const ALL: &[Property] = &[
    Property { name: "apis", check: apis::check, examples: apis::examples },
    Property { name: "kernels", check: kernels::check, examples: kernels::examples },
    Property { name: "chunks", check: chunks::check, examples: chunks::examples },
    Property { name: "formats", check: formats::check, examples: formats::examples },
];
