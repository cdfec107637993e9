// The reader and the writer of messages, with a tag of one byte.
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/version.hpp>

namespace with_protozero {
using protozero::pbf_reader;
using protozero::pbf_writer;

template <class T>
Codec of(T (pbf_reader::*get)(), void (pbf_writer::*add)(protozero::pbf_tag_type, T)) {
    return {
        [get](const std::string &source) -> Decoded {
            std::string message = "\x08" + source;
            pbf_reader reader(message);
            try {
                reader.next();
                uint64_t value = (reader.*get)();
                return {value, source.size() - reader.length()};
            } catch (const protozero::exception &) {
                return {};
            }
        },
        [add](uint64_t value) {
            std::string message;
            pbf_writer writer(message);
            (writer.*add)(1, T(value));
            return message.substr(1);
        }};
}

const Implementation all{std::string("protozero ") + PROTOZERO_VERSION_STRING, {
    {"protobuf-int32", of(&pbf_reader::get_int32, &pbf_writer::add_int32)},
    {"protobuf-int64", of(&pbf_reader::get_int64, &pbf_writer::add_int64)},
    {"protobuf-uint32", of(&pbf_reader::get_uint32, &pbf_writer::add_uint32)},
    {"protobuf-uint64", of(&pbf_reader::get_uint64, &pbf_writer::add_uint64)},
    {"protobuf-sint32", of(&pbf_reader::get_sint32, &pbf_writer::add_sint32)},
    {"protobuf-sint64", of(&pbf_reader::get_sint64, &pbf_writer::add_sint64)},
    {"protobuf-bool", of(&pbf_reader::get_bool, &pbf_writer::add_bool)}}};
} // namespace with_protozero
