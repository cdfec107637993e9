// Roundtrip measures a round trip of encoding/binary over the eight ranges of the 2015 article, on
// one core, in ns per value.
//
//	go run benches/go/roundtrip.go
package main

import (
	"encoding/binary"
	"fmt"
	"time"
)

var ranges = [][2]int64{
	{100000001, 150000001}, {200000001, 250000001}, {300000001, 350000000}, {400000001, 450000000},
	{500000001, 550000000}, {600000001, 650000000}, {700000001, 750000000}, {800000001, 850000000},
}

func main() {
	var buf [binary.MaxVarintLen64]byte
	var values, failures int64
	start := time.Now()
	for _, r := range ranges {
		for i := r[0]; i < r[1]; i++ {
			n := binary.PutVarint(buf[:], i)
			v, m := binary.Varint(buf[:n])
			if v != i || m != n {
				failures++
			}
		}
		values += r[1] - r[0]
	}
	elapsed := time.Since(start)
	fmt.Printf("%d values, %d failures, %.2f ns per value\n", values, failures, float64(elapsed.Nanoseconds())/float64(values))
}
