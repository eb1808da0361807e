package media

import (
	"encoding/binary"
	"math"
	"strings"
)

// Elements of WebM: RFC 8794 (EBML) and RFC 9559 (Matroska).
const (
	ebmlHead     = 0x1a45dfa3
	ebmlSegment  = 0x18538067
	ebmlInfo     = 0x1549a966
	ebmlScale    = 0x2ad7b1
	ebmlDuration = 0x4489
	ebmlTracks   = 0x1654ae6b
	ebmlEntry    = 0xae
	ebmlTrackIs  = 0x83
	ebmlCodec    = 0x86
	ebmlFrame    = 0x23e383
	ebmlVideo    = 0xe0
	ebmlWidth    = 0xb0
	ebmlHeight   = 0xba
	ebmlAudio    = 0xe1
	ebmlRate     = 0xb5
	ebmlChannels = 0x9f
	ebmlCluster  = 0x1f43b675
	ebmlTime     = 0xe7
	ebmlSimple   = 0xa3
	ebmlGroup    = 0xa0
	ebmlBlock    = 0xa1
	ebmlVoid     = 0xec

	// Blanked elements: texts and attachments.
	ebmlTags     = 0x1254c367
	ebmlAttached = 0x1941a469
	ebmlChapters = 0x1043a770
	ebmlTitle    = 0x7ba9
	ebmlDate     = 0x4461
	ebmlFileName = 0x7384
	ebmlName     = 0x536e
)

// element is an element with its id and the offsets of its start, content and end. open means that
// the end is unknown, as in live recordings.
type element struct {
	id            uint32
	at, body, end int64
	open          bool
}

// webmReader reads WebM.
type webmReader struct {
	*filmReader
	scale    float64 // nanoseconds per unit of time
	length   float64 // in units; 0 if unknown
	cluster  int64   // time of the current cluster in units
	last     int64   // latest time of a block
	lastFull element // the last skipped cluster
	entry    struct {
		kind          uint64
		codec         string
		width, height int
		frame         uint64 // nanoseconds
		rate          float64
		channels      int
	}
}

func (in *filmReader) webm() error {
	w := &webmReader{filmReader: in, scale: 1e6}
	if err := w.within(0, in.size); err != nil {
		return err
	}
	if w.length == 0 { // a live recording, which is as long as its last block
		if w.lastFull.end > 0 {
			if err := w.within(w.lastFull.body, w.lastFull.end); err != nil {
				return err
			}
		}
		w.length = float64(w.last)
	}
	in.film.Duration = seconds(int64(w.length*w.scale), 1e9)
	return nil
}

// next reads the header of the element at an offset before to.
func (w *webmReader) next(at, to int64) (e element, err error) {
	if err := w.another(); err != nil {
		return e, err
	}
	h, err := w.bytes(at, min(12, to-at))
	if err != nil {
		return e, err
	}
	id, n, _ := vint(h, 4, true)
	size, m, open := vint(h[min(n, len(h)):], 8, false)
	if n == 0 || m == 0 {
		return e, errFilm
	}
	e = element{id: uint32(id), at: at, body: at + int64(n+m), open: open}
	e.end = e.body + int64(size)
	if open {
		e.end = to
	}
	if size > 1<<56 || e.end > to {
		return e, errFilm
	}
	return e, nil
}

// vint reads a number of variable length (RFC 8794, section 4). It returns its length in bytes, 0
// if invalid, and whether it means an unknown size. An id includes its marker.
func vint(b []byte, most int, marker bool) (n uint64, length int, unknown bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	length = 1
	for mask := byte(0x80); length <= most && b[0]&mask == 0; mask >>= 1 {
		length++
	}
	if length > most || length > len(b) {
		return 0, 0, false
	}
	n = uint64(b[0])
	if !marker {
		n &= 1<<(8-length) - 1
	}
	for _, c := range b[1:length] {
		n = n<<8 | uint64(c)
	}
	return n, length, !marker && n == 1<<(7*length)-1
}

// within reads the elements in a part of the file. The content of an element without a known end is
// read as if it followed the element.
func (w *webmReader) within(from, to int64) error {
	for at := from; at < to; {
		e, err := w.next(at, to)
		if err != nil {
			return err
		}
		down, err := w.element(e)
		if err != nil {
			return err
		}
		if at = e.end; down {
			at = e.body
		}
	}
	return nil
}

// element reads an element and reports whether to read its content next.
func (w *webmReader) element(e element) (down bool, err error) {
	switch e.id {
	case ebmlSegment, ebmlInfo, ebmlTracks, ebmlVideo, ebmlAudio, ebmlGroup:
		return true, nil
	case ebmlCluster:
		if !e.open && e.body != w.lastFull.body {
			w.lastFull = e
		}
		return e.open, nil
	case ebmlEntry:
		return false, w.track(e)
	case ebmlTags, ebmlAttached, ebmlChapters, ebmlVoid:
		return false, w.void(e)
	case ebmlTitle, ebmlDate, ebmlFileName, ebmlName:
		return false, w.blank(e.body, "", e.end-e.body)
	case ebmlScale:
		n, err := w.number(e)
		w.scale = n
		return false, err
	case ebmlDuration:
		w.length, err = w.number(e)
	case ebmlTrackIs:
		n, err := w.number(e)
		w.entry.kind = uint64(n)
		return false, err
	case ebmlCodec:
		b, err := w.bytes(e.body, min(e.end-e.body, 64))
		w.entry.codec = string(b)
		return false, err
	case ebmlWidth, ebmlHeight:
		n, err := w.number(e)
		if e.id == ebmlWidth {
			w.entry.width = int(n)
		} else {
			w.entry.height = int(n)
		}
		return false, err
	case ebmlFrame:
		n, err := w.number(e)
		w.entry.frame = uint64(n)
		return false, err
	case ebmlRate:
		w.entry.rate, err = w.number(e)
	case ebmlChannels:
		n, err := w.number(e)
		w.entry.channels = int(n)
		return false, err
	case ebmlTime:
		n, err := w.number(e)
		w.cluster = int64(n)
		return false, err
	case ebmlSimple, ebmlBlock:
		return false, w.block(e)
	}
	return false, err
}

// track reads the encoding of a track.
func (w *webmReader) track(e element) error {
	t := &w.entry
	t.kind, t.codec, t.width, t.height, t.frame, t.rate, t.channels = 0, "", 0, 0, 0, 8000, 1
	if err := w.within(e.body, e.end); err != nil {
		return err
	}
	f := w.film
	name := strings.ToLower(t.codec[strings.IndexByte(t.codec, '_')+1:])
	switch {
	case t.kind == 1 && f.VideoCodec == "":
		f.Width, f.Height, f.VideoCodec = t.width, t.height, codecName(name)
		if t.frame > 0 {
			f.FrameRate = 1e9 / float64(t.frame)
		}
	case t.kind == 2 && f.AudioCodec == "":
		f.AudioCodec, f.Channels, f.SampleRate = codecName(name), t.channels, int(t.rate)
	}
	return nil
}

// number reads an integer or a float.
func (w *webmReader) number(e element) (float64, error) {
	if e.end-e.body > 8 {
		return 0, errFilm
	}
	b, err := w.bytes(e.body, e.end-e.body)
	if err != nil {
		return 0, err
	}
	if e.id == ebmlDuration || e.id == ebmlRate {
		var f float64
		switch len(b) {
		case 4:
			f = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
		case 8:
			f = math.Float64frombits(binary.BigEndian.Uint64(b))
		}
		if !(f >= 0 && f < 1e15) {
			return 0, errFilm
		}
		return f, nil
	}
	n := uint64(0)
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	if n > 1<<53 {
		return 0, errFilm
	}
	return float64(n), nil
}

// block reads the time of a block.
func (w *webmReader) block(e element) error {
	h, err := w.bytes(e.body, min(e.end-e.body, 12))
	if err != nil {
		return err
	}
	_, n, _ := vint(h, 8, false)
	if n == 0 || len(h) < n+2 {
		return errFilm
	}
	at := w.cluster + int64(int16(binary.BigEndian.Uint16(h[n:])))
	w.last = max(w.last, at)
	return nil
}

// void overwrites an element with an empty one of the same size.
func (w *webmReader) void(e element) error {
	size := e.end - e.at
	head := []byte{ebmlVoid, 0x80 | byte(size-2)}
	if size > 100 {
		head = binary.BigEndian.AppendUint64([]byte{ebmlVoid}, 1<<56|uint64(size-9))
	}
	return w.blank(e.at, string(head), size-int64(len(head)))
}
