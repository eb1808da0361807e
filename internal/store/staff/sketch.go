package staff

import (
	"math/bits"
	"sync/atomic"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// DaySketch estimates the number of distinct users of a day without storing who they were (a
// HyperLogLog; Flajolet, Fusy, Gandouet and Meunier 2007). Smaller counts per item use a
// trendSketch. Sketches of several servers can be merged. The zero value is empty. It is safe for
// concurrent use.
type DaySketch struct {
	registers [record.SketchRegisters]atomic.Uint32
}

// Add counts a user once.
func (k *DaySketch) Add(id linnet.ID) {
	h := mix(uint64(id))
	r, rank := &k.registers[h%record.SketchRegisters], uint32(bits.LeadingZeros64(h|record.SketchRegisters-1))+1
	for {
		now := r.Load()
		if now >= rank || r.CompareAndSwap(now, rank) {
			return
		}
	}
}

// Clear empties the sketch.
func (k *DaySketch) Clear() {
	for i := range k.registers {
		k.registers[i].Store(0)
	}
}

// merged returns the registers of a sketch merged with others.
func (k *DaySketch) merged(with []byte) (out [record.SketchRegisters]byte) {
	copy(out[:], with)
	for i := range out {
		out[i] = max(out[i], byte(k.registers[i].Load()))
	}
	return out
}

// mix spreads an id over all bits (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
