//! Shared parts of the codec's tests: oracles, edge cases, guard pages, and the checks that every
//! implementation of an API must pass. The fuzz targets use these modules too.

#![allow(dead_code, unreachable_pub)] // each fuzz target uses a part of it

/// Defines an enum, and the list of its variants.
macro_rules! listed {
    ($(#[$doc:meta])* $Name:ident { $($(#[$attribute:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Name {
            $($(#[$attribute])* $variant,)*
        }

        impl $Name {
            #[allow(unused_doc_comments)] // that of the variants
            pub const ALL: &[Self] = &[$($(#[$attribute])* Self::$variant),*];
        }
    };
}

pub mod child;
pub mod delta_checks;
pub mod delta_codecs;
pub mod delta_oracle;
pub mod frames;
pub mod guard_pages;
pub mod pieces;
pub mod random_values;
pub mod wire_types;
pub mod wires;
