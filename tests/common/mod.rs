//! What the tests share: an independent oracle, streams that hurt, and buffers with a guard page on either side.

#![allow(dead_code, unreachable_pub)] // each test program takes the part that it needs

pub mod guard;
pub mod naive;
pub mod streams;
pub mod suite;
