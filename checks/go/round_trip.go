// Round_trip encodes, decodes and compares each of the 399,999,994 values of an article of 2015 with
// encoding/binary, on one core. It prints the version of Go, the values, the failures and the ns per value.
package main

import (
	"encoding/binary"
	"fmt"
	"runtime"
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
		for value := r[0]; value < r[1]; value++ {
			n := binary.PutVarint(buf[:], value)
			decoded, m := binary.Varint(buf[:n])
			if decoded != value || m != n {
				failures++
			}
		}
		values += r[1] - r[0]
	}
	nanoseconds := float64(time.Since(start).Nanoseconds()) / float64(values)
	fmt.Println(runtime.Version(), values, failures, nanoseconds)
}
