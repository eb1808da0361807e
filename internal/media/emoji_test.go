package media_test

import (
	"bytes"
	"errors"
	"image/gif"
	"testing"

	"linnet/internal/media"
)

func TestEmoji(t *testing.T) {
	for name, tc := range map[string]struct {
		data  []byte
		w, h  int
		moves bool
	}{
		"small": {asPNG(t, scene(20, 30)), 20, 30, false},
		"large": {asPNG(t, scene(1000, 500)), 256, 128, false},
		"moves": {moving(t, 4), 30, 20, true},
		"still": {moving(t, 1), 30, 20, false},
	} {
		r, err := media.Process(tc.data, media.Emoji)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Stored.Width != tc.w || r.Stored.Height != tc.h || r.Moves != tc.moves || (r.Stored.Kind == media.GIF) != tc.moves || (r.Small.Data != nil) != tc.moves {
			t.Errorf("%s: %s of %d by %d, moves %v, and a %s", name, r.Stored.Kind, r.Stored.Width, r.Stored.Height, r.Moves, r.Small.Kind)
		}
		if tc.moves && (r.Small.Kind != media.PNG || r.Small.Width != tc.w || bytes.Contains(r.Stored.Data, []byte("SECRET"))) {
			t.Errorf("%s stands still as %s of %d by %d", name, r.Small.Kind, r.Small.Width, r.Small.Height)
		}
	}
}

func TestNoEmoji(t *testing.T) {
	wide := moving(t, 3)
	wide[6], wide[7] = 0, 4 // 1024 pixels according to the header
	if _, err := gif.DecodeConfig(bytes.NewReader(wide)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a JPEG": asJPEG(t, scene(20, 20)), "an SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"a wide one that moves": wide, "a bomb": asPNG(t, scene(20, 20))[:40]} {
		_, err := media.Process(data, media.Emoji)
		var refusal media.Refusal
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
