import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Speaks the protocol of `sweep protocol` for a package and a wire type. */
class Child {
    static byte[] answer(Codec codec, boolean isDecoder, int size, byte[] input) {
        ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (isDecoder) {
                long[] decoded = codec.decode(input);
                number.putLong(decoded[0]);
                ByteBuffer result = ByteBuffer.allocate(size + 1);
                return result.put((byte) decoded[1]).put(number.array(), 0, size).array();
            }
            return codec.encode(number.put(input).getLong(0));
        } catch (Exception error) {
            return new byte[0]; // an error without a reason
        }
    }

    public static void main(String[] arguments) throws IOException {
        Codec codec = Codec.ALL.get(arguments[0]).get(arguments[1]);
        DataInputStream input = new DataInputStream(System.in);
        while (true) {
            byte[] body;
            try {
                body = new byte[Integer.reverseBytes(input.readInt())];
            } catch (EOFException end) {
                return;
            }
            input.readFully(body);
            int size = Integer.parseInt(new String(body, 5, 3).strip()) / 8;
            ByteBuffer results = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN).putInt(0);
            for (int at = 8; at < body.length; at += 1 + body[at]) {
                byte[] source = Arrays.copyOfRange(body, at + 1, at + 1 + body[at]);
                byte[] result = answer(codec, body[0] == 'd', size, source);
                results.put((byte) result.length).put(result);
            }
            System.out.write(results.putInt(0, results.position() - 4).array(), 0, results.position());
            System.out.flush();
        }
    }
}
