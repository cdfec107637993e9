#include <protozero/pbf_reader.hpp>
#include <string>

int main() {
    const std::string zero("\x08\x80\x00", 3), large("\x08\x80\x80\x80\x80\x10"); // field 1: 0, and 2^32
    protozero::pbf_reader boolean(zero), signed_number(large);
    bool is_confirmed = boolean.next() && boolean.get_bool(); // that of 0 is false
    // Of a number above 32 bits the low ones are those of a sint32: 0.
    is_confirmed &= signed_number.next() && signed_number.get_sint32() == INT32_MIN;
    return is_confirmed ? 0 : 1;
}
