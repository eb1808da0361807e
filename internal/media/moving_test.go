package media_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"testing"

	"linnet/internal/media"
)

// aChunk returns a PNG chunk.
func aChunk(name string, body ...byte) []byte {
	out := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name...)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// anAPNG returns a picture with two frames, and a text with the place where it was made.
func anAPNG(t *testing.T) []byte {
	t.Helper()
	still := asPNG(t, image.NewGray(image.Rect(0, 0, 30, 20)))
	const header = 8 + 25
	control := func(n byte) []byte {
		return aChunk("fcTL", 0, 0, 0, n, 0, 0, 0, 30, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0)
	}
	at := bytes.Index(still, []byte("IDAT")) - 4
	size := int(binary.BigEndian.Uint32(still[at:]))
	data := still[at+8 : at+8+size]
	return bytes.Join([][]byte{still[:header], aChunk("acTL", 0, 0, 0, 2, 0, 0, 0, 0), aChunk("tEXt", []byte("Comment\x00by SECRET")...), control(0), aChunk("IDAT", data...),
		control(1), aChunk("fdAT", append([]byte{0, 0, 0, 2}, data...)...), aChunk("IEND")}, nil)
}

// aWebP returns a picture with two frames of one pixel in lossless WebP, and metadata.
func aWebP(t *testing.T) []byte {
	t.Helper()
	still, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		t.Fatal(err)
	}
	chunk := func(name string, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		out := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
		return append(out, make([]byte, len(body)&1)...)
	}
	frame := chunk("ANMF", make([]byte, 12), []byte{100, 0, 0, 0}, still[12:])
	return chunk("RIFF", []byte("WEBP"), chunk("VP8X", []byte{0x1e, 0, 0, 0, 0, 0, 0, 0, 0, 0}), chunk("ANIM", make([]byte, 6)), frame, frame, chunk("EXIF", []byte("by SECRET")))
}

// TestMovingPicturesStayMoving checks that all frames of animations are stored, without the data
// between them. Profiles get the first frame.
func TestMovingPicturesStayMoving(t *testing.T) {
	for name, c := range map[string]struct {
		data  []byte
		kind  media.Kind
		frame string
		size  [2]int
	}{"APNG": {anAPNG(t), media.PNG, "fcTL", [2]int{30, 20}}, "WebP": {aWebP(t), media.WebP, "ANMF", [2]int{1, 1}}} {
		r, err := media.Process(c.data, media.Attached)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := bytes.Count(r.Stored.Data, []byte(c.frame)); n != 2 || !r.Moves || r.Stored.Kind != c.kind || r.Stored.Width != c.size[0] || r.Stored.Height != c.size[1] || r.Small.Data == nil {
			t.Errorf("%s: %d frames, %+v", name, n, r)
		}
		if bytes.Contains(r.Stored.Data, []byte("SECRET")) || c.kind == media.WebP && r.Stored.Data[20]&0x0c != 0 {
			t.Errorf("%s has what is written beside it", name)
		}
		if again, err := media.Process(r.Stored.Data, media.Attached); err != nil || !bytes.Equal(again.Stored.Data, r.Stored.Data) {
			t.Errorf("%s changes when it is sent again: %v", name, err)
		}
		for _, shape := range []media.Shape{media.Avatar, media.Emoji} {
			if r, err := media.Process(c.data, shape); err != nil || r.Moves || r.Stored.Kind == media.WebP {
				t.Errorf("%s as %s: %v", name, shape, err)
			}
		}
	}
}
