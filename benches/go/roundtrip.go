// Roundtrip measures a round trip of encoding/binary over the eight ranges of the 2015 article, on
// one core, in ns per value.
//
//	go run benches/go/roundtrip.go [values per range]
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"time"
)

var ranges = [][2]int64{
	{100000001, 150000001}, {200000001, 250000001}, {300000001, 350000000}, {400000001, 450000000},
	{500000001, 550000000}, {600000001, 650000000}, {700000001, 750000000}, {800000001, 850000000},
}

func main() {
	limit := int64(1) << 62
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "error: '%s' is not a number of values; give a number of at least 1\n", os.Args[1])
			os.Exit(2)
		}
		limit = n
	}
	var buf [binary.MaxVarintLen64]byte
	var values, failures int64
	start := time.Now()
	for _, r := range ranges {
		end := min(r[1], r[0]+limit)
		for i := r[0]; i < end; i++ {
			n := binary.PutVarint(buf[:], i)
			v, m := binary.Varint(buf[:n])
			if v != i || m != n {
				failures++
			}
		}
		values += end - r[0]
	}
	elapsed := time.Since(start)
	fmt.Printf("%d values, %d failures, %.2f ns per value\n", values, failures, float64(elapsed.Nanoseconds())/float64(values))
}
