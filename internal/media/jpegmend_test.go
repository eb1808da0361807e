package media_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"

	"linnet/internal/media"
)

// aPhoto returns a JPEG with a gradient and details, so that it is large.
func aPhoto(t *testing.T) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 317, 239))
	for y := range 239 {
		for x := range 317 {
			img.Set(x, y, color.RGBA{uint8(x * 7), uint8(y * 5), uint8(x * y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withoutTables removes the Huffman tables, like webcams.
func withoutTables(data []byte) []byte {
	at := bytes.Index(data, []byte{0xff, 0xc4})
	return append(bytes.Clone(data[:at]), data[at+2+int(binary.BigEndian.Uint16(data[at+2:])):]...)
}

// TestMendedJPEGs checks that damaged files are accepted as in browsers. The existing part is
// unchanged.
func TestMendedJPEGs(t *testing.T) {
	whole := aPhoto(t)
	want, err := jpeg.Decode(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	bare := withoutTables(whole)
	for name, c := range map[string]struct {
		data []byte
		rows int // unchanged rows
	}{
		"no end":          {whole[:len(whole)-2], 239},
		"half an end":     {whole[:len(whole)-1], 239},
		"cut at 95 %":     {whole[:len(whole)*95/100], 200},
		"cut at half":     {whole[:len(whole)/2], 80},
		"no tables":       {bare, 239},
		"no tables, cut":  {bare[:len(bare)*3/4], 140},
		"bytes behind it": {append(bytes.Clone(whole), "more"...), 239},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := media.Process(c.data, media.Attached)
			if err != nil {
				t.Fatal(err)
			}
			got, err := jpeg.Decode(bytes.NewReader(r.Stored.Data))
			if err != nil || got.Bounds() != want.Bounds() {
				t.Fatalf("%v, %v", got.Bounds(), err)
			}
			for y := 0; y < c.rows; y += 7 {
				for x := 3; x < 317; x += 50 {
					if g, w := color.GrayModel.Convert(got.At(x, y)).(color.Gray).Y, color.GrayModel.Convert(want.At(x, y)).(color.Gray).Y; max(g, w)-min(g, w) > 40 {
						t.Fatalf("at %d,%d: %d, want %d", x, y, g, w)
					}
				}
			}
		})
	}
	for name, data := range map[string][]byte{"cut before the picture": whole[:300], "only a header": whole[:20], "cut in the first row": whole[:bytes.Index(whole, []byte{0xff, 0xda})+40]} {
		if _, err := media.Process(data, media.Attached); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestProgressiveJPEGCut cuts a progressive file in each of its scans. A cut in the first one
// shows the upper part, a later cut shows the whole picture with less detail.
func TestProgressiveJPEGCut(t *testing.T) {
	whole, err := os.ReadFile("testdata/progressive.jpg")
	if err != nil {
		t.Fatal(err)
	}
	want, err := jpeg.Decode(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	var scans []int // offsets of their headers, and the end of the last one
	for at := range whole {
		if bytes.HasPrefix(whole[at:], []byte{0xff, 0xda}) {
			scans = append(scans, at)
		}
	}
	if scans = append(scans, len(whole)); len(scans) < 5 {
		t.Fatalf("%d scans", len(scans)-1)
	}
	height := want.Bounds().Dy()
	for n, at := range scans[:len(scans)-1] {
		rows := height
		if n == 0 {
			rows = height / 4
		}
		r, err := media.Process(whole[:(at+scans[n+1])/2], media.Attached)
		if err != nil {
			t.Errorf("cut in scan %d: %v", n, err)
			continue
		}
		got, err := jpeg.Decode(bytes.NewReader(r.Stored.Data))
		if err != nil || got.Bounds() != want.Bounds() {
			t.Errorf("cut in scan %d: %v", n, err)
			continue
		}
		if d := greyDifference(got, want, rows); d > 25 {
			t.Errorf("cut in scan %d: blocks differ by %d", n, d)
		}
	}
	for _, cut := range []int{scans[0], scans[0] + 20} { // nothing or nearly nothing to show
		if _, err := media.Process(whole[:cut], media.Attached); err == nil {
			t.Errorf("cut at %d of %d: it is taken", cut, len(whole))
		}
	}
}

// greyDifference is the largest difference of brightness between blocks of two pictures, in the
// upper rows. The first scan of a progressive file has the mean of each block.
func greyDifference(a, b image.Image, rows int) (most int) {
	mean := func(m image.Image, x, y int) (sum int) {
		for i := range 64 {
			sum += int(color.GrayModel.Convert(m.At(x+i%8, y+i/8)).(color.Gray).Y)
		}
		return sum / 64
	}
	for y := 0; y+8 <= rows; y += 8 {
		for x := 0; x+8 <= a.Bounds().Dx(); x += 8 {
			d := mean(a, x, y) - mean(b, x, y)
			most = max(most, d, -d)
		}
	}
	return most
}
