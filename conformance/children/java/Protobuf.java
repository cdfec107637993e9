import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.util.Map;

class Protobuf {
    static Child.Codec of(Child.Read<CodedInputStream> read, Child.Write<CodedOutputStream> write) {
        return Child.codec(
                CodedInputStream::newInstance, CodedInputStream::getTotalBytesRead, read,
                CodedOutputStream::newInstance, CodedOutputStream::getTotalBytesWritten, write);
    }

    static final Child.Implementation ALL = new Child.Implementation("protobuf-java", CodedInputStream.class, Map.of(
            "protobuf-int32", of(in -> in.readInt32(), (out, value) -> out.writeInt32NoTag((int) value)),
            "protobuf-int64", of(in -> in.readInt64(), (out, value) -> out.writeInt64NoTag(value)),
            "protobuf-uint32", of(in -> in.readUInt32(), (out, value) -> out.writeUInt32NoTag((int) value)),
            "protobuf-uint64", of(in -> in.readUInt64(), (out, value) -> out.writeUInt64NoTag(value)),
            "protobuf-sint32", of(in -> in.readSInt32(), (out, value) -> out.writeSInt32NoTag((int) value)),
            "protobuf-sint64", of(in -> in.readSInt64(), (out, value) -> out.writeSInt64NoTag(value)),
            "protobuf-bool", of(in -> in.readBool() ? 1 : 0, (out, value) -> out.writeBoolNoTag(value != 0))));
}
