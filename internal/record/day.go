package record

import (
	"math"
	"time"

	"linnet/internal/kv"
)

// dayShard contains the daily counts.
const dayShard = 2

func dayKeys() []KeyDoc {
	return []KeyDoc{{KindDay, "value", "date", "statistics of a day (UTC): statuses, errors, delays, peaks of any server, sketch of active users, JSON; 100 days (shard 2)", "3 KiB", "", noSecret()}}
}

func DayKey(t time.Time) kv.Key {
	return kv.Key{Kind: KindDay, Shard: dayShard, ID: t.UTC().Format(time.DateOnly)}
}

type Day struct {
	Posts  int64     `json:"posts,omitempty"`
	Faults int64     `json:"faults,omitempty"`
	Delays [12]int64 `json:"delays"`
	Queue  int64     `json:"queue,omitempty"`
	Oldest int64     `json:"oldest_ms,omitempty"`
	Memory int64     `json:"memory,omitempty"`
	Active []byte    `json:"active,omitempty"`
}

// SketchRegisters is the number of registers. With 1,024 the typical error of a count is 3 %.
const SketchRegisters = 1024

// CountRegisters returns the approximate number of distinct users that were added.
func CountRegisters(registers []byte) int64 {
	if len(registers) != SketchRegisters {
		return 0
	}
	sum, empty := 0.0, 0
	for _, r := range registers {
		sum += math.Pow(2, -float64(r))
		if r == 0 {
			empty++
		}
	}
	const m = SketchRegisters
	count := 0.7213 / (1 + 1.079/m) * m * m / sum
	if count <= 2.5*m && empty > 0 {
		count = m * math.Log(m/float64(empty)) // few users: estimated from the number of empty registers
	}
	return int64(math.Round(count))
}
