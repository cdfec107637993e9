// The functions that the generated code of protobuf calls.
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

namespace with_protobuf {
using namespace google::protobuf::io;
using Wire = google::protobuf::internal::WireFormatLite;

template <class T, Wire::FieldType type>
Codec of(void (*write)(T, CodedOutputStream *)) {
    return {
        [](const std::string &source) -> Decoded {
            CodedInputStream input(reinterpret_cast<const uint8_t *>(source.data()), source.size());
            T value{};
            if (!Wire::ReadPrimitive<T, type>(&input, &value)) return {};
            return {value, input.CurrentPosition()};
        },
        [write](uint64_t value) {
            std::string bytes;
            StringOutputStream stream(&bytes);
            CodedOutputStream output(&stream);
            write(T(value), &output);
            output.Trim();
            return bytes;
        }};
}

const Implementation all{"protobuf " + google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION), {
    {"protobuf-int32", of<int32_t, Wire::TYPE_INT32>(Wire::WriteInt32NoTag)},
    {"protobuf-int64", of<int64_t, Wire::TYPE_INT64>(Wire::WriteInt64NoTag)},
    {"protobuf-uint32", of<uint32_t, Wire::TYPE_UINT32>(Wire::WriteUInt32NoTag)},
    {"protobuf-uint64", of<uint64_t, Wire::TYPE_UINT64>(Wire::WriteUInt64NoTag)},
    {"protobuf-sint32", of<int32_t, Wire::TYPE_SINT32>(Wire::WriteSInt32NoTag)},
    {"protobuf-sint64", of<int64_t, Wire::TYPE_SINT64>(Wire::WriteSInt64NoTag)},
    {"protobuf-bool", of<bool, Wire::TYPE_BOOL>(Wire::WriteBoolNoTag)}}};
} // namespace with_protobuf
