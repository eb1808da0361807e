package statuses

import (
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

const (
	linkedTrim = 256 // one addition in this many trims
	// links of a shard that are deleted at a time
	linksForgot = 100
)

// Links stores the statuses with each link.
type Links struct{ db *db.DB }

// Linked is a status with one of its links.
type Linked struct {
	Link   string
	Status *linnet.Status
}

// Enter adds statuses to the sets of their links, and removes others. It deletes sets of links in
// the same shards that were last used before the period of trends. It may be repeated.
func (s *Links) Enter(ctx context.Context, enter, leave []Linked) error {
	now := s.db.Now().UnixMilli()
	var ops []kv.Op
	shards := map[uint16]bool{}
	for _, l := range enter {
		hash := record.LinkHash(l.Link)
		key := record.LinkedKey(hash)
		shards[key.Shard] = true
		ops = append(ops, kv.Add{Key: record.LinksKey(key.Shard), Member: hash, Score: now}, // first: sets without this entry would never be deleted
			kv.Add{Key: key, Member: record.TagMember(l.Status), Score: l.Status.ID.Millis()})
		if mixed(l.Status.ID)%linkedTrim == 0 {
			ops = append(ops, kv.Trim{Key: key, Keep: record.LinkedTrimmed})
		}
	}
	for _, l := range leave {
		ops = append(ops, kv.Remove{Key: record.LinkedKey(record.LinkHash(l.Link)), Member: record.TagMember(l.Status)})
	}
	for part := range slices.Chunk(ops, kv.MaxApply) {
		if err := s.db.Apply(ctx, part...); err != nil {
			return fmt.Errorf("add statuses to links: %w", err)
		}
	}
	return s.forget(ctx, shards, now-trendTTL.Milliseconds())
}

// forget deletes the sets of links of some shards that were last used before a time.
func (s *Links) forget(ctx context.Context, shards map[uint16]bool, before int64) error {
	qs := make([]kv.Query, 0, len(shards))
	for shard := range shards {
		qs = append(qs, &kv.Range{Key: record.LinksKey(shard), Below: &kv.Member{Score: before}, Limit: linksForgot})
	}
	if len(qs) == 0 {
		return nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return fmt.Errorf("find old links: %w", err)
	}
	var ops []kv.Op
	for _, q := range qs {
		r := q.(*kv.Range)
		for _, m := range r.Members {
			ops = append(ops, kv.Delete{Key: record.LinkedKey(m.Member)}, kv.Remove{Key: r.Key, Member: m.Member})
		}
	}
	for part := range slices.Chunk(ops, kv.MaxApply) {
		if err := s.db.Apply(ctx, part...); err != nil {
			return fmt.Errorf("delete old links: %w", err)
		}
	}
	return nil
}

// Statuses reads a span of the statuses with a link, newest first.
func (s *Links) Statuses(ctx context.Context, link string, sp db.Span) ([]linnet.ID, error) {
	return s.db.MergeSets(ctx, []kv.Key{record.LinkedKey(record.LinkHash(link))}, sp)
}
