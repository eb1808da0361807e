package media

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// Limits of a video or audio file.
const (
	MaxFilmBytes  = 99 << 20  // of a file, as in Mastodon
	MaxFilmPixels = 8_294_400 // per frame
	MaxFrameRate  = 120       // frames per second
)

// Formats of films and sounds, which are stored unchanged except for metadata.
const (
	MP4  Kind = "mp4"
	WebM Kind = "webm"
	MOV  Kind = "mov"
	MP3  Kind = "mp3"
	OGG  Kind = "ogg"
	FLAC Kind = "flac"
	M4A  Kind = "m4a"
)

// Film has the properties of a video or audio file. Unknown ones are zero.
type Film struct {
	Kind          Kind
	Width, Height int // as displayed, upright; 0 for audio
	Duration      time.Duration
	FrameRate     float64 // frames per second
	VideoCodec    string  // "h264"
	AudioCodec    string  // such as "aac"; "" without sound
	Channels      int
	SampleRate    int // per second
}

// Video reports whether the film has pictures.
func (f *Film) Video() bool { return f.Width > 0 }

// Blank is a part of a file to overwrite because it is metadata. The replacement is Data followed
// by zeros.
type Blank struct {
	At   int64
	Data []byte
	Zero int64
}

// FilmKind returns the format of a film by the first bytes of the file, or "" for other files.
func FilmKind(head []byte) Kind {
	is := func(at int, text string) bool {
		return len(head) >= at+len(text) && string(head[at:at+len(text)]) == text
	}
	switch {
	case is(4, "ftyp"):
		if len(head) < 12 {
			return ""
		}
		switch brand := string(head[8:12]); brand {
		case "qt  ":
			return MOV
		case "M4A ", "M4B ", "M4P ":
			return M4A
		case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ", "jxl ":
			return ""
		}
		return MP4
	case is(4, "moov"), is(4, "mdat"), is(4, "wide"):
		return MOV // old QuickTime files without brands
	case is(0, "\x1a\x45\xdf\xa3") && bytes.Contains(head[:min(len(head), 64)], []byte("webm")):
		return WebM
	case is(0, "OggS"):
		return OGG
	case is(0, "fLaC"):
		return FLAC
	case is(0, "ID3"):
		return MP3
	}
	if _, ok := mp3Header(head); ok {
		return MP3
	}
	return ""
}

// InspectFilm reads the properties of a film of size bytes and finds the metadata to blank. It
// returns a Refusal if the file is not a film, damaged or too large. It decodes nothing and reads a
// bounded part of the file.
func InspectFilm(r io.ReaderAt, size int64) (*Film, []Blank, error) {
	head := make([]byte, min(size, 64))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("read a video: %w", err)
	}
	in := &filmReader{r: r, size: size, film: &Film{Kind: FilmKind(head)}}
	var err error
	switch in.film.Kind {
	case MP4, MOV, M4A:
		err = in.boxes()
	case WebM:
		err = in.webm()
	case OGG:
		err = in.ogg()
	case FLAC:
		err = in.flac()
	case MP3:
		err = in.mp3()
	default:
		return nil, nil, refuse("is not a video or audio file that this server supports")
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errFilm
	}
	if err != nil {
		return nil, nil, err
	}
	return in.film, in.blanks, in.film.check()
}

// check returns an error for a film that exceeds a limit.
func (f *Film) check() error {
	switch {
	case f.VideoCodec == "" && f.AudioCodec == "":
		return refuse("has neither video nor audio")
	case f.VideoCodec != "" && (f.Width <= 0 || f.Height <= 0):
		return errFilm
	case f.Width > MaxSide || f.Height > MaxSide || f.Width*f.Height > MaxFilmPixels:
		return refuse("has frames of %d × %d pixels (maximum is %.1f megapixels)", f.Width, f.Height, float64(MaxFilmPixels)/1e6)
	case f.FrameRate > MaxFrameRate+0.5:
		return refuse("has %.0f frames per second (maximum is %d)", f.FrameRate, MaxFrameRate)
	}
	return nil
}

// errFilm is returned for a file with an invalid format.
var errFilm = refuse("is damaged: can't read its metadata")

// filmReader reads a film.
type filmReader struct {
	r      io.ReaderAt
	size   int64
	film   *Film
	blanks []Blank
	count  int   // elements read so far
	zeros  int64 // total of overwritten bytes

	tookOut bool // a track was removed
	pieces  *piecewise
}

// Limits of parsing a film.
const (
	maxElements = 1_000_000
	maxTable    = 32 << 20 // in bytes
)

// another counts an element against the limit.
func (in *filmReader) another() error {
	if in.count++; in.count > maxElements {
		return refuse("has an internal structure that is too complex")
	}
	return nil
}

// bytes reads n bytes at an offset. It returns errFilm beyond the end of the file.
func (in *filmReader) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > maxTable || at > in.size-n {
		return nil, errFilm
	}
	b := make([]byte, n)
	if _, err := in.r.ReadAt(b, at); err != nil && !(err == io.EOF && at+n == in.size) {
		return nil, fmt.Errorf("read a video: %w", err)
	}
	return b, nil
}

// blank overwrites a part of the file with data and then zeros.
func (in *filmReader) blank(at int64, data string, zero int64) error {
	if at < 0 || zero < 0 || at+int64(len(data)) > in.size-zero {
		return errFilm
	}
	if in.zeros += zero; in.zeros > 2*in.size { // overlapping parts
		return errFilm
	}
	in.blanks = append(in.blanks, Blank{at, []byte(data), zero})
	return nil
}

// WriteBlanks overwrites the metadata of a file.
func WriteBlanks(f io.WriterAt, blanks []Blank) error {
	zeros := make([]byte, 64<<10)
	for _, b := range blanks {
		if _, err := f.WriteAt(b.Data, b.At); err != nil {
			return fmt.Errorf("remove metadata from a video: %w", err)
		}
		for at, left := b.At+int64(len(b.Data)), b.Zero; left > 0; {
			n, err := f.WriteAt(zeros[:min(left, int64(len(zeros)))], at)
			if err != nil {
				return fmt.Errorf("remove metadata from a video: %w", err)
			}
			at, left = at+int64(n), left-int64(n)
		}
	}
	return nil
}
