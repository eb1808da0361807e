package posting

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Delete deletes a status of me with its files, and returns its last state (listing 8.8).
func (s *Service) Delete(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.deleteOwn(ctx, me, id, false)
}

// DeleteToRedraft is like Delete, but returns the text as source. The pictures can be attached to
// another status for linnet.DetachedLife. Until then their files are withheld.
// https://docs.joinmastodon.org/methods/statuses/#delete
func (s *Service) DeleteToRedraft(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
	return s.deleteOwn(ctx, me, id, true)
}

func (s *Service) deleteOwn(ctx context.Context, me, id linnet.ID, keepMedia bool) (linnet.StatusView, error) {
	v, err := core.RetryDurable(ctx, func(ctx context.Context) (linnet.StatusView, error) { return s.view.Status(ctx, me, id) })
	if err != nil {
		return v, err
	}
	if v.Author != me {
		return v, view.ErrNoStatus
	}
	deleted, err := s.eraser.erase(ctx, &v.Status, keepMedia, func(t task.Task) { s.tasks.Run(ctx, t) })
	if err == nil && !deleted {
		err = view.ErrNoStatus // only one of several concurrent deletions succeeds
	}
	if err != nil {
		return v, err
	}
	if until, err := s.core.LimitedUntil(ctx, &v.By.User); err == nil && !until.IsZero() && s.st.Now().Sub(v.ID.Time()) < core.NewWindow {
		s.newcomers.forget(ctx, me, v.Text)
	}
	return v, nil
}

// Eraser deletes statuses. It is separate from Service because package social, which is created
// before, needs it too.
type Eraser struct {
	st      *store.Store
	tasks   *task.Queue
	uploads *uploads.Service
	view    *view.Service
}

// NewEraser returns an Eraser.
func NewEraser(b core.Base, u *uploads.Service, v *view.Service) *Eraser {
	return &Eraser{st: b.Store, tasks: b.Tasks, uploads: u, view: v}
}

// Erase deletes a status with its files and starts the task that cleans up after it. It returns
// false if the status was already deleted.
func (e *Eraser) Erase(ctx context.Context, st *linnet.Status, start func(task.Task)) (deleted bool, err error) {
	return e.erase(ctx, st, false, start)
}

func (e *Eraser) erase(ctx context.Context, st *linnet.Status, keepMedia bool, start func(task.Task)) (deleted bool, err error) {
	for range db.MaxRaces {
		t, err := e.tasks.New(st.Author.Shard(), TaskErase, eraseOf(st))
		if err != nil {
			return false, err
		}
		_, tags := timeline.PublicTimelines(st)
		deleted, err = e.st.Statuses.DeleteStatus(ctx, st, tags, keepMedia, t)
		switch {
		case errors.Is(err, db.ErrRace): // it has changed since it was read, for example by an edit
			if st, err = e.st.Statuses.Status(ctx, st.ID); err != nil || st == nil {
				return false, core.StoreError(err)
			}
			continue
		case err != nil:
			return false, core.StoreError(err)
		}
		e.view.ForgetText(st.ID)
		if deleted {
			e.uploads.Detached(ctx, st, keepMedia)
			start(t)
		}
		return deleted, nil
	}
	return false, db.TooManyRaces("status", st.ID)
}
