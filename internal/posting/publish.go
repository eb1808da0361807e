package posting

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

type publishArgs struct {
	Status linnet.ID `json:"status"`
	Order  linnet.ID `json:"order,omitempty"` // the group that receives a command
	timeline.Cursor
}

// delivery runs the tasks of new, edited and deleted statuses. It adds statuses to timelines, tags
// and conversations, sends notifications, and removes deleted statuses again.
type delivery struct {
	st      *store.Store
	observe *core.Observer
	facts   *event.Facts

	core          *core.Service
	timeline      *timeline.Service
	notify        *notify.Service
	social        *social.Service
	conversations *Conversations
	groupPosts    *GroupPosts
	commands      *GroupCommands

	table []step // see fanoutTable
}

// publish adds a status to timelines, tags and notifications, one batch at a time (listing 8.7,
// syndicate_status). Each batch reads the status again and stops if it is deleted.
func (s *delivery) publish(ctx context.Context, a publishArgs) (*publishArgs, error) {
	return s.carryOut(ctx, a, nil)
}

// carried is the state of one batch.
type carried struct {
	st        *linnet.Status
	followers int64 // of the author
	inline    bool  // the first batch, before the response
	before    *db.Watch
	answered  *db.StatusRef // the parent by another author; its Status is nil if there is none
	ds        timeline.Deliveries
	along     []kv.Op // to be written with the next pushes
}

// carryOut runs one batch of publish. w has the data known from writing the status, for the first
// batch, or is nil.
func (s *delivery) carryOut(ctx context.Context, a publishArgs, w *db.Written) (*publishArgs, error) {
	a.Stage = a.Stage.Named(stagesOfNumbers())
	c, err := s.beginPass(ctx, a, w)
	if err != nil || c == nil {
		return nil, err
	}
	budget := timeline.BatchSize
	if c.inline {
		budget = timeline.FirstBatch
	}
	for budget > 0 && a.Stage != timeline.StageDone {
		n, next, err := s.carry(ctx, c, a.Cursor)
		if err != nil {
			return nil, err
		}
		if err := s.observePass(ctx, c, a.Cursor, next, n); err != nil {
			return nil, err
		}
		a.Cursor = next
		budget -= n
	}
	if len(c.along) > 0 {
		if err := s.st.Feeds.Push(ctx, c.st.ID, nil, c.along...); err != nil {
			return nil, err
		}
	}
	if c.inline && a.Order != 0 {
		if err := s.commands.run(ctx, c.st, a.Order); err != nil {
			return nil, err
		}
	}
	deleted, err := s.overtaken(ctx, c)
	if err == nil && c.answered.Status != nil {
		votes := c.answered.Votes()
		votes.Replies++
		err = s.facts.VotesChanged.Emit(ctx, event.VotesChanged{Status: c.answered.Status, Votes: votes})
	}
	if deleted || err != nil || a.Stage == timeline.StageDone {
		return nil, err
	}
	return &a, nil
}

// beginPass reads the data of a batch. It returns nil if the status is deleted.
func (s *delivery) beginPass(ctx context.Context, a publishArgs, w *db.Written) (*carried, error) {
	c := &carried{before: s.st.WatchOf(a.Status), inline: a.Stage == timeline.StageFirst, answered: &db.StatusRef{}}
	if w == nil {
		b := s.st.Batch()
		ref := b.Status(a.Status)
		if err := b.Run(ctx); err != nil || ref.Status == nil {
			return nil, err
		}
		c.st = ref.Status
	} else {
		c.st = w.Status.Status
	}
	c.before.Note(c.st.Author)
	by := s.st.Batch()
	var author *db.UserRef
	if w == nil {
		author = by.User(c.st.Author)
	} else {
		author = by.Author(w)
	}
	if st := c.st; c.inline && st.RepliesToOther() {
		c.answered = by.Status(st.InReplyTo)
	}
	if c.inline {
		c.ds.Size = timeline.FirstBatch
		var along []record.RelationKind
		for i := range s.table {
			if r := &s.table[i]; r.along.Name != "" && r.concerns(c.st) {
				along = append(along, r.along)
			}
		}
		c.ds.ReadAhead(by, c.st.Author, along...)
	}
	if err := by.Run(ctx); err != nil {
		return nil, err
	}
	c.followers = author.Followers
	if c.inline {
		return c, s.timeline.ReviewAuthor(ctx, c.st.Author, c.followers)
	}
	return c, nil
}

// overtaken undoes a batch if the status was deleted or a reader blocked its author in the
// meantime. After the batch within a request, a task does this.
func (s *delivery) overtaken(ctx context.Context, c *carried) (deleted bool, err error) {
	if !c.inline && len(c.ds.Done) == 0 || c.before.Valid() {
		return false, nil
	}
	err = task.After(ctx, func(ctx context.Context) (err error) {
		now, err := s.timeline.Overtaken(ctx, linnet.Entry{ID: c.st.ID, Author: c.st.Author}, c.inline, c.before, c.ds.Done)
		deleted = now.Deleted
		switch {
		case err != nil || !c.inline:
		case deleted:
			err = s.eraseFirst(ctx, c.st, nil)
		case now.Version != 0 && now.Version != c.st.Version: // the status may have been edited, and the consequences of the edit came first
			_, err = s.updateIndexes(ctx, c.st)
		}
		return err
	})
	return deleted, err
}

// observePass reports the progress of a delivery.
func (s *delivery) observePass(ctx context.Context, c *carried, did, next timeline.Cursor, n int) error {
	switch did.Stage {
	case stageFollowers:
		s.timeline.Backlog.Pass(c.st.ID, c.followers, int64(n), next.Stage == stageFollowers, s.st.Now())
		s.observe.NoteDelivered("home", c.inline, n)
		if next.Stage != stageFollowers && !c.st.FromFeed { // the id of an item is not the time of its delivery
			return s.facts.FannedOut.Emit(ctx, event.FannedOut{Delay: max(s.st.Now().Sub(c.st.ID.Time()), 0)})
		}
	case stageLists:
		s.observe.NoteDelivered("list", c.inline, n)
	}
	return nil
}

// publishFirst handles everything except followers and lists: public timelines, the parent,
// mentioned users, the original, the author's home feed and the streams.
func (s *delivery) publishFirst(ctx context.Context, c *carried, _ db.Owners) error {
	st := c.st
	if err := s.publishPublic(ctx, c); err != nil {
		return err
	}
	now := s.st.Now()
	if st.RepostOf == 0 {
		c.along = append(c.along, statuses.IndexOps(st.ID, now)...)
	}
	if err := s.facts.Posted.Emit(ctx, event.Posted{Status: st, Queued: now}); err != nil {
		return err
	}
	if st.InReplyTo != 0 {
		if err := s.st.Statuses.AddReply(ctx, st); err != nil {
			return err
		}
	}
	if err := s.quote(ctx, st); err != nil {
		return err
	}
	if st.RepostOf != 0 {
		if err := s.social.Relate(ctx, social.RelationArgs{Kind: record.Reposts().Name, Owner: st.Author, Other: st.RepostOf}); err != nil {
			return err
		}
	}
	if err := s.notify.NotifyMentioned(ctx, st); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.conversations.add(ctx, st); err != nil {
			return err
		}
	}
	if err := s.groupPosts.boost(ctx, st); err != nil {
		return err
	}
	c.along = append(c.along, &kv.Push{Key: record.HomeKey(st.Author), ID: uint64(st.ID)})
	s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventUpdate, Status: st.ID})
	return nil
}

// publishPublic adds a status to public timelines, unless they exclude its author.
func (s *delivery) publishPublic(ctx context.Context, c *carried) error {
	if u, err := s.core.LookupUser(ctx, c.st.Author); err != nil || u == nil || u.Silenced {
		return err
	}
	global, tags := timeline.PublicTimelines(c.st)
	switch {
	case global && len(tags) == 0:
		folded := *c.st
		folded.Tags = nil
		c.along = append(c.along, s.st.Statuses.PublishOps(&folded)...)
		return nil
	case global:
		return s.st.Statuses.Publish(ctx, c.st, tags)
	case len(tags) > 0:
		return s.st.Statuses.PublishTags(ctx, c.st, tags)
	}
	return nil
}
