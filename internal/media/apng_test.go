package media_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"testing"

	"linnet/internal/media"
)

// TestMovingPNGIsTaken checks that a PNG with animation chunks is accepted
// (https://www.w3.org/TR/png-3/#apng-frame-based-animation).
func TestMovingPNGIsTaken(t *testing.T) {
	still := asPNG(t, image.NewGray(image.Rect(0, 0, 30, 20)))
	chunk := func(kind string, numbers ...uint32) (out []byte) {
		body := []byte(kind)
		for _, n := range numbers {
			body = binary.BigEndian.AppendUint32(body, n)
		}
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)-4))
		return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
	}
	const header = 8 + 25 // the signature and IHDR
	moving := bytes.Join([][]byte{still[:header], chunk("acTL", 1, 0), still[header:]}, nil)
	r, err := media.Process(moving, media.Attached)
	if err != nil || r.Stored.Width != 30 || r.Stored.Height != 20 {
		t.Errorf("%+v, %v", r, err)
	}
}
