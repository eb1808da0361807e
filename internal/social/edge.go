package social

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// EdgeArgs carry the pair, and what became of the relation if that is known: else, as in
// tasks of earlier releases, the owner is asked.
type EdgeArgs struct {
	Kind  string    `json:"kind"`
	Owner linnet.ID `json:"owner"`
	Other linnet.ID `json:"other"`
	relations.Transition
}

// Change sets the owner's half of a relation, and of those that end with it, and
// brings the other side up to date before it returns, if it can. It reports
// whether anything changed.
func (s *Service) Change(ctx context.Context, c relations.EdgeChange) (bool, error) {
	kinds := append([]record.EdgeKind{c.Kind}, c.Ends...)
	tasks, written := make([]task.Task, len(kinds)), make([]bool, len(kinds))
	args := func(k record.EdgeKind, t relations.Transition) EdgeArgs {
		return EdgeArgs{Kind: k.Name, Owner: c.Owner, Other: c.Other, Transition: t}
	}
	for i, k := range kinds {
		t, err := s.tasks.New(c.Owner.Shard(), TaskEdge, args(k, relations.Transition{}))
		if err != nil {
			return false, err
		}
		tasks[i] = t
	}
	c.Task = func(k record.EdgeKind, t relations.Transition) []kv.Op {
		i := slices.Index(kinds, k)
		tasks[i], written[i] = tasks[i].With(args(k, t)), true
		return tasks[i].Ops()
	}
	if c.Live && c.Kind.OfUser() {
		c.Conds = append(c.Conds, db.Else(db.UserPresent(c.Owner), core.ErrNoUser))
	}
	did, err := s.st.Relations.SetEdge(ctx, c)
	if err != nil || !did.Changed {
		return false, err
	}
	for i, t := range tasks {
		if !written[i] {
			continue
		}
		if did.Unsure {
			t = t.With(args(kinds[i], relations.Transition{}))
		}
		s.tasks.Run(ctx, t)
	}
	return true, nil
}

func (s *Service) copyEdge(ctx context.Context, a EdgeArgs) (*EdgeArgs, error) {
	return nil, s.Relate(ctx, a)
}

// Relate brings the other side of a relation up to date and does what follows
// from the change: a notification, and the timelines that depend on it. The
// last are done whatever changed, because an earlier attempt may have ended
// between the two.
func (s *Service) Relate(ctx context.Context, a EdgeArgs) error {
	kind, ok := record.EdgeKindNamed(a.Kind)
	if !ok {
		return fmt.Errorf("relation of unknown kind %q", a.Kind)
	}
	group, err := s.groupOf(ctx, kind, a.Other)
	if err != nil {
		return err
	}
	to, notice, about, err := s.edgeNotice(ctx, a)
	if err != nil {
		return err
	}
	push, err := s.notify.PushOf(to, notice)
	if err != nil {
		return err
	}
	did, err := s.st.Relations.CopyEdge(ctx, kind, a.Owner, a.Other, a.Transition, func(live bool) []kv.Op {
		if a.Kind == record.Blocks().Name {
			return blockedOps(a, live)
		}
		if !live || !notice.Made() || to.Shard() != a.Other.Shard() {
			return nil
		}
		return append(s.st.Inbox.NoticeOps(to, notice.Notification), push.Ops()...)
	})
	if err != nil {
		return err
	}
	if did.Gone {
		return s.relatedToNothing(ctx, kind, a, did)
	}
	if notice.Delivered() && did.Changed && did.Live {
		s.notify.Push(ctx, push)
		s.core.Emit(ctx, to, core.Event{Type: linnet.EventNotification, To: to, Notice: notice.ID})
	}
	if notice.Type != "" && !did.Live {
		err := s.st.Inbox.RemoveNotices(ctx, to, notice.Status, func(n linnet.Notification) bool {
			return n.Type == notice.Type && n.From == notice.From && n.Status == notice.Status
		})
		if err != nil {
			return err
		}
	}
	if err := s.happenedTo(ctx, a, about, did); err != nil {
		return err
	}
	if a.Kind == record.Blocks().Name {
		return s.blocked(ctx, a.Owner, a.Other, did.Live)
	}
	if a.Kind == record.Requests().Name && did.Live { // who was unlocked meanwhile has accepted what they knew of
		return s.asked(ctx, group, a)
	}
	if a.Kind == record.Follows().Name {
		if err := s.membershipChanged(ctx, group, a, did.Live); err != nil {
			return err
		}
	}
	return s.adaptFeed(ctx, a, did)
}

// happenedTo tells of a favourite or a repost: that it was made, if it is new, and that
// the status has its vote. about is the status, if it is another's; else nil.
func (s *Service) happenedTo(ctx context.Context, a EdgeArgs, about *db.StatusRef, did relations.EdgeCopied) error {
	if !did.Live || a.Kind != record.Favourites().Name && a.Kind != record.Reposts().Name {
		return nil
	}
	if did.Changed {
		if err := s.Happened(ctx, Action{Kind: Marked, Status: &linnet.Status{ID: a.Other}, By: a.Owner}); err != nil {
			return err
		}
	}
	if about == nil {
		return nil
	}
	vote := a.Kind
	if !did.Changed {
		vote = "" // it was counted by an earlier attempt
	}
	return s.Happened(ctx, Action{Kind: Voted, Status: about.Status, By: a.Owner, Votes: VotesIn(about, vote)})
}

// relatedToNothing ends a relation to a status or user that was deleted before
// the relation reached it; the clean-up there did not know of it.
func (s *Service) relatedToNothing(ctx context.Context, kind record.EdgeKind, a EdgeArgs, did relations.EdgeCopied) error {
	switch a.Kind {
	case record.Favourites().Name:
		return s.st.Statuses.ForgetFavourites(ctx, a.Other, []linnet.ID{a.Owner})
	case record.Reposts().Name:
		return s.EraseReposts(ctx, a.Other, []linnet.ID{a.Owner})
	}
	if did.Live {
		if _, err := s.st.Relations.SetEdge(ctx, endOf(kind, a.Owner, a.Other)); err != nil {
			return err
		}
	}
	if a.Kind == record.Follows().Name {
		if err := s.membership.Left(ctx, nil, a); err != nil {
			return err
		}
	}
	return s.adaptFeed(ctx, a, did)
}

// EraseReposts deletes the reposts that some users made of a deleted status.
func (s *Service) EraseReposts(ctx context.Context, original linnet.ID, users []linnet.ID) error {
	reposts, err := s.st.Statuses.RepostIDs(ctx, original, users...)
	if err != nil {
		return err
	}
	for _, u := range users {
		id := reposts[u]
		if id == 0 {
			continue
		}
		b := s.st.Batch()
		ref := b.Status(id)
		if err := b.Run(ctx); err != nil {
			return err
		}
		if ref.Status == nil {
			continue
		}
		if _, err := s.erase(ctx, ref.Status, s.tasks.Start); err != nil {
			return err
		}
	}
	return nil
}

// endOf is the end of a relation, with what lies beside it at its owner.
func endOf(k record.EdgeKind, owner, other linnet.ID) relations.EdgeChange {
	c := relations.EdgeChange{Kind: k, Owner: owner, Other: other}
	if k == record.Blocks() {
		c.Ops = []kv.Op{db.RelationshipOp(owner, other, record.Blocking, false)}
	}
	return c
}

// edgeNotice says who is to be told of a relation and what; no type means
// nobody. A notification that is not to be made has a type all the same: an
// earlier one may have to be taken back. about is the status that was voted for, by
// somebody else than its author; nil: none.
func (s *Service) edgeNotice(ctx context.Context, a EdgeArgs) (to linnet.ID, n notify.DecidedNotice, about *db.StatusRef, err error) {
	n.From = a.Owner
	switch a.Kind {
	case record.Follows().Name:
		n.Type, to = linnet.NotifyFollow, a.Other
	case record.Requests().Name:
		n.Type, to = linnet.NotifyRequest, a.Other
	case record.Favourites().Name:
		n.Type, n.Status = linnet.NotifyFavourite, a.Other
	case record.Reposts().Name:
		n.Type, n.Status = linnet.NotifyRepost, a.Other
	default:
		return 0, notify.DecidedNotice{}, nil, nil
	}
	var st *linnet.Status
	if n.Status != 0 {
		b := s.st.Batch()
		about = b.Status(n.Status)
		if err := b.Run(ctx); err != nil || about.Status == nil {
			return 0, notify.DecidedNotice{}, nil, nil // nobody to tell: the status is gone, or CopyEdge will fail as well
		}
		st, to = about.Status, about.Status.Author
		if a.Kind == record.Reposts().Name && st.Group == a.Owner {
			return 0, notify.DecidedNotice{}, nil, nil // it was posted there
		}
	}
	if to == a.Owner {
		return 0, notify.DecidedNotice{}, nil, nil
	}
	n.Notification = s.st.Inbox.NewNotice(to, n.Notification)
	decisions, err := s.notify.Decide(ctx, st, n.Notification, []linnet.ID{to})
	if err != nil {
		return 0, notify.DecidedNotice{}, nil, err
	}
	n.Decided, n.Held = decisions[0], decisions[0].Decision == notify.Held
	return to, n, about, nil
}

// groupOf reads whom a follow or the request for one concerns, to find out whether it is a group; nil for
// other relations.
func (s *Service) groupOf(ctx context.Context, kind record.EdgeKind, other linnet.ID) (*linnet.User, error) {
	if kind != record.Follows() && kind != record.Requests() {
		return nil, nil
	}
	return s.core.LookupUser(ctx, other)
}

// isGroup reports whether somebody is there and a group.
func isGroup(u *linnet.User) bool { return u != nil && u.Group != linnet.NoGroup }

// membershipChanged does what follows from a follow, or its end, if it is of a group.
func (s *Service) membershipChanged(ctx context.Context, group *linnet.User, a EdgeArgs, live bool) error {
	switch {
	case !isGroup(group):
		return nil
	case live:
		return s.membership.Joined(ctx, group, a)
	}
	return s.membership.Left(ctx, group, a)
}

// asked does what follows from a request: those who run a group are told of it,
// and whoever is not locked any more lets them follow.
func (s *Service) asked(ctx context.Context, group *linnet.User, a EdgeArgs) error {
	if isGroup(group) {
		if err := s.tellRequest(ctx, group, a.Owner); err != nil {
			return err
		}
	}
	_, err := s.acceptIfOpen(ctx, a.Other, a.Owner)
	return err
}

// adaptFeed adapts the feed that depends on a relation: after a follow or a new
// member it gets that author's statuses (listing 8.4), after the end they are taken
// out again (listing 8.5). Of somebody who is gone it is forgotten.
func (s *Service) adaptFeed(ctx context.Context, a EdgeArgs, did relations.EdgeCopied) error {
	var f timeline.Feed
	var reader linnet.ID
	var more []kv.Key // feeds that are rarely changed, and so are forgotten
	switch a.Kind {
	case record.Follows().Name:
		f, reader, more = s.timeline.Home(a.Owner), a.Owner, []kv.Key{record.TopKey(a.Owner)}
	case record.Listings().Name:
		f = s.timeline.ListFeed(a.Owner)
		if l, err := s.st.Relations.Lists(ctx, []linnet.ID{a.Owner}); err == nil && len(l) == 1 {
			reader = l[0].Owner
		}
	default:
		return nil
	}
	s.core.Emit(ctx, a.Owner, core.Event{Type: core.EventReader, To: reader})
	switch {
	case did.Gone:
		return f.Forget(ctx, more...)
	case did.Live:
		return f.AddAuthor(ctx, a.Other, more...)
	}
	var since time.Time
	if !a.Live && a.Was != 0 { // else it is not the end of it that is carried here
		since = time.UnixMilli(a.Was)
	}
	return f.RemoveAuthor(ctx, a.Other, since, more...)
}
