package media_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/media"
)

// scene returns a picture with four different corners: red, green, blue and white.
func scene(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{A: 255}
			switch left, top := x < w/2, y < h/2; {
			case left && top:
				c.R = 230
			case top:
				c.G = 230
			case left:
				c.B = 230
			default:
				c.R, c.G, c.B = 230, 230, 230
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// corners returns the names of the corner colours of a picture, from the upper left in reading
// order.
func corners(t *testing.T, data []byte) string {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	var out strings.Builder
	for _, p := range []image.Point{{b.Min.X + 1, b.Min.Y + 1}, {b.Max.X - 2, b.Min.Y + 1}, {b.Min.X + 1, b.Max.Y - 2}, {b.Max.X - 2, b.Max.Y - 2}} {
		r, g, bl, _ := img.At(p.X, p.Y).RGBA()
		switch {
		case r > 0x8000 && g > 0x8000:
			out.WriteByte('w')
		case r > 0x8000:
			out.WriteByte('r')
		case g > 0x8000:
			out.WriteByte('g')
		case bl > 0x8000:
			out.WriteByte('b')
		default:
			out.WriteByte('?')
		}
	}
	return out.String()
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// behind inserts a segment after the first bytes of a JPEG.
func behind(data []byte, marker byte, body []byte) []byte {
	out := append([]byte{}, data[:2]...)
	out = append(out, 0xff, marker)
	out = binary.BigEndian.AppendUint16(out, uint16(len(body)+2))
	return append(append(out, body...), data[2:]...)
}

// exif returns camera metadata with an orientation and a location.
func exif(orientation uint16) []byte {
	b := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x02")
	b = append(b, 0x01, 0x12, 0, 3, 0, 0, 0, 1, byte(orientation>>8), byte(orientation), 0, 0)
	b = append(b, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0)
	return append(b, "\x00\x01\x00\x01\x00\x02\x00\x00\x00\x02N\x00\x00\x00\x00\x00\x00\x00SECRETPLACE"...)
}

func process(t *testing.T, data []byte) *media.Result {
	t.Helper()
	r, err := media.Process(data, media.Attached)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOrientation(t *testing.T) {
	want := []string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb"}
	plain := asJPEG(t, scene(80, 48))
	for n := uint16(1); n <= 8; n++ {
		r := process(t, behind(plain, 0xe1, exif(n)))
		if got := corners(t, r.Stored.Data); got != want[n] {
			t.Errorf("orientation %d: corners %s, want %s", n, got, want[n])
		}
		if turned := r.Stored.Width == 48 && r.Stored.Height == 80; turned != (n > 4) {
			t.Errorf("orientation %d: %d by %d", n, r.Stored.Width, r.Stored.Height)
		}
		if bytes.Contains(r.Stored.Data, []byte("SECRETPLACE")) || bytes.Contains(r.Stored.Data, []byte("Exif")) {
			t.Errorf("orientation %d: what the camera wrote is still there", n)
		}
	}
}

// TestTails checks that data after a picture and comments are removed.
func TestTails(t *testing.T) {
	html := []byte("<script>alert(1)</script>")
	for name, data := range map[string][]byte{
		"jpeg": append(behind(asJPEG(t, scene(40, 40)), 0xfe, html), html...),
		"png":  append(asPNG(t, scene(40, 40)), html...),
		"gif":  append(moving(t, 3), html...),
	} {
		r := process(t, data)
		if bytes.Contains(r.Stored.Data, html) || bytes.Contains(r.Small.Data, html) {
			t.Errorf("%s: the tail is still there", name)
		}
	}
}

func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		w, h                  int
		keptW, keptH, smW, sh int
	}{
		"small enough": {640, 360, 640, 360, 0, 0},
		"ordinary":     {1600, 900, 1600, 900, 640, 360},
		"too large":    {5000, 4000, 3219, 2575, 536, 429},
		"a line":       {10_000, 3, 10_000, 3, 0, 0},
		"a dot":        {1, 1, 1, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := process(t, asJPEG(t, scene(c.w, c.h)))
			if r.Stored.Width != c.keptW || r.Stored.Height != c.keptH || r.Stored.Kind != media.JPEG {
				t.Errorf("kept %s %d by %d", r.Stored.Kind, r.Stored.Width, r.Stored.Height)
			}
			if r.Small.Width != c.smW || r.Small.Height != c.sh {
				t.Errorf("small %d by %d", r.Small.Width, r.Small.Height)
			}
			for _, p := range []media.Picture{r.Stored, r.Small} {
				if p.Data == nil {
					continue
				}
				got, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
				if err != nil || got.Width != p.Width || got.Height != p.Height {
					t.Errorf("%d by %d is %v %v", p.Width, p.Height, got, err)
				}
			}
			if c.w > 2 && c.h > 4 && corners(t, r.Stored.Data) != "rgbw" {
				t.Errorf("corners %s", corners(t, r.Stored.Data))
			}
			if len(r.Blurhash) != 28 {
				t.Errorf("blurhash %q", r.Blurhash)
			}
		})
	}
}

// TestShrinkingAverages checks that shrinking averages pixels. A chessboard of single pixels
// becomes grey.
func TestShrinkingAverages(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3000, 2000))
	for i := range img.Pix {
		if (i/3000+i%3000)%2 == 0 {
			img.Pix[i] = 255
		}
	}
	r := process(t, asPNG(t, img))
	small, _, err := image.Decode(bytes.NewReader(r.Small.Data))
	if err != nil {
		t.Fatal(err)
	}
	b := small.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 7 {
		for x := b.Min.X; x < b.Max.X; x += 7 {
			if g, _, _, _ := small.At(x, y).RGBA(); g < 0x6000 || g > 0xa000 {
				t.Fatalf("%d at %d, %d", g, x, y)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	through := scene(60, 60)
	through.SetNRGBA(30, 30, color.NRGBA{})
	for name, c := range map[string]struct {
		data []byte
		want media.Kind
	}{
		"a photograph":        {asJPEG(t, scene(60, 60)), media.JPEG},
		"a drawing":           {asPNG(t, scene(60, 60)), media.PNG},
		"what shines through": {asPNG(t, through), media.PNG},
		"a GIF that stands":   {moving(t, 1), media.PNG},
		"a GIF that moves":    {moving(t, 3), media.GIF},
		"noise without loss":  {asPNG(t, noise(1200, 1200)), media.JPEG},
		"16 bits a sample":    {asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 9, 9))), media.PNG},
		"shades of grey":      {asJPEG(t, image.NewGray(image.Rect(0, 0, 20, 20))), media.JPEG},
	} {
		r := process(t, c.data)
		if r.Stored.Kind != c.want || r.Moves != (c.want == media.GIF) {
			t.Errorf("%s: kept as %s, moves %v", name, r.Stored.Kind, r.Moves)
		}
	}
	kept, err := png.Decode(bytes.NewReader(process(t, asPNG(t, through)).Stored.Data))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, a := kept.At(30, 30).RGBA(); a != 0 {
		t.Error("nothing shines through any more")
	}
}

// noise returns a picture that can't be compressed.
func noise(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	n := uint32(1)
	for i := range img.Pix {
		n = n*1664525 + 1013904223
		img.Pix[i] = byte(n >> 24)
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	return img
}

// moving returns a GIF of n frames with a comment.
func moving(t testing.TB, n int) []byte {
	t.Helper()
	g := &gif.GIF{LoopCount: 5}
	for i := range n {
		f := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.White, color.Black, color.RGBA{200, 0, 0, 255}})
		f.SetColorIndex(i, i, 2)
		g.Image, g.Delay = append(g.Image, f), append(g.Delay, 4)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	return append(append(append([]byte{}, data[:len(data)-1]...), "\x21\xfe\x09by SECRET\x00"...), 0x3b)
}

func TestAnimatedStayAnimated(t *testing.T) {
	r := process(t, moving(t, 4))
	g, err := gif.DecodeAll(bytes.NewReader(r.Stored.Data))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 4 || g.LoopCount != 5 || g.Delay[1] != 4 {
		t.Errorf("%d frames, %d times, %v", len(g.Image), g.LoopCount, g.Delay)
	}
	if bytes.Contains(r.Stored.Data, []byte("SECRET")) {
		t.Error("the comment is still there")
	}
	if r.Small.Kind != media.PNG || r.Small.Width != 30 {
		t.Errorf("the one that stands still: %s %d", r.Small.Kind, r.Small.Width)
	}
	if a, err := media.Process(moving(t, 4), media.Avatar); err != nil || a.Moves {
		t.Errorf("an avatar moves: %v", err)
	}
}

func TestShapes(t *testing.T) {
	for shape, want := range map[media.Shape]image.Point{media.Avatar: {400, 400}, media.Banner: {1500, 500}} {
		r, err := media.Process(asJPEG(t, scene(3000, 2000)), shape)
		if err != nil {
			t.Fatal(err)
		}
		if r.Stored.Width != want.X || r.Stored.Height != want.Y || corners(t, r.Stored.Data) != "rgbw" {
			t.Errorf("%s: %d by %d, corners %s", shape, r.Stored.Width, r.Stored.Height, corners(t, r.Stored.Data))
		}
	}
	r, err := media.Process(behind(asJPEG(t, scene(3000, 1000)), 0xe1, exif(6)), media.Banner)
	if err != nil || r.Stored.Width < r.Stored.Height {
		t.Errorf("a turned banner stands on its side: %+v %v", r, err)
	}
	if r, err = media.Process(asPNG(t, scene(50, 90)), media.Avatar); err != nil || r.Stored.Width != 50 || r.Stored.Height != 50 {
		t.Errorf("a small avatar: %+v %v", r, err)
	}
}

// profile returns a colour profile with only the parts that are checked.
func profile(n int) []byte {
	p := make([]byte, n)
	copy(p[16:], "RGB ")
	copy(p[36:], "acsp")
	for i := 200; i < n; i++ {
		p[i] = byte(i * i)
	}
	return p
}

func TestProfilesAreKept(t *testing.T) {
	p := profile(70_000)
	data := asJPEG(t, scene(40, 40))
	data = behind(data, 0xe2, append([]byte("ICC_PROFILE\x00\x02\x02"), p[60_000:]...))
	data = behind(data, 0xe2, append([]byte("ICC_PROFILE\x00\x01\x02"), p[:60_000]...))
	r := process(t, data)
	if got := media.Colours("jpeg", r.Stored.Data); !bytes.Equal(got, p) {
		t.Errorf("a profile of %d bytes became one of %d", len(p), len(got))
	}
	withP := media.WithProfile(asPNG(t, scene(40, 40)), media.PNG, profile(3000))
	r = process(t, withP)
	if got := media.Colours("png", r.Stored.Data); !bytes.Equal(got, profile(3000)) {
		t.Errorf("PNG: %d bytes", len(got))
	}
	if corners(t, r.Stored.Data) != "rgbw" {
		t.Error("the picture with a profile is not what it was")
	}
}

// sized returns a PNG with a size in its header but without content.
func sized(w, h uint32, depth, colour byte) []byte {
	ihdr := append([]byte("IHDR"), 0, 0, 0, 0, 0, 0, 0, 0, depth, colour, 0, 0, 0)
	binary.BigEndian.PutUint32(ihdr[4:], w)
	binary.BigEndian.PutUint32(ihdr[8:], h)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), ihdr...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(ihdr))
	return append(out, "\x00\x00\x00\x00IDAT\x35\xaf\x06\x1e"...)
}

// resized returns a JPEG with another size in its header.
func resized(data []byte, w, h uint16, progressive bool) []byte {
	out := bytes.Clone(data)
	at := bytes.Index(out, []byte{0xff, 0xc0, 0, 17})
	if progressive {
		out[at+1] = 0xc2
	}
	binary.BigEndian.PutUint16(out[at+5:], h)
	binary.BigEndian.PutUint16(out[at+7:], w)
	return out
}

// bombs returns files that must be refused, with a word of the reason.
func bombs(t testing.TB) map[string][2]string {
	photo := asJPEG(t, scene(64, 64))
	cut := asPNG(t, noise(200, 200))
	return map[string][2]string{
		"a PNG of 28 GB":                  {string(sized(60_000, 60_000, 16, 6)), "width or height"},
		"a PNG of a bit a pixel":          {string(sized(16_000, 16_000, 1, 0)), "megapixels"},
		"a PNG of 16 bits":                {string(sized(8_000, 4_100, 16, 6)), ""},
		"a JPEG of 12 GB":                 {string(resized(photo, 65_000, 65_000, false)), "width or height"},
		"a progressive JPEG":              {string(resized(photo, 7_000, 4_700, true)), ""},
		"a JPEG of a size that is a lie":  {string(resized(photo, 5_000, 5_000, false)), "damaged"},
		"a GIF of 4 GB":                   {"GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x01L\x00;", "width or height"},
		"a GIF without an end":            {string(moving(t, 4)[:60]), "damaged"},
		"half a PNG":                      {string(cut[:len(cut)/2]), "damaged"},
		"nothing":                         {"", "is empty"},
		"text":                            {"hello", "must be a JPEG"},
		"a page":                          {"<!DOCTYPE html><html><script>alert(1)</script>", "must be a JPEG"},
		"a drawing in SVG":                {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "must be a JPEG"},
		"a page that says to be a GIF":    {"GIF89a/*<svg/onload=alert(1)>*/=1;", ""},
		"a picture of an iPhone":          {"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "HEIC"},
		"AVIF":                            {"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf", "AVIF"},
		"a film":                          {"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42", "must be a JPEG"},
		"an empty picture":                {string(sized(0, 10, 8, 2)), ""},
		"an animated WebP":                {"RIFF\x2c\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x09\x00\x00ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00", "damaged"},
		"more than a picture may have":    {strings.Repeat("\xff\xd8\xff", media.MaxBytes/3+1), "larger than 16 MB"},
		"a GIF of more frames than there": {string(bytes.Replace(moving(t, 2), []byte{','}, []byte{',', 0xff, 0xff}, 1)), ""},
	}
}

func TestBombsAreRefused(t *testing.T) {
	for name, c := range bombs(t) {
		r, err := media.Process([]byte(c[0]), media.Attached)
		var refusal media.Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Error(), c[1]) {
			t.Errorf("%s: %v %v, want a refusal that says %q", name, r, err, c[1])
		}
	}
}

// file returns a temporary file with data.
func file(t testing.TB, data []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "picture")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestWorkerApart checks that a separate process has the same results and refusals as this one.
func TestWorkerApart(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here, apart := media.NewWorker(), media.NewWorker(self, "serve-a-picture")
	inputs := map[string][]byte{"photo": asJPEG(t, scene(1600, 900)), "gif": moving(t, 3), "dot": asPNG(t, scene(1, 1))}
	for name, c := range bombs(t) {
		inputs[name] = []byte(c[0])
	}
	for name, data := range inputs {
		for _, shape := range []media.Shape{media.Attached, media.Avatar} {
			f := file(t, data)
			want, werr := here.Process(t.Context(), f, shape)
			got, gerr := apart.Process(t.Context(), f, shape)
			if (werr == nil) != (gerr == nil) || werr != nil && werr.Error() != gerr.Error() {
				t.Errorf("%s: %v here, %v apart", name, werr, gerr)
				continue
			}
			if werr == nil && (got.Blurhash != want.Blurhash || !bytes.Equal(got.Stored.Data, want.Stored.Data) || !bytes.Equal(got.Small.Data, want.Small.Data) || got.Small.Width != want.Small.Width || got.Moves != want.Moves) {
				t.Errorf("%s: another result", name)
			}
		}
	}
}

// TestWorkerEnds checks that only one picture fails if its process is ended by a limit.
func TestWorkerEnds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var refusal media.Refusal
	f := file(t, asJPEG(t, scene(10, 10)))
	if _, err := media.NewWorker(self, "fail-a-picture").Process(t.Context(), f, media.Attached); !errors.As(err, &refusal) {
		t.Errorf("%v", err)
	}
	if _, err := media.NewWorker("/there/is/no/such/program").Process(t.Context(), f, media.Attached); err == nil || errors.As(err, &refusal) {
		t.Errorf("a program that is not there: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := media.NewWorker(self, "serve-a-picture").Process(gone, f, media.Attached); err == nil {
		t.Error("who has gone is served")
	}
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "serve-a-picture" {
		if err := media.Serve(os.Stdin, os.Stdout, media.Shape(os.Args[2])); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "fail-a-picture" {
		os.Exit(2)
	}
	os.Exit(m.Run())
}
