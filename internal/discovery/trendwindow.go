package discovery

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

const (
	// windowEvery is how often a server hands on what it has noted, windowMost how
	// much it notes in between: at half of it, it hands on at once. What does not
	// fit is not counted.
	windowEvery = 10 * time.Second
	windowMost  = 2048
	// windowLast is how long it tries when it stops.
	windowLast = 2 * time.Second
	// touchPass is of how many people the directory is brought up to date at a
	// time, touchedMost how many this server remembers to have been.
	touchPass   = 100
	touchedMost = 100_000
)

// trendWindow is what has happened on this server since it last handed it on: nothing
// that must not be lost. To note something takes no round trip, so that acts cost
// what they cost without it. It is safe for concurrent use.
type trendWindow struct {
	mu    sync.Mutex
	posts []*linnet.Status // that were published
	marks []marked         // favourites and reposts of statuses
	again []*linnet.Status // that were written anew
	gone  []*linnet.Status // that were deleted
	lost  int              // what there was no room for
	full  chan struct{}    // has one when half of the room is used up

	handing sync.Mutex // one hands on at a time, and owns what follows
	hour    int64      // of touched
	touched map[linnet.ID]struct{}
}

// marked is a favourite or repost that somebody has made of a status.
type marked struct{ status, by linnet.ID }

func newTrendWindow() *trendWindow { return &trendWindow{full: make(chan struct{}, 1)} }

// posted notes that a status was published.
func (l *trendWindow) posted(st *linnet.Status) {
	if st.Visibility == linnet.Direct {
		return
	}
	l.mu.Lock()
	l.posts = note(l, l.posts, st)
	l.mu.Unlock()
}

// changed notes that a status was written anew, or (gone) deleted.
func (l *trendWindow) changed(st *linnet.Status, gone bool) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 {
		return
	}
	l.mu.Lock()
	if gone {
		l.gone = note(l, l.gone, st)
	} else {
		l.again = note(l, l.again, st)
	}
	l.mu.Unlock()
}

// marked notes that somebody has favoured or reposted a status.
func (l *trendWindow) marked(status, by linnet.ID) {
	l.mu.Lock()
	l.marks = note(l, l.marks, marked{status, by})
	l.mu.Unlock()
}

// note adds to what was noted, if there is room. The lock is held.
func note[T any](l *trendWindow, all []T, one T) []T {
	if len(all) >= windowMost {
		l.lost++
		return all
	}
	if len(all) == windowMost/2 {
		select {
		case l.full <- struct{}{}:
		default:
		}
	}
	return append(all, one)
}

// noted is what is handed on together.
type noted struct {
	posts, again, gone []*linnet.Status
	marks              []marked
	lost               int
}

func (l *trendWindow) take() (n noted) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = noted{l.posts, l.again, l.gone, l.marks, l.lost}
	l.posts, l.again, l.gone, l.marks, l.lost = nil, nil, nil, nil, 0
	return n
}

// Run hands on at intervals what was noted, until ctx ends, and then the
// rest. Besides it keeps the search index.
func (s *Service) Run(ctx context.Context) {
	var beside sync.WaitGroup
	beside.Go(func() { s.search.run(ctx) })
	defer beside.Wait()
	t := time.NewTicker(windowEvery)
	defer t.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-t.C:
		case <-s.trendWindow.full:
		}
		last, cancel := ctx, context.CancelFunc(func() {})
		if ctx.Err() != nil {
			last, cancel = context.WithTimeout(context.WithoutCancel(ctx), windowLast)
		}
		if err := s.HandOn(last); err != nil {
			s.opt.Log.Debug("cannot flush counters", "err", err)
		}
		cancel()
	}
}

// HandOn writes at once what this server has noted of what happened lately, which
// Run does at intervals: who has posted, for the directory, and what
// people talk about. What cannot be written
// is forgotten.
func (s *Service) HandOn(ctx context.Context) error {
	l := s.trendWindow
	l.handing.Lock()
	defer l.handing.Unlock()
	n := l.take()
	if n.lost > 0 {
		s.opt.Log.Debug("counters are full", "lost", n.lost)
	}
	return core.StoreError(errors.Join(s.touchDirectory(ctx, n.posts), s.countTrends(ctx, n), s.enterLinks(ctx, n)))
}

// touchDirectory brings the places in the directory of those who have posted up to
// date, of each about once an hour.
func (s *Service) touchDirectory(ctx context.Context, posts []*linnet.Status) error {
	l, hour := s.trendWindow, s.st.Now().Unix()/3600
	if l.hour != hour || len(l.touched) > touchedMost {
		l.hour, l.touched = hour, map[linnet.ID]struct{}{}
	}
	var authors []linnet.ID
	for _, st := range posts {
		if _, done := l.touched[st.Author]; !done {
			l.touched[st.Author] = struct{}{}
			authors = append(authors, st.Author)
		}
	}
	for part := range slices.Chunk(authors, touchPass) {
		listed, err := s.listed(ctx, part)
		if err != nil {
			return err
		}
		if err := s.st.Accounts.IndexDirectory(ctx, listed...); err != nil {
			return err
		}
	}
	return nil
}

// listed are those of ids who want to be found.
func (s *Service) listed(ctx context.Context, ids []linnet.ID) (out []linnet.ID, err error) {
	b := s.st.Batch()
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	for i, ref := range refs {
		if ref.User != nil && ref.User.Listed() {
			out = append(out, ids[i])
		}
	}
	return out, nil
}
