//! Guides: first steps, decoding rules, migration, speed, size, AVX-512, `sweep`, and how claims are checked.
//!
//! [`first_hour`] is the best start, and [`policy`] helps to choose between lenient and canonical
//! decoding. The guides to [`sweep`] and to [sweeps of your own function or codec](own_sweep) are
//! about checking.

/// Declares a module whose documentation is a file in `docs/`.
///
/// The files end with definitions of their links that are right in the repository. The definitions
/// here come first, and in Markdown the first definition of a label wins. So the same links lead to
/// modules on the crate page. Examples are tested if the feature that they need is enabled.
macro_rules! guide {
    ($module:ident, $file:literal, $feature:literal, $summary:literal) => {
        #[doc = $summary]
        #[doc = ""]
        #[doc = "[article]: https://docs.rs/crate/zigzag-varint/latest/source/README.md#sweep"]
        #[doc = "[avx512]: crate::guide::avx512#measurement"]
        #[doc = "[ci]: https://docs.rs/crate/zigzag-varint/latest/source/docs/ci.md"]
        #[doc = "[cluster]: https://docs.rs/crate/zigzag-varint/latest/source/docs/cluster.md"]
        #[doc = "[journey]: https://docs.rs/crate/zigzag-varint/latest/source/docs/journey.md"]
        #[doc = "[own-sweep]: crate::guide::own_sweep"]
        #[doc = "[own-sweep-bytes]: crate::guide::own_sweep#invalid-input-byte-strings"]
        #[doc = "[own-sweep-test]: crate::guide::own_sweep#two-functions-in-a-test"]
        #[doc = "[own-sweep-wire]: crate::guide::own_sweep#another-wire-format"]
        #[doc = "[policy-errors]: crate::guide::policy#errors"]
        #[doc = "[policy-formats]: crate::guide::policy#what-the-formats-require"]
        #[doc = "[profiling]: https://docs.rs/crate/zigzag-varint/latest/source/docs/profiling.md"]
        #[doc = "[reference]: https://docs.rs/crate/zigzag-varint/latest/source/docs/reference.md"]
        #[doc = "[security]: https://docs.rs/crate/zigzag-varint/latest/source/SECURITY.md"]
        #[doc = "[speed]: crate::guide::speed"]
        #[doc = "[sweep]: crate::guide::sweep"]
        #[doc = "[trust]: crate::guide::trust"]
        #[doc = "[versions]: https://docs.rs/crate/zigzag-varint/latest/source/CONTRIBUTING.md#versions"]
        #[doc = "[wasm]: crate::guide::speed#webassembly"]
        #[doc = "[watching]: https://docs.rs/crate/zigzag-varint/latest/source/docs/watching.md"]
        #[doc = "[weight]: crate::guide::size#measured-sizes"]
        #[doc = ""]
        #[cfg_attr(any(not(doctest), feature = $feature), doc = include_str!($file))]
        pub mod $module {}
    };
}

guide!(first_hour, "../docs/first-hour.md", "std", "From an empty folder to a test of your own codec.");
guide!(policy, "../docs/policy.md", "std", "Lenient or canonical decoding, and what to do about each error.");
guide!(migrating, "../docs/migrating.md", "std", "The calls that replace those of other crates.");
guide!(adopting, "../docs/adopting.md", "std", "For maintainers of parsers: a patch and its effect.");
guide!(speed, "../docs/speed.md", "std", "The times of every type and kernel, compared with other crates.");
guide!(size, "../docs/size.md", "std", "What a program pays for the crate, and how to make it small.");
guide!(avx512, "../docs/avx512.md", "std", "AVX-512 and the frequency of the CPU.");
guide!(sweep, "../docs/sweep.md", "std", "The program `sweep`, which checks codecs value by value.");
guide!(own_sweep, "../docs/own-sweep.md", "sweep", "Checking your own function or codec with `every-input`.");
guide!(trust, "../docs/trust.md", "std", "What is claimed, and how each claim is checked.");
