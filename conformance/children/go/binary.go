package main

import "encoding/binary"

var standard = implementation{"encoding/binary", map[string]codec{
	"unsigned-64": {binary.Uvarint, func(value uint64) []byte { return binary.AppendUvarint(nil, value) }},
	"zigzag-64": {
		func(source []byte) (uint64, int) {
			value, used := binary.Varint(source)
			return uint64(value), used
		},
		func(value uint64) []byte { return binary.AppendVarint(nil, int64(value)) },
	},
}}
