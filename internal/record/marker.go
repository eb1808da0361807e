package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func MarkersKey(user linnet.ID) kv.Key { return IDKey(KindMarkers, user) }

// Markers is a user's positions, by timeline.
type Markers map[linnet.MarkerTimeline]Marker

type Marker struct {
	LastRead JID    `json:"last_read"`
	Version  uint64 `json:"version"`
	At       int64  `json:"at"` // Unix milliseconds
}
