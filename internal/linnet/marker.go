package linnet

import "time"

// MarkerTimeline is a timeline with a stored read position. The values are Mastodon's.
type MarkerTimeline string

const (
	MarkerHome          MarkerTimeline = "home"
	MarkerNotifications MarkerTimeline = "notifications"
)

// Marker is the read position of a timeline, which clients of the same user share.
// https://docs.joinmastodon.org/entities/Marker/
type Marker struct {
	LastRead ID
	Version  uint64 // 1 when first saved; rises with each change
	At       time.Time
}

// Markers are the stored positions of one user.
type Markers map[MarkerTimeline]Marker
