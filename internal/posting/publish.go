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
	a.Stage = a.Stage.Named(stagesOfNumbers())
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
	budget := timeline.BatchSize
	if inline {
		ds.Size, budget = timeline.FirstBatch, timeline.FirstBatch
		ds.ReadAhead(by, st.Author, s.relationsOut(st)...)
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
	for budget > 0 && a.Stage != timeline.StageDone {
		n, next, err := s.carry(ctx, st, a.Cursor, &ds)
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
	gone, err := s.timeline.Overtaken(ctx, timeline.Entry{ID: st.ID, Author: st.Author}, inline, before, ds.Done)
	if err == nil && gone && inline {
		err = s.eraseFirst(ctx, st, nil)
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
	case stageFollowers:
		s.timeline.Backlog.Pass(st.ID, followers, int64(n), next.Stage == stageFollowers, s.st.Now())
		s.opt.Observe.NoteDelivered("home", inline, n)
		if next.Stage != stageFollowers {
			s.opt.Observe.NoteFannedOut(max(s.st.Now().Sub(st.ID.Time()), 0))
		}
	case stageLists:
		s.opt.Observe.NoteDelivered("list", inline, n)
	}
}

// publishFirst does what a status needs besides followers and lists: public
// timelines, its parent, those it mentions, its original, the author's own home
// and the streams.
func (s *Service) publishFirst(ctx context.Context, st *linnet.Status, _ db.Owners) error {
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
