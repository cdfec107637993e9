import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteArrayDataOutput;

/** A value has the bits of the wire type; those above them are ignored. */
interface Codec {
    interface Read<I> {
        long from(I input) throws Exception;
    }

    interface Write<O> {
        void to(O output, long value) throws Exception;
    }

    /** Returns the value and its length. */
    long[] decode(byte[] source) throws Exception;

    byte[] encode(long value) throws Exception;

    /** Returns the codec of an input and an output over an array, which know their positions. */
    static <I, O> Codec of(
            Function<byte[], I> input, ToIntFunction<I> used, Read<I> read,
            Function<byte[], O> output, ToIntFunction<O> length, Write<O> write) {
        return new Codec() {
            public long[] decode(byte[] source) throws Exception {
                I opened = input.apply(source);
                return new long[] {read.from(opened), used.applyAsInt(opened)};
            }

            public byte[] encode(long value) throws Exception {
                byte[] bytes = new byte[10];
                O opened = output.apply(bytes);
                write.to(opened, value);
                return Arrays.copyOf(bytes, length.applyAsInt(opened));
            }
        };
    }

    static Codec protobuf(Read<CodedInputStream> read, Write<CodedOutputStream> write) {
        return of(
                CodedInputStream::newInstance, CodedInputStream::getTotalBytesRead, read,
                CodedOutputStream::newInstance, CodedOutputStream::getTotalBytesWritten, write);
    }

    static Codec kafka(Read<ByteBufferAccessor> read, Write<ByteBufferAccessor> write) {
        Function<byte[], ByteBufferAccessor> open = bytes -> new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        ToIntFunction<ByteBufferAccessor> position = opened -> opened.buffer().position();
        return of(open, position, read, open, position, write);
    }

    /** A VInt is an int in two's complement, whose 32 bits are those of an unsigned number. */
    static Codec lucene(Read<ByteArrayDataInput> read, Write<ByteArrayDataOutput> write) {
        return of(
                ByteArrayDataInput::new, ByteArrayDataInput::getPosition, read,
                ByteArrayDataOutput::new, ByteArrayDataOutput::getPosition, write);
    }

    static Codec avro(Read<BinaryDecoder> read, Write<BinaryEncoder> write) {
        return new Codec() {
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

    Map<String, Map<String, Codec>> ALL = Map.of(
            "avro", Map.of(
                "zigzag-32", avro(in -> in.readInt(), (out, v) -> out.writeInt((int) v)),
                "zigzag-64", avro(in -> in.readLong(), (out, v) -> out.writeLong(v))),
            "kafka-clients", Map.of(
                "unsigned-32", kafka(in -> in.readUnsignedVarint(), (out, v) -> out.writeUnsignedVarint((int) v)),
                "zigzag-32", kafka(in -> in.readVarint(), (out, v) -> out.writeVarint((int) v)),
                "zigzag-64", kafka(in -> in.readVarlong(), (out, v) -> out.writeVarlong(v))),
            "lucene-core", Map.of(
                "unsigned-32", lucene(in -> in.readVInt(), (out, v) -> out.writeVInt((int) v)),
                "zigzag-32", lucene(in -> in.readZInt(), (out, v) -> out.writeZInt((int) v)),
                "zigzag-64", lucene(in -> in.readZLong(), (out, v) -> out.writeZLong(v))),
            "protobuf-java", Map.of(
                "protobuf-int32", protobuf(in -> in.readInt32(), (out, v) -> out.writeInt32NoTag((int) v)),
                "protobuf-int64", protobuf(in -> in.readInt64(), (out, v) -> out.writeInt64NoTag(v)),
                "protobuf-uint32", protobuf(in -> in.readUInt32(), (out, v) -> out.writeUInt32NoTag((int) v)),
                "protobuf-uint64", protobuf(in -> in.readUInt64(), (out, v) -> out.writeUInt64NoTag(v)),
                "protobuf-sint32", protobuf(in -> in.readSInt32(), (out, v) -> out.writeSInt32NoTag((int) v)),
                "protobuf-sint64", protobuf(in -> in.readSInt64(), (out, v) -> out.writeSInt64NoTag(v)),
                "protobuf-bool", protobuf(in -> in.readBool() ? 1 : 0, (out, v) -> out.writeBoolNoTag(v != 0))));
}
