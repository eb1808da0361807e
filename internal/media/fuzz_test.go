package media_test

import (
	"bytes"
	"errors"
	"image"
	"testing"

	"linnet/internal/media"
)

func FuzzProcess(f *testing.F) {
	for _, c := range bombs(f) {
		if len(c[0]) < 10_000 {
			f.Add([]byte(c[0]))
		}
	}
	f.Add(asJPEG(f, scene(20, 10)))
	f.Add(behind(asJPEG(f, scene(20, 10)), 0xe1, exif(6)))
	f.Add(asPNG(f, scene(20, 10)))
	f.Add(moving(f, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && p.Width*p.Height > 1<<20 {
			return // takes much time and memory
		}
		r, err := media.Process(data, media.Attached)
		var refusal media.Refusal
		if err != nil {
			if !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			return
		}
		if _, _, err := image.DecodeConfig(bytes.NewReader(r.Stored.Data)); err != nil {
			t.Fatalf("what is kept cannot be read: %v", err)
		}
		if again, err := media.Process(r.Stored.Data, media.Attached); err != nil || again.Stored.Width != r.Stored.Width {
			t.Fatalf("what is kept is not taken again: %v", err)
		}
	})
}
