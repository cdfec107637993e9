//! Readers of three file formats: WebAssembly modules, PMTiles directories and DWARF line tables.
//!
//! The files beside this one are `module.wasm` (written by `wasmtime.wat2wasm`), `tiles.pmtiles` (by
//! the Python package `pmtiles` 3.8) and `sum.debug_line` (the section of a program that GCC 12
//! compiled with `-gdwarf-4`).

use zigzag_varint::{Delta, FrameError, LengthPrefix, Reader, Signed};

/// The number of a section and the length of its contents in bytes.
pub type Section = (u8, usize);

/// Lists the sections of a WebAssembly module, and the operand of the first `i32.const` that begins
/// the code of a function.
pub fn wasm_sections(module: &[u8]) -> Result<(Vec<Section>, Option<i32>), FrameError> {
    const VECTOR: LengthPrefix = LengthPrefix::new(u32::MAX as usize).prefix_u32();
    let (mut reader, mut sections, mut constant) = (Reader::new(module), vec![], None);
    assert_eq!(reader.read_bytes(8)?, b"\0asm\x01\0\0\0");
    while !reader.is_empty() {
        let id = reader.read_byte()?;
        let contents = reader.read_length_prefixed(VECTOR)?;
        sections.push((id, contents.len()));
        let mut code = Reader::new(if id == 10 { contents } else { &[0] });
        for _ in 0..code.read::<u32>()? {
            let mut function = Reader::new(code.read_length_prefixed(VECTOR)?);
            for _ in 0..function.read::<u32>()? {
                function.read::<u32>()?; // a number of locals of a type
                function.read_byte()?;
            }
            if function.read_byte()? == 0x41 {
                constant = constant.or(Some(function.read::<Signed<i32>>()?));
            }
        }
    }
    Ok((sections, constant))
}

/// A range of tiles with the same content.
#[derive(Debug, PartialEq)]
pub struct Tiles {
    pub first: u64,
    pub count: u32,
    pub offset: u64,
    pub len: u32,
}

/// Reads a decompressed PMTiles directory: the number of entries, and four columns. The first one has
/// the gaps of sorted numbers.
pub fn pmtiles_directory(bytes: &[u8]) -> Result<Vec<Tiles>, FrameError> {
    let mut reader = Reader::new(bytes);
    let n = reader.read::<usize>()?;
    let (mut ids, mut counts, mut lens, mut offsets) = (vec![], vec![], vec![], vec![]);
    let rest = reader.remaining();
    Delta::gaps([0u64]).decode_append(&rest[..reader.skip_values(n)?], &mut ids)?;
    reader.read_append::<u32>(n, &mut counts)?;
    reader.read_append::<u32>(n, &mut lens)?;
    reader.read_append::<u64>(n, &mut offsets)?;
    let mut end = 0;
    let columns = ids.into_iter().zip(counts).zip(lens).zip(offsets);
    let entries = columns.map(|(((first, count), len), offset)| {
        // Zero stands for "after the entry before", other offsets are written plus one.
        let offset = offset.checked_sub(1).unwrap_or(end);
        end = offset.saturating_add(len.into());
        Tiles { first, count, offset, len }
    });
    Ok(entries.collect())
}

/// The address of an instruction and the line of its source.
pub type Row = (u64, i64);

/// Reads the header of a DWARF 4 line table, and runs its program. Returns the names of the files
/// and the rows of addresses and lines.
pub fn dwarf_lines(section: &[u8]) -> Result<(Vec<&[u8]>, Vec<Row>), FrameError> {
    let mut reader = Reader::new(section);
    reader.read_bytes(10)?; // the lengths of the unit and of the header, and the version
    let &[step, _, _, base, range, first_special] = reader.read_bytes(6)? else { unreachable!() };
    let (step, range) = (u64::from(step), range.max(1));
    let arguments = reader.read_bytes(usize::from(first_special).saturating_sub(1))?;
    while !string(&mut reader)?.is_empty() {} // the directories
    let mut files = vec![];
    loop {
        match string(&mut reader)? {
            b"" => break,
            name => files.push(name),
        }
        reader.skip_values(3)?; // the directory, the time and the length
    }
    let (mut rows, mut address, mut line) = (vec![], 0u64, 1i64);
    while !reader.is_empty() {
        match reader.read_byte()? {
            0 => {
                let len = reader.read::<usize>()?;
                if let [2, bytes @ ..] = reader.read_bytes(len)? {
                    address = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
                }
            }
            1 => rows.push((address, line)),
            2 => address = address.wrapping_add(step.wrapping_mul(reader.read::<u64>()?)),
            3 => line = line.wrapping_add(reader.read::<Signed<i64>>()?),
            8 => address = address.wrapping_add(step * u64::from((255 - first_special) / range)),
            9 => _ = reader.read_bytes(2)?,
            opcode if opcode < first_special => {
                reader.skip_values(arguments[usize::from(opcode) - 1].into())?;
            }
            special => {
                address = address.wrapping_add(step * u64::from((special - first_special) / range));
                line =
                    line.wrapping_add(i64::from(base as i8) + i64::from((special - first_special) % range));
                rows.push((address, line));
            }
        }
    }
    Ok((files, rows))
}

/// Reads a string that ends with a zero byte.
fn string<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], FrameError> {
    let len = reader.remaining().iter().take_while(|&&byte| byte != 0).count();
    Ok(reader.read_bytes(len + 1)?.strip_suffix(&[0]).unwrap_or_default())
}
