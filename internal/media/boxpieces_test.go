package media_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"linnet/internal/media"
)

// inBox returns an MP4 box with parts, which are 4-byte numbers or bytes.
func inBox(name string, parts ...any) []byte {
	var body []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			body = binary.BigEndian.AppendUint32(body, uint32(p))
		case []byte:
			body = append(body, p...)
		}
	}
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+8)), name...), body...)
}

// TestFilmInPieces checks that the durations of fragments are added if a film has no total
// duration.
func TestFilmInPieces(t *testing.T) {
	zeros := func(n int) []byte { return make([]byte, n) }
	moov := func(standard int) []byte {
		matrix := bytes.Join([][]byte{{0, 1, 0, 0}, zeros(12), {0, 1, 0, 0}, zeros(16)}, nil)
		return inBox("moov", inBox("mvhd", 0, 0, 0, 1000, 0, zeros(80)),
			inBox("trak", inBox("tkhd", 0, 0, 0, 7, 0, 0, zeros(16), matrix, 320<<16, 240<<16),
				inBox("mdia", inBox("mdhd", 0, 0, 0, 90000, 0, 0), inBox("hdlr", 0, 0, []byte("vide"), zeros(12)),
					inBox("minf", inBox("stbl", inBox("stsd", 0, 1, inBox("avc1", zeros(78))), inBox("stsz", 0, 0, 0))))),
			inBox("mvex", inBox("trex", 0, 7, 1, standard, 0, 0)))
	}
	piece := func(traf ...[]byte) []byte {
		return append(inBox("moof", inBox("mfhd", 0, 1), inBox("traf", bytes.Join(traf, nil))), inBox("mdat", zeros(8))...)
	}
	for name, file := range map[string][]byte{
		"lengths in trex": append(moov(9000), bytes.Repeat(piece(inBox("tfhd", 0, 7), inBox("trun", 0, 5)), 2)...),
		"lengths in tfhd": append(moov(1), bytes.Repeat(piece(inBox("tfhd", 0x02003b, 7, 0, 0, 1, 9000, 0, 0), inBox("trun", 0x205, 5, 0, 0, zeros(20))), 2)...),
		"lengths in trun": append(moov(1), piece(inBox("tfhd", 0, 7), inBox("trun", 0x301, 2, 0, 60000, 1, 30000, 1))...),
	} {
		t.Run(name, func(t *testing.T) {
			file = append(inBox("ftyp", []byte("isom"), 0, []byte("isom")), file...)
			film, _, err := media.InspectFilm(bytes.NewReader(file), int64(len(file)))
			if err != nil || film.Duration != time.Second {
				t.Errorf("%+v, %v", film, err)
			}
		})
	}
}
