package media

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"image"
	"image/gif"
	"io"
	"slices"
)

// animated returns the result for the frames of a GIF, as returned by frames.
func animated(kept []byte, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	img, err := gif.Decode(bytes.NewReader(kept)) // the first frame
	if err != nil {
		return nil, refuse("is damaged: can't decode its first frame")
	}
	p, err := look(kept)
	if err != nil {
		return nil, err
	}
	return moving(GIF, kept, img, p, nil)
}

// moving returns the result for a picture of several frames. img is the first one.
func moving(kind Kind, kept []byte, img image.Image, p probe, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	r := &Result{Moves: true, Stored: Picture{Kind: kind, Width: p.width, Height: p.height, Data: kept}}
	if err := r.preview(img, GIF, nil, SmallArea); err != nil {
		return nil, err
	}
	if r.Small.Data == nil { // lists show a still picture
		r.Small, err = write(eightBits(img), PNG, nil)
	}
	return r, err
}

// gifReader walks over the blocks of a GIF (GIF89a, sections 15 to 27).
type gifReader struct {
	in     []byte
	out    []byte // stored data
	images int
	w, h   int // size of the picture in pixels
	whole  int // number of complete frames
	end    int // end of these in out
	codes  int // offset in out of the newest frame's code size and data
	area   int // size of that frame in pixels
}

var errFrames = refuse("is damaged: can't read its frames")

// frames copies the frames of a GIF and the number of repetitions, without comments and other
// metadata. moves is false for a single frame. It refuses too many frames. As in browsers, the
// picture is as large as its frames need, an incomplete last frame is dropped, and an incomplete
// only frame is completed.
func frames(data []byte) (kept []byte, moves bool, err error) {
	r := &gifReader{in: data}
	head := 13
	if len(data) < head {
		return nil, false, errFrames
	}
	r.w, r.h = int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	if !r.take(head + colourTable(data[10])) {
		return nil, false, errFrames
	}
	for more := true; more; {
		more, err = r.block()
		if err != nil && r.whole == 0 {
			if !r.complete() {
				return nil, false, err
			}
			break
		}
		if err != nil {
			r.out, r.images = r.out[:r.end], r.whole
			break
		}
		if r.images > maxFrames || r.images*r.w*r.h > maxFramePixels {
			return nil, false, refuse("has too many frames for its dimensions")
		}
	}
	binary.LittleEndian.PutUint16(r.out[6:], uint16(r.w))
	binary.LittleEndian.PutUint16(r.out[8:], uint16(r.h))
	return append(r.out, 0x3b), r.images > 1, nil
}

// colourTable returns the size in bytes of a colour table by its flags.
func colourTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// take copies n bytes.
func (r *gifReader) take(n int) bool {
	if n > len(r.in) {
		return false
	}
	r.out, r.in = append(r.out, r.in[:n]...), r.in[n:]
	return true
}

// block reads the next block, and returns false at the end. A missing end marker is accepted.
func (r *gifReader) block() (more bool, err error) {
	if len(r.in) == 0 || r.in[0] == 0x3b {
		return false, nil
	}
	switch r.in[0] {
	case 0x2c:
		if len(r.in) < 10 {
			return false, errFrames
		}
		at := func(i int) int { return int(binary.LittleEndian.Uint16(r.in[i:])) }
		r.w, r.h = max(r.w, at(1)+at(5)), max(r.h, at(3)+at(7))
		if r.w > 0xffff || r.h > 0xffff {
			return false, errFrames
		}
		r.images++
		r.area = at(5) * at(7)
		if !r.take(10 + colourTable(r.in[9])) {
			return false, errFrames
		}
		r.codes = len(r.out)
		if !r.take(1) { // the code size
			return false, errFrames
		}
		if err := r.data(true); err != nil {
			return false, err
		}
		r.whole, r.end = r.images, len(r.out)
		return true, nil
	case 0x21:
		if len(r.in) < 3 {
			return false, errFrames
		}
		keep := r.in[1] == 0xf9 || r.in[1] == 0xff && bytes.HasPrefix(r.in[2:], []byte("\x0bNETSCAPE2.0"))
		if keep {
			r.take(2)
		} else {
			r.in = r.in[2:]
		}
		return true, r.data(keep)
	}
	return false, errFrames
}

// complete fills the missing pixels of a first frame with the first colour. It returns false if
// less than a tenth of them exists.
func (r *gifReader) complete() bool {
	if r.images != 1 || r.codes >= len(r.out) || r.area == 0 || r.area > maxFramePixels {
		return false
	}
	size := int(r.out[r.codes])
	if size < 2 || size > 8 {
		return false
	}
	var codes []byte
	for rest := slices.Concat(r.out[r.codes+1:], r.in); len(rest) > 0; {
		n := min(1+int(rest[0]), len(rest))
		codes, rest = append(codes, rest[1:n]...), rest[n:]
	}
	pixels := make([]byte, r.area)
	n, _ := io.ReadFull(lzw.NewReader(bytes.NewReader(codes), lzw.LSB, size), pixels) // it is truncated
	if n < r.area/10 {
		return false
	}
	var packed bytes.Buffer
	z := lzw.NewWriter(&packed, lzw.LSB, size)
	if _, err := z.Write(pixels); err != nil || z.Close() != nil {
		return false
	}
	r.out = r.out[:r.codes+1]
	for block := range slices.Chunk(packed.Bytes(), 255) {
		r.out = append(append(r.out, byte(len(block))), block...)
	}
	r.out = append(r.out, 0)
	return true
}

// data reads data blocks up to the empty one at the end.
func (r *gifReader) data(keep bool) error {
	for {
		if len(r.in) == 0 {
			return errFrames
		}
		n := 1 + int(r.in[0])
		if n > len(r.in) {
			return errFrames
		}
		if keep {
			r.out = append(r.out, r.in[:n]...)
		}
		r.in = r.in[n:]
		if n == 1 {
			return nil
		}
	}
}
