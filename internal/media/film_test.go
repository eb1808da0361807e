package media_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/media"
)

// memory is a file in memory.
type memory []byte

func (m memory) WriteAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > int64(len(m)) {
		return 0, errors.New("beyond the end")
	}
	return copy(m[at:], p), nil
}

// cleaned inspects a film and overwrites its metadata.
func cleaned(t testing.TB, data []byte) (*media.Film, []byte, error) {
	t.Helper()
	film, blanks, err := media.InspectFilm(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	out := memory(bytes.Clone(data))
	if err := media.WriteBlanks(out, blanks); err != nil {
		t.Fatal(err)
	}
	return film, out, nil
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// films are samples made with ffmpeg. They contain a title, a name and a place.
var films = map[string]media.Film{
	"clip.mp4":   {Kind: media.MP4, Width: 64, Height: 48, FrameRate: 10, VideoCodec: "h264", AudioCodec: "aac", Channels: 2, SampleRate: 22050},
	"silent.mp4": {Kind: media.MP4, Width: 64, Height: 48, FrameRate: 10, VideoCodec: "h264"},
	"turned.mov": {Kind: media.MOV, Width: 48, Height: 64, FrameRate: 10, VideoCodec: "h264", AudioCodec: "aac", Channels: 1, SampleRate: 22050},
	"pieces.mp4": {Kind: media.MP4, Width: 64, Height: 48, VideoCodec: "h264", AudioCodec: "aac", Channels: 2, SampleRate: 22050},
	"clip.webm":  {Kind: media.WebM, Width: 64, Height: 48, FrameRate: 10, VideoCodec: "vp8", AudioCodec: "opus", Channels: 1, SampleRate: 24000},
	"live.webm":  {Kind: media.WebM, Width: 64, Height: 48, FrameRate: 10, VideoCodec: "vp8", AudioCodec: "vorbis", Channels: 1, SampleRate: 22050},
	"sound.mp3":  {Kind: media.MP3, AudioCodec: "mp3", Channels: 1, SampleRate: 22050},
	"sound.ogg":  {Kind: media.OGG, AudioCodec: "vorbis", Channels: 1, SampleRate: 22050},
	"opus.ogg":   {Kind: media.OGG, AudioCodec: "opus", Channels: 1, SampleRate: 48000},
	"sound.flac": {Kind: media.FLAC, AudioCodec: "flac", Channels: 1, SampleRate: 22050},
	"sound.m4a":  {Kind: media.M4A, AudioCodec: "aac", Channels: 2, SampleRate: 22050},
}

// TestFilms checks the properties of sample files, and that their metadata is removed without
// changes to pictures and sound.
func TestFilms(t *testing.T) {
	for name, want := range films {
		data := sample(t, name)
		film, clean, err := cleaned(t, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := *film
		got.Duration, got.FrameRate, want.FrameRate = 0, math.Round(got.FrameRate), math.Round(want.FrameRate)
		if got != want {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
		if off := (film.Duration - 2*time.Second).Abs(); off > 150*time.Millisecond && name != "pieces.mp4" {
			t.Errorf("%s lasts %v", name, film.Duration)
		}
		if len(clean) != len(data) {
			t.Errorf("%s: %d bytes, and had %d", name, len(clean), len(data))
		}
		for _, secret := range []string{"SECRET", "48.2082"} {
			if bytes.Contains(clean, []byte(secret)) {
				t.Errorf("%s still tells %s", name, secret)
			}
		}
		again, same, err := cleaned(t, clean)
		if err != nil || *again != *film || !bytes.Equal(same, clean) {
			t.Errorf("%s is another film once it is clean: %+v, %v", name, again, err)
		}
		samePackets(t, name, data, clean)
	}
}

// samePackets checks with ffmpeg, if it is installed, that pictures and sound are unchanged.
func samePackets(t *testing.T, name string, before, after []byte) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		return
	}
	sums := func(data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "md5", "-").CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	if a, b := sums(before), sums(after); a != b {
		t.Errorf("%s: packets %s, and were %s", name, b, a)
	}
}

// TestTelemetry checks that other tracks, such as the location of the camera, are removed with
// their data.
func TestTelemetry(t *testing.T) {
	data := bytes.Clone(sample(t, "clip.mp4"))
	at := bytes.Index(data, []byte("soun"))
	copy(data[at:], "meta") // makes the sound track telemetry
	film, clean, err := cleaned(t, data)
	if err != nil || film.AudioCodec != "" || film.VideoCodec != "h264" {
		t.Fatalf("%+v, %v", film, err)
	}
	from := bytes.Index(data, []byte("mdat"))
	changed := 0
	for i := from; i < len(data); i++ {
		if data[i] != clean[i] && clean[i] == 0 {
			changed++
		}
	}
	if changed < 1000 || bytes.Contains(clean, []byte("mp4a")) {
		t.Errorf("%d bytes of its samples are gone; there were some 4000", changed)
	}
}

// TestFilmsCutShort checks that truncated samples are accepted or refused without other errors.
func TestFilmsCutShort(t *testing.T) {
	for name := range films {
		data := sample(t, name)
		for n := 0; n < len(data); n += 1 + len(data)/200 {
			if _, _, err := cleaned(t, data[:n]); err != nil {
				var refusal media.Refusal
				if !errors.As(err, &refusal) {
					t.Errorf("%s cut to %d: %v", name, n, err)
				}
			}
		}
	}
}

// TestFilmBombs checks that impossible sizes and boxes beyond the end of the file are refused.
func TestFilmBombs(t *testing.T) {
	box := func(name string, size uint32, body string) string {
		return string([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}) + name + body
	}
	head := box("ftyp", 16, "isom\x00\x00\x00\x00")
	huge := bytes.Clone(sample(t, "clip.mp4"))
	at := bytes.Index(huge, []byte("tkhd")) + 4 + 76
	copy(huge[at:], "\x7f\xff\x00\x00\x7f\xff\x00\x00")
	many := bytes.Clone(sample(t, "clip.mp4"))
	copy(many[bytes.Index(many, []byte("soun")):], "meta")
	copy(many[bytes.LastIndex(many, []byte("stco"))+8:], "\x7f\xff\xff\xff")
	for name, data := range map[string]string{
		"nothing": "", "a head": head, "a box without an end": head + box("moov", 1, "\x7f\xff\xff\xff\xff\xff\xff\xff"), "a box of nothing": head + box("moov", 0, ""),
		"a box of less than itself": head + box("moov", 4, ""), "deep": head + strings.Repeat(box("moov", 8, ""), 3), "large": string(huge), "many": string(many),
		"webm": "\x1a\x45\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xffwebm", "ogg": "OggS\x00\x02" + strings.Repeat("\xff", 60), "flac": "fLaC\x00\xff\xff\xff", "mp3": "ID3\x04\x00\x00\x7f\x7f\x7f\x7f",
		"html": "ID3\x04\x00\x00\x00\x00\x00\x00<script>alert(1)</script>", "mkv": "\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska",
	} {
		var refusal media.Refusal
		if film, _, err := cleaned(t, []byte(data)); !errors.As(err, &refusal) {
			t.Errorf("%s: %+v, %v", name, film, err)
		}
	}
}

func TestFilmKind(t *testing.T) {
	for _, name := range []string{"jpeg", "png"} {
		data := asJPEG(t, scene(8, 8))
		if name == "png" {
			data = asPNG(t, scene(8, 8))
		}
		if k := media.FilmKind(data); k != "" {
			t.Errorf("a %s is a film of kind %q", name, k)
		}
	}
	for name, want := range films {
		if k := media.FilmKind(sample(t, name)[:64]); k != want.Kind {
			t.Errorf("%s: %q", name, k)
		}
	}
	for _, head := range []string{"", "ftyp", "\x00\x00\x00\x18ftypheic", "\x00\x00\x00\x18ftypavif", "RIFF\x00\x00\x00\x00WEBP", "GIF89a", "<html>"} {
		if k := media.FilmKind([]byte(head)); k != "" {
			t.Errorf("%q: %q", head, k)
		}
	}
}

// worker returns a Worker with ffmpeg. Without ffmpeg it skips the test, or fails it if the
// environment variable LINNET_REQUIRE names ffmpeg.
func worker(t *testing.T) *media.Worker {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "ffmpeg") {
			t.Fatal("LINNET_REQUIRE names ffmpeg, but it is not on PATH")
		}
		t.Skip("ffmpeg is not on PATH")
	}
	return media.NewWorker().UseTool(path)
}

func onDisk(t *testing.T, data []byte) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.Name()); err != nil { // like an uploaded file
		t.Fatal(err)
	}
	return f
}

// TestStill checks that ffmpeg makes an upright picture of a video or sound and reads AVIF. Without
// ffmpeg there are no such pictures.
func TestStill(t *testing.T) {
	w := worker(t)
	for name, size := range map[string][2]int{"clip.mp4": {64, 48}, "turned.mov": {48, 64}, "clip.webm": {64, 48}, "sound.mp3": {960, 540}, "sound.flac": {960, 540}, "opus.ogg": {960, 540}} {
		film := films[name]
		r := w.Still(t.Context(), onDisk(t, sample(t, name)), &film, t.TempDir())
		if r == nil || r.Stored.Width != size[0] || r.Stored.Height != size[1] || r.Blurhash == "" {
			t.Errorf("%s: no picture, or of another size: %v", name, r != nil)
		}
	}
	film := films["clip.mp4"]
	if r := w.Still(t.Context(), onDisk(t, []byte("ffconcat version 1.0\nfile /etc/passwd\n")), &film, t.TempDir()); r != nil {
		t.Error("a list of files is a film")
	}
	if r := media.NewWorker().Still(t.Context(), onDisk(t, sample(t, "clip.mp4")), &film, t.TempDir()); r != nil {
		t.Error("a picture without a tool")
	}
	r, err := w.Process(t.Context(), onDisk(t, sample(t, "still.avif")), media.Attached)
	if err != nil || r.Stored.Kind != media.JPEG || r.Stored.Width != 64 {
		t.Errorf("AVIF: %+v, %v", r, err)
	}
	var refusal media.Refusal
	for name, w := range map[string]*media.Worker{"with the tool": w, "without": media.NewWorker()} {
		if _, err := w.Process(t.Context(), onDisk(t, []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")), media.Attached); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "HEIC") {
			t.Errorf("a broken HEIC, %s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := w.Still(ctx, onDisk(t, sample(t, "clip.mp4")), &film, t.TempDir()); r != nil {
		t.Error("a picture for somebody who is gone")
	}
}

func FuzzFilm(f *testing.F) {
	for name := range films {
		f.Add(sample(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		film, clean, err := cleaned(t, data)
		if err != nil {
			return
		}
		if film.Width*film.Height > media.MaxFilmPixels || film.Duration < 0 || len(clean) != len(data) {
			t.Errorf("%+v", film)
		}
		if again, _, err := cleaned(t, clean); err == nil && again.VideoCodec != film.VideoCodec {
			t.Errorf("%+v is %+v once it is clean", film, again)
		}
	})
}
