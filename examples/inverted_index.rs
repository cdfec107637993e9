//! Finds a word in an index, which has the lines of each word as gaps. Builds the index of a text:
//! `cargo run --example inverted_index -- README.md >index`, then `... -- index varint`

use std::{collections::BTreeMap, env, error::Error, fs, io, path::PathBuf};
use zigzag_varint::{Delta, LengthPrefix, Reader, WriteVarint};

const FIELD: LengthPrefix = LengthPrefix::without_limit().canonical(); // nothing is copied

fn build(text: &str, index: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    let mut lists = BTreeMap::<_, Vec<u64>>::new();
    for (number, line) in (1..).zip(text.lines()) {
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            lists.entry(word.to_lowercase()).or_default().push(number);
        }
    }
    for (word, mut lines) in lists {
        lines.dedup();
        let mut gaps = vec![];
        Delta::strict_gaps([0]).encode_append(&lines, &mut gaps)?;
        index.write_length_prefixed(FIELD, word.as_bytes())?;
        index.write_length_prefixed(FIELD, &gaps)?;
    }
    Ok(())
}

/// Reads an entry of an index, and appends its lines if it is that of `word`.
fn read_entry(index: &mut Reader<'_>, word: &str, lines: &mut Vec<u64>) -> Result<(), Box<dyn Error>> {
    let (entry, gaps) = (index.read_length_prefixed(FIELD)?, index.read_length_prefixed(FIELD)?);
    if entry == word.as_bytes() {
        Delta::strict_gaps([0]).canonical().decode_append(gaps, lines)?;
    }
    Ok(())
}

pub(crate) fn run(args: &[PathBuf], out: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    let path = args.first().ok_or("usage: inverted_index TEXT >INDEX, then inverted_index INDEX WORD")?;
    let file = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let Some(word) = args.get(1) else { return build(&String::from_utf8_lossy(&file), out) };
    let (word, mut index, mut lines) = (word.to_string_lossy().to_lowercase(), Reader::new(&file), vec![]);
    while !index.is_empty() {
        let at = index.position();
        read_entry(&mut index, &word, &mut lines)
            .map_err(|error| format!("entry at offset {at}: {error}"))?;
    }
    Ok(lines.iter().try_for_each(|line| writeln!(out, "{line}"))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&env::args_os().skip(1).map(PathBuf::from).collect::<Vec<_>>(), &mut io::stdout())
}
