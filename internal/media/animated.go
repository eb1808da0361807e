package media

import (
	"bytes"
	"encoding/binary"
	"image/gif"
)

// animated is the result for a GIF of several frames, which frames has read.
func animated(kept []byte, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	img, err := gif.Decode(bytes.NewReader(kept)) // the first frame
	if err != nil {
		return nil, refuse("is damaged: its first frame cannot be decoded")
	}
	c, err := gif.DecodeConfig(bytes.NewReader(kept))
	if err != nil {
		return nil, refuse("is damaged: its size cannot be read")
	}
	r := &Result{Moves: true, Kept: Picture{Kind: GIF, Width: c.Width, Height: c.Height, Data: kept}}
	if err := r.preview(img, GIF, nil, SmallArea); err != nil {
		return nil, err
	}
	if r.Small.Data == nil { // a list shows one that stands still
		r.Small, err = write(img, PNG, nil)
	}
	return r, err
}

// gifReader walks over the blocks of a GIF (GIF89a, sections 15 to 27).
type gifReader struct {
	in     []byte
	out    []byte // what is kept
	images int
}

var errFrames = refuse("is damaged: its frames cannot be read")

// frames copies the frames of a GIF, and how often they are repeated; comments and
// whatever else programs have written into it stay behind. It returns nil for a
// picture of a single frame, and refuses more frames than may be.
func frames(data []byte) ([]byte, error) {
	r := &gifReader{in: data}
	head := 13
	if len(data) < head {
		return nil, errFrames
	}
	w, h := int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	if !r.take(head + colourTable(data[10])) {
		return nil, errFrames
	}
	for {
		more, err := r.block(w, h)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if r.images > maxFrames || r.images*w*h > maxFramePixels {
			return nil, refuse("has too many frames for its size")
		}
	}
	if r.images < 2 {
		return nil, nil
	}
	return append(r.out, 0x3b), nil
}

// colourTable is how many bytes a colour table takes of which the flags tell.
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

// block reads the next block; false at the end. A file that ends without saying so
// is taken to end there.
func (r *gifReader) block(w, h int) (more bool, err error) {
	if len(r.in) == 0 || r.in[0] == 0x3b {
		return false, nil
	}
	switch r.in[0] {
	case 0x2c:
		if len(r.in) < 10 {
			return false, errFrames
		}
		at := func(i int) int { return int(binary.LittleEndian.Uint16(r.in[i:])) }
		if at(1)+at(5) > w || at(3)+at(7) > h {
			return false, errFrames
		}
		r.images++
		if !r.take(10+colourTable(r.in[9])) || !r.take(1) { // and the size of codes
			return false, errFrames
		}
		return true, r.data(true)
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

// data reads blocks of data up to the empty one that ends them.
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
