package media

import (
	"bytes"
	"encoding/binary"
	"image"

	_ "image/gif" // decoders
	_ "image/jpeg"
	_ "image/png"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/webp"
)

// probe has the properties of a picture before it is decoded.
type probe struct {
	format        string // jpeg, png, gif or webp, as in image.DecodeConfig
	width, height int
	cost          int64 // estimated memory for decoding and storing it, in bytes
}

// look reads the size of a picture from its first bytes. It refuses files that aren't pictures or
// would need too much memory.
func look(data []byte) (p probe, err error) {
	if len(data) > MaxBytes {
		return p, refuse("is larger than %d MB", MaxBytes>>20)
	}
	if err := known(data); err != nil {
		return p, err
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return p, refuse("is damaged: can't read its dimensions")
	}
	p = probe{format: format, width: c.Width, height: c.Height}
	pixels := int64(c.Width) * int64(c.Height)
	switch {
	case c.Width <= 0 || c.Height <= 0:
		return p, refuse("is empty")
	case c.Width > MaxSide || c.Height > MaxSide:
		return p, refuse("has a width or height of %d pixels (maximum is %d)", max(c.Width, c.Height), MaxSide)
	case pixels > MaxPixels:
		return p, refuse("has %d × %d pixels (maximum is %.1f megapixels)", c.Width, c.Height, float64(MaxPixels)/1e6)
	}
	p.cost = int64(float64(pixels)*perPixel(format, data)) + min(pixels, MaxStoredPixels)*4 + int64(len(data))
	if p.cost > MaxMemory {
		return p, refuse("needs %d MB of memory to decode (maximum is %d MB). Make it smaller, or save it as an ordinary JPEG", p.cost>>20, MaxMemory>>20)
	}
	return p, nil
}

// heif returns the name of a format that can't be read here, HEIC or AVIF, or "" for others.
func heif(data []byte) string {
	kind := mimetype.Detect(data).String()
	switch kind {
	case "image/heic", "image/heic-sequence", "image/heif", "image/heif-sequence", "image/avif":
		return strings.ToUpper(strings.TrimPrefix(kind, "image/"))
	}
	return ""
}

// known refuses files that aren't in a supported format, by their first bytes and never by name.
// The error names unsupported formats of cameras.
func known(data []byte) error {
	if name := heif(data); name != "" {
		return refuse("has the format %s, which this server doesn't support. Upload it as JPEG, PNG or WebP", name)
	}
	found := mimetype.Detect(data)
	for _, kind := range [...]string{"image/jpeg", "image/png", "image/gif", "image/webp", "image/apng"} {
		if found.Is(kind) {
			return nil
		}
	}
	if len(data) == 0 {
		return refuse("is empty")
	}
	kind, _, _ := strings.Cut(found.String(), ";")
	return refuse("must be a JPEG, PNG, GIF or WebP, but is %s", kind)
}

// perPixel returns the measured memory of decoding per pixel, in bytes.
func perPixel(format string, data []byte) float64 {
	switch format {
	case "jpeg":
		// A progressive picture needs four bytes per sample for coefficients, in addition to the
		// samples.
		const worst = 4 * 5
		for at := 2; at+4 <= len(data) && data[at] == 0xff; {
			marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
			if marker == 0xff { // padding
				at++
				continue
			}
			body := data[min(at+4, len(data)):min(at+2+max(size, 2), len(data))]
			switch {
			case marker == 0xc2 && len(body) >= 9:
				return 5 * samplesOf(body)
			case (marker == 0xc0 || marker == 0xc1) && len(body) >= 9:
				return samplesOf(body)
			}
			at += 2 + max(size, 2)
		}
		return worst
	case "png":
		if len(data) > 24 && data[24] == 16 { // bits per sample, in IHDR
			return 8
		}
		return 4
	case "webp":
		return 5.5
	}
	return 2 // first frame of a GIF
}

// samplesOf returns the number of samples per pixel of a frame.
func samplesOf(frame []byte) float64 {
	most, sum := 1, 0
	for c := 6; c+2 < len(frame); c += 3 {
		n := int(frame[c+1]>>4) * int(frame[c+1]&15)
		most, sum = max(most, n), sum+n
	}
	return max(float64(sum)/float64(most), 1)
}
