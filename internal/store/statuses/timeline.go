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

// The number of stored entries of a slice of the global timeline and of a tag, and how many
// additions there are for each trim: by one server to a slice, and by all servers to a tag. Trims
// are rare, because an embedded store walks over all stored entries and the deleted ones below
// them.
const (
	GlobalTrimmed = 2500
	globalTrim    = 256
	tagTrimmed    = 40_000
	tagTrim       = 4096
)

// trimsTags reports whether a status trims its tags. It mixes the bits of the id, most of which are
// equal for statuses of one author or one moment.
func trimsTags(id linnet.ID) bool { return mixed(id)%tagTrim == 0 }

func mixed(id linnet.ID) uint64 { return uint64(id) * 0x9e3779b97f4a7c15 >> 32 }

// PublishOps returns the changes that add a public status with folded tags to the global timeline
// and its tags. For statuses with tags use Publish, which adds the tags to the search afterwards.
func (s *Store) PublishOps(st *linnet.Status) []kv.Op {
	slice := record.GlobalSlice(st.Author)
	global := record.GlobalKey(slice)
	ops := []kv.Op{kv.Add{Key: global, Member: st.ID.String(), Score: st.ID.Millis()}}
	if s.added[slice].Add(1)%globalTrim == 0 {
		ops = append(ops, kv.Trim{Key: global, Keep: GlobalTrimmed})
	}
	return append(ops, TagOps(st, trimsTags(st.ID))...)
}

// TagOps returns the changes that add a public status with folded tags to their timelines.
func TagOps(st *linnet.Status, trim bool) []kv.Op {
	var ops []kv.Op
	for _, t := range st.Tags {
		ops = append(ops, kv.Add{Key: record.TagKey(t), Member: record.TagMember(st), Score: st.ID.Millis()})
		if trim {
			ops = append(ops, kv.Trim{Key: record.TagKey(t), Keep: tagTrimmed})
		}
	}
	return ops
}

// Publish adds a public status to the global timeline and the timelines of its folded tags.
func (s *Store) Publish(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, s.PublishOps(&folded))
}

// publish makes the changes that add a status, and then adds its tags to the search, see
// Tags.forget.
func (s *Store) publish(ctx context.Context, st *linnet.Status, ops []kv.Op) error {
	if err := s.db.Apply(ctx, ops...); err != nil || len(st.Tags) == 0 {
		return err
	}
	return s.db.Apply(ctx, TagNamesOf(st)...)
}

// Public is a public status with its public timelines.
type Public struct {
	Status *linnet.Status
	Global bool     // the public timeline
	Tags   []string // folded
}

// List adds statuses to public timelines, or removes them. It may be repeated.
func (s *Store) List(ctx context.Context, sts []Public, listed bool) error {
	var ops []kv.Op
	var tagged []*linnet.Status
	var tags []string
	trims := map[kv.Key]bool{}
	for _, p := range sts {
		id, global := p.Status.ID, record.GlobalKey(record.GlobalSlice(p.Status.Author))
		folded := *p.Status
		folded.Tags = p.Tags
		tagged, tags = append(tagged, &folded), append(tags, p.Tags...)
		switch {
		case listed && p.Global:
			ops = append(ops, kv.Add{Key: global, Member: id.String(), Score: id.Millis()})
			trims[global] = true
		case !listed:
			ops = append(ops, kv.Remove{Key: global, Member: id.String()})
		}
		if listed {
			ops = append(ops, TagOps(&folded, false)...)
			continue
		}
		for _, t := range p.Tags {
			ops = append(ops, kv.Remove{Key: record.TagKey(t), Member: record.TagMember(p.Status)})
		}
	}
	for key := range trims {
		ops = append(ops, kv.Trim{Key: key, Keep: GlobalTrimmed})
	}
	if listed {
		ops = append(ops, TagNamesOf(tagged...)...)
	}
	for part := range slices.Chunk(ops, kv.MaxApply) {
		if err := s.db.Apply(ctx, part...); err != nil {
			return fmt.Errorf("list statuses: %w", err)
		}
	}
	if listed || len(tags) == 0 {
		return nil
	}
	slices.Sort(tags)
	return s.Tags.forget(ctx, slices.Compact(tags))
}

// Global reads a span of the global timeline, merged from its slices, newest first.
func (s *Store) Global(ctx context.Context, sp db.Span) ([]linnet.ID, error) {
	keys := make([]kv.Key, record.GlobalSlices)
	for i := range keys {
		keys[i] = record.GlobalKey(i)
	}
	return s.db.MergeSets(ctx, keys, sp)
}

// Tagged reads a span of the timelines of folded tags, merged, newest first.
func (s *Store) Tagged(ctx context.Context, tags []string, sp db.Span) ([]linnet.ID, error) {
	keys := make([]kv.Key, len(tags))
	for i, t := range tags {
		keys[i] = record.TagKey(t)
	}
	return s.db.MergeSets(ctx, keys, sp)
}

// PublishTags adds a public status only to the timelines of its tags.
func (s *Store) PublishTags(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, TagOps(&folded, trimsTags(st.ID)))
}
