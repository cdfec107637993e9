fn main() {
    let bytes = [0x80, 0x80, 0x80, 0x80, 0x10]; // 2^32
    let read = quick_protobuf::BytesReader::from_bytes(&bytes).read_bool(&bytes);
    assert!(!read.expect("a bool"));

    let mut written = Vec::new();
    quick_protobuf::Writer::new(&mut written).write_sint32(i32::MIN).expect("space");
    assert_eq!(written.len(), 10); // five bytes suffice
}
