import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

class KafkaClients {
    public static void main(String[] arguments) {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {-128, -128, -128, -128, 16}); // 2^32
        if (new ByteBufferAccessor(bytes).readUnsignedVarint() != 0) throw new AssertionError();
    }
}
