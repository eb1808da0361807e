package posting

import (
	"cmp"
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/statuses"
	"linnet/internal/timeline"
)

// eraseArgs describe a deleted status.
type eraseArgs struct {
	Status   linnet.ID   `json:"status"`
	Author   linnet.ID   `json:"by"`
	RepostOf linnet.ID   `json:"repost_of,omitempty"`
	Parent   linnet.ID   `json:"reply_to,omitempty"`
	ParentBy linnet.ID   `json:"reply_to_by,omitempty"`
	Mentions []linnet.ID `json:"mentions,omitempty"`
	Tags     []string    `json:"tags,omitempty"`
	Public   uint8       `json:"vis"`
	Group    linnet.ID   `json:"group,omitempty"` // of a status for group members
	Quote    linnet.ID   `json:"quote,omitempty"`
	QuoteBy  linnet.ID   `json:"quote_by,omitempty"`
	Imported bool        `json:"imported,omitempty"`
	FromFeed bool        `json:"from_feed,omitempty"`
	timeline.Cursor
}

func eraseOf(st *linnet.Status) eraseArgs {
	a := eraseArgs{Status: st.ID, Author: st.Author, RepostOf: st.RepostOf, Parent: cmp.Or(st.ThreadParent(), st.InReplyTo), ParentBy: st.InReplyAuthor,
		Tags: core.FoldTags(st.Tags), Public: uint8(st.Visibility), Quote: st.QuoteOf, QuoteBy: st.QuoteAuthor, Imported: st.Imported, FromFeed: st.FromFeed}
	for _, m := range st.Mentions {
		a.Mentions = append(a.Mentions, m.ID)
	}
	if st.ForMembers() {
		a.Group = st.Group
	}
	return a
}

// status returns the deleted status, with the fields that its clean-up needs.
func (a eraseArgs) status() *linnet.Status {
	st := &linnet.Status{ID: a.Status, Author: a.Author, RepostOf: a.RepostOf, InReplyTo: a.Parent, InReplyAuthor: a.ParentBy,
		Tags: a.Tags, Group: a.Group, Visibility: linnet.Visibility(a.Public), QuoteOf: a.Quote, QuoteAuthor: a.QuoteBy, Imported: a.Imported, FromFeed: a.FromFeed}
	for _, id := range a.Mentions {
		st.Mentions = append(st.Mentions, linnet.Mention{ID: id})
	}
	return st
}

// cleanUp removes a deleted status from all indexes that contain its id, one batch at a time. It is
// the book's exercise after listing 8.8.
func (s *delivery) cleanUp(ctx context.Context, a eraseArgs) (*eraseArgs, error) {
	a.Stage = a.Stage.Named(stagesOfNumbers())
	st := a.status()
	for budget := timeline.BatchSize; budget > 0; {
		n, next, err := s.retract(ctx, st, a.Cursor)
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

// eraseFirst reverts publishFirst.
func (s *delivery) eraseFirst(ctx context.Context, st *linnet.Status, _ []linnet.ID) error {
	tags, mentioned := core.FoldTags(st.Tags), mentionedIDs(st)
	if err := s.st.Statuses.List(ctx, []statuses.Public{{Status: st, Tags: tags}}, false); err != nil {
		return err
	}
	if st.InReplyTo != 0 {
		if err := s.st.Statuses.RemoveReply(ctx, st); err != nil {
			return err
		}
	}
	if err := s.unquote(ctx, st); err != nil {
		return err
	}
	if st.RepostOf != 0 {
		if err := s.social.Relate(ctx, social.RelationArgs{Kind: record.Reposts().Name, Owner: st.Author, Other: st.RepostOf}); err != nil {
			return err
		}
	}
	for _, id := range mentioned {
		if err := s.st.Inbox.Unmention(ctx, id, st.ID); err != nil {
			return err
		}
	}
	if err := s.st.Statuses.Unpin(ctx, st.Author, st.ID); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.conversations.remove(ctx, st); err != nil {
			return err
		}
	}
	if err := s.st.Inbox.RemoveNotices(ctx, st.Author, st.ID, func(n linnet.Notification) bool { return n.Status == st.ID }); err != nil {
		return err
	}
	if err := s.st.Feeds.Pull(ctx, st.ID, []kv.Key{record.HomeKey(st.Author)}); err != nil {
		return err
	}
	var group linnet.ID // of a status for group members
	if st.ForMembers() {
		group = st.Group
	}
	s.core.Emit(ctx, st.Author, core.Event{Type: linnet.EventDelete, Status: st.ID, Author: st.Author,
		Visibility: st.Visibility, Tags: tags, Mentions: mentioned, Group: group})
	return nil
}
