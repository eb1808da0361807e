package store

import (
	"math"
	"math/bits"
	"sync/atomic"

	"linnet/internal/linnet"
)

// sketchRegisters is the number of registers: with 1,024 a count is off by 3 per cent
// as a rule.
const sketchRegisters = 1024

// DaySketch counts the people of a day without keeping who they were (a HyperLogLog;
// Flajolet, Fusy, Gandouet and Meunier 2007), as many as there are. What few people
// do, thing by thing, is counted by a trendSketch. Sketches of several servers can be
// joined into that of all. The zero value is empty; it is safe for concurrent use.
type DaySketch struct {
	registers [sketchRegisters]atomic.Uint32
}

// Add counts somebody, once however often.
func (k *DaySketch) Add(id linnet.ID) {
	h := mix(uint64(id))
	r, rank := &k.registers[h%sketchRegisters], uint32(bits.LeadingZeros64(h|sketchRegisters-1))+1
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

// merged are the registers of a sketch joined with others.
func (k *DaySketch) merged(with []byte) (out [sketchRegisters]byte) {
	copy(out[:], with)
	for i := range out {
		out[i] = max(out[i], byte(k.registers[i].Load()))
	}
	return out
}

// mix spreads an id over all bits (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// countRegisters is about how many different people were added.
func countRegisters(registers []byte) int64 {
	if len(registers) != sketchRegisters {
		return 0
	}
	sum, empty := 0.0, 0
	for _, r := range registers {
		sum += math.Pow(2, -float64(r))
		if r == 0 {
			empty++
		}
	}
	const m = sketchRegisters
	count := 0.7213 / (1 + 1.079/m) * m * m / sum
	if count <= 2.5*m && empty > 0 {
		count = m * math.Log(m/float64(empty)) // few: counted by what is empty
	}
	return int64(math.Round(count))
}
