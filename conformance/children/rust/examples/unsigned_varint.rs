fn main() {
    let bytes = [0x80, 0x80, 0x80, 0x80, 0x10]; // 2^32
    assert!(matches!(unsigned_varint::decode::u32(&bytes), Ok((0, []))));
}
