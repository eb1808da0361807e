package social

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/task"
	"linnet/internal/timeline"
)

// RelationArgs are the arguments of TaskRelation. A zero Transition, as in tasks of earlier
// releases, means that the state of the relation is read from its owner.
type RelationArgs struct {
	Kind  string    `json:"kind"`
	Owner linnet.ID `json:"owner"`
	Other linnet.ID `json:"other"`
	relations.Transition
}

// Change sets the owner's side of a relation and of the relations that end with it. It reports
// whether anything changed. It tries to update the other side before it returns. Otherwise a task
// does so later.
func (s *Service) Change(ctx context.Context, c relations.RelationChange) (bool, error) {
	kinds := append([]record.RelationKind{c.Kind}, c.Ends...)
	tasks, written := make([]task.Task, len(kinds)), make([]bool, len(kinds))
	args := func(k record.RelationKind, t relations.Transition) RelationArgs {
		return RelationArgs{Kind: k.Name, Owner: c.Owner, Other: c.Other, Transition: t}
	}
	for i, k := range kinds {
		t, err := s.tasks.New(c.Owner.Shard(), TaskRelation, args(k, relations.Transition{}))
		if err != nil {
			return false, err
		}
		tasks[i] = t
	}
	c.Task = func(k record.RelationKind, t relations.Transition) []kv.Op {
		i := slices.Index(kinds, k)
		tasks[i], written[i] = tasks[i].With(args(k, t)), true
		return tasks[i].Ops()
	}
	if c.Live && c.Kind.OfUser() {
		c.Conds = append(c.Conds, db.Else(db.UserPresent(c.Owner), core.ErrNoUser))
	}
	did, err := s.st.Relations.SetRelation(ctx, c)
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

func (s *Service) copyRelation(ctx context.Context, a RelationArgs) (*RelationArgs, error) {
	return nil, s.Relate(ctx, a)
}

// relation is a relation whose change is being copied to its other side.
type relation struct {
	RelationArgs
	rule   relationRule
	other  *linnet.User         // the other side; nil if the rule does not load it, or if it is deleted
	voted  *db.StatusRef        // the other side before its counters changed; nil unless another user's status
	copied relations.CopyResult // result of copying the change
}

// relationRule describes the consequences of a change of one kind of relation. The zero value
// has none.
type relationRule struct {
	notice    linnet.NotificationType // sent to the other user, or to the author of the other status; "" for none
	ofStatus  bool                    // the other side is a status, and the relation a vote for it
	loadsUser bool                    // load the other user, which can be a group, for then

	ops     func(a RelationArgs, live bool) []kv.Op                           // written with the copy; nil for none
	then    func(s *Service, ctx context.Context, r *relation) error          // runs after each copy, even if nothing changed; nil for none
	missing func(s *Service, ctx context.Context, r *relation) error          // cleans up if the other side is deleted; nil for none
	feed    func(s *Service, ctx context.Context, a RelationArgs) changedFeed // depends on the relation; nil for none
}

// ruleOf returns the rule of a kind of relation.
func ruleOf(kind string) relationRule {
	switch kind {
	case record.Follows().Name:
		return relationRule{notice: linnet.NotifyFollow, loadsUser: true, then: (*Service).followChanged, missing: (*Service).followedDeleted, feed: (*Service).homeFeed}
	case record.Requests().Name:
		return relationRule{notice: linnet.NotifyRequest, loadsUser: true, then: (*Service).requestChanged}
	case record.Favourites().Name:
		return relationRule{notice: linnet.NotifyFavourite, ofStatus: true, then: (*Service).voteChanged,
			missing: func(s *Service, ctx context.Context, r *relation) error {
				return s.st.Statuses.ForgetFavourites(ctx, r.Other, []linnet.ID{r.Owner})
			}}
	case record.Reposts().Name:
		return relationRule{notice: linnet.NotifyRepost, ofStatus: true, then: (*Service).voteChanged,
			missing: func(s *Service, ctx context.Context, r *relation) error {
				return s.EraseReposts(ctx, r.Other, []linnet.ID{r.Owner})
			}}
	case record.Listings().Name:
		return relationRule{feed: (*Service).listFeed}
	case record.Blocks().Name:
		return relationRule{ops: blockedOps, then: func(s *Service, ctx context.Context, r *relation) error {
			return s.blocked(ctx, r.Owner, r.Other, r.copied.Live)
		}}
	}
	return relationRule{}
}

// Relate copies a relation to its other side and applies the rule of its kind: a notification,
// and changes of groups, promotions and feeds. Consequences apply even if the copy was up to
// date, because an earlier attempt may have failed between the two.
func (s *Service) Relate(ctx context.Context, a RelationArgs) error {
	kind, ok := record.RelationKindNamed(a.Kind)
	if !ok {
		return fmt.Errorf("unknown kind of relation: %q", a.Kind)
	}
	r := &relation{RelationArgs: a, rule: ruleOf(a.Kind)}
	var err error
	if r.rule.loadsUser {
		if r.other, err = s.core.LookupUser(ctx, a.Other); err != nil {
			return err
		}
	}
	to, notice, err := s.noticeOf(ctx, r)
	if err != nil {
		return err
	}
	push, err := s.notify.PushOf(to, notice)
	if err != nil {
		return err
	}
	r.copied, err = s.st.Relations.CopyRelation(ctx, kind, a.Owner, a.Other, a.Transition, func(live bool) []kv.Op {
		if r.rule.ops != nil {
			return r.rule.ops(a, live)
		}
		if !live || !notice.Made() || to.Shard() != a.Other.Shard() {
			return nil
		}
		return append(s.st.Inbox.NoticeOps(to, notice.Notification), push.Ops()...)
	})
	if err != nil {
		return err
	}
	if r.copied.Deleted {
		return s.otherDeleted(ctx, kind, r)
	}
	if notice.Delivered() && r.copied.Changed && r.copied.Live {
		s.notify.Push(ctx, push)
		s.core.Emit(ctx, to, core.Event{Type: linnet.EventNotification, To: to, Notice: notice.ID})
	}
	if notice.Type != "" && !r.copied.Live {
		err := s.st.Inbox.RemoveNotices(ctx, to, notice.Status, func(n linnet.Notification) bool {
			return n.Type == notice.Type && n.From == notice.From && n.Status == notice.Status
		})
		if err != nil {
			return err
		}
	}
	if r.rule.then != nil {
		if err := r.rule.then(s, ctx, r); err != nil {
			return err
		}
	}
	return s.changeFeed(ctx, r)
}

// voteChanged reports a favourite or boost: that it was made, if it is new, and the votes of
// the status.
func (s *Service) voteChanged(ctx context.Context, r *relation) error {
	if !r.copied.Live {
		return nil
	}
	if r.copied.Changed {
		if err := s.facts.FirstVote.Emit(ctx, event.FirstVote{Status: r.Other, By: r.Owner}); err != nil {
			return err
		}
	}
	if r.voted == nil {
		return nil
	}
	votes := r.voted.Votes()
	switch {
	case !r.copied.Changed: // an earlier attempt counted it
	case r.Kind == record.Favourites().Name:
		votes.Favourites++
	case r.Kind == record.Reposts().Name:
		votes.Reposts++
	}
	return s.facts.VotesChanged.Emit(ctx, event.VotesChanged{Status: r.voted.Status, Votes: votes})
}

// otherDeleted cleans up after a relation to a status or user that was deleted before the
// relation was copied. The deletion did not know of it.
func (s *Service) otherDeleted(ctx context.Context, kind record.RelationKind, r *relation) error {
	if r.copied.Live && !r.rule.ofStatus {
		if _, err := s.st.Relations.SetRelation(ctx, endOf(kind, r.Owner, r.Other)); err != nil {
			return err
		}
	}
	if r.rule.missing != nil {
		if err := r.rule.missing(s, ctx, r); err != nil {
			return err
		}
	}
	return s.changeFeed(ctx, r)
}

// EraseReposts deletes the boosts that some users made of a deleted status.
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
		if _, err := s.eraser.Erase(ctx, ref.Status, s.tasks.Start); err != nil {
			return err
		}
	}
	return nil
}

// endOf returns the end of a relation, with the operations of its owner's side.
func endOf(k record.RelationKind, owner, other linnet.ID) relations.RelationChange {
	c := relations.RelationChange{Kind: k, Owner: owner, Other: other}
	if k == record.Blocks() {
		c.Ops = []kv.Op{db.RelationshipOp(owner, other, record.Blocking, false)}
	}
	return c
}

// noticeOf returns the notification of a relation and its recipient. The type is empty if the
// relation has none. A suppressed notification has a type, because an earlier one may have to be
// removed. noticeOf sets r.voted.
func (s *Service) noticeOf(ctx context.Context, r *relation) (to linnet.ID, n notify.DecidedNotice, err error) {
	if r.rule.notice == "" {
		return 0, notify.DecidedNotice{}, nil
	}
	n.Type, n.From, to = r.rule.notice, r.Owner, r.Other
	var st *linnet.Status
	if r.rule.ofStatus {
		n.Status = r.Other
		b := s.st.Batch()
		ref := b.Status(n.Status)
		if err := b.Run(ctx); err != nil || ref.Status == nil {
			return 0, notify.DecidedNotice{}, nil // the status is deleted, or CopyRelation will fail as well
		}
		st, to = ref.Status, ref.Status.Author
		if to == r.Owner || n.Type == linnet.NotifyRepost && st.Group == r.Owner { // posted in the group that boosts it
			return 0, notify.DecidedNotice{}, nil
		}
		r.voted = ref
	}
	if to == r.Owner || st != nil && st.FromFeed || r.other != nil && r.other.Feed != "" {
		return 0, notify.DecidedNotice{}, nil
	}
	n.Notification = s.st.Inbox.NewNotice(to, n.Notification)
	decisions, err := s.notify.Decide(ctx, st, n.Notification, []linnet.ID{to})
	if err != nil {
		return 0, notify.DecidedNotice{}, err
	}
	n.Decided, n.Held = decisions[0], decisions[0].Decision == notify.Held
	return to, n, nil
}

// isGroup reports whether u exists and is a group.
func isGroup(u *linnet.User) bool { return u != nil && u.Group != linnet.NoGroup }

// followChanged updates the membership if the followed account is a group. It reports followers of
// external feeds.
func (s *Service) followChanged(ctx context.Context, r *relation) error {
	switch {
	case r.other != nil && r.other.Feed != "" && r.copied.Live:
		return s.facts.FeedFollowed.Emit(ctx, event.FeedFollowed{Feed: r.Other})
	case !isGroup(r.other):
		return nil
	case r.copied.Live:
		_, err := s.Change(ctx, relations.RelationChange{Kind: record.GroupOffers(), Owner: r.Other, Other: r.Owner}) // accepts the invitation
		return err
	}
	return s.Groups.left(ctx, r.other, r.RelationArgs)
}

// followedDeleted ends the membership in a group that is deleted.
func (s *Service) followedDeleted(ctx context.Context, r *relation) error {
	return s.Groups.left(ctx, nil, r.RelationArgs)
}

// requestChanged reports a new request to join a group. It accepts the request if the
// user was unlocked in the meantime, since that accepts only the requests known then.
func (s *Service) requestChanged(ctx context.Context, r *relation) error {
	if !r.copied.Live {
		return nil
	}
	if isGroup(r.other) {
		if err := s.facts.GroupRequested.Emit(ctx, event.GroupRequested{Group: r.other, By: r.Owner}); err != nil {
			return err
		}
	}
	_, err := s.acceptIfOpen(ctx, r.Other, r.Owner)
	return err
}

// changedFeed is a feed that depends on a relation.
type changedFeed struct {
	timeline.Feed
	reader linnet.ID // 0 if unknown
	more   []kv.Key  // feeds that change rarely and are dropped instead
}

func (s *Service) homeFeed(_ context.Context, a RelationArgs) changedFeed {
	return changedFeed{s.timeline.Home(a.Owner), a.Owner, []kv.Key{record.TopKey(a.Owner)}}
}

func (s *Service) listFeed(ctx context.Context, a RelationArgs) changedFeed {
	f := changedFeed{Feed: s.timeline.ListFeed(a.Owner)}
	if l, err := s.st.Relations.Lists(ctx, []linnet.ID{a.Owner}); err == nil && len(l) == 1 {
		f.reader = l[0].Owner
	}
	return f
}

// changeFeed adds the other user's posts to the feed that depends on the relation (listing 8.4),
// or removes them after its end (listing 8.5). It drops the feed if the user is deleted.
func (s *Service) changeFeed(ctx context.Context, r *relation) error {
	if r.rule.feed == nil {
		return nil
	}
	f := r.rule.feed(s, ctx, r.RelationArgs)
	s.core.Emit(ctx, r.Owner, core.Event{Type: core.EventReader, To: f.reader})
	switch {
	case r.copied.Deleted:
		return f.Forget(ctx, f.more...)
	case r.copied.Live:
		return f.AddAuthor(ctx, r.Other, f.more...)
	}
	var since time.Time
	if !r.Live && r.Was != 0 { // otherwise this copy did not end the relation
		since = time.UnixMilli(r.Was)
	}
	return f.RemoveAuthor(ctx, r.Other, since, f.more...)
}
