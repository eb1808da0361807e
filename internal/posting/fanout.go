package posting

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

type publishArgs struct {
	Status linnet.ID `json:"status"`
	Order  linnet.ID `json:"order,omitempty"` // the group that the status tells what to do
	timeline.Cursor
}

// publish carries a status to where others find it, a pass at a time (listing
// 8.6, syndicate_status). It looks the status up again in each pass: what was
// deleted meanwhile is not carried further.
func (s *Service) publish(ctx context.Context, a publishArgs) (*publishArgs, error) {
	before := s.st.WatchOf(a.Status)
	b := s.st.Batch()
	ref := b.Status(a.Status)
	if err := b.Run(ctx); err != nil || ref.Status == nil {
		return nil, err
	}
	st, inline := ref.Status, a.Stage == timeline.StageFirst
	before.Note(st.Author)
	by := s.st.Batch()
	author, answered := by.User(st.Author), &db.StatusRef{}
	if inline && st.InReplyTo != 0 && st.InReplyAuthor != st.Author {
		answered = by.Status(st.InReplyTo)
	}
	var ds timeline.Deliveries
	if inline {
		ds.ReadAhead(by, st.Author, s.audience(st)...)
	}
	if err := by.Run(ctx); err != nil {
		return nil, err
	}
	if inline {
		s.opt.Observe.NotePosted(st.Visibility)
		if err := s.timeline.ReviewAuthor(ctx, st.Author, author.Followers); err != nil {
			return nil, err
		}
	}
	for budget := timeline.BatchSize; budget > 0 && a.Stage != timeline.StageDone; {
		n, next, err := s.publishStage(ctx, st, a.Cursor, &ds)
		if err != nil {
			return nil, err
		}
		s.observePass(st, a.Cursor, next, inline, n, author.Followers)
		a.Cursor = next
		budget -= n
	}
	if inline && a.Order != 0 {
		if err := s.runGroupCommand(ctx, st, a.Order); err != nil {
			return nil, err
		}
	}
	gone, err := s.timeline.Overtaken(ctx, st, inline, before, ds.Done)
	if err == nil && gone && inline {
		err = s.eraseFirst(ctx, eraseOf(st))
	}
	if err == nil && answered.Status != nil {
		err = s.social.Happened(ctx, social.Action{Kind: social.Voted, Status: answered.Status, Votes: social.VotesIn(answered, social.ReplyVote)})
	}
	if gone || err != nil || a.Stage == timeline.StageDone {
		return nil, err
	}
	return &a, nil
}

// observePass tells what a piece of fan-out has delivered.
func (s *Service) observePass(st *linnet.Status, did, next timeline.Cursor, inline bool, n int, followers int64) {
	switch did.Stage {
	case timeline.StageFollowers:
		s.timeline.Backlog.Pass(st.ID, followers, int64(n), next.Stage == timeline.StageFollowers, s.st.Now())
		s.opt.Observe.NoteDelivered("home", inline, n)
		if next.Stage != timeline.StageFollowers {
			s.opt.Observe.NoteFannedOut(max(s.st.Now().Sub(st.ID.Time()), 0))
		}
	case timeline.StageLists:
		s.opt.Observe.NoteDelivered("list", inline, n)
	}
}

// forWatchers says whether those who asked to be told of an author's statuses are
// told of this one: not of answers to others, nor of reposts.
func forWatchers(st *linnet.Status) bool {
	return (st.InReplyTo == 0 || st.InReplyAuthor == st.Author) && st.RepostOf == 0
}

// audience are the relations to an author along which a status travels.
func (s *Service) audience(st *linnet.Status) []record.EdgeKind {
	if st.ForMembers() || st.Visibility == linnet.Direct {
		return nil
	}
	kinds := make([]record.EdgeKind, 0, 3)
	if !s.timeline.IsPulled(st.Author, st.ID) {
		kinds = append(kinds, record.Follows())
	}
	kinds = append(kinds, record.Listings())
	if forWatchers(st) {
		kinds = append(kinds, record.Watches())
	}
	return kinds
}

// publishStage does one bounded piece and returns how many feeds it touched and
// what comes next.
func (s *Service) publishStage(ctx context.Context, st *linnet.Status, w timeline.Cursor, ds *timeline.Deliveries) (int, timeline.Cursor, error) {
	switch w.Stage {
	case timeline.StageFirst:
		if err := s.publishFirst(ctx, st); err != nil {
			return 0, w, err
		}
		if st.ForMembers() && st.Visibility != linnet.Direct || st.Visibility == linnet.Direct && !st.ForMembers() {
			return 0, timeline.Cursor{Stage: timeline.StageDone}, nil // the group's repost reaches the members
		}
		return 0, timeline.Cursor{Stage: timeline.StageFollowers}, nil
	case timeline.StageFollowers:
		if st.ForMembers() {
			return s.deliverMessage(ctx, st, w)
		}
		if s.timeline.IsPulled(st.Author, st.ID) {
			return 0, timeline.Cursor{Stage: timeline.StageLists}, nil
		}
		return s.timeline.Push(ctx, st, record.Follows(), record.HomeKeys, w, timeline.StageLists, ds)
	case timeline.StageLists:
		return s.timeline.Push(ctx, st, record.Listings(), record.ListFeedKeys, w, timeline.StageWatchers, ds)
	case timeline.StageWatchers:
		if !forWatchers(st) {
			return 0, timeline.Cursor{Stage: timeline.StageDone}, nil
		}
		told := timeline.Delivery{Kind: record.Watches(), Undo: func(ctx context.Context, ids []linnet.ID) error {
			return s.st.Inbox.UnnotifyWatchers(ctx, st, ids)
		}}
		return s.timeline.Deliver(ctx, st.Author, w, timeline.StageDone, told, ds, func(o db.Owners) error {
			return s.notify.NotifyWatchers(ctx, st, o.IDs)
		})
	}
	return 0, timeline.Cursor{Stage: timeline.StageDone}, nil
}

// publishFirst does what a status needs besides followers and lists: public
// timelines, its parent, those it mentions, its original, the author's own home
// and the streams.
func (s *Service) publishFirst(ctx context.Context, st *linnet.Status) error {
	if err := s.publishPublic(ctx, st); err != nil {
		return err
	}
	if err := s.social.Happened(ctx, social.Action{Kind: social.Posted, Status: st, By: st.Author}); err != nil {
		return err
	}
	if st.InReplyTo != 0 {
		if err := s.st.Statuses.AddReply(ctx, st); err != nil {
			return err
		}
	}
	if st.RepostOf != 0 {
		if err := s.social.Relate(ctx, social.EdgeArgs{Kind: record.Reposts().Name, Owner: st.Author, Other: st.RepostOf}); err != nil {
			return err
		}
	}
	if err := s.notify.NotifyMentioned(ctx, st); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.addToConversations(ctx, st); err != nil {
			return err
		}
	}
	if err := s.carryIntoGroup(ctx, st); err != nil {
		return err
	}
	if err := s.st.Feeds.Push(ctx, st.ID, []kv.Key{record.HomeKey(st.Author)}); err != nil {
		return err
	}
	s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventUpdate, Status: st.ID})
	return nil
}

func (s *Service) publishPublic(ctx context.Context, st *linnet.Status) error {
	global, tags := timeline.PublicPlaces(st)
	switch {
	case global:
		return s.st.Statuses.Publish(ctx, st, tags)
	case len(tags) > 0:
		return s.st.Statuses.PublishTags(ctx, st, tags)
	}
	return nil
}

// eraseArgs describe a status that is already gone.
type eraseArgs struct {
	Status   linnet.ID   `json:"status"`
	Author   linnet.ID   `json:"by"`
	RepostOf linnet.ID   `json:"repost_of,omitempty"`
	Parent   linnet.ID   `json:"reply_to,omitempty"`
	ParentBy linnet.ID   `json:"reply_to_by,omitempty"`
	Mentions []linnet.ID `json:"mentions,omitempty"`
	Tags     []string    `json:"tags,omitempty"`
	Public   uint8       `json:"vis"`
	Group    linnet.ID   `json:"group,omitempty"` // of what is for members alone
	timeline.Cursor
}

func eraseOf(st *linnet.Status) eraseArgs {
	a := eraseArgs{Status: st.ID, Author: st.Author, RepostOf: st.RepostOf, Parent: st.InReplyTo, ParentBy: st.InReplyAuthor,
		Tags: core.FoldTags(st.Tags), Public: uint8(st.Visibility)}
	for _, m := range st.Mentions {
		a.Mentions = append(a.Mentions, m.ID)
	}
	if st.ForMembers() {
		a.Group = st.Group
	}
	return a
}

func (a eraseArgs) status() *linnet.Status {
	return &linnet.Status{ID: a.Status, Author: a.Author, RepostOf: a.RepostOf, InReplyTo: a.Parent,
		InReplyAuthor: a.ParentBy, Group: a.Group, Visibility: linnet.Visibility(a.Public)}
}

// cleanUp takes a deleted status out of everything that names it (the book's
// exercise of cleaning out deleted ids), a pass at a time.
func (s *Service) cleanUp(ctx context.Context, a eraseArgs) (*eraseArgs, error) {
	for budget := timeline.BatchSize; budget > 0; {
		n, next, err := s.eraseStage(ctx, a)
		if err != nil {
			return nil, err
		}
		if next.Stage == timeline.StageDone {
			return nil, s.st.Statuses.ForgetRelations(ctx, a.Status)
		}
		a.Cursor = next
		budget -= n
	}
	return &a, nil
}

func (s *Service) eraseStage(ctx context.Context, a eraseArgs) (int, timeline.Cursor, error) {
	switch a.Stage {
	case timeline.StageFirst:
		return 0, timeline.Cursor{Stage: timeline.StageFollowers}, s.eraseFirst(ctx, a)
	case timeline.StageFollowers:
		if st := a.status(); st.ForMembers() {
			if st.Visibility == linnet.Direct {
				return s.retractMessage(ctx, a)
			}
			return 0, timeline.Cursor{Stage: timeline.StageAdmirers}, nil
		}
		if s.timeline.IsPulled(a.Author, a.Status) {
			return 0, timeline.Cursor{Stage: timeline.StageLists}, nil
		}
		return s.timeline.EachBatch(ctx, record.Follows().CopyKey(a.Author), a.Cursor, timeline.StageLists, func(ids []linnet.ID) error {
			return s.st.Feeds.Pull(ctx, a.Status, record.HomeKeys(ids, nil))
		})
	case timeline.StageLists:
		return s.timeline.EachBatch(ctx, record.Listings().CopyKey(a.Author), a.Cursor, timeline.StageWatchers, func(ids []linnet.ID) error {
			return s.st.Feeds.Pull(ctx, a.Status, record.ListFeedKeys(ids, nil))
		})
	case timeline.StageWatchers:
		return s.timeline.EachBatch(ctx, record.Watches().CopyKey(a.Author), a.Cursor, timeline.StageAdmirers, func(ids []linnet.ID) error {
			return s.st.Inbox.UnnotifyWatchers(ctx, a.status(), ids)
		})
	case timeline.StageAdmirers:
		return s.timeline.EachBatch(ctx, record.Favourites().CopyKey(a.Status), a.Cursor, timeline.StageReposts, func(ids []linnet.ID) error {
			return s.st.Statuses.ForgetFavourites(ctx, a.Status, ids)
		})
	case timeline.StageReposts:
		return s.timeline.EachBatchOf(ctx, timeline.RepostsPass, record.Reposts().CopyKey(a.Status), a.Cursor, timeline.StagePromotions, func(ids []linnet.ID) error {
			return s.social.EraseReposts(ctx, a.Status, ids)
		})
	}
	return s.eraseLast(ctx, a)
}

// eraseLast ends what is left at a deleted status: its promotions go, and the replies
// lose their parent.
func (s *Service) eraseLast(ctx context.Context, a eraseArgs) (int, timeline.Cursor, error) {
	orphan := func(ids []linnet.ID) error { return s.st.Statuses.Orphan(ctx, a.Status, ids...) }
	switch a.Stage {
	case timeline.StagePromotions:
		return 0, timeline.Cursor{Stage: timeline.StageReplies}, s.social.Happened(ctx, social.Action{Kind: social.Deleted, Status: a.status(), By: a.Author})
	case timeline.StageReplies:
		return s.timeline.EachBatchOf(ctx, timeline.RepostsPass, record.RepliesKey(a.Status), a.Cursor, timeline.StageClosed, orphan)
	case timeline.StageClosed:
		return s.timeline.EachBatchOf(ctx, timeline.RepostsPass, record.ClosedRepliesKey(a.Status), a.Cursor, timeline.StageDone, orphan)
	}
	return 0, timeline.Cursor{Stage: timeline.StageDone}, nil
}

func (s *Service) eraseFirst(ctx context.Context, a eraseArgs) error {
	st := a.status()
	if err := s.st.Statuses.Unpublish(ctx, st, a.Tags); err != nil {
		return err
	}
	if a.Parent != 0 {
		if err := s.st.Statuses.RemoveReply(ctx, st); err != nil {
			return err
		}
	}
	if a.RepostOf != 0 {
		if err := s.social.Relate(ctx, social.EdgeArgs{Kind: record.Reposts().Name, Owner: a.Author, Other: a.RepostOf}); err != nil {
			return err
		}
	}
	for _, id := range a.Mentions {
		if err := s.st.Inbox.Unmention(ctx, id, a.Status); err != nil {
			return err
		}
	}
	if err := s.st.Statuses.Unpin(ctx, a.Author, a.Status); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.removeFromConversations(ctx, a); err != nil {
			return err
		}
	}
	if err := s.st.Inbox.RemoveNotices(ctx, a.Author, a.Status, func(n linnet.Notification) bool { return n.Status == a.Status }); err != nil {
		return err
	}
	if err := s.st.Feeds.Pull(ctx, a.Status, []kv.Key{record.HomeKey(a.Author)}); err != nil {
		return err
	}
	s.core.Emit(ctx, a.Author, core.Event{Type: linnet.EventDelete, Status: a.Status, Author: a.Author,
		Visibility: linnet.Visibility(a.Public), Tags: a.Tags, Mentions: a.Mentions, Group: a.Group})
	return nil
}
