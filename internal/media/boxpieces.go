package media

import (
	"encoding/binary"
	"time"
)

// Fragmented films, which browsers record, have durations in each fragment only (ISO/IEC 14496-12,
// 8.8).

// piecewise sums the durations of the fragments per track.
type piecewise struct {
	scale           map[uint32]int64 // units per second by track
	defaultDuration map[uint32]int64 // default duration of a sample
	length          map[uint32]int64
}

// longest returns the duration of the longest track.
func (p *piecewise) longest() (most time.Duration) {
	for id, n := range p.length {
		most = max(most, seconds(n, p.scale[id]))
	}
	return most
}

// moof reads the duration of a fragment.
func (in *filmReader) moof(b box) error {
	return in.each(b.body, b.end, func(traf box) error {
		if traf.name != "traf" {
			return nil
		}
		var id uint32
		var standard int64
		return in.each(traf.body, traf.end, func(x box) (err error) {
			switch x.name {
			case "tfhd":
				id, standard, err = in.tfhd(x)
			case "trun":
				err = in.trun(x, id, standard)
			}
			return err
		})
	})
}

// tfhd reads the track of a fragment and its default duration of samples.
func (in *filmReader) tfhd(b box) (id uint32, standard int64, err error) {
	h, err := in.bytes(b.body, b.end-b.body)
	if err != nil || len(h) < 8 {
		return 0, 0, err
	}
	flags := binary.BigEndian.Uint32(h) & 0xffffff
	id = binary.BigEndian.Uint32(h[4:])
	at := 8
	if flags&1 != 0 { // offset of its data
		at += 8
	}
	if flags&2 != 0 { // index of its description
		at += 4
	}
	if flags&8 != 0 && len(h) >= at+4 {
		return id, int64(binary.BigEndian.Uint32(h[at:])), nil
	}
	return id, in.pieces.defaultDuration[id], nil
}

// trun adds the durations of a run of samples.
func (in *filmReader) trun(b box, id uint32, standard int64) error {
	h, err := in.bytes(b.body, b.end-b.body)
	if err != nil || len(h) < 8 {
		return err
	}
	flags, n := binary.BigEndian.Uint32(h), int64(binary.BigEndian.Uint32(h[4:]))
	at, size := 8, 0
	for bit, bytes := range map[uint32]*int{1: &at, 4: &at, 0x100: &size, 0x200: &size, 0x400: &size, 0x800: &size} {
		if flags&bit != 0 {
			*bytes += 4
		}
	}
	if flags&0x100 == 0 {
		in.pieces.length[id] += n * standard
		return nil
	}
	for ; n > 0 && at+size <= len(h); n, at = n-1, at+size {
		in.pieces.length[id] += int64(binary.BigEndian.Uint32(h[at:]))
	}
	return nil
}
