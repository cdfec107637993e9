// A message with an optional field of each type, as nanopb's generator declares it. The parser of messages
// gets a tag and the bytes up to the first without continuation bit.
#include <pb_decode.h>
#include <pb_encode.h>

#include <algorithm>

namespace with_nanopb {
struct Message {
#define OPTIONAL(type, name) bool has_##name; type name;
    OPTIONAL(int32_t, int32) OPTIONAL(int64_t, int64) OPTIONAL(uint32_t, uint32) OPTIONAL(uint64_t, uint64)
    OPTIONAL(int32_t, sint32) OPTIONAL(int64_t, sint64) OPTIONAL(bool, boolean)
#undef OPTIONAL
};
#define Message_FIELDLIST(F, a)                                                                         \
    F(a, STATIC, OPTIONAL, INT32, int32, 1) F(a, STATIC, OPTIONAL, INT64, int64, 2)                     \
    F(a, STATIC, OPTIONAL, UINT32, uint32, 3) F(a, STATIC, OPTIONAL, UINT64, uint64, 4)                 \
    F(a, STATIC, OPTIONAL, SINT32, sint32, 5) F(a, STATIC, OPTIONAL, SINT64, sint64, 6)                 \
    F(a, STATIC, OPTIONAL, BOOL, boolean, 7)
#define Message_CALLBACK NULL
#define Message_DEFAULT NULL
PB_BIND(Message, Message, AUTO)

template <class T>
Codec of(char number, bool Message::*has, T Message::*member) {
    return {
        [=](const std::string &source) -> Decoded {
            auto last = std::find_if(source.begin(), source.end(), [](char byte) { return byte >= 0; });
            std::string message = char(number << 3) + std::string(source.begin(), last + (last != source.end()));
            pb_istream_t input = pb_istream_from_buffer((const pb_byte_t *)message.data(), message.size());
            Message read{};
            if (!pb_decode(&input, &Message_msg, &read)) return {};
            return {read.*member, message.size() - 1};
        },
        [=](uint64_t value) {
            Message written{};
            written.*has = true;
            written.*member = T(value);
            pb_byte_t bytes[16];
            pb_ostream_t output = pb_ostream_from_buffer(bytes, sizeof bytes);
            pb_encode(&output, &Message_msg, &written);
            return std::string((char *)bytes + 1, output.bytes_written - 1);
        }};
}

const Implementation all{"nanopb " + std::string(NANOPB_VERSION).substr(7), {
    {"protobuf-int32", of(1, &Message::has_int32, &Message::int32)},
    {"protobuf-int64", of(2, &Message::has_int64, &Message::int64)},
    {"protobuf-uint32", of(3, &Message::has_uint32, &Message::uint32)},
    {"protobuf-uint64", of(4, &Message::has_uint64, &Message::uint64)},
    {"protobuf-sint32", of(5, &Message::has_sint32, &Message::sint32)},
    {"protobuf-sint64", of(6, &Message::has_sint64, &Message::sint64)},
    {"protobuf-bool", of(7, &Message::has_boolean, &Message::boolean)}}};
} // namespace with_nanopb
