package record

import (
	"cmp"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func OwnFeedsKey(user linnet.ID) kv.Key { return IDKey(KindOwnFeeds, user) }

// RankingKey is the ranking of a custom feed.
func RankingKey(feed linnet.ID) kv.Key { return IDKey(KindRanking, feed) }

type OwnFeeds struct {
	Feeds []ownFeedRecord `json:"feeds"`
}

type ownFeedRecord struct {
	ID         JID              `json:"id"`
	Title      string           `json:"title"`
	Order      linnet.FeedOrder `json:"order,omitempty"` // "": by importance, as in earlier releases
	Favourites float64          `json:"favourites"`
	Reposts    float64          `json:"reposts"`
	Replies    float64          `json:"replies"`
	HalfLife   int64            `json:"half_life"` // seconds
	Window     int64            `json:"window"`    // seconds
	NoReplies  bool             `json:"no_replies,omitempty"`
	NoReposts  bool             `json:"no_reposts,omitempty"`
	OnlyMedia  bool             `json:"only_media,omitempty"`
	Sources    []sourceRecord   `json:"sources"`
}

type sourceRecord struct {
	Kind   linnet.FeedSourceKind `json:"kind"`
	ID     *JID                  `json:"id,omitempty"`
	Tag    string                `json:"tag,omitempty"`
	Weight float64               `json:"weight"`
}

func EncodeOwnFeeds(feeds []linnet.OwnFeed) []byte {
	r := OwnFeeds{Feeds: make([]ownFeedRecord, len(feeds))}
	for i, f := range feeds {
		w := f.Weights
		rec := ownFeedRecord{ID: JID(f.ID), Title: f.Title, Favourites: w.Favourites, Reposts: w.Reposts, Replies: w.Replies,
			HalfLife: int64(w.HalfLife / time.Second), Window: int64(f.Window / time.Second),
			NoReplies: f.Filter.ExcludeReplies, NoReposts: f.Filter.ExcludeReposts, OnlyMedia: f.Filter.OnlyMedia}
		if f.Order != linnet.ByImportance {
			rec.Order = f.Order
		}
		for _, src := range f.Sources {
			s := sourceRecord{Kind: src.Kind, Tag: src.Tag, Weight: src.Weight}
			if id := JID(src.ID); id != 0 {
				s.ID = &id
			}
			rec.Sources = append(rec.Sources, s)
		}
		r.Feeds[i] = rec
	}
	return Encode(r)
}

func (r *OwnFeeds) All() []linnet.OwnFeed {
	out := make([]linnet.OwnFeed, len(r.Feeds))
	for i, rec := range r.Feeds {
		f := linnet.OwnFeed{ID: linnet.ID(rec.ID), Title: rec.Title, Order: cmp.Or(rec.Order, linnet.ByImportance), Window: time.Duration(rec.Window) * time.Second,
			Filter:  linnet.FeedFilter{ExcludeReplies: rec.NoReplies, ExcludeReposts: rec.NoReposts, OnlyMedia: rec.OnlyMedia},
			Weights: linnet.Weights{Favourites: rec.Favourites, Reposts: rec.Reposts, Replies: rec.Replies, HalfLife: time.Duration(rec.HalfLife) * time.Second}}
		for _, s := range rec.Sources {
			src := linnet.FeedSource{Kind: s.Kind, Tag: s.Tag, Weight: s.Weight}
			if s.ID != nil {
				src.ID = linnet.ID(*s.ID)
			}
			f.Sources = append(f.Sources, src)
		}
		out[i] = f
	}
	return out
}
