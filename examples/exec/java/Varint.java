// A child of `sweep --exec` with a codec in Java. ../README.md has the protocol.

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

class Varint {
    static final int HELLO = 1, ENCODE = 2, DECODE = 3, ANSWER = 0x80, ERROR = 0xff;
    static final byte[] MAGIC = "varsweep\1\0\0\0".getBytes();
    static boolean signed = true;

    static void encode(long number, ByteBuffer out) {
        long rest = signed ? (number << 1) ^ (number >> 63) : number;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) out.put((byte) (rest | 0x80));
        out.put((byte) rest);
    }

    static long decode(ByteBuffer in) {
        long raw = 0, part = -1;
        for (int shift = 0; part < 0; shift += 7) raw |= ((part = in.get()) & 0x7f) << shift;
        return signed ? (raw >>> 1) ^ -(raw & 1) : raw;
    }

    static void serve(int kind, ByteBuffer in, ByteBuffer out) {
        if (kind == HELLO && in.limit() > 12 && Arrays.equals(in.array(), 0, 12, MAGIC, 0, 12)) {
            signed = in.get(12) == 'i';
            out.put(MAGIC);
        } else if (kind == ENCODE) {
            for (int count = in.getInt(); count > 0; count--) encode(in.getLong(), out);
        } else if (kind == DECODE) {
            out.putInt(0);
            for (int count = in.getInt(); count > 0; count--) out.putLong(decode(in));
            out.putInt(5, in.position() - 4);
        } else throw new IllegalArgumentException("Varint.java supports version 1 and i8 to i64, u8 to u64");
    }

    public static void main(String[] arguments) throws IOException {
        var input = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        var out = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] header; (header = input.readNBytes(5)).length == 5; ) {
            int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(), kind = header[4];
            var payload = ByteBuffer.wrap(input.readNBytes(length - 1)).order(ByteOrder.LITTLE_ENDIAN);
            out.clear();
            try {
                serve(kind, payload, out.putInt(0).put((byte) (kind | ANSWER)));
            } catch (RuntimeException error) {
                out.clear().putInt(0).put((byte) ERROR).put(error.toString().getBytes());
            }
            out.putInt(0, out.position() - 4);
            System.out.write(out.array(), 0, out.position());
            System.out.flush();
        }
    }
}
