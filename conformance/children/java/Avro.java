import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

class Avro {
    static Child.Codec of(Child.Read<BinaryDecoder> read, Child.Write<BinaryEncoder> write) {
        return new Child.Codec() {
            public long[] decode(byte[] source) throws Exception {
                BinaryDecoder input = DecoderFactory.get().binaryDecoder(source, null);
                return new long[] {read.from(input), source.length - input.inputStream().available()};
            }

            public byte[] encode(long value) throws Exception {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                BinaryEncoder output = EncoderFactory.get().binaryEncoder(bytes, null);
                write.to(output, value);
                output.flush();
                return bytes.toByteArray();
            }
        };
    }

    static final Child.Implementation ALL = new Child.Implementation("avro", BinaryDecoder.class, Map.of(
            "zigzag-32", of(in -> in.readInt(), (out, value) -> out.writeInt((int) value)),
            "zigzag-64", of(in -> in.readLong(), (out, value) -> out.writeLong(value))));
}
