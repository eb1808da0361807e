package media_test

import (
	"bytes"
	"encoding/binary"
	"image/gif"
	"testing"

	"linnet/internal/media"
)

// TestMendedGIFs takes GIF files as browsers show them: as large as their frames, and without
// a last frame that ends early.
func TestMendedGIFs(t *testing.T) {
	whole := moving(t, 4)
	config, err := gif.DecodeConfig(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	narrow := bytes.Clone(whole)
	binary.LittleEndian.PutUint16(narrow[6:], uint16(config.Width-2))
	low := bytes.Clone(narrow)
	binary.LittleEndian.PutUint16(low[8:], uint16(config.Height-1))
	for name, c := range map[string]struct {
		data   []byte
		frames int
	}{
		"frames wider than the picture":  {narrow, 4},
		"frames larger than the picture": {low, 4},
		"no end":                         {whole[:len(whole)-1], 4},
		"cut in the last frame":          {whole[:bytes.LastIndex(whole, []byte{0x21, 0xfe})-3], 3},
		"bytes behind it":                {append(bytes.Clone(whole), "more"...), 4},
		"wide and cut":                   {narrow[:bytes.LastIndex(narrow, []byte{0x21, 0xfe})-3], 3},
	} {
		for _, shape := range []media.Shape{media.Attached, media.Emoji} {
			r, err := media.Process(c.data, shape)
			if err != nil {
				t.Errorf("%s, %s: %v", name, shape, err)
				continue
			}
			g, err := gif.DecodeAll(bytes.NewReader(r.Kept.Data))
			if err != nil || len(g.Image) != c.frames || !r.Moves || r.Kept.Width != config.Width || r.Kept.Height != config.Height {
				t.Errorf("%s, %s: %v, %d by %d", name, shape, err, r.Kept.Width, r.Kept.Height)
			}
		}
	}
}
