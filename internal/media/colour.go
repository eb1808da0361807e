package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"time"

	"github.com/bep/imagemeta"
)

// orientation returns the orientation of the camera (TIFF 6.0, tag Orientation), or 0 if it is
// unknown or unreadable. It never refuses a picture.
func orientation(format string, data []byte) int {
	kinds := map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP}
	kind, ok := kinds[format]
	if !ok {
		return 0
	}
	found := 0
	_, _ = imagemeta.Decode(imagemeta.Options{R: bytes.NewReader(data), ImageFormat: kind, Sources: imagemeta.EXIF,
		Timeout: time.Second, LimitNumTags: 500, LimitTagSize: 1000,
		ShouldHandleTag: func(t imagemeta.TagInfo) bool { return t.Tag == "Orientation" && t.Namespace == "IFD0" },
		HandleTag: func(t imagemeta.TagInfo) error {
			if n, ok := t.Value.(uint16); ok {
				found = int(n)
			}
			return imagemeta.ErrStopWalking
		}})
	return found
}

// colours returns the colour profile of a picture (ICC.1, embedded by format), or nil if it isn't
// needed. Without a profile colours are treated as sRGB, and pictures from a camera with a wider
// range would look dull.
func colours(format string, data []byte) []byte {
	var p []byte
	switch format {
	case "jpeg":
		p = jpegProfile(data)
	case "png":
		p = pngProfile(data)
	case "webp":
		p = webpProfile(data)
	}
	if len(p) < 128 || len(p) > maxProfile || string(p[16:20]) != "RGB " || string(p[36:40]) != "acsp" || bytes.Contains(p, []byte("sRGB")) {
		return nil
	}
	return p
}

const jpegProfileName = "ICC_PROFILE\x00"

// jpegProfile joins the parts of a profile, which come in order.
func jpegProfile(data []byte) (p []byte) {
	for at := 2; at+4 <= len(data) && data[at] == 0xff && data[at+1] != 0xda; {
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		body := data[at+4 : max(min(at+2+size, len(data)), at+4)]
		if data[at+1] == 0xe2 && bytes.HasPrefix(body, []byte(jpegProfileName)) && len(body) > 14 {
			if p = append(p, body[14:]...); len(p) > maxProfile {
				return nil
			}
		}
		at += 2 + max(size, 2)
	}
	return p
}

// pngProfile returns the content of the chunk iCCP (PNG, section 11.3.2.3).
func pngProfile(data []byte) []byte {
	for at := 8; at+12 <= len(data); {
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size < 0 || at+12+size > len(data) || string(data[at+4:at+8]) == "IDAT" {
			return nil
		}
		if body := data[at+8 : at+8+size]; string(data[at+4:at+8]) == "iCCP" {
			_, packed, ok := bytes.Cut(body, []byte{0})
			if !ok || len(packed) < 2 {
				return nil
			}
			z, err := zlib.NewReader(bytes.NewReader(packed[1:]))
			if err != nil {
				return nil
			}
			p, err := io.ReadAll(io.LimitReader(z, maxProfile+1))
			if err != nil {
				return nil
			}
			return p
		}
		at += 12 + size
	}
	return nil
}

// webpProfile returns the content of the chunk ICCP.
func webpProfile(data []byte) []byte {
	for at := 12; at+8 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		if size < 0 || at+8+size > len(data) {
			return nil
		}
		if string(data[at:at+4]) == "ICCP" {
			return data[at+8 : at+8+size]
		}
		at += 8 + size + size&1
	}
	return nil
}

// withProfile inserts a profile into an encoded picture, after its first bytes.
func withProfile(data []byte, kind Kind, profile []byte) []byte {
	if len(profile) == 0 {
		return data
	}
	var b bytes.Buffer
	if kind == JPEG {
		const part = 65_000
		b.Write(data[:2])
		parts := (len(profile) + part - 1) / part
		for i := range parts {
			body := profile[i*part : min((i+1)*part, len(profile))]
			b.Write([]byte{0xff, 0xe2})
			_ = binary.Write(&b, binary.BigEndian, uint16(2+14+len(body))) // a buffer accepts everything
			b.WriteString(jpegProfileName)
			b.Write([]byte{byte(i + 1), byte(parts)})
			b.Write(body)
		}
		b.Write(data[2:])
		return b.Bytes()
	}
	const head = 8 + 12 + 13 // the signature and IHDR
	var packed bytes.Buffer
	packed.WriteString("iCCPicc\x00\x00")
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(profile)
	_ = z.Close()
	b.Write(data[:head])
	_ = binary.Write(&b, binary.BigEndian, uint32(packed.Len()-4))
	b.Write(packed.Bytes())
	_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE(packed.Bytes()))
	b.Write(data[head:])
	return b.Bytes()
}
