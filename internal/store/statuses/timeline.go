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

// How much of a slice of the global timeline and of a tag is kept, and one of how many
// additions trims: of those by one server to a slice, and of all to a tag. An
// embedded store walks past all that is kept and what was deleted below it, which is
// why so few do.
const (
	GlobalKeep = 2500
	globalTrim = 256
	tagKeep    = 40_000
	tagTrim    = 4096
)

// trimsTags says whether a status is the one of so many. The bits of its id are mixed,
// since most are alike in all statuses of an author, or of a moment.
func trimsTags(id linnet.ID) bool { return mixed(id)%tagTrim == 0 }

func mixed(id linnet.ID) uint64 { return uint64(id) * 0x9e3779b97f4a7c15 >> 32 }

// PublishOps enter a public status, whose tags are folded, into the global timeline and
// its tags. Those of a status with tags are for Publish, which enters the tags into what
// is searched afterwards.
func (s *Store) PublishOps(st *linnet.Status) []kv.Op {
	slice := record.GlobalSlice(st.Author)
	global := record.GlobalKey(slice)
	ops := []kv.Op{kv.Add{Key: global, Member: st.ID.String(), Score: st.ID.Millis()}}
	if s.added[slice].Add(1)%globalTrim == 0 {
		ops = append(ops, kv.Trim{Key: global, Keep: GlobalKeep})
	}
	return append(ops, TagOps(st, trimsTags(st.ID))...)
}

// TagOps enter a public status, whose tags are folded, into their timelines.
func TagOps(st *linnet.Status, trim bool) []kv.Op {
	var ops []kv.Op
	for _, t := range st.Tags {
		ops = append(ops, kv.Add{Key: record.TagKey(t), Member: record.TagMember(st), Score: st.ID.Millis()})
		if trim {
			ops = append(ops, kv.Trim{Key: record.TagKey(t), Keep: tagKeep})
		}
	}
	return ops
}

// Publish enters a public status into the global timeline and the timelines of
// its tags, which must be folded.
func (s *Store) Publish(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, s.PublishOps(&folded))
}

// publish makes the changes that enter a status, and only then enters its tags into
// what is searched, see forgetTags.
func (s *Store) publish(ctx context.Context, st *linnet.Status, ops []kv.Op) error {
	if err := s.db.Apply(ctx, ops...); err != nil || len(st.Tags) == 0 {
		return err
	}
	return s.db.Apply(ctx, TagNamesOf(st)...)
}

// Public is a public status with the timelines to which it belongs.
type Public struct {
	Status *linnet.Status
	Global bool     // the public timeline
	Tags   []string // folded
}

// List enters statuses into public timelines, or removes them. It may be repeated.
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
		ops = append(ops, kv.Trim{Key: key, Keep: GlobalKeep})
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
	return s.forgetTags(ctx, slices.Compact(tags))
}

// Global reads a span of the global timeline: its slices, merged, newest first.
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

// PublishTags enters a public status into its tags' timelines only.
func (s *Store) PublishTags(ctx context.Context, st *linnet.Status, foldedTags []string) error {
	folded := *st
	folded.Tags = foldedTags
	return s.publish(ctx, &folded, TagOps(&folded, trimsTags(st.ID)))
}
