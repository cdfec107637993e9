//! A contender: an implementation that encodes, decodes, or does both, and its name.

/// The message for `expect` in contenders. `Stream` checks that its bytes are valid, and
/// destinations have space for the longest encodings.
pub(crate) const VALID: &str = "a valid stream and enough space";

/// Encodes all of a slice into the front of another, or decodes values from its front until the other is
/// full. Returns the number of bytes.
type Operation<I, O> = Box<dyn Fn(&[I], &mut [O]) -> usize>;

/// An implementation with its name.
pub(crate) struct Contender<T> {
    pub(crate) name: String,
    pub(crate) encode: Option<Operation<T, u8>>,
    pub(crate) decode: Option<Operation<u8, T>>,
}

impl<T> Contender<T> {
    pub(crate) fn new(
        name: impl Into<String>,
        encode: impl Fn(&[T], &mut [u8]) -> usize + 'static,
        decode: impl Fn(&[u8], &mut [T]) -> usize + 'static,
    ) -> Self {
        Self { name: name.into(), encode: Some(Box::new(encode)), decode: Some(Box::new(decode)) }
    }

    pub(crate) fn decoder(name: &str, decode: impl Fn(&[u8], &mut [T]) -> usize + 'static) -> Self {
        Self { name: name.into(), encode: None, decode: Some(Box::new(decode)) }
    }
}

/// Encodes one value after another with a function that returns the length.
pub(crate) fn put_each<T: Copy>(put: impl Fn(T, &mut [u8]) -> usize) -> impl Fn(&[T], &mut [u8]) -> usize {
    move |src, dst| {
        let mut at = 0;
        for &value in src {
            at += put(value, &mut dst[at..]);
        }
        at
    }
}

/// Encodes one value after another with a function that advances the slice, as `std::io` does.
pub(crate) fn write_each<T: Copy>(write: impl Fn(T, &mut &mut [u8])) -> impl Fn(&[T], &mut [u8]) -> usize {
    move |src, dst| {
        let len = dst.len();
        let mut output = dst;
        for &value in src {
            write(value, &mut output);
        }
        len - output.len()
    }
}

/// Decodes one value after another with a function that returns the value and its length.
pub(crate) fn get_each<T>(get: impl Fn(&[u8]) -> (T, usize)) -> impl Fn(&[u8], &mut [T]) -> usize {
    move |src, dst| {
        let mut at = 0;
        for slot in dst {
            let (value, len) = get(&src[at..]);
            *slot = value;
            at += len;
        }
        at
    }
}

/// Decodes one value after another with a function that advances the slice, as `std::io` does.
pub(crate) fn read_each<T>(read: impl Fn(&mut &[u8]) -> T) -> impl Fn(&[u8], &mut [T]) -> usize {
    move |src, dst| {
        let mut input = src;
        for slot in dst {
            *slot = read(&mut input);
        }
        src.len() - input.len()
    }
}
