use varint_rs::VarintReader;

fn main() {
    let read = std::panic::catch_unwind(|| (&[0x80, 0x80, 0x00][..]).read_u8_varint().ok());
    assert!(read.is_err()); // "attempt to shift left with overflow"
}
