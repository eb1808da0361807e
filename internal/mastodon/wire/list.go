package wire

import (
	"time"

	"linnet/internal/linnet"
)

// List is the entity List.
// https://docs.joinmastodon.org/entities/List/
type List struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	RepliesPolicy string `json:"replies_policy"`
	Exclusive     bool   `json:"exclusive"`
}

// ListOf encodes a list.
func ListOf(v *linnet.List) List {
	return List{ID: v.ID.String(), Title: v.Title, RepliesPolicy: v.Replies.String(), Exclusive: v.Exclusive}
}

// ShownLists tells which built-in lists are shown. docs/own-api.md describes it.
type ShownLists struct {
	Top     bool `json:"top"`
	CatchUp bool `json:"catch_up"`
}

// ShownListsOf encodes which built-in lists are shown.
func ShownListsOf(v linnet.ShownLists) ShownLists {
	return ShownLists{Top: v.Top, CatchUp: v.CatchUp}
}

// Marker is the entity Marker.
// https://docs.joinmastodon.org/entities/Marker/
type Marker struct {
	LastReadID string `json:"last_read_id"`
	Version    uint64 `json:"version"`
	UpdatedAt  string `json:"updated_at"`
}

// MarkersOf encodes markers by timeline.
func MarkersOf(all linnet.Markers) map[linnet.MarkerTimeline]Marker {
	out := make(map[linnet.MarkerTimeline]Marker, len(all))
	for name, m := range all {
		out[name] = Marker{m.LastRead.String(), m.Version, Timestamp(m.At)}
	}
	return out
}

// CustomFeed is a user-defined timeline. docs/own-api.md describes it.
type CustomFeed struct {
	ID             string       `json:"id"`
	Title          string       `json:"title"`
	Order          string       `json:"order"`
	Weights        FeedWeights  `json:"weights"`
	Window         int64        `json:"window"` // seconds
	ExcludeReplies bool         `json:"exclude_replies"`
	ExcludeReblogs bool         `json:"exclude_reblogs"`
	OnlyMedia      bool         `json:"only_media"`
	Sources        []FeedSource `json:"sources"`
}

// FeedWeights are the weights of a CustomFeed.
type FeedWeights struct {
	Favourites float64 `json:"favourites"`
	Reblogs    float64 `json:"reblogs"`
	Replies    float64 `json:"replies"`
	HalfLife   int64   `json:"half_life"` // seconds; 0 ignores the age
}

// FeedSource is a source of a CustomFeed.
type FeedSource struct {
	Type   string  `json:"type"`
	ID     *string `json:"id,omitempty"`
	Tag    string  `json:"tag,omitempty"`
	Weight float64 `json:"weight"`
}

// CustomFeedOf encodes a user-defined timeline.
func CustomFeedOf(f *linnet.OwnFeed) CustomFeed {
	out := CustomFeed{ID: f.ID.String(), Title: f.Title, Order: string(f.Order), Window: int64(f.Window / time.Second), Sources: make([]FeedSource, len(f.Sources)),
		ExcludeReplies: f.Filter.ExcludeReplies, ExcludeReblogs: f.Filter.ExcludeReposts, OnlyMedia: f.Filter.OnlyMedia,
		Weights: FeedWeights{f.Weights.Favourites, f.Weights.Reposts, f.Weights.Replies, int64(f.Weights.HalfLife / time.Second)}}
	for i, src := range f.Sources {
		out.Sources[i] = FeedSource{Type: string(src.Kind), ID: OptionalID(src.ID), Tag: src.Tag, Weight: src.Weight}
	}
	return out
}
