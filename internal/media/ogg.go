package media

import (
	"bytes"
	"encoding/binary"
)

// Ogg: RFC 3533, with Vorbis (the Vorbis I specification, section 5) or Opus (RFC 7845).

const (
	oggHead     = 27
	maxComments = 8 << 20 // in bytes
)

// oggPage has the offsets of a page and its content, and its segments.
type oggPage struct {
	at, body int64
	lengths  []byte
	head     []byte
}

func (p oggPage) end() int64 {
	end := p.body
	for _, n := range p.lengths {
		end += int64(n)
	}
	return end
}

func (in *filmReader) oggPage(at int64) (p oggPage, err error) {
	if err := in.another(); err != nil {
		return p, err
	}
	h, err := in.bytes(at, oggHead)
	if err != nil {
		return p, err
	}
	if string(h[:5]) != "OggS\x00" {
		return p, errFilm
	}
	p = oggPage{at: at, body: at + oggHead + int64(h[26]), head: h}
	if p.lengths, err = in.bytes(at+oggHead, int64(h[26])); err == nil && p.end() > in.size {
		err = errFilm
	}
	return p, err
}

func (in *filmReader) ogg() error {
	first, err := in.oggPage(0)
	if err != nil {
		return err
	}
	b, err := in.bytes(first.body, min(first.end()-first.body, 64))
	if err != nil {
		return err
	}
	f, skip, prefix := in.film, int64(0), ""
	switch {
	case len(b) >= 30 && string(b[:7]) == "\x01vorbis":
		f.AudioCodec, f.Channels, f.SampleRate = "vorbis", int(b[11]), int(binary.LittleEndian.Uint32(b[12:]))
		prefix = "\x03vorbis"
	case len(b) >= 19 && string(b[:8]) == "OpusHead":
		f.AudioCodec, f.Channels, f.SampleRate, skip = "opus", int(b[9]), 48000, int64(binary.LittleEndian.Uint16(b[10:]))
		prefix = "OpusTags"
	default:
		return refuse("is an Ogg file with a codec other than Vorbis or Opus")
	}
	if err := in.oggComments(first.end(), prefix); err != nil {
		return err
	}
	last, err := in.oggLast(first.head[14:18])
	f.Duration = seconds(last-skip, int64(f.SampleRate))
	return err
}

// oggLast returns the last time in a stream in samples.
func (in *filmReader) oggLast(serial []byte) (int64, error) {
	n := min(in.size, 256<<10)
	b, err := in.bytes(in.size-n, n)
	if err != nil {
		return 0, err
	}
	for end := len(b); ; {
		i := bytes.LastIndex(b[:end], []byte("OggS\x00"))
		if i < 0 {
			return 0, nil
		}
		if i+oggHead <= len(b) && bytes.Equal(b[i+14:i+18], serial) {
			if at := int64(binary.LittleEndian.Uint64(b[i+6:])); at >= 0 {
				return at, nil
			}
		}
		end = i
	}
}

// oggComments blanks the comment packet, which starts a page and can span several. It updates the
// checksum of each page.
func (in *filmReader) oggComments(at int64, prefix string) error {
	var pages []oggPage
	var packet []byte
	for whole := false; !whole; {
		p, err := in.oggPage(at)
		if err != nil {
			return err
		}
		if p.head[5]&2 != 0 {
			return refuse("is an Ogg file with several streams")
		}
		n := int64(0)
		for _, l := range p.lengths {
			if n += int64(l); l < 255 {
				whole = true
				break
			}
		}
		b, err := in.bytes(p.body, n)
		if err != nil {
			return err
		}
		packet, pages, at = append(packet, b...), append(pages, p), p.end()
		if len(packet) > maxComments {
			return refuse("has more than 8 MB of embedded text and pictures")
		}
	}
	if err := emptyComments(packet, prefix); err != nil {
		return err
	}
	for _, p := range pages {
		b, err := in.bytes(p.at, p.end()-p.at)
		if err != nil {
			return err
		}
		n := copy(b[p.body-p.at:], packet)
		packet = packet[n:]
		clear(b[22:26])
		binary.LittleEndian.PutUint32(b[22:], oggSum(b))
		if err := in.blank(p.at, string(b), 0); err != nil {
			return err
		}
	}
	return nil
}

// emptyComments removes all comments from a packet, except the name of the encoder.
func emptyComments(b []byte, prefix string) error {
	if len(b) < len(prefix)+8 || string(b[:len(prefix)]) != prefix {
		return errFilm
	}
	at := len(prefix) + 4
	vendor := int64(binary.LittleEndian.Uint32(b[len(prefix):]))
	if vendor > int64(len(b)-at-4) {
		return errFilm
	}
	at += int(vendor)
	clear(b[at:])
	if prefix[0] == 3 { // Vorbis ends with a framing bit that must be set
		if len(b) < at+5 {
			return errFilm
		}
		b[at+4] = 1
	}
	return nil
}

// oggSum returns the checksum of a page (RFC 3533, section 6).
func oggSum(b []byte) (sum uint32) {
	for _, c := range b {
		sum ^= uint32(c) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04c11db7
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}
