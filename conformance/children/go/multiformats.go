package main

import "github.com/multiformats/go-varint"

var multiformats = implementation{"github.com/multiformats/go-varint", map[string]codec{
	"multiformats": {
		func(source []byte) (uint64, int) {
			value, used, err := varint.FromUvarint(source)
			if err != nil {
				used = 0
			}
			return value, used
		},
		varint.ToUvarint,
	},
}}
