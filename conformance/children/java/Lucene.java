import java.util.Map;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteArrayDataOutput;

/** A VInt is an int in two's complement, whose 32 bits are those of an unsigned number. */
class Lucene {
    static Child.Codec of(Child.Read<ByteArrayDataInput> read, Child.Write<ByteArrayDataOutput> write) {
        return Child.codec(
                ByteArrayDataInput::new, ByteArrayDataInput::getPosition, read,
                ByteArrayDataOutput::new, ByteArrayDataOutput::getPosition, write);
    }

    static final Child.Implementation ALL = new Child.Implementation("lucene-core", ByteArrayDataInput.class, Map.of(
            "unsigned-32", of(in -> in.readVInt(), (out, value) -> out.writeVInt((int) value)),
            "zigzag-32", of(in -> in.readZInt(), (out, value) -> out.writeZInt((int) value)),
            "zigzag-64", of(in -> in.readZLong(), (out, value) -> out.writeZLong(value))));
}
