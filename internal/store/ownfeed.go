package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func ownFeedsKey(user linnet.ID) kv.Key { return idKey(kOwnFeeds, user) }

// RankingKey is the order of a feed that somebody has made.
func RankingKey(feed linnet.ID) Key { return idKey(kRanking, feed) }

type ownFeedsRecord struct {
	Feeds []ownFeedRecord `json:"feeds"`
}

type ownFeedRecord struct {
	ID         JID            `json:"id"`
	Title      string         `json:"title"`
	Favourites float64        `json:"favourites"`
	Reposts    float64        `json:"reposts"`
	Replies    float64        `json:"replies"`
	HalfLife   int64          `json:"half_life"` // seconds
	Window     int64          `json:"window"`    // seconds
	Sources    []sourceRecord `json:"sources"`
}

type sourceRecord struct {
	Kind   linnet.FeedSourceKind `json:"kind"`
	ID     *JID                  `json:"id,omitempty"`
	Tag    string                `json:"tag,omitempty"`
	Weight float64               `json:"weight"`
}

func encodeOwnFeeds(feeds []linnet.OwnFeed) []byte {
	r := ownFeedsRecord{Feeds: make([]ownFeedRecord, len(feeds))}
	for i, f := range feeds {
		w := f.Weights
		rec := ownFeedRecord{ID: JID(f.ID), Title: f.Title, Favourites: w.Favourites, Reposts: w.Reposts, Replies: w.Replies,
			HalfLife: int64(w.HalfLife / time.Second), Window: int64(f.Window / time.Second)}
		for _, src := range f.Sources {
			s := sourceRecord{Kind: src.Kind, Tag: src.Tag, Weight: src.Weight}
			if id := JID(src.ID); id != 0 {
				s.ID = &id
			}
			rec.Sources = append(rec.Sources, s)
		}
		r.Feeds[i] = rec
	}
	return encode(r)
}

func (r *ownFeedsRecord) feeds() []linnet.OwnFeed {
	out := make([]linnet.OwnFeed, len(r.Feeds))
	for i, rec := range r.Feeds {
		f := linnet.OwnFeed{ID: linnet.ID(rec.ID), Title: rec.Title, Window: time.Duration(rec.Window) * time.Second,
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

// OwnFeeds are the feeds that a user has made, oldest first, and the version of all
// of them together.
func (s *Store) OwnFeeds(ctx context.Context, user linnet.ID) ([]linnet.OwnFeed, uint64, error) {
	get := &kv.Get{Key: ownFeedsKey(user)}
	if err := s.kv.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read feeds of one's own: %w", err)
	}
	if get.Version == 0 {
		return nil, 0, nil
	}
	var r ownFeedsRecord
	err := decode(get, &r)
	return r.feeds(), get.Version, err
}

// FeedsUnchanged is the condition that a user's feeds are still of a version.
func FeedsUnchanged(user linnet.ID, version uint64) Cond {
	return kv.VersionIs{Key: ownFeedsKey(user), Version: version}
}

// ChangeOwnFeeds changes what feeds a user has made. f changes them, and reports which
// of them is another now: its order is forgotten; 0 is that nothing is to be changed.
// f is called again if somebody else came between. ErrGone if there is no such user.
func (s *Store) ChangeOwnFeeds(ctx context.Context, user linnet.ID, f func(*[]linnet.OwnFeed) (linnet.ID, error)) error {
	for range maxRaces {
		feeds, version, err := s.OwnFeeds(ctx, user)
		if err != nil {
			return err
		}
		feeds = slices.Clone(feeds)
		changed, err := f(&feeds)
		if err != nil || changed == 0 {
			if surely(&ctx) {
				continue
			}
			return err
		}
		failed, err := s.kv.Txn(ctx, []kv.Cond{UserPresent(user), FeedsUnchanged(user, version)},
			kv.Put{Key: ownFeedsKey(user), Data: encodeOwnFeeds(feeds), Version: version + 1}, kv.Delete{Key: RankingKey(changed)})
		switch {
		case errors.Is(err, kv.ErrUnknown): // the loop reads what became of it
			ctx = kv.Durable(ctx)
		case err != nil:
			return fmt.Errorf("write feeds of one's own: %w", err)
		case failed < 0:
			return nil
		case failed == 0:
			return ErrGone
		}
	}
	return errRaces("feeds of", user)
}

// forgetOwnFeeds removes the feeds of a deleted user, and their orders first.
func (s *Store) forgetOwnFeeds(ctx context.Context, user linnet.ID) error {
	feeds, _, err := s.OwnFeeds(ctx, user)
	if err != nil {
		return err
	}
	var ops []kv.Op
	for _, f := range feeds {
		ops = append(ops, kv.Delete{Key: RankingKey(f.ID)})
	}
	if err := s.kv.Apply(ctx, append(ops, kv.Delete{Key: ownFeedsKey(user)})...); err != nil {
		return fmt.Errorf("forget feeds of one's own: %w", err)
	}
	return nil
}
