import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

class Kafka {
    static ByteBufferAccessor open(byte[] bytes) {
        return new ByteBufferAccessor(ByteBuffer.wrap(bytes));
    }

    static Child.Codec of(Child.Read<ByteBufferAccessor> read, Child.Write<ByteBufferAccessor> write) {
        return Child.codec(
                Kafka::open, in -> in.buffer().position(), read,
                Kafka::open, out -> out.buffer().position(), write);
    }

    static final Child.Implementation ALL = new Child.Implementation("kafka-clients", ByteBufferAccessor.class, Map.of(
            "unsigned-32", of(in -> in.readUnsignedVarint(), (out, value) -> out.writeUnsignedVarint((int) value)),
            "zigzag-32", of(in -> in.readVarint(), (out, value) -> out.writeVarint((int) value)),
            "zigzag-64", of(in -> in.readVarlong(), (out, value) -> out.writeVarlong(value))));
}
