package linnet

import "time"

// MarkerTimeline names a timeline in which a reader's position is kept. The
// words are Mastodon's.
type MarkerTimeline string

const (
	MarkerHome          MarkerTimeline = "home"
	MarkerNotifications MarkerTimeline = "notifications"
)

// Marker is how far somebody has read a timeline: clients keep it so that others
// of the same user go on from there.
// https://docs.joinmastodon.org/entities/Marker/
type Marker struct {
	LastRead ID
	Version  uint64 // 1 when first saved; rises with each change
	At       time.Time
}

// Markers are the positions of one user, as far as they have been saved.
type Markers map[MarkerTimeline]Marker
