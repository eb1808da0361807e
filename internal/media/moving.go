package media

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"slices"

	"golang.org/x/image/webp"
)

// APNG and animated WebP are stored unchanged except for metadata (https://www.w3.org/TR/png-3/,
// https://developers.google.com/speed/webp/docs/riff_container).

// movingPicture returns the stored form of an APNG or animated WebP, and its first frame. kept is
// nil for other pictures.
func movingPicture(data []byte, p probe) (kind Kind, kept []byte, first image.Image, err error) {
	frames := 0
	switch p.format {
	case "png":
		kind = PNG
		kept, frames = pngFrames(data)
	case "webp":
		kind = WebP
		kept, first, frames = webpFrames(data, p)
	}
	if frames < 2 {
		return "", nil, nil, nil
	}
	if frames > maxFrames || frames*p.width*p.height > maxFramePixels {
		return "", nil, nil, refuse("has too many frames for its dimensions")
	}
	if kind == PNG {
		first, err = decode(kept, p)
	}
	if err != nil || first == nil {
		return "", nil, nil, refuse("is damaged: can't decode its first frame")
	}
	return kind, kept, first, nil
}

// pngChunks are the chunks that determine how a PNG looks.
var pngChunks = []string{"IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "acTL", "fcTL", "IDAT", "fdAT", "IEND"}

// pngFrames copies the frames of an APNG and counts them. It returns 0 for a file that is truncated
// or has wrong checksums.
func pngFrames(data []byte) (kept []byte, frames int) {
	const signature = 8
	if len(data) < signature {
		return nil, 0
	}
	kept = append(make([]byte, 0, len(data)), data[:signature]...)
	animated := false
	for at := signature; at+12 <= len(data); {
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			return nil, 0
		}
		chunk := data[at : at+12+size]
		name := string(chunk[4:8])
		if crc32.ChecksumIEEE(chunk[4:8+size]) != binary.BigEndian.Uint32(chunk[8+size:]) {
			return nil, 0
		}
		switch name {
		case "acTL":
			animated = true
		case "fcTL":
			frames++
		}
		if slices.Contains(pngChunks, name) && !(name == "iCCP" && size > maxProfile) {
			kept = append(kept, chunk...)
		}
		if name == "IEND" {
			if !animated {
				frames = 0
			}
			return kept, frames
		}
		at += len(chunk)
	}
	return nil, 0
}

// webpFrames copies the frames of an animated WebP, decodes the first and counts them. It returns 0
// for a truncated file.
func webpFrames(data []byte, p probe) (kept []byte, first image.Image, frames int) {
	const animation, alpha, profile = 0x02, 0x10, 0x20 // flags of VP8X
	for name, body := range riffChunks(data, 12) {
		switch name {
		case "VP8X":
			if len(body) < 10 || body[0]&animation == 0 {
				return nil, nil, 0
			}
			body = bytes.Clone(body)
			body[0] &= animation | alpha | profile
		case "ICCP", "ANIM":
		case "ANMF":
			if frames++; frames == 1 {
				first = webpFrame(body, p)
			}
		default:
			continue
		}
		kept = appendChunk(kept, name, body)
	}
	return appendChunk(nil, "RIFF", append([]byte("WEBP"), kept...)), first, frames
}

// riffChunks iterates over the complete chunks from an offset.
func riffChunks(data []byte, at int) func(func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for at+8 <= len(data) {
			size := int(binary.LittleEndian.Uint32(data[at+4:]))
			if size > len(data)-at-8 || !yield(string(data[at:at+4]), data[at+8:at+8+size]) {
				return
			}
			at += 8 + size + size&1
		}
	}
}

func appendChunk(out []byte, name string, body []byte) []byte {
	out = binary.LittleEndian.AppendUint32(append(out, name...), uint32(len(body)))
	out = append(out, body...)
	if len(body)&1 == 1 {
		out = append(out, 0)
	}
	return out
}

// webpFrame decodes a frame of an animation; nil if it can't.
func webpFrame(body []byte, p probe) image.Image {
	const header = 16
	if len(body) < header {
		return nil
	}
	at := func(i int) int { return int(body[i]) | int(body[i+1])<<8 | int(body[i+2])<<16 }
	x, y, w, h := 2*at(0), 2*at(3), at(6)+1, at(9)+1
	if x+w > p.width || y+h > p.height {
		return nil
	}
	var inner []byte
	extended := make([]byte, 10) // the header of a picture with transparency
	for i, n := range []int{w - 1, h - 1} {
		extended[4+3*i], extended[5+3*i], extended[6+3*i] = byte(n), byte(n>>8), byte(n>>16)
	}
	for name, chunk := range riffChunks(body, header) {
		if name == "ALPH" {
			extended[0] = 0x10
			inner = appendChunk(inner, "VP8X", extended)
		}
		if name == "ALPH" || name == "VP8 " || name == "VP8L" {
			inner = appendChunk(inner, name, chunk)
		}
	}
	img, err := webp.Decode(bytes.NewReader(appendChunk(nil, "RIFF", append([]byte("WEBP"), inner...))))
	if err != nil {
		return nil
	}
	return img
}
