package audit

import (
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// day: it can be read, and is of a date.
func checkDay(x *auditing, key kv.Key) {
	if t, err := time.Parse(time.DateOnly, key.ID); err != nil || record.DayKey(t) != key {
		x.found(RuleRecord, key, "it has no date or is in the wrong shard")
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Day
		if read(x, get, &r) && len(r.Active) != 0 && len(r.Active) != record.SketchRegisters {
			x.found(RuleRecord, key, fmt.Sprintf("its sketch has %d registers", len(r.Active)))
		}
	}, get)
}
