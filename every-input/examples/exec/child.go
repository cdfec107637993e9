// The codec of i64 and u64 in Go's standard library, by `enc` and `dec`.
package main

import (
	"encoding/binary"
	"io"
	"log"
	"os"
)

func encodeUnsigned(s []byte) []byte {
	return binary.AppendUvarint(nil, binary.LittleEndian.Uint64(s))
}

func encodeSigned(s []byte) []byte {
	return binary.AppendVarint(nil, int64(binary.LittleEndian.Uint64(s)))
}

func decodeUnsigned(s []byte) []byte {
	n, used := binary.Uvarint(s)
	return decoded(n, used)
}

func decodeSigned(s []byte) []byte {
	n, used := binary.Varint(s)
	return decoded(uint64(n), used)
}

func decoded(n uint64, used int) []byte {
	if used <= 0 {
		return nil // an error without a reason
	}
	return binary.LittleEndian.AppendUint64([]byte{byte(used)}, n)
}

func main() {
	tasks := map[string]func([]byte) []byte{
		"enc u64 ": encodeUnsigned, "dec u64 ": decodeUnsigned,
		"enc i64 ": encodeSigned, "dec i64 ": decodeSigned,
	}
	for head := make([]byte, 4); ; {
		if _, err := io.ReadFull(os.Stdin, head); err != nil {
			return
		}
		body := make([]byte, binary.LittleEndian.Uint32(head))
		io.ReadFull(os.Stdin, body)
		task, results := tasks[string(body[:8])], make([]byte, 4)
		if task == nil {
			log.Fatalf("child.go has no task %s", body[:8])
		}
		for at := 8; at < len(body); at += 1 + int(body[at]) {
			result := task(body[at+1:][:body[at]])
			results = append(append(results, byte(len(result))), result...)
		}
		binary.LittleEndian.PutUint32(results, uint32(len(results)-4))
		os.Stdout.Write(results)
	}
}
