package posting

import (
	"context"
	"fmt"

	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// Stages of fan-out that are used outside the table. The names of all stages are stored in the
// arguments of tasks. A removed name must stay readable, see stagesOfNumbers.
const (
	stageFollowers timeline.Stage = "followers"
	stageLists     timeline.Stage = "lists"
)

// step is a row of the fan-out table. do delivers a status to one batch of the source, and undo
// removes it. The next stage is the next row that applies to the status and has a function for the
// direction.
type step struct {
	stage    timeline.Stage
	concerns func(*linnet.Status) bool // nil: every status

	// The source of the batches: owners of a relation to the author, or a set. A stage without
	// either is one batch.
	along  record.RelationKind
	source func(*linnet.Status) kv.Key
	// next reads a batch of the set for do, unless do needs the whole set.
	next func(ctx context.Context, st *linnet.Status, from kv.Member) (ids []linnet.ID, last kv.Member, more bool, err error)
	size int // of a batch of the set; each member costs as much as timeline.BatchSize/size feeds

	do   func(ctx context.Context, c *carried, to db.Owners) error
	undo func(ctx context.Context, st *linnet.Status, ids []linnet.ID) error
}

// fanoutTable returns the stages of delivering and deleting a status. Its stages of followers and
// lists are listing 8.7 and the book's exercise of updating lists.
func (s *delivery) fanoutTable() []step {
	of := func(k record.RelationKind) func(*linnet.Status) kv.Key {
		return func(st *linnet.Status) kv.Key { return k.CopyKey(st.ID) }
	}
	return []step{
		{stage: timeline.StageFirst, do: s.publishFirst, undo: s.eraseFirst},
		{stage: stageFollowers, concerns: s.isPushed, along: record.Follows(), do: s.pushTo(record.HomeKeys), undo: s.pullFrom(record.HomeKeys)},
		{stage: "members", concerns: isMessage, source: membersOf, next: s.groupPosts.membersSince, size: membersPass, do: s.groupPosts.deliver, undo: s.groupPosts.retract},
		{stage: stageLists, concerns: isForFollowers, along: record.Listings(), do: s.pushTo(record.ListFeedKeys), undo: s.pullFrom(record.ListFeedKeys)},
		{stage: "watchers", concerns: isForWatchers, along: record.Watches(), do: s.notifyWatchers, undo: s.st.Inbox.UnnotifyWatchers},
		{stage: "favourites", source: of(record.Favourites()), size: timeline.BatchSize, undo: s.forgetFavourites},
		{stage: "reposts", source: of(record.Reposts()), size: timeline.RepostsPass, undo: s.eraseReposts},
		{stage: "promotions", undo: s.reportDeleted},
		{stage: "replies", source: func(st *linnet.Status) kv.Key { return record.RepliesKey(st.ID) }, size: timeline.RepostsPass, undo: s.orphan},
		{stage: "closed-replies", source: func(st *linnet.Status) kv.Key { return record.ClosedRepliesKey(st.ID) }, size: timeline.RepostsPass, undo: s.orphan},
	}
}

// stagesOfNumbers returns the stages that releases up to 2026 stored as an index. Those releases
// delivered chat posts in the stage of followers, so they start with the members.
func stagesOfNumbers() []timeline.Stage {
	return []timeline.Stage{timeline.StageFirst, stageFollowers, stageLists, "watchers", "favourites", "reposts", "promotions", "replies", "closed-replies", timeline.StageDone}
}

// isForFollowers reports whether a status is delivered to followers and lists of its author. Posts
// for group members reach them through the boost of the group.
func isForFollowers(st *linnet.Status) bool {
	return !st.ForMembers() && st.Visibility != linnet.Direct && !st.Imported
}

// isPushed reports whether a status is pushed to home feeds. Posts of authors with very many
// followers are merged when they are read.
func (s *delivery) isPushed(st *linnet.Status) bool {
	return isForFollowers(st) && !s.timeline.IsPulled(st.Author, st.ID)
}

// isMessage reports whether a status was sent within a chat.
func isMessage(st *linnet.Status) bool { return st.ForMembers() && st.Visibility == linnet.Direct }

// isForWatchers reports whether users who subscribe to new posts of the author are notified of a
// status. Replies to others, boosts and items of external feeds don't notify.
func isForWatchers(st *linnet.Status) bool {
	return isForFollowers(st) && !st.FromFeed && (st.InReplyTo == 0 || st.InReplyAuthor == st.Author) && st.RepostOf == 0
}

// direction selects the rows for delivering or for deleting.
type direction func(*step) bool

func outward(r *step) bool { return r.do != nil }
func back(r *step) bool    { return r.undo != nil }

// rowFrom returns the index of the first row from i on that applies to a status and a direction, or
// the length of the table.
func (s *delivery) rowFrom(i int, st *linnet.Status, d direction) int {
	for ; i < len(s.table); i++ {
		if r := &s.table[i]; d(r) && (r.concerns == nil || r.concerns(st)) {
			break
		}
	}
	return i
}

// row returns the row for a stage and the stage after it. It returns nil after the last stage.
func (s *delivery) row(stage timeline.Stage, st *linnet.Status, d direction) (r *step, then timeline.Stage, err error) {
	at := 0
	for at < len(s.table) && s.table[at].stage != stage {
		at++
	}
	if at == len(s.table) && stage != timeline.StageDone {
		return nil, "", fmt.Errorf("unknown fan-out stage %q", stage)
	}
	if at = s.rowFrom(at, st, d); at == len(s.table) {
		return nil, timeline.StageDone, nil
	}
	then = timeline.StageDone
	if next := s.rowFrom(at+1, st, d); next < len(s.table) {
		then = s.table[next].stage
	}
	return &s.table[at], then, nil
}

// carry runs one batch of delivery. It returns the number of feeds it touched and the next cursor.
// It records the owners of relations that it reached, so that a deletion can undo them.
func (s *delivery) carry(ctx context.Context, c *carried, w timeline.Cursor) (int, timeline.Cursor, error) {
	st := c.st
	r, then, err := s.row(w.Stage, st, outward)
	if err != nil || r == nil {
		return 0, timeline.Cursor{Stage: timeline.StageDone}, err
	}
	w = w.At(r.stage)
	switch {
	case r.along.Name != "":
		d := timeline.Delivery{Kind: r.along, Undo: func(ctx context.Context, ids []linnet.ID) error { return r.undo(ctx, st, ids) }}
		return s.timeline.Deliver(ctx, st.Author, w, then, d, &c.ds, func(o db.Owners) error { return r.do(ctx, c, o) })
	case r.next == nil:
		return 0, timeline.Cursor{Stage: then}, r.do(ctx, c, db.Owners{})
	}
	ids, last, more, err := r.next(ctx, st, w.From)
	if err == nil {
		err = r.do(ctx, c, db.Owners{IDs: ids})
	}
	return len(ids) * timeline.BatchSize / r.size, w.Next(more, last, then), err
}

// retract runs one batch of deletion.
func (s *delivery) retract(ctx context.Context, st *linnet.Status, w timeline.Cursor) (int, timeline.Cursor, error) {
	r, then, err := s.row(w.Stage, st, back)
	if err != nil || r == nil {
		return 0, timeline.Cursor{Stage: timeline.StageDone}, err
	}
	w = w.At(r.stage)
	undo := func(ids []linnet.ID) error { return r.undo(ctx, st, ids) }
	switch {
	case r.along.Name != "":
		return s.timeline.EachBatch(ctx, r.along.CopyKey(st.Author), w, then, undo)
	case r.source != nil:
		return s.timeline.EachBatchOf(ctx, r.size, r.source(st), w, then, undo)
	}
	return 0, timeline.Cursor{Stage: then}, undo(nil)
}

func (s *delivery) pushTo(feeds func([]linnet.ID, []string) []kv.Key) func(context.Context, *carried, db.Owners) error {
	return func(ctx context.Context, c *carried, to db.Owners) error {
		along := c.along
		c.along = nil
		return s.st.Feeds.Push(ctx, c.st.ID, feeds(to.IDs, to.Texts), along...)
	}
}

func (s *delivery) pullFrom(feeds func([]linnet.ID, []string) []kv.Key) func(context.Context, *linnet.Status, []linnet.ID) error {
	return func(ctx context.Context, st *linnet.Status, ids []linnet.ID) error {
		return s.st.Feeds.Pull(ctx, st.ID, feeds(ids, nil))
	}
}

func (s *delivery) notifyWatchers(ctx context.Context, c *carried, to db.Owners) error {
	return s.notify.NotifyWatchers(ctx, c.st, to.IDs)
}

func (s *delivery) forgetFavourites(ctx context.Context, st *linnet.Status, ids []linnet.ID) error {
	return s.st.Statuses.ForgetFavourites(ctx, st.ID, ids)
}

func (s *delivery) eraseReposts(ctx context.Context, st *linnet.Status, ids []linnet.ID) error {
	return s.social.EraseReposts(ctx, st.ID, ids)
}

// reportDeleted reports the deletion of a status.
func (s *delivery) reportDeleted(ctx context.Context, st *linnet.Status, _ []linnet.ID) error {
	return s.facts.Deleted.Emit(ctx, event.Deleted{Status: st})
}

// orphan moves the replies to a deleted status to the status above it.
func (s *delivery) orphan(ctx context.Context, st *linnet.Status, ids []linnet.ID) error {
	return s.st.Statuses.Orphan(ctx, st.ID, st.InReplyTo, ids...)
}
