package posting

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Posts older than a chosen age are deleted for users who turn this on. Each of them has one stored
// task. It walks the profile from the oldest post, a few posts at a time, and deletes like the
// author would. The position is stored with the settings, so that posts that stay aren't checked
// again and again. The walk restarts once a week, because the reason to spare a post can end.

const (
	// oldBegins is the delay between the choice and the first deletion, in which users can change
	// their mind.
	oldBegins = 10 * time.Minute
	// oldPass is the number of posts checked in one batch, and oldPause the delay before the next
	// one: about 70,000 posts a day per user.
	oldPass  = 50
	oldPause = time.Minute
	// oldEvery is the interval of checks for posts that have reached the age.
	oldEvery = 6 * time.Hour
	// oldRestartInterval is the interval after which the walk restarts with the oldest post.
	oldRestartInterval = 7 * 24 * time.Hour
)

// OldPosts deletes the old posts of users who have turned this on. It is safe for concurrent use.
type OldPosts struct {
	st    *store.Store
	tasks *task.Queue
	posts *Service
}

// Choice returns the settings of a user, or the defaults, and the number of posts deleted so far.
func (s *OldPosts) Choice(ctx context.Context, me linnet.ID) (c linnet.OldPosts, deleted int64, err error) {
	r, chosen, err := s.st.Statuses.OldPosts(ctx, me)
	if err != nil {
		return c, 0, core.StoreError(err)
	}
	if !chosen {
		return linnet.UsualOldPosts(), 0, nil
	}
	return linnet.OldPosts(r.Choice), r.Deleted, nil
}

// Choose sets a user's rule for old posts, which applies in a few minutes. It returns Invalid for
// invalid settings.
func (s *OldPosts) Choose(ctx context.Context, me linnet.ID, c linnet.OldPosts) error {
	if err := c.Check(); err != nil {
		return err
	}
	now := s.st.Now()
	there, err := s.st.Statuses.ChangeOldPosts(ctx, me, func(r *record.OldPosts, chosen bool) (ops []kv.Op, write bool, err error) {
		if chosen && linnet.OldPosts(r.Choice) == c {
			return nil, false, nil
		}
		if r.Task != "" {
			ops = task.Recall(me.Shard(), r.Task)
		}
		r.Choice, r.Task, r.From, r.Began = record.OldPostsChoice(c), "", 0, now.UnixMilli()
		if c.Days == 0 {
			return ops, true, nil
		}
		next, err := nextOld(me, r, now.Add(oldBegins))
		return append(ops, next...), true, err
	})
	switch {
	case err != nil:
		return core.StoreError(err)
	case !there:
		return core.ErrNoUser
	}
	s.tasks.Left(ctx, me.Shard())
	return nil
}

// nextOld returns the operations that replace the user's task with the next one.
func nextOld(user linnet.ID, r *record.OldPosts, at time.Time) ([]kv.Op, error) {
	r.Task = rand.Text()
	t, err := task.NewLater(user.Shard(), r.Task, TaskOldPosts, oldArgs{User: user, ID: r.Task}, at)
	return t.Ops(), err
}

// oldArgs identify a task that deletes old posts.
type oldArgs struct {
	User linnet.ID `json:"user"`
	ID   string    `json:"id"` // id of the task; another choice has another task
}

// batch deletes one batch of old posts and writes the task for the rest.
func (s *OldPosts) batch(ctx context.Context, a oldArgs) (*oldArgs, error) {
	r, _, err := s.st.Statuses.OldPosts(ctx, a.User)
	if err != nil || r.Task != a.ID {
		return nil, err
	}
	now := s.st.Now()
	if now.Sub(time.UnixMilli(r.Began)) >= oldRestartInterval {
		r.From, r.Began = 0, now.UnixMilli()
	}
	from, deleted, more, err := s.some(ctx, a.User, linnet.OldPosts(r.Choice), linnet.ID(r.From), now)
	if err != nil {
		return nil, err
	}
	at := now.Add(oldEvery)
	if more {
		at = now.Add(oldPause)
	}
	_, err = s.st.Statuses.ChangeOldPosts(ctx, a.User, func(now *record.OldPosts, _ bool) ([]kv.Op, bool, error) {
		if now.Task != a.ID { // the settings have changed, or this batch is repeated
			return nil, false, nil
		}
		now.From, now.Began, now.Deleted = record.JID(from), r.Began, now.Deleted+deleted
		ops, err := nextOld(a.User, now, at)
		return ops, true, err
	})
	if err != nil {
		return nil, err
	}
	s.tasks.Left(ctx, a.User.Shard())
	return nil, nil
}

// some checks the next old posts after from and deletes those without an exception. It returns the
// position after them, the number of deleted posts, and whether there may be more.
func (s *OldPosts) some(ctx context.Context, user linnet.ID, c linnet.OldPosts, from linnet.ID, now time.Time) (next linnet.ID, deleted int64, more bool, err error) {
	b := s.st.Batch()
	ref := b.Posts(user, db.Span{Above: from, Asc: true, Limit: oldPass})
	if err := b.Run(ctx); err != nil {
		return from, 0, false, err
	}
	old := now.Add(-c.Age())
	var ids []linnet.ID
	posts := ref.Posts()
	for _, p := range posts {
		if p.ID.Time().After(old) {
			break
		}
		ids = append(ids, p.ID)
	}
	b = s.st.Batch()
	refs := make([]*db.StatusRef, len(ids))
	for i, id := range ids {
		refs[i] = b.Status(id)
	}
	favourited, bookmarked := b.Related(record.Favourites(), user, ids), b.InPrivateSet(record.Bookmarks, user, ids)
	if err := b.Run(ctx); err != nil {
		return from, 0, false, err
	}
	for i, ref := range refs {
		st := ref.Status
		if st == nil || c.Spares(st, ref.Favourites, ref.Reposts) || c.Favourited && favourited.Has(ids[i]) || c.Bookmarked && bookmarked.Has(ids[i]) {
			continue
		}
		if _, err := s.posts.Delete(ctx, user, st.ID); err == nil {
			deleted++
		} else if !errors.Is(err, view.ErrNoStatus) {
			return from, deleted, false, err
		}
	}
	if len(ids) > 0 {
		from = ids[len(ids)-1]
	}
	return from, deleted, len(ids) == oldPass, nil
}
