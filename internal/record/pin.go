package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func PinsKey(user linnet.ID) kv.Key { return IDKey(KindPins, user) }

// Pins lists pinned statuses, the latest first. The mark in each status's
// record is written with it; a deleted status may stand here until its clean-up.
type Pins struct {
	Statuses []JID `json:"statuses"`
}
