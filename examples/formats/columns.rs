//! Columns of numbers: an inverted index, Avro arrays, decimals of 128 bits, and a file to add up.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use zigzag_varint::{BulkError, DecodeError, Delta, DeltaError, ReadVarint, Reader, Varint};

/// The documents that contain each word, as gaps minus one. Documents are numbered from 1, so that
/// each number is greater than the 0 before the first one.
#[derive(Default)]
pub struct InvertedIndex {
    lists: BTreeMap<String, Vec<u8>>,
}

impl InvertedIndex {
    pub fn new(documents: &[&str]) -> Result<Self, DeltaError> {
        let mut words = BTreeMap::<_, Vec<u32>>::new();
        for (number, document) in (1..).zip(documents) {
            for word in document.split_whitespace() {
                let list = words.entry(word.to_owned()).or_default();
                if list.last() != Some(&number) {
                    list.push(number);
                }
            }
        }
        let mut index = Self::default();
        for (word, documents) in words {
            Delta::strict_gaps([0]).encode_append(&documents, index.lists.entry(word).or_default())?;
        }
        Ok(index)
    }

    /// Returns the documents that contain both words.
    pub fn search(&self, words: [&str; 2]) -> Result<Vec<u32>, BulkError> {
        let [mut found, mut other] = [vec![], vec![]];
        for (word, documents) in words.iter().zip([&mut found, &mut other]) {
            let list = self.lists.get(*word).map_or(&[][..], Vec::as_slice);
            Delta::strict_gaps([0]).decode_append(list, documents)?;
        }
        found.retain(|document| other.binary_search(document).is_ok());
        Ok(found)
    }

    pub fn bytes(&self) -> usize {
        self.lists.values().map(Vec::len).sum()
    }
}

/// Reads an Avro array of longs: blocks of a count and values, up to a count of zero. A negative
/// count is followed by the length of the block in bytes.
pub fn avro_array(reader: &mut Reader<'_>) -> Result<Vec<i64>, DecodeError> {
    let mut values = vec![];
    loop {
        let count = reader.read::<i64>()?;
        if count == 0 {
            return Ok(values);
        }
        if count < 0 {
            reader.read::<i64>()?;
        }
        let count = count.unsigned_abs().try_into().unwrap_or(usize::MAX);
        reader.read_append::<i64>(count, &mut values)?;
    }
}

/// Reads a column of decimals as in ORC, zigzag varints of up to 128 bits, in groups of four rows.
/// Returns the sum of each group.
pub fn orc_decimals(column: &[u8]) -> Result<Vec<i128>, BulkError> {
    let (mut sums, mut rows, mut at) = (vec![], [0i128; 4], 0);
    while at < column.len() {
        at += i128::decode_exact(&column[at..], &mut rows)?;
        sums.push(rows.iter().fold(0i128, |sum, row| sum.saturating_add(*row)));
    }
    Ok(sums)
}

/// Adds up a large file of varints, a block at a time.
pub fn sum_of_file(mut file: impl BufRead) -> io::Result<u64> {
    let (mut block, mut sum) = ([0u64; 1024], 0u64);
    loop {
        let n = file.read_varints::<u64>(&mut block)?;
        if n == 0 {
            return Ok(sum);
        }
        sum = block[..n].iter().fold(sum, |sum, value| sum.wrapping_add(*value));
    }
}
