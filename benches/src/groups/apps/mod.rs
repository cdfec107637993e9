//! `apps`: whole tasks of programs, from the bytes of a message, file or socket to vectors and back, by
//! the public functions of each crate. New vectors are part of the task.

#[cfg(unix)]
mod frames;
mod message;
mod one_by_one;
mod postings;
mod series;
mod task;
mod tile;

use criterion::Criterion;

pub(crate) fn run(criterion: &mut Criterion) {
    message::run(criterion);
    postings::run(criterion);
    series::run(criterion);
    tile::run(criterion);
    #[cfg(unix)]
    frames::run(criterion);
}
