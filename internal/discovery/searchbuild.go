package discovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/search"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
)

const (
	// freezeMost is the maximum number of statuses in a new segment. core.Options.IndexAt is the
	// minimum.
	freezeMost = 2 * core.DefaultIndexAt
	// smallSegment and middleSegment are the limits of the segment classes. smallMerge and
	// middleMerge are the numbers of adjacent segments of a class that are merged.
	smallSegment, smallMerge   = 32_768, 8
	middleSegment, middleMerge = 131_072, 4
	// rereadAfter is the age at which a segment is rebuilt from the current texts, so that words of
	// deleted or edited posts leave it within 30 days.
	rereadAfter = 21 * 24 * time.Hour
	// removedTTL is the time for which the parts of a segment stay after its removal from the
	// manifest.
	removedTTL = 10 * time.Minute
	// walkPass is the number of users whose statuses are queued in one batch, and walkShards the
	// number of shards it searches for users.
	walkPass, walkShards = 50, 64
)

// dueWork returns the first task of maintenance, or nil for none. The caller holds the index lock.
func (s *searchIndex) dueWork(m *record.SearchManifest) func(context.Context, *record.SearchManifest) error {
	now := s.st.Now()
	switch {
	case m.Version == 0:
		return s.begin
	case slices.ContainsFunc(m.Segments, func(seg record.SearchSegment) bool { return slices.Contains(s.damaged, seg.Name) }):
		return s.dropDamaged
	case slices.ContainsFunc(m.Removed, func(r record.SearchRemoved) bool { return expired(r, now) }):
		return s.removeParts
	case s.pending >= s.opt.IndexAt:
		return s.freeze
	case m.Walk != nil:
		return s.walk
	}
	if from, to := mergeable(m.Segments); to > from {
		return s.merge
	}
	if outdated(m.Segments, now) >= 0 {
		return s.reread
	}
	return nil
}

func expired(r record.SearchRemoved, now time.Time) bool {
	return now.UnixMilli()-r.At > removedTTL.Milliseconds()
}

// put writes the manifest. It returns an error if another server has changed it.
func (s *searchIndex) put(ctx context.Context, m *record.SearchManifest) error {
	made, err := s.st.Statuses.Search.PutManifest(ctx, m)
	if err == nil && !made {
		err = fmt.Errorf("another server changed the manifest: %w", kv.ErrUnavailable)
	}
	return err
}

// begin starts an index in a store without one.
func (s *searchIndex) begin(ctx context.Context, m *record.SearchManifest) error {
	m.Begin()
	return s.put(ctx, m)
}

// rebuild indexes all statuses again. The current index stays in use meanwhile.
func (s *searchIndex) rebuild(ctx context.Context) error {
	for range db.MaxRaces {
		m, err := s.st.Statuses.Search.Manifest(ctx)
		if err != nil {
			return err
		}
		m.Begin()
		if made, err := s.st.Statuses.Search.PutManifest(ctx, m); err != nil || made {
			return err
		}
	}
	return fmt.Errorf("the search index changed %d times during the rebuild: %w", db.MaxRaces, kv.ErrUnavailable)
}

// IndexReport is the state of the search index.
type IndexReport struct {
	Segments int       `json:"segments"`
	Statuses int       `json:"statuses"` // in segments; a status that was indexed again counts twice until its segments are merged
	Bytes    int64     `json:"bytes"`    // uncompressed size of the segments
	Queued   int       `json:"queued"`   // statuses in the queue
	Making   bool      `json:"making"`   // all statuses are being indexed
	Percent  int       `json:"percent"`  // approximate percentage of the users whose statuses were queued
	Made     time.Time `json:"made,omitzero"`
}

// report returns the state of the search index.
func (s *searchIndex) report(ctx context.Context) (r IndexReport, err error) {
	m, queued, err := s.st.Statuses.Search.Queue(ctx, 0, queueRead)
	if err != nil {
		return r, core.StoreError(err)
	}
	r.Segments, r.Queued, r.Making = len(m.Segments), len(queued), m.Walk != nil
	for _, seg := range m.Segments {
		r.Statuses, r.Bytes = r.Statuses+seg.Count, r.Bytes+seg.Bytes
	}
	if m.Walk != nil {
		r.Percent = int(m.Walk.Shard) * 100 / kv.Shards
	}
	if m.Walked != 0 {
		r.Made = time.UnixMilli(m.Walked)
	}
	return r, nil
}

// dropDamaged removes damaged segments and indexes all statuses again, because the content of those
// segments is unknown.
func (s *searchIndex) dropDamaged(ctx context.Context, m *record.SearchManifest) error {
	s.syncing.Lock()
	damaged := slices.Clone(s.damaged)
	s.syncing.Unlock()
	m.Drop(s.st.Now(), func(seg record.SearchSegment) bool { return slices.Contains(damaged, seg.Name) })
	m.Begin()
	return s.put(ctx, m)
}

// removeParts deletes the parts of segments that were removed some time ago.
func (s *searchIndex) removeParts(ctx context.Context, m *record.SearchManifest) error {
	now := s.st.Now()
	for _, r := range m.Removed {
		if expired(r, now) && !named(m, r.Name) {
			if err := s.st.Statuses.Search.RemoveParts(ctx, r.Name, r.Parts); err != nil {
				return err
			}
		}
	}
	m.Removed = slices.DeleteFunc(m.Removed, func(r record.SearchRemoved) bool { return expired(r, now) })
	return s.put(ctx, m)
}

func named(m *record.SearchManifest, name string) bool {
	return slices.ContainsFunc(m.Segments, func(seg record.SearchSegment) bool { return seg.Name == name })
}

// freeze builds a segment from the queue.
func (s *searchIndex) freeze(ctx context.Context, m *record.SearchManifest) error {
	_, queued, err := s.st.Statuses.Search.Queue(ctx, 0, queueRead)
	if err != nil {
		return err
	}
	s.syncing.Lock()
	s.pending = len(queued)
	s.syncing.Unlock()
	if len(queued) < s.opt.IndexAt {
		return nil
	}
	slices.SortFunc(queued, func(a, b record.QueuedStatus) int { return int(a.At - b.At) })
	queued = queued[:min(len(queued), freezeMost)]
	read := s.st.Now()
	data, err := s.buildOf(ctx, queued)
	if err != nil {
		return err
	}
	if err := s.publish(ctx, m, data, read, len(m.Segments), len(m.Segments)); err != nil {
		return err
	}
	s.syncing.Lock()
	s.pending -= len(queued)
	s.syncing.Unlock()
	return s.st.Statuses.Search.Dequeue(ctx, queued)
}

// buildOf builds a segment from the current texts of statuses. It returns nil if all of them are
// deleted.
func (s *searchIndex) buildOf(ctx context.Context, of []record.QueuedStatus) ([]byte, error) {
	block := search.NewBlock()
	for part := range slices.Chunk(of, indexPass) {
		docs, err := s.documents(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			block.Add(d)
		}
	}
	if block.Len() == 0 {
		return nil, nil
	}
	return block.Encode()
}

// publish writes a segment and replaces the segments from index from up to but not including to.
// Nil data only removes them. Until the manifest contains the segment, it is listed as removed, so
// that a crash leaves no unused data.
func (s *searchIndex) publish(ctx context.Context, m *record.SearchManifest, data []byte, read time.Time, from, to int) error {
	var in []record.SearchSegment
	if data != nil {
		seg, err := search.Open(data)
		if err != nil {
			return err
		}
		packed, err := search.Pack(data)
		if err != nil {
			return err
		}
		one := record.SearchSegment{Name: seg.Name(), Parts: statuses.SearchPartsOf(packed), Count: seg.Len(), Bytes: int64(len(data)), Read: read.UnixMilli()}
		if named(m, one.Name) {
			for i := range m.Segments {
				if m.Segments[i].Name == one.Name {
					m.Segments[i].Read, m.Segments[i].Former = one.Read, false
				}
			}
			return s.put(ctx, m)
		}
		m.Removed = append(m.Removed, record.SearchRemoved{Name: one.Name, Parts: one.Parts, At: s.st.Now().UnixMilli()})
		if err := s.put(ctx, m); err != nil {
			return err
		}
		if err := s.st.Statuses.Search.PutParts(ctx, one.Name, packed); err != nil {
			return err
		}
		m.Removed = slices.DeleteFunc(m.Removed, func(r record.SearchRemoved) bool { return r.Name == one.Name })
		in = append(in, one)
	}
	for _, segment := range m.Segments[from:to] {
		m.Removed = append(m.Removed, record.SearchRemoved{Name: segment.Name, Parts: segment.Parts, At: s.st.Now().UnixMilli()})
	}
	m.Segments = slices.Replace(m.Segments, from, to, in...)
	return s.put(ctx, m)
}

// mergeable returns the adjacent segments of one class to merge.
func mergeable(all []record.SearchSegment) (from, to int) {
	for ; from < len(all); from = to {
		class, most := classOf(all[from])
		for to = from; to < len(all) && to-from < most; to++ {
			if c, _ := classOf(all[to]); c != class {
				break
			}
		}
		if to-from == most {
			return from, to
		}
		to = max(to, from+1)
	}
	return 0, 0
}

// classOf returns the class of a segment and the number of such segments to merge.
func classOf(seg record.SearchSegment) (class, most int) {
	switch {
	case seg.Former:
		return 3, len(seg.Name) * 1000 // unreachable: more segments than can exist
	case seg.Count < smallSegment:
		return 0, smallMerge
	case seg.Count < middleSegment:
		return 1, middleMerge
	}
	return 2, len(seg.Name) * 1000
}

// merge merges several segments into one.
func (s *searchIndex) merge(ctx context.Context, m *record.SearchManifest) error {
	from, to := mergeable(m.Segments)
	var parts []*search.Segment
	read := m.Segments[from].Read
	for _, want := range m.Segments[from:to] {
		seg, err := s.loadSegment(ctx, want)
		if err != nil {
			return err
		}
		parts, read = append(parts, seg), min(read, want.Read)
	}
	data, err := search.Merge(parts)
	if err != nil {
		return err
	}
	return s.publish(ctx, m, data, time.UnixMilli(read), from, to)
}

// outdated returns the index of the first segment to rebuild, or -1.
func outdated(all []record.SearchSegment, now time.Time) int {
	return slices.IndexFunc(all, func(seg record.SearchSegment) bool {
		return !seg.Former && now.UnixMilli()-seg.Read > rereadAfter.Milliseconds()
	})
}

// reread rebuilds a segment from the current texts.
func (s *searchIndex) reread(ctx context.Context, m *record.SearchManifest) error {
	read := s.st.Now()
	i := outdated(m.Segments, read)
	seg, err := s.loadSegment(ctx, m.Segments[i])
	if err != nil {
		return err
	}
	var parts []*search.Segment
	for ids := range slices.Chunk(seg.IDs(), freezeMost) {
		of := make([]record.QueuedStatus, len(ids))
		for i, id := range ids {
			of[i].ID = linnet.ID(id)
		}
		data, err := s.buildOf(ctx, of)
		if err != nil {
			return err
		}
		if data == nil {
			continue
		}
		part, err := search.Open(data)
		if err != nil {
			return err
		}
		parts = append(parts, part)
		if held, err := s.st.Statuses.Search.Lease(ctx, s.holder); err != nil || !held {
			return err
		}
	}
	var data []byte
	if len(parts) > 0 {
		if data, err = search.Merge(parts); err != nil {
			return err
		}
	}
	return s.publish(ctx, m, data, read, i, i+1)
}

// walk queues the statuses of the next users.
func (s *searchIndex) walk(ctx context.Context, m *record.SearchManifest) error {
	w := m.Walk
	var users []linnet.ID
	for range walkShards {
		if int(w.Shard) >= kv.Shards {
			m.End(s.st.Now())
			return s.put(ctx, m)
		}
		ids, from, err := s.st.After(ctx, record.ShardKey(record.KindUsers, w.Shard), kv.Member{Score: w.From.Score, Member: w.From.Member}, walkPass)
		if err != nil {
			return err
		}
		if len(ids) < walkPass {
			w.Shard, w.From = w.Shard+1, record.SetPosition{}
		} else {
			w.From = record.SetPosition{Score: from.Score, Member: from.Member}
		}
		if users = append(users, ids...); len(users) >= walkPass {
			break
		}
	}
	below := make([]linnet.ID, len(users))
	for len(users) > 0 {
		b := s.st.Batch()
		refs := make([]db.PostsRef, len(users))
		for i, u := range users {
			refs[i] = b.Posts(u, db.Span{Below: below[i], Limit: kv.MaxRange})
		}
		if err := b.Run(ctx); err != nil {
			return err
		}
		var restUsers, restBelow, ids []linnet.ID
		for i, ref := range refs {
			posts := ref.Posts()
			for _, p := range posts {
				if !p.Repost {
					ids = append(ids, p.ID)
				}
			}
			if len(posts) == kv.MaxRange {
				restUsers, restBelow = append(restUsers, users[i]), append(restBelow, posts[len(posts)-1].ID)
			}
		}
		for part := range slices.Chunk(ids, kv.MaxRange) {
			if err := s.st.Statuses.Search.Enqueue(ctx, s.st.Now(), part...); err != nil {
				return err
			}
		}
		s.syncing.Lock()
		s.pending += len(ids)
		s.syncing.Unlock()
		users, below = restUsers, restBelow
	}
	return s.put(ctx, m)
}

// indexStatuses indexes the public statuses of a user who has become searchable, one page at a
// time.
func (s *searchIndex) indexStatuses(ctx context.Context, a social.IndexStatusesArgs) (*social.IndexStatusesArgs, error) {
	u, err := s.st.UserNow(ctx, a.User)
	if err != nil || u == nil || !u.Indexable {
		return nil, err
	}
	b := s.st.Batch()
	ref := b.Posts(a.User, db.Span{Below: a.Below, Limit: kv.MaxRange})
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	posts := ref.Posts()
	var ids []linnet.ID
	for _, p := range posts {
		if !p.Repost && p.Visibility == linnet.Public && !s.words.HasLabel(uint64(p.ID), publicLabel()) {
			ids = append(ids, p.ID)
		}
	}
	if err := s.st.Statuses.Search.Enqueue(ctx, s.st.Now(), ids...); err != nil || len(posts) < kv.MaxRange {
		return nil, err
	}
	a.Below = posts[len(posts)-1].ID
	return &a, nil
}
