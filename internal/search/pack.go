package search

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// MaxSegment is the maximum size of a segment that Unpack reads, in bytes.
const MaxSegment = 1 << 30

// Pack compresses a segment for storage.
func Pack(segment []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress a segment: %w", err)
	}
	defer w.Close()
	return w.EncodeAll(segment, make([]byte, 0, len(segment))), nil
}

// Unpack decompresses data from Pack. It returns ErrDamaged for other data.
func Unpack(packed []byte) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxSegment))
	if err != nil {
		return nil, fmt.Errorf("decompress a segment: %w", err)
	}
	defer r.Close()
	data, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, nil
}
