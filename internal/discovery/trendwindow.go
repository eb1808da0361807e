package discovery

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

const (
	// windowEvery is how often a server writes its notes, and windowMost the number of new
	// notes in between. It writes early when half of that is reached. Further notes are dropped.
	windowEvery = 10 * time.Second
	windowMost  = 2048
	// windowLast is the time limit of the last write at the stop.
	windowLast = 2 * time.Second
	// touchPass is the number of users whose directory entries are updated at a time, and
	// touchedMost the number of recently updated users that are remembered.
	touchPass   = 100
	touchedMost = 100_000
)

// trendWindow collects actions on this server until they are written. They may be lost. Noting an
// action makes no round trip. It is safe for concurrent use.
type trendWindow struct {
	mu      sync.Mutex
	posts   []*linnet.Status // published statuses
	marks   []marked         // favourites and boosts
	again   []*linnet.Status // edited statuses
	deleted []*linnet.Status // deleted statuses
	lost    int              // number of notes dropped because the window was full
	full    chan struct{}    // receives when half of the window is used

	handing sync.Mutex // guards the fields below; one goroutine writes at a time
	hour    int64      // hour of touched
	touched map[linnet.ID]struct{}
}

// marked is a favourite or boost by a user.
type marked struct{ status, by linnet.ID }

// posted notes that a status was published.
func (l *trendWindow) posted(st *linnet.Status) {
	if st.Visibility == linnet.Direct {
		return
	}
	l.mu.Lock()
	l.posts = note(l, l.posts, st)
	l.mu.Unlock()
}

// changed notes that a status was edited or deleted.
func (l *trendWindow) changed(st *linnet.Status, deleted bool) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 {
		return
	}
	l.mu.Lock()
	if deleted {
		l.deleted = note(l, l.deleted, st)
	} else {
		l.again = note(l, l.again, st)
	}
	l.mu.Unlock()
}

// marked notes that a user has favourited or boosted a status.
func (l *trendWindow) marked(status, by linnet.ID) {
	l.mu.Lock()
	l.marks = note(l, l.marks, marked{status, by})
	l.mu.Unlock()
}

// note adds an element if there is room. The caller holds the lock.
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

// noted has the actions that are written together.
type noted struct {
	posts, again, deleted []*linnet.Status
	marks                 []marked
	lost                  int
}

func (l *trendWindow) take() (n noted) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = noted{l.posts, l.again, l.deleted, l.marks, l.lost}
	l.posts, l.again, l.deleted, l.marks, l.lost = nil, nil, nil, nil, 0
	return n
}

// Posted notes a new status.
func (s *Trends) Posted(_ context.Context, f event.Posted) error {
	s.window.posted(f.Status)
	return nil
}

// Edited notes an edited status.
func (s *Trends) Edited(_ context.Context, f event.Edited) error {
	s.window.changed(f.Status, false)
	return nil
}

// Deleted notes a deleted status.
func (s *Trends) Deleted(_ context.Context, f event.Deleted) error {
	s.window.changed(f.Status, true)
	return nil
}

// FirstVote notes a vote.
func (s *Trends) FirstVote(_ context.Context, f event.FirstVote) error {
	s.window.marked(f.Status, f.By)
	return nil
}

// Run writes noted actions at intervals until ctx ends, and then the rest.
func (s *Trends) Run(ctx context.Context) {
	t := time.NewTicker(windowEvery)
	defer t.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-t.C:
		case <-s.window.full:
		}
		last, cancel := ctx, context.CancelFunc(func() {})
		if ctx.Err() != nil {
			last, cancel = context.WithTimeout(context.WithoutCancel(ctx), windowLast)
		}
		if err := s.HandOn(last); err != nil {
			s.opt.Log.Debug("cannot store counters for trends", "err", err)
		}
		cancel()
	}
}

// HandOn writes the noted actions now, which Run does at intervals: recent authors for the
// directory, and trends. Actions that can't be written are dropped.
func (s *Trends) HandOn(ctx context.Context) error {
	l := s.window
	l.handing.Lock()
	defer l.handing.Unlock()
	n := l.take()
	if n.lost > 0 {
		s.opt.Log.Debug("too many counters for trends; dropping new counters", "lost", n.lost)
	}
	return core.StoreError(errors.Join(s.touchDirectory(ctx, n.posts), s.countTrends(ctx, n), s.enterLinks(ctx, n)))
}

// touchDirectory updates the directory entries of recent authors, each about once an hour.
func (s *Trends) touchDirectory(ctx context.Context, posts []*linnet.Status) error {
	l, hour := s.window, s.st.Now().Unix()/3600
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
		var listed []linnet.ID
		b := s.st.Batch()
		refs := make([]*db.UserRef, len(part))
		for i, id := range part {
			refs[i] = b.User(id)
		}
		if err := b.Run(ctx); err != nil {
			return err
		}
		for i, ref := range refs {
			if ref.User != nil && ref.User.Listed() {
				listed = append(listed, part[i])
			}
		}
		if err := s.st.Accounts.IndexDirectory(ctx, listed...); err != nil {
			return err
		}
	}
	return nil
}
