// Speaks the protocol of `sweep protocol` for an implementation and a wire type. Without them, lists both.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// decode returns the value in two's complement and its length, which is not positive for an error.
type codec struct {
	decode func([]byte) (uint64, int)
	encode func(uint64) []byte
}

type implementation struct {
	source string
	types  map[string]codec
}

var implementations = map[string]implementation{"binary": standard, "protowire": protobuf, "varint": multiformats}

func version(source string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if strings.HasPrefix(source, module.Path) {
			return module.Version
		}
	}
	return runtime.Version()
}

func main() {
	if len(os.Args) < 3 {
		for _, name := range slices.Sorted(maps.Keys(implementations)) {
			one := implementations[name]
			types := strings.Join(slices.Sorted(maps.Keys(one.types)), " ")
			fmt.Println(name, one.source, version(one.source), types)
		}
		return
	}
	codec := implementations[os.Args[1]].types[os.Args[2]]
	for head := make([]byte, 4); ; {
		if _, err := io.ReadFull(os.Stdin, head); err != nil {
			return
		}
		body := make([]byte, binary.LittleEndian.Uint32(head))
		io.ReadFull(os.Stdin, body)
		bits, _ := strconv.Atoi(strings.TrimSpace(string(body[5:8])))
		results := make([]byte, 4)
		for at := 8; at < len(body); at += 1 + int(body[at]) {
			var result, value []byte
			if input := body[at+1:][:body[at]]; string(body[:3]) == "dec" {
				if number, used := codec.decode(input); used > 0 {
					value = binary.LittleEndian.AppendUint64(nil, number)
					result = append([]byte{byte(used)}, value[:bits/8]...)
				}
			} else {
				value = append(slices.Clone(input), make([]byte, 8)...)
				number := binary.LittleEndian.Uint64(value)
				if body[4] == 'i' { // extends the sign
					number = uint64(int64(number) << (64 - bits) >> (64 - bits))
				}
				result = codec.encode(number)
			}
			results = append(append(results, byte(len(result))), result...)
		}
		binary.LittleEndian.PutUint32(results, uint32(len(results)-4))
		os.Stdout.Write(results)
	}
}
