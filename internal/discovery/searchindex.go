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
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/search"
	"linnet/internal/store"
	"linnet/internal/store/db"
)

const (
	// indexStale is the age of the index at which a search reads the posts of other servers.
	// indexEvery is how often a server without searches reads them, for maintenance.
	indexStale = time.Second
	indexEvery = 15 * time.Second
	// indexWhole is how often a server reads the whole queue, because late entries can be before
	// its position. Otherwise it rereads the last queueOverlap.
	indexWhole   = time.Minute
	queueOverlap = 10 * time.Second
	// queueRead is the maximum number of entries read from a part of the queue. It is more than all
	// parts hold, except while the index is built.
	queueRead = core.DefaultIndexAt
	// indexPass is the number of statuses whose texts are read at a time.
	indexPass = 500
	// indexLater is the age of queue entries that are skipped while the index is built, because
	// their statuses come with the segments.
	indexLater = time.Hour
)

// searchIndex is a server's view of the search index: the segments in the manifest and the entries
// of the queue. It is safe for concurrent use.
type searchIndex struct {
	st     *store.Store
	opt    core.Options
	words  *search.Index
	holder string // name of this server in the lease

	knownMu sync.Mutex
	known   map[linnet.ID]int64 // indexed entries of the queue, by the time of queueing

	ready   atomic.Bool  // the queue was read once
	partial atomic.Bool  // some statuses may be missing
	local   atomic.Int64 // statuses queued by this server and not counted in pending yet

	syncing  sync.Mutex // guards the fields below; one goroutine syncs at a time
	segments map[string]*search.Segment
	manifest *record.SearchManifest
	since    int64     // time of the latest entry read from the queue
	whole    time.Time // time of the last read of the whole queue
	synced   time.Time
	pending  int      // approximate length of the queue
	damaged  []string // segments with a wrong checksum
}

func newSearchIndex(b core.Base) *searchIndex {
	return &searchIndex{st: b.Store, opt: b.Options, words: search.NewIndex(), holder: rand.Text(), known: map[linnet.ID]int64{},
		segments: map[string]*search.Segment{}, manifest: &record.SearchManifest{}}
}

// posted indexes a status that this server has published or edited, and queued at a given time. It
// makes no round trip.
func (s *searchIndex) posted(st *linnet.Status, at time.Time) {
	by := s.st.CachedUser(st.Author)
	if st.RepostOf != 0 || by == nil {
		return // it is indexed from the queue
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

// sync indexes posts of other servers and loads new segments, unless it has done so within stale.
func (s *searchIndex) sync(ctx context.Context, stale time.Duration) error {
	if stale == 0 || !s.ready.Load() {
		s.syncing.Lock()
	} else if !s.syncing.TryLock() {
		return nil // another goroutine is syncing
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
	m, queued, err := s.st.Statuses.Search.Queue(ctx, since, queueRead)
	if err == nil && m.Version != s.manifest.Version && !whole {
		whole = true
		m, queued, err = s.st.Statuses.Search.Queue(ctx, 0, queueRead)
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

// indexQueued indexes the entries of the queue that this server hasn't indexed yet.
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
				return fmt.Errorf("index a post: %w", err)
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

// documents returns the documents of existing statuses, with their current texts.
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

// loadSegments loads the segments of a manifest that this server hasn't loaded yet.
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

// loadSegment reads a segment. It returns search.ErrDamaged if its checksum is wrong.
func (s *searchIndex) loadSegment(ctx context.Context, want record.SearchSegment) (*search.Segment, error) {
	packed, err := s.st.Statuses.Search.Parts(ctx, want.Name, want.Parts)
	if err != nil {
		return nil, err
	}
	data, err := search.Unpack(packed)
	if err != nil {
		return nil, err
	}
	seg, err := search.Open(data)
	if err == nil && seg.Name() != want.Name {
		err = fmt.Errorf("%w: found segment %s", search.ErrDamaged, seg.Name())
	}
	return seg, err
}

// maintain indexes posts of other servers, unless it has done so within stale, and runs one batch
// of maintenance of the shared index, if there is work and no other server does it. more reports
// whether it did. Run calls it at intervals.
func (s *searchIndex) maintain(ctx context.Context, stale time.Duration) (more bool, err error) {
	if err := s.sync(ctx, stale); err != nil {
		return false, err
	}
	s.syncing.Lock()
	due := !s.opt.Delegate && s.dueWork(s.manifest) != nil
	s.syncing.Unlock()
	if !due {
		return false, nil
	}
	if held, err := s.st.Statuses.Search.Lease(ctx, s.holder); err != nil || !held {
		return false, err
	}
	m, err := s.st.Statuses.Search.Manifest(ctx)
	if err != nil {
		return false, err
	}
	s.syncing.Lock()
	work := s.dueWork(m)
	s.syncing.Unlock()
	if work == nil {
		return false, nil
	}
	if err := work(ctx, m); err != nil {
		return false, fmt.Errorf("store the search index: %w", err)
	}
	return true, nil
}

// Posted adds a new status to the search index of this server.
func (s *Service) Posted(_ context.Context, f event.Posted) error {
	s.search.posted(f.Status, f.Queued)
	return nil
}

// Edited updates the search index of this server. Other servers read the queue of the index.
func (s *Service) Edited(_ context.Context, f event.Edited) error {
	s.search.posted(f.Status, f.Queued)
	return nil
}
