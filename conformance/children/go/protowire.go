package main

import "google.golang.org/protobuf/encoding/protowire"

// The conversions are those that the documentation of ConsumeVarint names.
func of(value func(uint64) uint64, number func(uint64) uint64) codec {
	return codec{
		func(source []byte) (uint64, int) {
			number, used := protowire.ConsumeVarint(source)
			return value(number), used
		},
		func(value uint64) []byte { return protowire.AppendVarint(nil, number(value)) },
	}
}

func same(number uint64) uint64 { return number }

var protobuf = implementation{"google.golang.org/protobuf/encoding/protowire", map[string]codec{
	"protobuf-int32":  of(func(number uint64) uint64 { return uint64(int32(number)) }, same),
	"protobuf-int64":  of(same, same),
	"protobuf-uint32": of(func(number uint64) uint64 { return uint64(uint32(number)) }, same),
	"protobuf-uint64": of(same, same),
	"protobuf-sint32": of(
		func(number uint64) uint64 { return uint64(int32(protowire.DecodeZigZag(number & 0xffffffff))) },
		func(value uint64) uint64 { return protowire.EncodeZigZag(int64(value)) },
	),
	"protobuf-sint64": of(
		func(number uint64) uint64 { return uint64(protowire.DecodeZigZag(number)) },
		func(value uint64) uint64 { return protowire.EncodeZigZag(int64(value)) },
	),
	"protobuf-bool": of(
		func(number uint64) uint64 { return protowire.EncodeBool(protowire.DecodeBool(number)) },
		func(value uint64) uint64 { return protowire.EncodeBool(value != 0) },
	),
}}
