// Speaks the protocol of `sweep protocol` for a package and a wire type.
package main

import (
	"encoding/binary"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() {
	codec := packages[os.Args[1]][os.Args[2]]
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
			if input := body[at+1:][:body[at]]; body[0] == 'd' {
				if number, used := codec.decode(input); used > 0 {
					value = binary.LittleEndian.AppendUint64(nil, number)
					result = append([]byte{byte(used)}, value[:bits/8]...)
				}
			} else {
				value = append(append(value, input...), make([]byte, 8)...)
				result = codec.encode(binary.LittleEndian.Uint64(value))
			}
			results = append(append(results, byte(len(result))), result...)
		}
		binary.LittleEndian.PutUint32(results, uint32(len(results)-4))
		os.Stdout.Write(results)
	}
}
