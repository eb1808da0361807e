package discovery

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/search"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

const (
	// indexStale is after what time a search looks for what others have posted, and indexEvery
	// how often a server does that nobody searches, for the work that is to be done then.
	indexStale = time.Second
	indexEvery = 15 * time.Second
	// indexWhole is how often it reads the whole queue: what was put there late stands
	// among what it has read already. queueOverlap is how far back it looks else.
	indexWhole   = time.Minute
	queueOverlap = 10 * time.Second
	// queueRead is how much it reads of a slice of the queue at most: more than is in all of
	// them, but while the index is made.
	queueRead = core.DefaultIndexAt
	// indexPass is of how many statuses it reads the texts at a time.
	indexPass = 500
	// indexLater is the age at which statuses were put into the queue that are not taken
	// from there while the index is being made: they come with the segments.
	indexLater = time.Hour
)

// searchIndex is what a server has of the index of words: the segments that the manifest
// names, and besides what is still in the queue. It is safe for concurrent use.
type searchIndex struct {
	st     *store.Store
	opt    core.Options
	words  *search.Index
	holder string // of the lease

	knownMu sync.Mutex
	known   map[linnet.ID]int64 // what of the queue is indexed here, by when it was put there

	ready   atomic.Bool  // it was read once
	partial atomic.Bool  // there may be statuses that are not in it
	local   atomic.Int64 // statuses put into the queue by this server, not counted in pending yet

	syncing  sync.Mutex // one looks at a time, and owns what follows
	segments map[string]*search.Segment
	manifest *record.SearchManifest
	since    int64     // the latest that was read of the queue
	whole    time.Time // when all of it was read
	synced   time.Time
	pending  int      // about how many are in the queue
	damaged  []string // segments that are not what was written
}

func newSearchIndex(st *store.Store, opt core.Options) *searchIndex {
	return &searchIndex{st: st, opt: opt, words: search.NewIndex(), holder: rand.Text(), known: map[linnet.ID]int64{}, segments: map[string]*search.Segment{}, manifest: &record.SearchManifest{}}
}

// posted indexes a status that this server has just published, or that was written anew,
// and has put into the queue at a time. It takes no round trip.
func (s *searchIndex) posted(st *linnet.Status, at time.Time) {
	by := s.st.KeptUser(st.Author)
	if st.RepostOf != 0 || by == nil {
		return // it comes with the queue
	}
	if err := s.words.Add(documentOf(st, by)); err != nil {
		s.opt.Log.Warn("cannot index post", "status", st.ID, "err", err)
		return
	}
	s.knownMu.Lock()
	s.known[st.ID] = at.UnixMilli()
	s.knownMu.Unlock()
	s.local.Add(1)
}

// sync looks what other servers have posted and which segments there are, if that
// was not done for a while.
func (s *searchIndex) sync(ctx context.Context, stale time.Duration) error {
	if stale == 0 || !s.ready.Load() {
		s.syncing.Lock()
	} else if !s.syncing.TryLock() {
		return nil // somebody is at it
	}
	defer s.syncing.Unlock()
	if !s.synced.IsZero() && time.Since(s.synced) < stale {
		return nil
	}
	whole := time.Since(s.whole) > indexWhole
	since := s.since - queueOverlap.Milliseconds()
	if whole {
		since = 0
	}
	m, queued, err := s.st.Statuses.IndexQueue(ctx, since, queueRead)
	if err == nil && m.Version != s.manifest.Version && !whole {
		whole = true
		m, queued, err = s.st.Statuses.IndexQueue(ctx, 0, queueRead)
	}
	if err != nil {
		return err
	}
	if err := s.indexQueued(ctx, m, queued, whole); err != nil {
		return err
	}
	if m.Version != s.manifest.Version || len(s.segments) != len(m.Segments) {
		if err := s.loadSegments(ctx, m); err != nil {
			return err
		}
	}
	s.manifest, s.synced = m, time.Now()
	s.partial.Store(m.Version != 0 && m.Walked == 0 || len(s.damaged) > 0)
	s.ready.Store(true)
	if whole {
		s.whole, s.pending = s.synced, len(queued)
	}
	return nil
}

// indexQueued indexes what of the queue this server has not yet.
func (s *searchIndex) indexQueued(ctx context.Context, m *record.SearchManifest, queued []record.QueuedStatus, whole bool) error {
	now := s.st.Now()
	var fresh []record.QueuedStatus
	since, there := s.since, map[linnet.ID]bool{}
	s.knownMu.Lock()
	for _, q := range queued {
		there[q.ID] = true
		since = max(since, min(q.At, now.UnixMilli()))
		if at, ok := s.known[q.ID]; ok && at == q.At || m.Walk != nil && q.At-q.ID.Millis() > indexLater.Milliseconds() {
			continue
		}
		fresh = append(fresh, q)
	}
	for id, at := range s.known {
		if whole && !there[id] && now.UnixMilli()-at > indexWhole.Milliseconds() {
			delete(s.known, id)
		}
	}
	s.knownMu.Unlock()
	s.pending += len(fresh) + int(s.local.Swap(0))
	for part := range slices.Chunk(fresh, indexPass) {
		docs, err := s.documents(ctx, part)
		if err != nil {
			return err
		}
		for _, d := range docs {
			if err := s.words.Add(d); err != nil {
				return fmt.Errorf("index a status: %w", err)
			}
		}
		s.knownMu.Lock()
		for _, q := range part {
			s.known[q.ID] = q.At
		}
		s.knownMu.Unlock()
	}
	s.since = since
	return nil
}

// documents are those of statuses that exist, as they are now.
func (s *searchIndex) documents(ctx context.Context, of []record.QueuedStatus) ([]*search.Document, error) {
	b := s.st.Batch()
	refs := make([]*db.StatusRef, len(of))
	for i, q := range of {
		refs[i] = b.Status(q.ID)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	authors := map[linnet.ID]*db.UserRef{}
	b = s.st.Batch()
	for _, ref := range refs {
		if st := ref.Status; st != nil && st.RepostOf == 0 && authors[st.Author] == nil {
			authors[st.Author] = b.User(st.Author)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	docs := make([]*search.Document, 0, len(of))
	for _, ref := range refs {
		if st := ref.Status; st != nil && st.RepostOf == 0 && authors[st.Author].User != nil {
			docs = append(docs, documentOf(st, authors[st.Author].User))
		}
	}
	return docs, nil
}

// loadSegments reads the segments of a manifest that this server has not.
func (s *searchIndex) loadSegments(ctx context.Context, m *record.SearchManifest) error {
	segments := map[string]*search.Segment{}
	var list []*search.Segment
	s.damaged = nil
	for _, want := range m.Segments {
		seg := s.segments[want.Name]
		if seg == nil {
			var err error
			if seg, err = s.loadSegment(ctx, want); errors.Is(err, search.ErrDamaged) {
				s.opt.Log.Warn("damaged search index segment; rebuilding it", "segment", want.Name, "err", err)
				s.damaged = append(s.damaged, want.Name)
				continue
			} else if err != nil {
				return err
			}
		}
		segments[want.Name] = seg
		list = append(list, seg)
	}
	s.segments = segments
	s.words.Replace(list, func(id uint64) bool {
		s.knownMu.Lock()
		defer s.knownMu.Unlock()
		_, ok := s.known[linnet.ID(id)]
		return ok
	})
	return nil
}

// loadSegment reads a segment. search.ErrDamaged if it is not what was written.
func (s *searchIndex) loadSegment(ctx context.Context, want record.SearchSegment) (*search.Segment, error) {
	packed, err := s.st.Statuses.SearchParts(ctx, want.Name, want.Parts)
	if err != nil {
		return nil, err
	}
	data, err := search.Unpack(packed)
	if err != nil {
		return nil, err
	}
	seg, err := search.Open(data)
	if err == nil && seg.Name() != want.Name {
		err = fmt.Errorf("%w: it is %s", search.ErrDamaged, seg.Name())
	}
	return seg, err
}

// keep looks what other servers have posted, if that was not done for a while, and does
// one bounded piece of what is to be done for the search index of all servers, if there is
// anything and no other server is at it. It says whether it did. Run calls it at intervals.
func (s *searchIndex) keep(ctx context.Context, stale time.Duration) (more bool, err error) {
	if err := s.sync(ctx, stale); err != nil {
		return false, err
	}
	return s.maintain(ctx)
}

// run keeps the index up to date until ctx ends.
func (s *searchIndex) run(ctx context.Context) {
	t := time.NewTicker(indexEvery)
	defer t.Stop()
	stale := time.Duration(0)
	for {
		more, err := s.keep(ctx, stale)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Debug("cannot update search index", "err", err)
		}
		if more {
			// Between two pieces of a longer work the queue is not looked at each time:
			// it is full then, and that look would cost more than the piece.
			stale = indexStale
			continue
		}
		stale = 0
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}
