package bird

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"testing"
)

// TestBirds checks that a bird is the same each time, and that the PNG has the colours and the
// direction of the SVG.
func TestBirds(t *testing.T) {
	const pixels = 400
	seen, left := map[string]bool{}, 0
	for i := range 40 {
		name := fmt.Sprintf("ann%d", i)
		b := New(name)
		if err := xml.Unmarshal(b.SVG(), new(struct{})); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		picture := b.PNG(pixels)
		if !bytes.Equal(picture, New(name).PNG(pixels)) || !bytes.Equal(b.SVG(), New(name).SVG()) {
			t.Errorf("%s is drawn in two ways", name)
		}
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil || img.Bounds().Dx() != pixels || img.Bounds().Dy() != pixels {
			t.Fatalf("%s: %v, %v", name, img.Bounds(), err)
		}
		at := func(x, y float64) color.RGBA {
			if b.left {
				x = side - x
			}
			return color.RGBAModel.Convert(img.At(int(x/side*pixels), int(y/side*pixels))).(color.RGBA)
		}
		last := len(b.shapes) - 1
		for _, p := range []struct {
			what string
			x, y float64
			want paint
		}{
			{"sky", 60, 5, b.sky}, {"beak", 50, 28, b.shapes[last-3].fill}, {"eye", 37, 26, b.shapes[last-2].fill}, {"glint", 39.5, 24, b.shapes[last-1].fill},
			{"wing", 18, 48, b.shapes[last].fill}, {"cap", 32, 15, b.shapes[last-4].fill}, {"cheek", 30, 33, b.shapes[last-5].fill}, {"breast", 44, 55, b.shapes[last-6].fill},
			{"back", 5, 62, b.shapes[last-7].fill},
		} {
			if got := at(p.x, p.y); got != p.want.rgb {
				t.Errorf("%s: the %s is %v, want %v (%s)", name, p.what, got, p.want.rgb, p.want.css)
			}
		}
		if len(picture) > 20_000 {
			t.Errorf("%s takes %d bytes", name, len(picture))
		}
		if b.left {
			left++
		}
		seen[string(picture)] = true
	}
	if len(seen) != 40 || left == 0 || left == 40 {
		t.Errorf("40 names have %d pictures, %d look to the left", len(seen), left)
	}
}

// TestHSL checks that colours are equal to CSS colours.
func TestHSL(t *testing.T) {
	for in, want := range map[[3]int]color.RGBA{
		{0, 100, 50}: {255, 0, 0, 255}, {120, 100, 25}: {0, 128, 0, 255}, {210, 40, 60}: {112, 153, 194, 255}, {60, 0, 50}: {128, 128, 128, 255},
	} {
		if got := hsl(in[0], in[1], in[2]).rgb; got != want {
			t.Errorf("hsl %v is %v, want %v", in, got, want)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = len(New("ishmael").PNG(400))
	}
	b.ReportMetric(float64(n), "bytes")
}
