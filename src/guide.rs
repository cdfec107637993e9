//! Guides: first programs, formats and errors, migration, speed and size, and how claims are checked.
//!
//! [`start`] has a program for each kind of data, and [`formats`] the wire type that each format needs.

/// Declares a module whose documentation is a file in `docs/`.
///
/// The files end with definitions of their links that are right in the repository. The definitions
/// here come first, and in Markdown the first definition of a label wins. So the same links lead to
/// modules on the crate page.
macro_rules! guide {
    ($module:ident, $file:literal, $summary:literal) => {
        #[doc = $summary]
        #[doc = ""]
        #[doc = "[article]: https://docs.rs/crate/zigzag-varint/latest/source/docs/article.md"]
        #[doc = "[checking]: https://docs.rs/crate/zigzag-varint/latest/source/docs/checking.md"]
        #[doc = "[formats]: crate::guide::formats"]
        #[doc = "[formats-errors]: crate::guide::formats#errors"]
        #[doc = "[formats-table]: crate::guide::formats#what-the-formats-require"]
        #[doc = "[frames-over-tcp]: https://docs.rs/crate/zigzag-varint/latest/source/examples/frames_over_tcp.rs"]
        #[doc = "[implementations]: https://docs.rs/crate/zigzag-varint/latest/source/docs/implementations.md"]
        #[doc = "[inverted-index]: https://docs.rs/crate/zigzag-varint/latest/source/examples/inverted_index.rs"]
        #[doc = "[line-index]: https://docs.rs/crate/zigzag-varint/latest/source/examples/line_index.rs"]
        #[doc = "[migrating]: crate::guide::migrating"]
        #[doc = "[protobuf-relay]: https://docs.rs/crate/zigzag-varint/latest/source/examples/protobuf_relay.rs"]
        #[doc = "[security]: https://docs.rs/crate/zigzag-varint/latest/source/SECURITY.md"]
        #[doc = "[speed]: crate::guide::speed"]
        #[doc = "[speed-programs]: crate::guide::speed#in-published-crates"]
        #[doc = "[wasm-sections]: https://docs.rs/crate/zigzag-varint/latest/source/examples/wasm_sections.rs"]
        #[doc = ""]
        #[cfg_attr(any(not(doctest), feature = "std"), doc = include_str!($file))]
        pub mod $module {}
    };
}

guide!(start, "../docs/start.md", "A program for each kind of data.");
guide!(formats, "../docs/formats.md", "The wire type that a format needs, and what to do about each error.");
guide!(migrating, "../docs/migrating.md", "The calls that replace those of other crates.");
guide!(speed, "../docs/speed.md", "The times of every kernel beside other crates, and what a program pays.");
guide!(trust, "../docs/trust.md", "What is claimed, and how each claim is checked.");

/// The examples of the pages that need the engine, tested with the others.
#[cfg(all(doctest, feature = "sweep"))]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/checking.md")]
    mod checking {}
}
