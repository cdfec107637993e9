//! Shows a line of a text of any size, by an index of the lengths of all lines, in constant memory.
//!
//! `cargo run --example line_index -- README.md >lines`, then `... -- README.md lines 40`

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::{env, error::Error, fs::File, num::NonZero, path::PathBuf};
use zigzag_varint::{Canonical, Decoder, WriteVarint};

fn build(mut text: impl BufRead, index: &mut impl Write) -> io::Result<()> {
    while let len @ 1.. = text.skip_until(b'\n')? {
        index.write_varint(len as u64)?;
    }
    Ok(())
}

/// Returns the offset of a line and its length. Reads no more of the index than that takes.
fn find(mut line: usize, mut index: impl BufRead) -> Result<(u64, u64), Box<dyn Error>> {
    let (mut decoder, mut lens, mut found) = (Decoder::<Canonical<u64>>::new(), [0; 1024], (0u64, 0));
    while line > 0 {
        let chunk = index.fill_buf()?;
        if chunk.is_empty() {
            decoder.finish()?;
            return Err("the text has fewer lines".into());
        }
        let done = decoder.decode_slice(chunk, &mut lens[..line.min(1024)]).map_err(|failed| failed.error)?;
        found = lens[..done.values].iter().fold(found, |(at, len), next| (at.saturating_add(len), *next));
        line -= done.values;
        index.consume(done.bytes);
    }
    Ok(found)
}

pub(crate) fn run(args: &[PathBuf], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let open = |path: &PathBuf| {
        File::open(path).map(BufReader::new).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (mut text, index, n) = match args {
        [text] => return Ok(build(open(text)?, out)?),
        [text, index, n] => (open(text)?, open(index)?, n),
        _ => return Err("usage: line_index TEXT >INDEX, then line_index TEXT INDEX LINE".into()),
    };
    let n: NonZero<usize> = n.to_string_lossy().parse().map_err(|error| format!("LINE: {error}"))?;
    let (start, len) = find(n.get(), index).map_err(|error| format!("index: {error}"))?;
    text.seek(SeekFrom::Start(start))?;
    Ok(io::copy(&mut text.take(len), out).map(drop)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&env::args_os().skip(1).map(PathBuf::from).collect::<Vec<_>>(), &mut io::stdout())
}
