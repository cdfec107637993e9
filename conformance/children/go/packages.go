package main

import (
	"encoding/binary"

	"github.com/multiformats/go-varint"
	"google.golang.org/protobuf/encoding/protowire"
)

// A value has the bits of the wire type; those above them are ignored. decode returns its length too, which
// is not positive for an error.
type codec struct {
	decode func([]byte) (uint64, int)
	encode func(uint64) []byte
}

func zigzag(source []byte) (uint64, int) {
	value, used := binary.Varint(source)
	return uint64(value), used
}

func fromUvarint(source []byte) (uint64, int) {
	value, used, err := varint.FromUvarint(source)
	if err != nil {
		return 0, 0
	}
	return value, used
}

// The conversions are those that the documentation of ConsumeVarint names.
func protobuf(value func(number uint64) uint64, number func(value uint64) uint64) codec {
	return codec{
		func(source []byte) (uint64, int) {
			number, used := protowire.ConsumeVarint(source)
			return value(number), used
		},
		func(value uint64) []byte { return protowire.AppendVarint(nil, number(value)) },
	}
}

func same(bits uint64) uint64    { return bits }
func int32s(bits uint64) uint64  { return uint64(int32(bits)) }
func uint32s(bits uint64) uint64 { return uint64(uint32(bits)) }

var packages = map[string]map[string]codec{
	"encoding/binary": {
		"unsigned-64": {binary.Uvarint, func(value uint64) []byte { return binary.AppendUvarint(nil, value) }},
		"zigzag-64":   {zigzag, func(value uint64) []byte { return binary.AppendVarint(nil, int64(value)) }},
	},
	"github.com/multiformats/go-varint": {"multiformats": {fromUvarint, varint.ToUvarint}},
	"google.golang.org/protobuf/encoding/protowire": {
		"protobuf-int32":  protobuf(int32s, int32s),
		"protobuf-int64":  protobuf(same, same),
		"protobuf-uint32": protobuf(uint32s, uint32s),
		"protobuf-uint64": protobuf(same, same),
		"protobuf-sint32": protobuf(
			func(number uint64) uint64 { return uint64(protowire.DecodeZigZag(number & 0xffffffff)) },
			func(value uint64) uint64 { return protowire.EncodeZigZag(int64(int32(value))) },
		),
		"protobuf-sint64": protobuf(
			func(number uint64) uint64 { return uint64(protowire.DecodeZigZag(number)) },
			func(value uint64) uint64 { return protowire.EncodeZigZag(int64(value)) },
		),
		"protobuf-bool": protobuf(
			func(number uint64) uint64 { return protowire.EncodeBool(protowire.DecodeBool(number)) },
			func(value uint64) uint64 { return protowire.EncodeBool(value != 0) },
		),
	},
}
