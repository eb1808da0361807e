package media

import "encoding/binary"

// huffman is a table of codes (ITU-T T.81, annexes C and F.2.2.3).
type huffman struct {
	first, offset [17]int // by length: the smallest code, and the index of its value
	count         [17]int
	values        []byte
}

// huffman reads the code tables of a segment.
func (f *jpegFile) huffman(b []byte) bool {
	for len(b) > 0 {
		if len(b) < 17 {
			return false
		}
		h, code, total := &huffman{}, 0, 0
		for n := 1; n <= 16; n++ {
			h.count[n], h.first[n], h.offset[n] = int(b[n]), code, total
			total += h.count[n]
			code = (code + h.count[n]) << 1
		}
		if total > 256 || len(b) < 17+total {
			return false
		}
		h.values = b[17 : 17+total]
		f.tables[b[0]>>4&1][b[0]&3] = h
		b = b[17+total:]
	}
	return true
}

// code returns the code of a value and its length; 0 if it has none.
func (h *huffman) code(value byte) (code, bits int) {
	for n := 1; n <= 16; n++ {
		for i := range h.count[n] {
			if h.values[h.offset[n]+i] == value {
				return h.first[n] + i, n
			}
		}
	}
	return 0, 0
}

// coded copies the coded bits of a scan as long as they are valid.
type coded struct {
	in   []byte
	byte byte
	left int // unread bits of byte
	out  []byte
	acc  uint32
	bits int // bits in acc
}

// bit reads and copies a bit. It returns false at the end or at a marker.
func (c *coded) bit() (int, bool) {
	if c.left == 0 {
		if len(c.in) == 0 || c.in[0] == 0xff && (len(c.in) < 2 || c.in[1] != 0) {
			return 0, false
		}
		c.byte, c.left = c.in[0], 8
		c.in = c.in[1:]
		if c.byte == 0xff {
			c.in = c.in[1:]
		}
	}
	c.left--
	b := int(c.byte>>c.left) & 1
	c.write(b, 1)
	return b, true
}

func (c *coded) write(code, bits int) {
	for ; bits > 0; bits-- {
		c.acc = c.acc<<1 | uint32(code>>(bits-1)&1)
		if c.bits++; c.bits == 8 {
			b := byte(c.acc)
			if c.out = append(c.out, b); b == 0xff {
				c.out = append(c.out, 0)
			}
			c.acc, c.bits = 0, 0
		}
	}
}

// align fills a byte with ones.
func (c *coded) align() {
	for c.bits > 0 {
		c.write(1, 1)
	}
}

// value reads a value and the bits after it. Its lower half is the number of these bits.
func (c *coded) value(h *huffman) (byte, bool) {
	code := 0
	for n := 1; n <= 16; n++ {
		b, ok := c.bit()
		if !ok {
			return 0, false
		}
		code = code<<1 | b
		if i := code - h.first[n]; i >= 0 && i < h.count[n] {
			v := h.values[h.offset[n]+i]
			for range v & 15 {
				if _, ok := c.bit(); !ok {
					return 0, false
				}
			}
			return v, true
		}
	}
	return 0, false
}

// block copies the coefficients of a block.
func (c *coded) block(dc, ac *huffman) bool {
	if _, ok := c.value(dc); !ok {
		return false
	}
	for k := 1; ac != nil && k < 64; k++ {
		v, ok := c.value(ac)
		if !ok {
			return false
		}
		if v == 0 {
			return true
		}
		if k += int(v >> 4); k > 63 {
			return false
		}
	}
	return true
}

// flat writes a block with the colour of the previous one. Optimized tables may have no code for
// that. Then it writes the smallest change that they can encode, and two blocks with opposite
// values of up cancel out.
func (c *coded) flat(dc, ac *huffman, up bool) bool {
	size, code, bits := 0, 0, 0
	for ; size < 12; size++ {
		if code, bits = dc.code(byte(size)); bits > 0 {
			break
		}
	}
	if bits == 0 {
		return false
	}
	c.write(code, bits)
	if change := 1 << size >> 1; up {
		c.write(change, size)
	} else {
		c.write(change-1, size)
	}
	if ac == nil {
		return true
	}
	code, bits = ac.code(0)
	c.write(code, bits)
	return bits > 0
}

// blocksOf returns the tables of the blocks in an MCU of a scan, and the number of MCUs.
func (f *jpegFile) blocksOf(s jpegScan) (tables [][2]*huffman, mcus int) {
	wide, high := 1, 1
	for _, p := range f.parts {
		wide, high = max(wide, p.h), max(high, p.v)
	}
	up := func(a, b int) int { return (a + b - 1) / b }
	mcus = up(f.width, 8*wide) * up(f.height, 8*high)
	if len(s.parts) == 1 {
		p := s.parts[0]
		mcus = up(up(f.width*p.h, wide), 8) * up(up(f.height*p.v, high), 8)
	}
	for _, p := range s.parts {
		t := [2]*huffman{f.tables[0][p.dc], f.tables[1][p.ac]}
		if t[0] == nil || t[1] == nil && s.last > 0 {
			return nil, 0
		}
		if s.last == 0 {
			t[1] = nil
		}
		n := p.h * p.v
		if len(s.parts) == 1 {
			n = 1
		}
		for range n {
			tables = append(tables, t)
		}
	}
	return tables, mcus
}

// fill returns the file with the missing rest of a scan in one colour; nil if that is impossible.
func (f *jpegFile) fill(s jpegScan) []byte {
	if f.tables[0][0] == nil && !f.progressive {
		standard := standardTables()
		f.huffman(standard[4:])
	}
	tables, mcus := f.blocksOf(s)
	if tables == nil || s.first != 0 || s.refines {
		return nil
	}
	c := &coded{in: f.data[s.data:], out: f.upTo(s.data)}
	there := true
	for n := range mcus {
		if !there && n < mcus/10 { // nearly everything is missing
			return nil
		}
		if f.restart > 0 && n > 0 && n%f.restart == 0 {
			c.restart(n/f.restart - 1)
		}
		if there {
			before := *c
			for _, t := range tables {
				there = there && c.block(t[0], t[1])
			}
			if there {
				continue
			}
			*c = before
		}
		for _, t := range tables {
			if !c.flat(t[0], t[1], n%2 == 0) {
				return nil
			}
		}
	}
	c.align()
	return binary.BigEndian.AppendUint16(c.out, 0xffd9)
}

// restart skips a restart marker. It writes one even if it is missing.
func (c *coded) restart(n int) {
	c.align()
	c.out = append(c.out, 0xff, 0xd0+byte(n%8))
	c.left = 0
	if len(c.in) >= 2 && c.in[0] == 0xff && c.in[1]&0xf8 == 0xd0 {
		c.in = c.in[2:]
	}
}
