package media

import (
	"bytes"
	"encoding/binary"
	"time"
)

// flac reads FLAC (RFC 9639). It turns blocks of texts and pictures into padding.
func (in *filmReader) flac() error {
	for at, first := int64(4), true; ; first = false {
		if err := in.another(); err != nil {
			return err
		}
		h, err := in.bytes(at, 4)
		if err != nil {
			return err
		}
		size := int64(h[1])<<16 | int64(h[2])<<8 | int64(h[3])
		switch kind := h[0] & 0x7f; {
		case first != (kind == 0):
			return errFilm
		case kind == 0:
			if err := in.streamInfo(at+4, size); err != nil {
				return err
			}
		case kind != 3: // seek table
			if err := in.blank(at, string([]byte{h[0]&0x80 | 1}), 0); err != nil {
				return err
			}
			if err := in.blank(at+4, "", size); err != nil {
				return err
			}
		}
		at += 4 + size
		if h[0]&0x80 != 0 {
			return nil
		}
	}
}

func (in *filmReader) streamInfo(at, size int64) error {
	if size < 34 {
		return errFilm
	}
	b, err := in.bytes(at, 34)
	if err != nil {
		return err
	}
	packed := binary.BigEndian.Uint64(b[10:])
	f := in.film
	f.AudioCodec, f.SampleRate, f.Channels = "flac", int(packed>>44), int(packed>>41&7)+1
	f.Duration = seconds(int64(packed&(1<<36-1)), int64(f.SampleRate))
	return nil
}

// mp3Rates are the bit rates in kbit/s of MPEG 1 and MPEG 2, layer III.
var mp3Rates = [2][16]int{{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}, {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}}

// mp3Frame is a frame header (ISO/IEC 11172-3, 2.4.1.3).
type mp3Frame struct {
	rate, channels, bits, samples, length int
	sideInfo                              int // bytes between the header and a table of the whole file
}

// mp3Header reads a frame header.
func mp3Header(b []byte) (f mp3Frame, ok bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe6 != 0xe2 || b[2]>>4 == 15 || b[2]>>4 == 0 || b[2]>>2&3 == 3 {
		return f, false
	}
	version := b[1] >> 3 & 3 // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
	if version == 1 {
		return f, false
	}
	f.rate = [3]int{44100, 48000, 32000}[b[2]>>2&3]
	f.channels, f.samples, f.sideInfo = 2, 1152, 32
	if b[3]>>6 == 3 {
		f.channels, f.sideInfo = 1, 17
	}
	row := 0
	if version != 3 {
		row, f.rate, f.samples, f.sideInfo = 1, f.rate/2, 576, 17
		if f.channels == 1 {
			f.sideInfo = 9
		}
	}
	if version == 0 {
		f.rate /= 2
	}
	f.bits = mp3Rates[row][b[2]>>4] * 1000
	f.length = f.samples/8*f.bits/f.rate + int(b[2]>>1&1)
	return f, true
}

// mp3 reads MP3. It overwrites tags at both ends (id3.org, ID3v2.4.0 structure; ID3v1; APEv2).
func (in *filmReader) mp3() error {
	at, end := int64(0), in.size
	for {
		h, err := in.bytes(at, 10)
		if err != nil {
			return err
		}
		if string(h[:3]) != "ID3" {
			break
		}
		size := int64(h[6]&0x7f)<<21 | int64(h[7]&0x7f)<<14 | int64(h[8]&0x7f)<<7 | int64(h[9]&0x7f)
		if h[5]&0x10 != 0 { // it has a footer like its header
			size += 10
		}
		if err := in.blank(at+5, "\x00", 0); err != nil {
			return err
		}
		if err := in.blank(at+10, "", size); err != nil {
			return err
		}
		if at += 10 + size; in.another() != nil {
			return errFilm
		}
	}
	end, err := in.tagsBehind(at, end)
	if err != nil {
		return err
	}
	b, err := in.bytes(at, min(64<<10, end-at)) // limited padding can precede the first frame
	if err != nil {
		return err
	}
	for i := 0; i+4 <= len(b); i++ {
		f, ok := mp3Header(b[i:])
		if !ok {
			continue
		}
		if next := i + f.length; next+4 <= len(b) {
			if _, ok := mp3Header(b[next:]); !ok {
				continue // not really a frame
			}
		}
		in.film.AudioCodec, in.film.SampleRate, in.film.Channels = "mp3", f.rate, f.channels
		in.film.Duration = f.duration(b[i:], end-at-int64(i))
		return nil
	}
	return errFilm
}

// tagsBehind overwrites the tags at the end of the file, and returns their start.
func (in *filmReader) tagsBehind(at, end int64) (int64, error) {
	if end-at > 128 {
		h, err := in.bytes(end-128, 3)
		if err != nil {
			return 0, err
		}
		if string(h) == "TAG" {
			end -= 128
			if err := in.blank(end+3, "", 125); err != nil {
				return 0, err
			}
		}
	}
	if end-at > 32 {
		h, err := in.bytes(end-32, 32)
		if err != nil {
			return 0, err
		}
		if string(h[:8]) == "APETAGEX" {
			size := int64(binary.LittleEndian.Uint32(h[12:]))
			if h[23]&0x80 != 0 { // it also has a header
				size += 32
			}
			if size < 32 || size > end-at {
				return 0, errFilm
			}
			end -= size
			if err := in.blank(end, "", size); err != nil {
				return 0, err
			}
		}
	}
	return end, nil
}

// duration returns the duration of a file of so many bytes from its first frame on. That frame may
// contain the number of frames (Xing, VBRI). Otherwise all frames are assumed to be alike.
func (f mp3Frame) duration(b []byte, size int64) time.Duration {
	if at := 4 + f.sideInfo; len(b) >= at+12 && (bytes.HasPrefix(b[at:], []byte("Xing")) || bytes.HasPrefix(b[at:], []byte("Info"))) && b[at+7]&1 != 0 {
		return seconds(u32(b, at+8)*int64(f.samples), int64(f.rate))
	}
	if len(b) >= 54 && bytes.HasPrefix(b[36:], []byte("VBRI")) {
		return seconds(u32(b, 50)*int64(f.samples), int64(f.rate))
	}
	return seconds(size*8, int64(f.bits))
}
