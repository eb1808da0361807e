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
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Who wishes has posts deleted that have reached an age. One task for each such user lies in the
// store for later; it goes through the profile from its oldest post, a few at a time, and deletes
// as the author would. Where it is stands with the choice, so that what was kept is not looked at
// again and again; once a week it begins anew, for what was kept may be kept for nothing any more.

const (
	// oldBegins is how long after a choice the first post goes: time to think again.
	oldBegins = 10 * time.Minute
	// oldPass is how many posts are looked at before others have their turn, and oldPause how long
	// that takes until the next ones: some 70,000 posts a day of one user.
	oldPass  = 50
	oldPause = time.Minute
	// oldEvery is how often it is looked whether more posts have reached the age.
	oldEvery = 6 * time.Hour
	// oldAnew is how often it begins with the oldest post again.
	oldAnew = 7 * 24 * time.Hour
)

// OldPosts is the part of the storey that deletes old posts of who wishes that. It is safe for
// concurrent use.
type OldPosts struct{ s *Service }

// Choice is what a user has chosen, or what is offered, and how many posts were deleted so far.
func (o OldPosts) Choice(ctx context.Context, me linnet.ID) (c linnet.OldPosts, deleted int64, err error) {
	r, chosen, err := o.s.st.Statuses.OldPosts(ctx, me)
	if err != nil {
		return c, 0, core.StoreError(err)
	}
	if !chosen {
		return linnet.UsualOldPosts(), 0, nil
	}
	return linnet.OldPosts(r.Choice), r.Deleted, nil
}

// Choose sets what becomes of a user's old posts from some minutes after now on. Invalid if what is
// chosen cannot be.
func (o OldPosts) Choose(ctx context.Context, me linnet.ID, c linnet.OldPosts) error {
	if err := c.Check(); err != nil {
		return err
	}
	now := o.s.st.Now()
	there, err := o.s.st.Statuses.ChangeOldPosts(ctx, me, func(r *record.OldPosts, chosen bool) (ops []kv.Op, write bool, err error) {
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
	o.s.tasks.Left(ctx, me.Shard())
	return nil
}

// nextOld leaves the task that goes on, in the place of the one before.
func nextOld(user linnet.ID, r *record.OldPosts, at time.Time) ([]kv.Op, error) {
	r.Task = rand.Text()
	t, err := task.NewLater(user.Shard(), r.Task, TaskOldPosts, oldArgs{User: user, ID: r.Task}, at)
	return t.Ops(), err
}

// oldArgs name a task that deletes old posts.
type oldArgs struct {
	User linnet.ID `json:"user"`
	ID   string    `json:"id"` // its own; another choice has another task
}

// pass deletes some of what is too old, and leaves the task for the rest.
func (o OldPosts) pass(ctx context.Context, a oldArgs) (*oldArgs, error) {
	r, _, err := o.s.st.Statuses.OldPosts(ctx, a.User)
	if err != nil || r.Task != a.ID {
		return nil, err
	}
	now := o.s.st.Now()
	if now.Sub(time.UnixMilli(r.Began)) >= oldAnew {
		r.From, r.Began = 0, now.UnixMilli()
	}
	from, deleted, more, err := o.some(ctx, a.User, linnet.OldPosts(r.Choice), linnet.ID(r.From), now)
	if err != nil {
		return nil, err
	}
	at := now.Add(oldEvery)
	if more {
		at = now.Add(oldPause)
	}
	_, err = o.s.st.Statuses.ChangeOldPosts(ctx, a.User, func(now *record.OldPosts, _ bool) ([]kv.Op, bool, error) {
		if now.Task != a.ID { // another choice was made, or this pass is repeated
			return nil, false, nil
		}
		now.From, now.Began, now.Deleted = record.JID(from), r.Began, now.Deleted+deleted
		ops, err := nextOld(a.User, now, at)
		return ops, true, err
	})
	if err != nil {
		return nil, err
	}
	o.s.tasks.Left(ctx, a.User.Shard())
	return nil, nil
}

// some looks at the posts behind a place that are old enough, deletes those that are not kept, and
// returns the place behind them, how many it deleted, and whether there may be more.
func (o OldPosts) some(ctx context.Context, user linnet.ID, c linnet.OldPosts, from linnet.ID, now time.Time) (next linnet.ID, deleted int64, more bool, err error) {
	b := o.s.st.Batch()
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
	b = o.s.st.Batch()
	refs := make([]*db.StatusRef, len(ids))
	for i, id := range ids {
		refs[i] = b.Status(id)
	}
	favourited, bookmarked := b.EdgeHas(record.Favourites(), user, ids), b.Kept(record.Bookmarks, user, ids)
	if err := b.Run(ctx); err != nil {
		return from, 0, false, err
	}
	for i, ref := range refs {
		st := ref.Status
		if st == nil || c.Spares(st, ref.Favourites, ref.Reposts) || c.Favourited && favourited.Has(ids[i]) || c.Bookmarked && bookmarked.Has(ids[i]) {
			continue
		}
		if _, err := o.s.DeleteStatus(ctx, user, st.ID); err == nil {
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
