package media

import (
	"encoding/binary"
	"slices"
	"time"
)

// Boxes of MP4, QuickTime and M4A: ISO/IEC 14496-12, and Apple's QuickTime File Format.

// box has the offsets of a box: its start, the start of its content, and its end.
type box struct {
	name          string
	at, body, end int64
}

const maxDepth = 8 // of nested boxes

// each calls do with the boxes of a part of the file.
func (in *filmReader) each(from, to int64, do func(box) error) error {
	for at := from; to-at >= 8; {
		if err := in.another(); err != nil {
			return err
		}
		h, err := in.bytes(at, 8)
		if err != nil {
			return err
		}
		b := box{name: string(h[4:]), at: at, body: at + 8}
		size := int64(binary.BigEndian.Uint32(h))
		switch size {
		case 0: // up to the end
			size = to - at
		case 1:
			long, err := in.bytes(b.body, 8)
			if err != nil {
				return err
			}
			size, b.body = int64(binary.BigEndian.Uint64(long)), at+16
		}
		if size < b.body-at || size > to-at {
			return errFilm
		}
		b.end = at + size
		if err := do(b); err != nil {
			return err
		}
		at = b.end
	}
	return nil
}

// free turns a box into an ignored one with zeros as content.
func (in *filmReader) free(b box) error {
	if err := in.blank(b.at+4, "free", 0); err != nil {
		return err
	}
	return in.blank(b.body, "", b.end-b.body)
}

// track is a track of a film.
type track struct {
	box                box
	id                 uint32
	handler, codec     string
	width, height      int
	scale, length      int64 // units per second, duration in units
	channels, rate     int
	sizes, runs, chunk box  // its tables of samples: stsz, stsc, and stco or co64
	wide               bool // chunk is co64
	samples            int64
}

// boxes reads a file of boxes.
func (in *filmReader) boxes() error {
	found, pieces := false, false
	in.pieces = &piecewise{map[uint32]int64{}, map[uint32]int64{}, map[uint32]int64{}}
	var sidx time.Duration
	err := in.each(0, in.size, func(b box) error {
		switch b.name {
		case "moov":
			found = true
			return in.moov(b)
		case "moof":
			pieces = true
			return in.moof(b)
		case "sidx":
			d, err := in.sidx(b)
			sidx += d
			return err
		case "udta", "meta", "uuid", "free", "skip":
			return in.free(b)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !found:
		return refuse("is incomplete: its list of tracks is missing")
	case pieces && in.tookOut:
		return refuse("has a fragmented track that is neither video nor audio and could reveal the recording location. Save the file without that track")
	}
	if in.film.Duration == 0 {
		in.film.Duration = max(sidx, in.pieces.longest())
	}
	return nil
}

func (in *filmReader) moov(moov box) error {
	scale := int64(0)
	return in.each(moov.body, moov.end, func(b box) (err error) {
		switch b.name {
		case "mvhd":
			var length int64
			scale, length, err = in.times(b)
			in.film.Duration = seconds(length, scale)
			return err
		case "mvex":
			return in.each(b.body, b.end, func(x box) error {
				if x.name == "trex" {
					h, err := in.bytes(x.body, x.end-x.body)
					if err == nil && len(h) >= 16 {
						in.pieces.defaultDuration[binary.BigEndian.Uint32(h[4:])] = int64(binary.BigEndian.Uint32(h[12:]))
					}
					return err
				}
				return in.mehd(x, scale)
			})
		case "trak":
			return in.trak(b)
		case "udta", "meta", "uuid", "free", "skip":
			return in.free(b)
		}
		return nil
	})
}

// mehd reads the duration of a fragmented film (ISO/IEC 14496-12, 8.8.2).
func (in *filmReader) mehd(b box, scale int64) error {
	if b.name != "mehd" {
		return nil
	}
	h, err := in.bytes(b.body, b.end-b.body)
	switch {
	case err != nil:
		return err
	case len(h) >= 12 && h[0] == 1:
		in.film.Duration = seconds(int64(binary.BigEndian.Uint64(h[4:])), scale)
	case len(h) >= 8:
		in.film.Duration = seconds(int64(binary.BigEndian.Uint32(h[4:])), scale)
	}
	return nil
}

// times reads the header of a film or of a track's media: units per second and duration in units.
// It blanks the time of creation.
func (in *filmReader) times(b box) (scale, length int64, err error) {
	h, err := in.bytes(b.body, min(b.end-b.body, 32))
	if err != nil {
		return 0, 0, err
	}
	if len(h) < 20 || h[0] == 1 && len(h) < 32 {
		return 0, 0, errFilm
	}
	if h[0] == 1 {
		return int64(binary.BigEndian.Uint32(h[20:])), int64(binary.BigEndian.Uint64(h[24:])), in.blank(b.body+4, "", 16)
	}
	length = int64(binary.BigEndian.Uint32(h[16:]))
	if length == 1<<32-1 { // unknown
		length = 0
	}
	return int64(binary.BigEndian.Uint32(h[12:])), length, in.blank(b.body+4, "", 8)
}

// seconds converts a time in units, with scale units per second. It returns 0 for impossible times.
func seconds(length, scale int64) time.Duration {
	const longest = 1000 * time.Hour
	if scale <= 0 || length <= 0 {
		return 0
	}
	s := float64(length) / float64(scale)
	if s > longest.Seconds() {
		return 0
	}
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

// sidx returns the duration of the fragments in an index (ISO/IEC 14496-12, 8.16.3).
func (in *filmReader) sidx(b box) (time.Duration, error) {
	h, err := in.bytes(b.body, b.end-b.body)
	if err != nil {
		return 0, err
	}
	at := 20
	if len(h) > 0 && h[0] == 1 {
		at = 28
	}
	if len(h) < at+4 {
		return 0, errFilm
	}
	scale, sum := int64(binary.BigEndian.Uint32(h[8:])), int64(0)
	n := int(binary.BigEndian.Uint16(h[at+2:]))
	for at += 4; n > 0 && at+12 <= len(h); n, at = n-1, at+12 {
		sum += int64(binary.BigEndian.Uint32(h[at+4:]))
	}
	return seconds(sum, scale), nil
}

// shown are the handlers of tracks that are not removed: pictures, sound and subtitles. Others
// contain the location or motion of a camera.
var shown = []string{"vide", "soun", "text", "sbtl", "subt", "clcp", "tmcd"}

// trak reads a track. It removes other tracks than pictures, sound and subtitles, with their
// samples.
func (in *filmReader) trak(b box) error {
	t := &track{box: b}
	before := len(in.blanks)
	if err := in.trakBoxes(t, b, 0); err != nil {
		return err
	}
	f := in.film
	in.pieces.scale[t.id] = t.scale
	switch {
	case !slices.Contains(shown, t.handler):
		in.blanks, in.tookOut = in.blanks[:before], true
		if err := in.blankSamples(t); err != nil {
			return err
		}
		return in.free(b)
	case t.handler == "vide" && f.VideoCodec == "":
		f.Width, f.Height, f.VideoCodec = t.width, t.height, codecName(t.codec)
		if d := seconds(t.length, t.scale); d > 0 && t.samples > 0 {
			f.FrameRate = float64(t.samples) / d.Seconds()
		}
	case t.handler == "soun" && f.AudioCodec == "":
		f.AudioCodec, f.Channels, f.SampleRate = codecName(t.codec), t.channels, t.rate
	}
	return nil
}

func (in *filmReader) trakBoxes(t *track, within box, depth int) error {
	if depth > maxDepth {
		return errFilm
	}
	return in.each(within.body, within.end, func(b box) (err error) {
		switch b.name {
		case "mdia", "minf", "stbl":
			return in.trakBoxes(t, b, depth+1)
		case "tkhd":
			return in.tkhd(t, b)
		case "mdhd":
			t.scale, t.length, err = in.times(b)
		case "hdlr":
			if b.end-b.body < 12 {
				return errFilm
			}
			var h []byte
			if h, err = in.bytes(b.body, 12); err == nil && t.handler == "" {
				t.handler = string(h[8:])
			}
		case "stsd":
			return in.stsd(t, b)
		case "stsz":
			t.sizes = b
			var h []byte
			if h, err = in.bytes(b.body, 12); err == nil {
				t.samples = int64(binary.BigEndian.Uint32(h[8:]))
			}
		case "stsc":
			t.runs = b
		case "stco", "co64":
			t.chunk, t.wide = b, b.name == "co64"
		case "udta", "meta", "uuid", "free", "skip":
			return in.free(b)
		}
		return err
	})
}

// tkhd reads the displayed size of a track, with its rotation.
func (in *filmReader) tkhd(t *track, b box) error {
	h, err := in.bytes(b.body, b.end-b.body)
	if err != nil {
		return err
	}
	matrix := 40
	if len(h) > 0 && h[0] == 1 {
		matrix = 52
	}
	if len(h) < matrix+44 {
		return errFilm
	}
	at := func(i int) uint32 { return binary.BigEndian.Uint32(h[i:]) }
	t.id = at(matrix - 28) // after the times, which have a different size in each version
	t.width, t.height = int(at(matrix+36)>>16), int(at(matrix+40)>>16)
	if at(matrix) == 0 && at(matrix+16) == 0 {
		t.width, t.height = t.height, t.width
	}
	if h[0] == 1 {
		return in.blank(b.body+4, "", 16)
	}
	return in.blank(b.body+4, "", 8)
}

// stsd reads the encoding of a track.
func (in *filmReader) stsd(t *track, b box) error {
	h, err := in.bytes(b.body, min(b.end-b.body, 64))
	if err != nil {
		return err
	}
	if len(h) < 16 {
		return errFilm
	}
	t.codec = string(h[12:16])
	if len(h) >= 44 {
		t.channels, t.rate = int(binary.BigEndian.Uint16(h[32:])), int(binary.BigEndian.Uint32(h[40:])>>16)
	}
	return nil
}

// codecName returns the usual name of an encoding.
func codecName(code string) string {
	switch code {
	case "avc1", "avc3":
		return "h264"
	case "hvc1", "hev1":
		return "hevc"
	case "av01":
		return "av1"
	case "vp08":
		return "vp8"
	case "vp09":
		return "vp9"
	case "mp4v":
		return "mpeg4"
	case "mp4a":
		return "aac"
	case ".mp3":
		return "mp3"
	}
	name := ""
	for _, c := range []byte(code) {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
			name += string(c)
		} else if c >= 'A' && c <= 'Z' {
			name += string(c + 32)
		}
	}
	if name == "" {
		return "unknown"
	}
	return name
}

// sampleTables locate the samples of a track: their sizes, the number per chunk, and the offsets of
// chunks (ISO/IEC 14496-12, 8.7).
type sampleTables struct {
	sizes, runs, chunks []byte
	step                int // bytes per chunk offset
}

func (in *filmReader) sampleTables(t *track) (s sampleTables, err error) {
	for _, p := range []struct {
		from  box
		to    *[]byte
		least int
	}{{t.sizes, &s.sizes, 12}, {t.runs, &s.runs, 8}, {t.chunk, &s.chunks, 8}} {
		if *p.to, err = in.bytes(p.from.body, p.from.end-p.from.body); err != nil {
			return s, err
		}
		if len(*p.to) < p.least {
			return s, errFilm
		}
	}
	s.step = 4
	if t.wide {
		s.step = 8
	}
	return s, nil
}

func u32(b []byte, at int) int64 { return int64(binary.BigEndian.Uint32(b[at:])) }

// chunkAt returns the offset of a chunk; errFilm if there is none.
func (s sampleTables) chunkAt(i int64) (int64, error) {
	at := 8 + i*int64(s.step)
	if at+int64(s.step) > int64(len(s.chunks)) {
		return 0, errFilm
	}
	if s.step == 8 {
		return int64(binary.BigEndian.Uint64(s.chunks[at:])), nil
	}
	return u32(s.chunks, int(at)), nil
}

// length returns the size in bytes of n samples from sample on.
func (s sampleTables) length(sample, n int64) (int64, error) {
	if each := u32(s.sizes, 4); each > 0 {
		return n * each, nil
	}
	if 12+(sample+n)*4 > int64(len(s.sizes)) {
		return 0, errFilm
	}
	sum := int64(0)
	for k := range n {
		sum += u32(s.sizes, int(12+(sample+k)*4))
	}
	return sum, nil
}

// blankSamples overwrites the data of a track, which is interleaved with data of other tracks.
func (in *filmReader) blankSamples(t *track) error {
	if t.chunk.name == "" || t.runs.name == "" || t.sizes.name == "" {
		return nil
	}
	s, err := in.sampleTables(t)
	if err != nil {
		return err
	}
	sample, run, perChunk := int64(0), 0, int64(0)
	for i := range u32(s.chunks, 4) {
		if err := in.another(); err != nil {
			return err
		}
		for 8+run*12+12 <= len(s.runs) && u32(s.runs, 8+run*12) == i+1 {
			perChunk = u32(s.runs, 12+run*12)
			run++
		}
		at, err := s.chunkAt(i)
		if err != nil {
			return err
		}
		n := min(perChunk, t.samples-sample)
		length, err := s.length(sample, n)
		if err != nil {
			return err
		}
		if err := in.blank(at, "", length); err != nil {
			return err
		}
		sample += n
	}
	return nil
}
