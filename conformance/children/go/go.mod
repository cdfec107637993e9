module children

go 1.24

require (
	github.com/multiformats/go-varint v0.1.0
	google.golang.org/protobuf v1.36.12
)
