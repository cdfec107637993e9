import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Speaks the protocol of `sweep protocol` for an implementation and a wire type. Without them, lists both. */
class Child {
    interface Read<I> {
        long from(I input) throws Exception;
    }

    interface Write<O> {
        void to(O output, long value) throws Exception;
    }

    interface Codec {
        /** Returns the value and its length. */
        long[] decode(byte[] source) throws Exception;

        byte[] encode(long value) throws Exception;
    }

    /** Returns the codec of an input and an output over an array, which know their positions. */
    static <I, O> Codec codec(
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

    record Implementation(String source, Class<?> of, Map<String, Codec> types) {
        /** Returns the version in the name of its file. */
        String version() {
            String file = of.getProtectionDomain().getCodeSource().getLocation().getPath();
            return file.replaceAll(".*-([0-9.]+)\\.jar", "$1");
        }
    }

    static final Map<String, Implementation> IMPLEMENTATIONS =
            Map.of("protobuf", Protobuf.ALL, "kafka", Kafka.ALL, "lucene", Lucene.ALL, "avro", Avro.ALL);

    static byte[] answer(Codec codec, boolean isDecoder, boolean isSigned, int size, byte[] input) {
        ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (isDecoder) {
                long[] decoded = codec.decode(input);
                number.putLong(decoded[0]);
                ByteBuffer result = ByteBuffer.allocate(size + 1);
                return result.put((byte) decoded[1]).put(number.array(), 0, size).array();
            }
            number.put(input);
            long value = number.getLong(0);
            return codec.encode(isSigned ? value << (64 - 8 * size) >> (64 - 8 * size) : value);
        } catch (Exception error) {
            return new byte[0]; // an error without a reason
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            new TreeMap<>(IMPLEMENTATIONS).forEach((name, one) -> System.out.println(
                    name + " " + one.source + " " + one.version() + " "
                            + String.join(" ", new TreeMap<>(one.types).keySet())));
            return;
        }
        Codec codec = IMPLEMENTATIONS.get(arguments[0]).types.get(arguments[1]);
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
                byte[] result = answer(codec, body[0] == 'd', body[4] == 'i', size, source);
                results.put((byte) result.length).put(result);
            }
            System.out.write(results.putInt(0, results.position() - 4).array(), 0, results.position());
            System.out.flush();
        }
    }
}
