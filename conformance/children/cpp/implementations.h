// The decoder and the encoder of each package by wire type.
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>
#include <pb_decode.h>
#include <pb_encode.h>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

// A value has the bits of the wire type; those above them are ignored. The decoder returns its length, which
// is 0 for an error.
struct Codec {
    std::function<size_t(const std::string &, uint64_t &)> decode;
    std::function<std::string(uint64_t)> encode;
};

// protobuf: the functions that generated code calls.
using Wire = google::protobuf::internal::WireFormatLite;
template <class T, Wire::FieldType type>
Codec with_protobuf(void (*write)(T, google::protobuf::io::CodedOutputStream *)) {
    return {
        [](const std::string &source, uint64_t &value) -> size_t {
            google::protobuf::io::CodedInputStream input((const uint8_t *)source.data(), source.size());
            T read{};
            if (!Wire::ReadPrimitive<T, type>(&input, &read)) return 0;
            value = read;
            return input.CurrentPosition();
        },
        [write](uint64_t value) {
            std::string bytes;
            google::protobuf::io::StringOutputStream stream(&bytes);
            google::protobuf::io::CodedOutputStream output(&stream);
            write(T(value), &output);
            output.Trim();
            return bytes;
        }};
}

// protozero: the reader and the writer of messages, with a tag of one byte.
template <class T>
Codec with_protozero(
    T (protozero::pbf_reader::*get)(), void (protozero::pbf_writer::*add)(protozero::pbf_tag_type, T)) {
    return {
        [get](const std::string &source, uint64_t &value) -> size_t {
            std::string message = "\x08" + source;
            protozero::pbf_reader reader(message);
            try {
                reader.next();
                value = (reader.*get)();
                return source.size() - reader.length();
            } catch (const protozero::exception &) {
                return 0;
            }
        },
        [add](uint64_t value) {
            std::string message;
            protozero::pbf_writer writer(message);
            (writer.*add)(1, T(value));
            return message.substr(1);
        }};
}

// nanopb: a message with an optional field of each type, as its generator declares it. The parser of messages
// gets a tag and the bytes up to the first without continuation bit.
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
Codec with_nanopb(char number, bool Message::*has, T Message::*member) {
    return {
        [=](const std::string &source, uint64_t &value) -> size_t {
            auto end = std::find_if(source.begin(), source.end(), [](char byte) { return byte >= 0; });
            if (end != source.end()) end++;
            std::string message = char(number << 3) + std::string(source.begin(), end);
            pb_istream_t input = pb_istream_from_buffer((const pb_byte_t *)message.data(), message.size());
            Message read{};
            if (!pb_decode(&input, &Message_msg, &read)) return 0;
            value = read.*member;
            return message.size() - 1;
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

using protozero::pbf_reader;
using protozero::pbf_writer;
const std::map<std::string, std::map<std::string, Codec>> packages{
    {"protobuf", {
        {"protobuf-int32", with_protobuf<int32_t, Wire::TYPE_INT32>(Wire::WriteInt32NoTag)},
        {"protobuf-int64", with_protobuf<int64_t, Wire::TYPE_INT64>(Wire::WriteInt64NoTag)},
        {"protobuf-uint32", with_protobuf<uint32_t, Wire::TYPE_UINT32>(Wire::WriteUInt32NoTag)},
        {"protobuf-uint64", with_protobuf<uint64_t, Wire::TYPE_UINT64>(Wire::WriteUInt64NoTag)},
        {"protobuf-sint32", with_protobuf<int32_t, Wire::TYPE_SINT32>(Wire::WriteSInt32NoTag)},
        {"protobuf-sint64", with_protobuf<int64_t, Wire::TYPE_SINT64>(Wire::WriteSInt64NoTag)},
        {"protobuf-bool", with_protobuf<bool, Wire::TYPE_BOOL>(Wire::WriteBoolNoTag)}}},
    {"protozero", {
        {"protobuf-int32", with_protozero(&pbf_reader::get_int32, &pbf_writer::add_int32)},
        {"protobuf-int64", with_protozero(&pbf_reader::get_int64, &pbf_writer::add_int64)},
        {"protobuf-uint32", with_protozero(&pbf_reader::get_uint32, &pbf_writer::add_uint32)},
        {"protobuf-uint64", with_protozero(&pbf_reader::get_uint64, &pbf_writer::add_uint64)},
        {"protobuf-sint32", with_protozero(&pbf_reader::get_sint32, &pbf_writer::add_sint32)},
        {"protobuf-sint64", with_protozero(&pbf_reader::get_sint64, &pbf_writer::add_sint64)},
        {"protobuf-bool", with_protozero(&pbf_reader::get_bool, &pbf_writer::add_bool)}}},
    {"nanopb", {
        {"protobuf-int32", with_nanopb(1, &Message::has_int32, &Message::int32)},
        {"protobuf-int64", with_nanopb(2, &Message::has_int64, &Message::int64)},
        {"protobuf-uint32", with_nanopb(3, &Message::has_uint32, &Message::uint32)},
        {"protobuf-uint64", with_nanopb(4, &Message::has_uint64, &Message::uint64)},
        {"protobuf-sint32", with_nanopb(5, &Message::has_sint32, &Message::sint32)},
        {"protobuf-sint64", with_nanopb(6, &Message::has_sint64, &Message::sint64)},
        {"protobuf-bool", with_nanopb(7, &Message::has_boolean, &Message::boolean)}}}};
