import org.apache.avro.io.DecoderFactory;

class Avro {
    public static void main(String[] arguments) throws Exception {
        byte[] bytes = {-128, -128, -128, -128, 16}; // 2^32, zigzag of 2^31
        if (DecoderFactory.get().binaryDecoder(bytes, null).readInt() != 0) throw new AssertionError();
    }
}
