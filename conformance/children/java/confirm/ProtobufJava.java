import com.google.protobuf.CodedInputStream;
import java.util.Arrays;

class ProtobufJava {
    public static void main(String[] arguments) throws Exception {
        byte[] bytes = new byte[10];
        Arrays.fill(bytes, (byte) 0xff);
        CodedInputStream input = CodedInputStream.newInstance(bytes);
        if (input.readInt64() != -1 || !input.isAtEnd()) throw new AssertionError();
    }
}
