//! Tuples and arrays of spaces. The last component changes fastest.

use super::interval::Interval;
use super::space::{Class, ErasedClass, ErasedPart, ErasedSpace, Space, by_erased};

/// The most edge cases of a product: all combinations of those of its components.
const MAX_EDGES: usize = 256;

/// Returns the number of combinations, or `u128::MAX` if there are more.
fn count(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(1, u128::saturating_mul)
}

/// Divides a number among components with these counts.
#[inline]
fn divide(counts: &[u128], mut number: u64, numbers: &mut [u64]) {
    for (count, own) in counts.iter().zip(numbers).rev() {
        // Only one component can have 2^64 inputs, and then each other one has a single input.
        (number, *own) = match u64::try_from(*count) {
            Ok(count) => (number / count, number % count),
            Err(_) => (0, number),
        };
    }
}

/// Calls `run` for consecutive inputs, of which the first has this number: for each run of inputs
/// in which only the last component changes, with the numbers of the first one and the length.
#[inline]
fn runs<const N: usize>(counts: [u128; N], mut first: u64, count: usize, mut run: impl FnMut([u64; N], u64)) {
    let (mut rest, mut numbers) = (count as u64, [0; N]);
    while rest > 0 {
        divide(&counts, first, &mut numbers);
        let left = counts.last().zip(numbers.last()).map_or(1, |(count, last)| count - u128::from(*last));
        let length = u128::from(rest).min(left) as u64;
        run(numbers, length);
        (first, rest) = (first.wrapping_add(length), rest - length);
    }
}

/// Returns the number of the input with this text, in which the components are separated by
/// commas. Their own texts may contain commas too.
fn parse(components: &[ErasedPart], text: &str) -> Option<u128> {
    let Some((first, rest)) = components.split_first() else { return text.is_empty().then_some(0) };
    if rest.is_empty() {
        return first.parse(text).map(u128::from);
    }
    text.match_indices(", ").find_map(|(at, separator)| {
        let number = u128::from(first.parse(&text[..at])?);
        Some(number * count(rest.iter().map(ErasedPart::count)) + parse(rest, &text[at + separator.len()..])?)
    })
}

/// Returns all combinations of inputs of several spaces, of which there is this number.
fn product([start, end]: [&'static str; 2], components: Vec<ErasedPart>, all: u128) -> ErasedPart {
    let problem = components.iter().find_map(|component| component.problem.clone());
    let list = move |texts: Vec<String>| format!("{start}{}{end}", texts.join(", "));
    let name = list(components.iter().map(ErasedPart::name).collect());
    let counts: Vec<_> = components.iter().map(ErasedPart::count).collect();
    // No sweep has the numbers of more.
    let (classes, edges) = match all {
        1..=0x1_0000_0000_0000_0000 => (classes(&components), edges(&components)),
        _ => (Vec::new(), Vec::new()),
    };
    let texts = components.clone();
    let text = move |number| {
        let mut numbers = vec![0; counts.len()];
        divide(&counts, number as u64, &mut numbers);
        list(texts.iter().zip(numbers).map(|(component, number)| component.show(number)).collect())
    };
    let number = move |text: &str| {
        let texts = text.strip_prefix(start)?.strip_suffix(end)?;
        parse(&components, texts).map(|number| number as i128)
    };
    let space =
        ErasedSpace { classes, edges, ..ErasedSpace::new(name, Interval::of_count(all), text, number) };
    let inputs = ErasedPart::new(space, all);
    ErasedPart { problem: problem.or(inputs.problem), ..inputs }
}

/// Returns those of the first component, whose combinations with the others are neighbours.
fn classes(components: &[ErasedPart]) -> Vec<ErasedClass> {
    let (first, rest) = match components.split_first() {
        Some((first, rest)) => (first.classes(), rest),
        None => (vec![Class { name: "all".into(), numbers: 0..=0 }], [].as_slice()),
    };
    let rest = count(rest.iter().map(ErasedPart::count)) as i128;
    let class = |(index, Class { name, numbers }): (usize, Class)| {
        let [first, end] = [*numbers.start(), *numbers.end()].map(i128::from);
        ErasedClass::named(index, name, Some(Interval { first: first * rest, last: (end + 1) * rest - 1 }))
    };
    first.into_iter().enumerate().map(class).collect()
}

fn edges(components: &[ErasedPart]) -> Vec<i128> {
    // The number of each component with which their combinations are few enough.
    let each = (MAX_EDGES as f64).powf(1.0 / components.len().max(1) as f64) as usize;
    components.iter().fold(vec![0], |edges, component| {
        let count = component.count() as i128;
        let mut own = vec![0, count - 1];
        own.extend(
            component.edges().into_iter().map(i128::from).filter(|edge| ![0, count - 1].contains(edge)),
        );
        own.truncate(each.min(own.len()));
        edges.iter().flat_map(|edge| own.iter().map(move |own| edge * count + own)).collect()
    })
}

macro_rules! tuples {
    ($(($($S:ident $at:tt)*; $Last:ident $last:tt))*) => {$(
        /// All combinations of the inputs of these spaces. The last changes fastest.
        ///
        /// A sample draws from the classes of the first space.
        impl<$($S: Space,)* $Last: Space> Space for ($($S,)* $Last) {
            type Item = ($($S::Item,)* $Last::Item);

            by_erased!();

            fn count(&self) -> u128 {
                count([$(self.$at.count(),)* self.$last.count()].into_iter())
            }

            #[inline]
            fn at(&self, number: u64) -> Self::Item {
                let mut numbers = [0; $last + 1];
                divide(&[$(self.$at.count(),)* self.$last.count()], number, &mut numbers);
                ($(self.$at.at(numbers[$at]),)* self.$last.at(numbers[$last]))
            }

            #[inline]
            fn fill(&self, first: u64, count: usize, items: &mut Vec<Self::Item>) {
                items.clear();
                runs([$(self.$at.count(),)* self.$last.count()], first, count, |numbers, length| {
                    let others = ($(self.$at.at(numbers[$at]),)*);
                    let item = |offset| ($(others.$at.clone(),)* self.$last.at(numbers[$last] + offset));
                    items.extend((0..length).map(item));
                });
            }

            fn erased(&self) -> ErasedPart {
                product(["(", ")"], vec![$(self.$at.erased(),)* self.$last.erased()], self.count())
            }
        }
    )*};
}

tuples!((A 0; B 1) (A 0 B 1; C 2) (A 0 B 1 C 2; D 3) (A 0 B 1 C 2 D 3; E 4));

/// All arrays of inputs of these spaces. The last element changes fastest.
///
/// ```
/// use every_input::{all, exhaustive};
///
/// let luma = |[r, g, b]: [u8; 3]| (u32::from(r) * 77 + u32::from(g) * 150 + u32::from(b) * 29) >> 8;
/// exhaustive([all::<u8>(); 3]).check(|rgb| luma(rgb) <= 255);
/// ```
impl<S: Space, const N: usize> Space for [S; N] {
    type Item = [S::Item; N];

    by_erased!();

    fn count(&self) -> u128 {
        count(self.iter().map(S::count))
    }

    #[inline]
    fn at(&self, number: u64) -> Self::Item {
        let mut numbers = [0; N];
        divide(&self.each_ref().map(S::count), number, &mut numbers);
        std::array::from_fn(|at| self[at].at(numbers[at]))
    }

    #[inline]
    fn fill(&self, first: u64, count: usize, items: &mut Vec<Self::Item>) {
        items.clear();
        runs(self.each_ref().map(S::count), first, count, |numbers, length| {
            let mut item: [S::Item; N] = std::array::from_fn(|at| self[at].at(numbers[at]));
            items.extend((0..length).map(|offset| {
                if let Some(last) = item.last_mut() {
                    *last = self[N - 1].at(numbers[N - 1] + offset);
                }
                item.clone()
            }));
        });
    }

    fn erased(&self) -> ErasedPart {
        product(["[", "]"], self.iter().map(S::erased).collect(), Space::count(self))
    }
}
