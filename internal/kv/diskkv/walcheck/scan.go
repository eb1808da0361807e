package walcheck

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// The log and the manifest are files of blocks that contain chunks with checksums. A reader must
// decide whether an invalid chunk is the end of the file after a crash, or was damaged later.
//
// The library assumes a crash unless a later chunk states that the log was durable up to there, and
// it underestimates that part. With 64 writers it dropped up to 1 MB of acknowledged writes behind
// one flipped bit, with 512 more than 3 MB. So the files are first searched for evidence of damage:
//
//   - The chunk would be valid with one bit changed.
//   - Log: three different durability marks follow. The third was written after an fsync that began
//     after another one had ended, and the first was written before that one. The first follows the
//     invalid chunk, so the chunk was durable.
//   - Manifest: the beginning of another record follows. Each record is made durable before the
//     next one is written.
const (
	scanBlock = 32 << 10
	sector    = 512 // the smallest unit that disks write

	plainHeader = 7  // checksum (4), length (2), type (1)
	reuseHeader = 11 // and the number of the log (4)
	syncHeader  = 19 // and the durable length (8)

	typeFull, typeFirst = 1, 2 // others: 3 middle, 4 last
	reuseTypes          = 5    // first of the four types with the number of the log
	syncTypes           = 9    // first of the four types that also have the durability mark
	noType              = 13
)

// scan searches a file, block by block.
type scan struct {
	manifest bool
	number   uint32 // of the log

	end      int64 // end of the last valid chunk before the invalid one
	clean    bool  // the mark of a clean end was found
	invalid  int64 // offset of the first invalid chunk, or -1
	synced   uint64
	marks    int // different durability marks after the invalid chunk
	evidence string
}

func newScan(manifest bool, number uint32) *scan {
	return &scan{manifest: manifest, number: number, invalid: -1}
}

// block searches a block that begins at offset. It returns false if no more blocks are needed.
func (s *scan) block(b []byte, offset int64) bool {
	at := 0
	for len(b)-at >= plainHeader {
		if s.endsAt(b[at:]) {
			s.clean = s.invalid < 0
			return false
		}
		n := s.chunk(b[at:])
		switch {
		case n > 0:
			chunk := b[at:]
			switch {
			case s.invalid < 0:
			case s.manifest:
				if chunk[6] == typeFull || chunk[6] == typeFirst {
					s.evidence = "other records follow"
				}
			case chunk[6] >= syncTypes:
				if synced := binary.LittleEndian.Uint64(chunk[11:]); s.marks == 0 || synced != s.synced {
					s.synced = synced
					s.marks++
				}
				if s.marks == 3 {
					s.evidence = "later records were already on disk"
				}
			}
			at += n
			if s.invalid < 0 {
				s.end = offset + int64(at)
			}
		case s.invalid >= 0:
			at++ // later chunks can begin anywhere
		case isPadding(b[at:]):
			at = len(b)
		default:
			s.invalid = offset + int64(at)
			if s.oneBitOff(b, at) {
				s.evidence = "a single bit is wrong"
			}
			at++
		}
		if s.evidence != "" {
			return false
		}
	}
	return true
}

// isPadding reports whether b is the padding of a block: zeros in which no header fits.
func isPadding(b []byte) bool {
	if len(b) >= syncHeader {
		return false
	}
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// endsAt reports whether b begins with the mark of a clean end: an empty chunk of the next log.
func (s *scan) endsAt(b []byte) bool {
	return !s.manifest && len(b) >= reuseHeader && binary.LittleEndian.Uint32(b) == 0 &&
		binary.LittleEndian.Uint16(b[4:]) == 0 && b[6] == reuseTypes &&
		binary.LittleEndian.Uint32(b[7:]) == s.number+1
}

// header returns the length of the header for a type of chunk, or 0 if files of this kind do not
// contain the type.
func (s *scan) header(t byte) int {
	switch {
	case t == 0 || t >= noType:
		return 0
	case t < reuseTypes && s.manifest:
		return plainHeader
	case t >= syncTypes && !s.manifest:
		return syncHeader
	case t >= reuseTypes && !s.manifest:
		return reuseHeader
	}
	return 0
}

// chunk returns the length of a valid chunk at the beginning of b, or 0.
func (s *scan) chunk(b []byte) int {
	header := s.header(b[6])
	if header == 0 || len(b) < header || !s.manifest && binary.LittleEndian.Uint32(b[7:]) != s.number {
		return 0
	}
	n := header + int(binary.LittleEndian.Uint16(b[4:]))
	if n > len(b) || checksum(b[6:n]) != binary.LittleEndian.Uint32(b) {
		return 0
	}
	return n
}

// oneBitOff reports whether the bytes at an offset of a block become a valid chunk if one bit is
// changed.
func (s *scan) oneBitOff(block []byte, at int) bool {
	b := block[at:]
	header := syncHeader
	if s.manifest {
		header = plainHeader
	}
	if len(b) < header {
		return false
	}
	fixed := append([]byte(nil), b...)
	if wrong := s.wrongBits(fixed); wrong > 1 {
		return false
	} else if wrong == 1 {
		for i := 6 * 8; i < header*8; i++ { // type or number: find the bit
			fixed[i/8] ^= 1 << (i % 8)
			if s.wrongBits(fixed) == 0 && s.chunk(fixed) > 0 {
				return true
			}
			fixed[i/8] ^= 1 << (i % 8)
		}
		return false
	}
	for i := 4 * 8; i < 6*8; i++ { // length
		fixed[i/8] ^= 1 << (i % 8)
		if s.chunk(fixed) > 0 {
			return true
		}
		fixed[i/8] ^= 1 << (i % 8)
	}
	n := header + int(binary.LittleEndian.Uint16(b[4:]))
	return n <= len(b) && offByOneBit(b[6:n], binary.LittleEndian.Uint32(b), s.written(block, at+n))
}

// written reports whether the bytes before an offset of a block were certainly written. They were
// if a valid chunk, or the mark of a clean end, begins there within the same sector. Disks write
// whole sectors, and chunks are written in order.
func (s *scan) written(block []byte, at int) bool {
	b := block[at:]
	return at%sector != 0 && len(b) >= plainHeader && (s.endsAt(b) || s.chunk(b) > 0)
}

// wrongBits returns the number of bits in which the type and the number differ from possible
// values.
func (s *scan) wrongBits(b []byte) int {
	first, last := byte(syncTypes), byte(noType-1)
	wrong := 0
	if s.manifest {
		first, last = typeFull, reuseTypes-1
	} else {
		wrong = bits.OnesCount32(binary.LittleEndian.Uint32(b[7:]) ^ s.number)
	}
	nearest := 8
	for t := first; t <= last; t++ {
		nearest = min(nearest, bits.OnesCount8(b[6]^t))
	}
	return wrong + nearest
}

// checksum returns the checksum of the library: CRC-32C, rotated and shifted.
func checksum(b []byte) uint32 {
	return bits.RotateLeft32(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)), 17) + checksumShift
}

const checksumShift = 0xa282ead8

// offByOneBit reports whether one bit, of b or of the stored checksum, explains the difference
// between b and the checksum.
//
// The checksum is linear, so the effect of a bit depends only on its distance from the end. If only
// zeros follow the bit, the difference proves damage only if the last bytes were written, because a
// crash can leave zeros.
func offByOneBit(b []byte, stored uint32, written bool) bool {
	table := crc32.MakeTable(crc32.Castagnoli)
	if bits.OnesCount32(checksum(b)^stored) == 1 {
		return true
	}
	diff := crc32.Checksum(b, table) ^ bits.RotateLeft32(stored-checksumShift, -17)
	var of [8]uint32 // effects of the bits of the current byte
	for bit := range of {
		of[bit] = table[1<<bit]
	}
	zeros := true
	for i := len(b) - 1; i >= 0; i-- {
		zeros = zeros && b[i] == 0
		for bit, d := range of {
			if d == diff {
				return written || !zeros
			}
			of[bit] = table[d&0xff] ^ d>>8
		}
	}
	return false
}
