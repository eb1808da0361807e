package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"sync"
)

// Browsers show truncated JPEG files, and webcam frames without Huffman tables. The decoder accepts
// neither. So a refused file is tried again with standard tables and a complete end (ITU-T T.81,
// annexes B, F and K).

// decodeJPEG decodes a JPEG file, and repairs it if necessary.
func decodeJPEG(data []byte) (image.Image, error) {
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err == nil {
		return img, nil
	}
	var unsupported jpeg.UnsupportedError
	if errors.As(err, &unsupported) {
		return nil, err
	}
	for _, mended := range mendJPEG(data) {
		if img, again := jpeg.Decode(bytes.NewReader(mended)); again == nil {
			return img, nil
		}
	}
	return nil, err
}

// jpegFile has the data of a JPEG file that a repair needs, as far as it is readable.
type jpegFile struct {
	data          []byte
	width, height int
	progressive   bool
	parts         []jpegPart
	tables        [2][4]*huffman // DC and AC, by table number
	restart       int            // MCUs between restart markers; 0 for none
	scans         []jpegScan
}

type jpegPart struct {
	id, h, v int
	dc, ac   int // numbers of its tables in the last scan
}

// jpegScan has the position of a scan in the file.
type jpegScan struct {
	header, data int // offsets of its marker and first coded byte
	parts        []jpegPart
	first, last  int // coefficients
	refines      bool
}

// mendJPEG returns possible repairs of a file, best guess first.
func mendJPEG(data []byte) (out [][]byte) {
	f := &jpegFile{data: data}
	end := f.read()
	if len(f.scans) == 0 {
		return nil
	}
	complete := func(to int) []byte { return append(f.upTo(to), 0xff, 0xd9) }
	out = append(out, complete(end))
	if f.progressive && len(f.scans) > 1 { // earlier scans have the whole picture with less detail
		return append(out, complete(f.scans[len(f.scans)-1].header))
	}
	if filled := f.fill(f.scans[len(f.scans)-1]); filled != nil {
		out = append(out, filled)
	}
	return out
}

// upTo copies the file up to an offset, with Huffman tables if it has none.
func (f *jpegFile) upTo(end int) []byte {
	first := f.scans[0].header
	out := append(make([]byte, 0, end+1024), f.data[:first]...)
	if !f.progressive && !bytes.Contains(f.data[:first], []byte{0xff, 0xc4}) {
		out = append(out, standardTables()...)
	}
	return append(out, f.data[first:end]...)
}

// standardTables returns a segment with the tables of annex K. The encoder of the standard library
// writes them.
var standardTables = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 1, 1)), nil) // a buffer accepts everything
	data := b.Bytes()
	at := bytes.Index(data, []byte{0xff, 0xc4})
	return data[at : at+2+int(binary.BigEndian.Uint16(data[at+2:]))]
})

// read reads the segments and returns the end of the last complete one.
func (f *jpegFile) read() int {
	at := 2
	for at+4 <= len(f.data) {
		if f.data[at] != 0xff {
			return at
		}
		marker := f.data[at+1]
		if marker == 0xff || 0xd0 <= marker && marker <= 0xd8 || marker == 0x01 {
			at++
			if marker != 0xff {
				at++
			}
			continue
		}
		size := int(binary.BigEndian.Uint16(f.data[at+2:]))
		if marker == 0xd9 || size < 2 || at+2+size > len(f.data) {
			return at
		}
		body := f.data[at+4 : at+2+size]
		next := at + 2 + size
		if !f.segment(marker, body, at) {
			return at
		}
		if marker == 0xda {
			next = codedEnd(f.data, next)
		}
		at = next
	}
	return min(at, len(f.data))
}

// codedEnd returns the end of the coded bytes at an offset, which is a marker or the end of the
// file. It excludes a single 0xff at the end.
func codedEnd(data []byte, at int) int {
	for ; at < len(data); at++ {
		if data[at] != 0xff {
			continue
		}
		if at+1 == len(data) {
			return at
		}
		if m := data[at+1]; m != 0 && m != 0xff && (m < 0xd0 || m > 0xd7) {
			return at
		}
	}
	return at
}

// segment reads a segment. It returns false if it is invalid.
func (f *jpegFile) segment(marker byte, b []byte, at int) bool {
	switch marker {
	case 0xc0, 0xc1, 0xc2:
		if len(b) < 6 || len(b) < 6+3*int(b[5]) || b[5] == 0 || b[5] > 4 {
			return false
		}
		f.progressive = marker == 0xc2
		f.height, f.width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
		f.parts = nil
		for i := range int(b[5]) {
			c := b[6+3*i:]
			p := jpegPart{id: int(c[0]), h: int(c[1] >> 4), v: int(c[1] & 15)}
			if p.h < 1 || p.h > 4 || p.v < 1 || p.v > 4 {
				return false
			}
			f.parts = append(f.parts, p)
		}
	case 0xc4:
		return f.huffman(b)
	case 0xdd:
		if len(b) < 2 {
			return false
		}
		f.restart = int(binary.BigEndian.Uint16(b))
	case 0xda:
		return f.scan(b, at)
	}
	return true
}

func (f *jpegFile) scan(b []byte, at int) bool {
	if len(b) < 1 || len(b) < 4+2*int(b[0]) || len(f.parts) == 0 {
		return false
	}
	n := int(b[0])
	s := jpegScan{header: at, data: at + 4 + len(b), first: int(b[1+2*n]), last: int(b[2+2*n]), refines: b[3+2*n]>>4 != 0}
	for i := range n {
		for _, p := range f.parts {
			if p.id == int(b[1+2*i]) {
				p.dc, p.ac = int(b[2+2*i]>>4)&3, int(b[2+2*i])&3
				s.parts = append(s.parts, p)
			}
		}
	}
	f.scans = append(f.scans, s)
	return len(s.parts) == n && n > 0
}
