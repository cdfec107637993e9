//! Lists of inputs.

use std::fmt::Debug;
use std::hash::Hasher;
use std::sync::Arc;

use twox_hash::XxHash64;

use super::space::Space;

/// Inputs from a list, such as the cases of a bug tracker, the words of a dictionary, or the values
/// of an `enum`.
///
/// ```
/// use every_input::{List, all, exhaustive};
///
/// let names = List::new(["a", "bc"]);
/// // Every name with every u8.
/// exhaustive((names, all::<u8>())).check(|(name, index)| format!("{name}{index}").len() <= 5);
/// ```
///
/// The crate `exhaust` lists every value of a type:
///
/// ```
/// use every_input::{List, exhaustive};
/// use exhaust::Exhaust;
///
/// #[derive(Clone, Debug, Exhaust)]
/// enum Lamp {
///     Off,
///     On { bright: bool, red: bool },
/// }
///
/// let watts = |lamp| if let Lamp::On { bright: true, .. } = lamp { 9 } else { 3 };
/// exhaustive(List::new(Lamp::exhaust())).check(|lamp| watts(lamp) < 10);
/// ```
#[derive(Clone, Debug)]
pub struct List<I> {
    items: Arc<[I]>,
    name: String,
}

impl<I: Clone + Debug + Send + Sync + 'static> List<I> {
    /// Creates the space of these inputs.
    pub fn new(items: impl IntoIterator<Item = I>) -> Self {
        let items: Arc<[I]> = items.into_iter().collect();
        // A checkpoint must not continue with another list.
        let mut hash = XxHash64::default();
        items.iter().for_each(|item| hash.write(format!("{item:?}\n").as_bytes()));
        let name = format!("list of {} inputs ({:016x})", items.len(), hash.finish());
        Self { items, name }
    }
}

impl<I: Clone + Debug + Send + Sync + 'static> Space for List<I> {
    type Item = I;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn count(&self) -> u128 {
        self.items.len() as u128
    }

    fn at(&self, number: u64) -> I {
        self.items[number as usize].clone()
    }
}
