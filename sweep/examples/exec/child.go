// The codec of u64 in Go's standard library, by `enc` and `dec`.
package main

import (
	"encoding/binary"
	"io"
	"log"
	"os"
)

func encode(s []byte) []byte {
	return binary.AppendUvarint(nil, binary.LittleEndian.Uint64(s))
}

func decode(s []byte) []byte {
	n, used := binary.Uvarint(s)
	if used <= 0 {
		return nil // an error without a reason
	}
	return binary.LittleEndian.AppendUint64([]byte{byte(used)}, n)
}

func main() {
	tasks := map[string]func([]byte) []byte{"enc u64 ": encode, "dec u64 ": decode}
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
