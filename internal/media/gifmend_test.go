package media_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color/palette"
	"image/gif"
	"testing"

	"linnet/internal/media"
)

// TestMendedGIFs checks that damaged GIF files are accepted and look as in browsers. They are as
// large as their frames need, and an incomplete last frame is dropped.
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
			g, err := gif.DecodeAll(bytes.NewReader(r.Stored.Data))
			if err != nil || len(g.Image) != c.frames || !r.Moves || r.Stored.Width != config.Width || r.Stored.Height != config.Height {
				t.Errorf("%s, %s: %v, %d by %d", name, shape, err, r.Stored.Width, r.Stored.Height)
			}
		}
	}
}

// TestCutStillGIFs checks that truncated pictures of one frame are accepted in every shape, unless
// nearly everything is missing.
func TestCutStillGIFs(t *testing.T) {
	still := image.NewPaletted(image.Rect(0, 0, 64, 48), palette.Plan9)
	for i := range still.Pix {
		still.Pix[i] = uint8(i * 7 / 5)
	}
	var b bytes.Buffer
	if err := gif.Encode(&b, still, nil); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for _, row := range []struct {
		length int
		taken  bool
	}{{len(whole) - 1, true}, {len(whole) - 2, true}, {len(whole) - 10, true}, {len(whole) * 3 / 4, true}, {len(whole) - len(whole)/3, true}, {800, false}, {20, false}} {
		for _, shape := range []media.Shape{media.Attached, media.Avatar, media.Banner, media.Emoji} {
			r, err := media.Process(whole[:row.length], shape)
			if (err == nil) != row.taken {
				t.Errorf("%d of %d bytes, %s: %v", row.length, len(whole), shape, err)
			}
			if err == nil && shape == media.Attached && (r.Stored.Width != 64 || r.Stored.Height != 48 || r.Moves) {
				t.Errorf("%d bytes: %d by %d", row.length, r.Stored.Width, r.Stored.Height)
			}
		}
	}
}
