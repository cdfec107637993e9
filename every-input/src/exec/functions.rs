//! Functions that run as child processes, and their references.

use std::marker::PhantomData;
use std::time::Duration;

use crate::check::codec::Breakdown;
use crate::check::compare::{Float, Ulps};
use crate::check::function::{Check, Fault};
use crate::check::losses::Losses;
use crate::error::SweepError;
use crate::exec::pool::{Pool, Problem};
use crate::exec::protocol::{Task, number, push_number, push_string, strings};
use crate::plan::byte_strings::hex;
use crate::plan::number::Number;

/// A function of integers or floats that runs as child processes like an
/// [`ExecCodec`](crate::ExecCodec), and another one, the reference, whose results it must return.
///
/// A result is any bytes, up to 255, unless the results are floats that are compared by [`Ulps`].
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
/// use every_input::{ExecFunctions, Sweep, Ulps, all};
///
/// let commands = ["./square_root", "python3 examples/exec/child.py"];
/// let functions = ExecFunctions::<u32>::start(commands, Duration::from_secs(10))?;
/// let report = Sweep::of(all()).report("square root", &functions)?;
/// assert_eq!(report.failures, 0);
///
/// let commands = ["./math sinf", "./math sin"];
/// let functions = ExecFunctions::<f32>::start(commands, Duration::from_secs(10))?.ulps(Ulps(1.0));
/// println!("{}", Sweep::of(all()).report("sinf", &functions)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExecFunctions<T> {
    function: Pool,
    reference: Pool,
    number: PhantomData<fn() -> T>,
    ulps: Option<(Ulps, Distance)>,
}

/// Returns the distance of a result from that of the reference: infinity unless both are floats.
type Distance = fn(got: &[u8], expected: &[u8]) -> f64;

impl<T: Number> ExecFunctions<T> {
    /// Starts the first child of the function and of the reference, as
    /// [`ExecCodec::start`](crate::ExecCodec::start) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of that function.
    pub fn start([function, reference]: [&str; 2], timeout: Duration) -> Result<Self, SweepError> {
        let start = |command| Pool::start(command, Task::Call, T::NAME, timeout);
        let named = |error| SweepError::Usage(format!("reference: {error}"));
        let (function, reference) = (start(function)?, start(reference).map_err(named)?);
        Ok(Self { function, reference, number: PhantomData, ulps: None })
    }

    /// Compares the results as floats, by units in the last place. By default the bytes must be the
    /// same.
    ///
    /// The reference may return a result of higher precision: an `f32` or `f64` for a narrower float, or
    /// two `f64` whose sum is the result, as an [`Expected`](crate::Expected).
    pub fn ulps(self, limit: Ulps) -> Self
    where
        T: Float,
    {
        Self { ulps: Some((limit, distance::<T>)), ..self }
    }
}

/// The results of the reference, and the deviations of those of the function in units in the last place.
#[derive(Default)]
pub struct Results {
    expected: Vec<u8>,
    deviations: Vec<f64>,
}

impl<T: Number> Check<T> for ExecFunctions<T> {
    type Memory = Results;

    fn explain(
        &self,
        values: &[T],
        Results { expected, deviations }: &mut Results,
    ) -> Result<Option<Fault>, Breakdown> {
        let inputs = |bytes: &mut Vec<u8>| values.iter().for_each(|&value| push_number(bytes, value));
        expected.clear();
        deviations.clear();
        let called = self.reference.ask(Task::Call, values.len(), &inputs, &mut |results| {
            results.for_each(|result| push_string(expected, result));
            Ok(())
        });
        if let Some(fault) = called.map_err(of_reference)?.err() {
            return Ok(Some(fault));
        }
        let checked = self.function.ask(Task::Call, values.len(), &inputs, &mut |results| {
            let expected = strings(expected, values.len())?;
            let mut first = None;
            for (at, (expected, got)) in expected.into_iter().zip(results).enumerate() {
                let (deviation, limit) = match self.ulps {
                    Some((Ulps(limit), distance)) => (distance(got, expected), limit),
                    None => (if got == expected { 0.0 } else { f64::INFINITY }, 0.0),
                };
                deviations.push(deviation);
                if deviation > limit && first.is_none() {
                    first = Some(self.fault(values[at], expected, got, deviation).at(at));
                }
            }
            first.map_or(Ok(()), |fault| Err(Problem::Wrong(fault)))
        })?;
        match checked {
            Ok(()) => Ok(None),
            Err(fault) => self.reference.confirm().map_err(of_reference).map(|()| Some(fault)),
        }
    }

    fn deviation(&self, results: &Results) -> Option<f64> {
        self.deviations(results)?.iter().copied().max_by(f64::total_cmp)
    }

    fn deviations<'r>(&self, results: &'r Results) -> Option<&'r [f64]> {
        self.ulps.map(|_| &*results.deviations)
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn losses(&self) -> Vec<&Losses> {
        vec![&self.function.losses, &self.reference.losses]
    }
}

impl<T: Number> ExecFunctions<T> {
    fn fault(&self, value: T, expected: &[u8], got: &[u8], deviation: f64) -> Fault {
        let (mut expected, mut got) = (describe::<T>(expected), describe::<T>(got));
        if let Some((limit, _)) = self.ulps {
            expected = format!("{expected} within {} ULP", limit.0);
        }
        if deviation.is_finite() {
            got = format!("{got}, {deviation:.3} ULP away");
        }
        if T::IS_FLOAT {
            got = format!("{got}, from the bits {:#x}", value.bits());
        }
        Fault::new(expected, got)
    }
}

fn of_reference(breakdown: Breakdown) -> Breakdown {
    let named = Breakdown::new(format!("from the reference: {breakdown}"));
    if breakdown.is_permanent() { named.permanent() } else { named }
}

/// Describes a result: as a number if it has the length of the type, otherwise in hex.
fn describe<T: Number>(result: &[u8]) -> String {
    let wide = || match wide::<T>(result)? {
        (high, 0.0) => Some(high.describe()),
        (high, low) => Some(format!("{high:?} + {low:?}")),
    };
    let number = number::<T>(result).map(T::describe).or_else(wide);
    number.unwrap_or_else(|| {
        if result.is_empty() { "no result".into() } else { format!("bytes {}", hex(result)) }
    })
}

fn distance<T: Number + Float>(got: &[u8], expected: &[u8]) -> f64 {
    let expected = number::<T>(expected).map(|expected| expected.parts()).or_else(|| wide::<T>(expected));
    number::<T>(got).zip(expected).map_or(f64::INFINITY, |(got, expected)| got.ulps(expected))
}

/// Returns a result of a type that is wider than a float, as the sum of two numbers.
fn wide<T: Number>(result: &[u8]) -> Option<(f64, f64)> {
    let is_wide = T::IS_FLOAT && result.len() > size_of::<T>();
    if let Ok(single) = result.try_into() {
        return is_wide.then(|| (f32::from_le_bytes(single).into(), 0.0));
    }
    match result.split_first_chunk::<8>().filter(|_| is_wide)? {
        (high, []) => Some((f64::from_le_bytes(*high), 0.0)),
        (high, low) => Some((f64::from_le_bytes(*high), f64::from_le_bytes(low.try_into().ok()?))),
    }
}
