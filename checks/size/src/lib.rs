//! The frame of the programs.

#![no_std]

/// Defines a program, whose entry point evaluates `$result` with some of the bytes of a buffer, and
/// with a buffer of values of type `$int`.
///
/// The compiler knows neither the bytes nor their number, so it cannot evaluate anything itself. A
/// panic prints nothing, so that a panic in the codec costs only the code that detects it.
#[macro_export]
macro_rules! program {
    ($int:ty, |$bytes:ident, $values:ident| $result:expr) => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            loop {}
        }

        #[unsafe(no_mangle)]
        extern "C" fn entry(buffer: &mut [u8; 4096], len: usize, $values: &mut [$int; 512]) -> u64 {
            let $bytes = &mut buffer[..len.min(4096)];
            $result
        }
    };
}
