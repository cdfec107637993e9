//! The values of an integer type, of which `wires` has the numbers.

use super::oracle::Int;
use super::wires;

fn values<T: Int>(wires: &[u128]) -> Vec<T> {
    wires.iter().map(|&wire| T::from_wire(wire).expect("within the type")).collect()
}

pub fn breakpoints<T: Int>() -> Vec<T> {
    values(&wires::breakpoints(T::BITS))
}

pub fn uniform<T: Int>(len: usize, n: usize) -> Vec<T> {
    values(&wires::uniform(T::BITS, len, n))
}

pub fn mixed<T: Int>(longest: usize, n: usize) -> Vec<T> {
    values(&wires::mixed(T::BITS, longest, n))
}

pub fn backgrounds<T: Int>(n: usize) -> Vec<Vec<T>> {
    wires::backgrounds(T::BITS, n).iter().map(|wires| values(wires)).collect()
}

pub fn edge_cases<T: Int>() -> Vec<Vec<u8>> {
    wires::edge_cases(T::BITS)
}
