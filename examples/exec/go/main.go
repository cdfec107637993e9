// A child of `sweep --exec` with the codec of Go's encoding/binary. ../README.md has the protocol.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

const hello, encode, decode, answer, refusal = 0x01, 0x02, 0x03, 0x80, 0xff

var magic, le = []byte("varsweep\x01\x00\x00\x00"), binary.LittleEndian

// The codec under test. It is for unsigned types until the greeting names a signed type.
var put, get = binary.PutUvarint, binary.Uvarint

func serve(kind byte, payload []byte) (out []byte, err error) {
	switch {
	case kind == hello && bytes.HasPrefix(payload, magic) && bytes.ContainsAny(payload[12:], "iu"):
		if payload[12] == 'i' {
			put = func(dst []byte, value uint64) int { return binary.PutVarint(dst, int64(value)) }
			get = func(src []byte) (uint64, int) { v, n := binary.Varint(src); return uint64(v), n }
		}
		return magic, nil
	case kind == encode:
		var varint [binary.MaxVarintLen64]byte
		for rest := payload[4:]; len(rest) > 0; rest = rest[8:] {
			out = append(out, varint[:put(varint[:], le.Uint64(rest))]...)
		}
		return out, nil
	case kind == decode:
		out, at := make([]byte, 4), 4
		for count := le.Uint32(payload); count > 0; count-- {
			value, n := get(payload[at:])
			if n <= 0 {
				return nil, fmt.Errorf("encoding/binary returned n = %d at byte %d", n, at-4)
			}
			out, at = le.AppendUint64(out, value), at+n
		}
		le.PutUint32(out, uint32(at-4))
		return out, nil
	}
	return nil, fmt.Errorf("main.go supports version 1 and the types i8 to i64 and u8 to u64")
}

func main() {
	in, header := bufio.NewReader(os.Stdin), make([]byte, 5)
	for _, err := io.ReadFull(in, header); err == nil; _, err = io.ReadFull(in, header) {
		payload, kind := make([]byte, le.Uint32(header)-1), header[4]|answer
		io.ReadFull(in, payload)
		out, err := serve(header[4], payload)
		if err != nil {
			kind, out = refusal, []byte(err.Error())
		}
		os.Stdout.Write(append(append(le.AppendUint32(nil, uint32(len(out)+1)), kind), out...))
	}
}
