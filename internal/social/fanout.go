package social

import (
	"context"
	"encoding/json"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// The kinds of task. Their names and arguments lie in stores: a change needs a
// new name.
const (
	taskSettle     = "settle-user"
	taskPublish    = "publish"
	taskErase      = "erase"
	taskEdge       = "edge"
	taskForgetList = "forget-list"
	taskIndex      = "index-user"
	taskMerge      = "merge-notices"
	taskModerated  = "moderated"
	taskForgetUser = "forget-user"
	taskAccept     = "accept-requests"
	taskReported   = "reported"
	taskLogged     = "log-act"
	taskFound      = "found-group"
	taskPromotion  = "promotion"
	taskListGroups = "list-groups"
)

const (
	// passSize is how many feeds one pass pushes to (POSTS_PER_PASS in the book).
	passSize = 1000
	// repostsPass is how many reposts of a deleted status one pass deletes, or how many
	// replies it marks: each takes as long as twenty feeds.
	repostsPass = 50
)

func (s *Service) handlers() map[string]task.Handler {
	return map[string]task.Handler{
		taskSettle:     handler(s.settleUser),
		taskPublish:    handler(s.publish),
		taskErase:      handler(s.cleanUp),
		taskEdge:       handler(s.copyEdge),
		taskForgetList: handler(s.forgetList),
		taskIndex:      handler(s.indexUser),
		taskMerge:      handler(s.mergeNotices),
		taskModerated:  handler(s.moderated),
		taskForgetUser: handler(s.forgetUser),
		taskAccept:     handler(s.acceptAll),
		taskReported:   handler(s.reported),
		taskLogged:     handler(s.logged),
		taskFound:      handler(s.found),
		taskPromotion:  handler(s.carryPromotion),
		taskListGroups: handler(s.listGroups),
	}
}

// handler lets a pass with typed arguments handle a task. A nil result means
// that nothing is left.
func handler[T any](f func(context.Context, T) (*T, error)) task.Handler {
	return func(ctx context.Context, raw []byte) (any, error) {
		var args T
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, fmt.Errorf("arguments of task: %w", err)
		}
		rest, err := f(ctx, args)
		if rest == nil || err != nil {
			return nil, err
		}
		return rest, nil
	}
}

// Stages of carrying a status out or taking it back.
const (
	stageFirst      = iota // what is not a feed of followers or lists
	stageFollowers         // home feeds, in passes
	stageLists             // feeds of lists that contain the author, in passes
	stageWatchers          // people who are told of each status
	stageAdmirers          // favourites of a deleted status (erasing only)
	stageReposts           // reposts of a deleted status (erasing only)
	stagePromotions        // promotions of a deleted status (erasing only)
	stageReplies           // replies to a deleted status (erasing only)
	stageClosed            // those that not everybody may see (erasing only)
	stageDone
)

// walk is how far the passes over a set have come.
type walk struct {
	Stage int       `json:"stage"`
	From  kv.Member `json:"from"`
}

// next moves on: further in this set if the pass was full, else to a stage.
func (w walk) next(full bool, from kv.Member, stage int) walk {
	if !full {
		return walk{Stage: stage}
	}
	return walk{Stage: w.Stage, From: from}
}

type publishArgs struct {
	Status linnet.ID `json:"status"`
	Order  linnet.ID `json:"order,omitempty"` // the group that the status tells what to do
	walk
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
	st, inline := ref.Status, a.Stage == stageFirst
	before.Note(st.Author)
	by := s.st.Batch()
	author, answered := by.User(st.Author), &store.StatusRef{}
	if inline && st.InReplyTo != 0 && st.InReplyAuthor != st.Author {
		answered = by.Status(st.InReplyTo)
	}
	var ds deliveries
	if inline {
		ds.readAhead(by, st.Author, s.audience(st)...)
	}
	if err := by.Run(ctx); err != nil {
		return nil, err
	}
	if inline {
		s.opt.Observe.posted(st.Visibility)
		if err := s.reviewAuthor(ctx, st.Author, author.Followers); err != nil {
			return nil, err
		}
	}
	for budget := passSize; budget > 0 && a.Stage != stageDone; {
		n, next, err := s.publishStage(ctx, st, a.walk, &ds)
		if err != nil {
			return nil, err
		}
		s.observePass(st, a.walk, next, inline, n, author.Followers)
		a.walk = next
		budget -= n
	}
	if inline && a.Order != 0 {
		if err := s.obey(ctx, st, a.Order); err != nil {
			return nil, err
		}
	}
	gone, err := s.overtaken(ctx, st, inline, before, ds.done)
	if err == nil && answered.Status != nil {
		err = s.consider(ctx, answered.Status, votesIn(answered, wordReply))
	}
	if gone || err != nil || a.Stage == stageDone {
		return nil, err
	}
	return &a, nil
}

// observePass tells what a piece of fan-out has delivered.
func (s *Service) observePass(st *linnet.Status, did, next walk, inline bool, n int, followers int64) {
	switch did.Stage {
	case stageFollowers:
		s.backlog.pass(st.ID, followers, int64(n), next.Stage == stageFollowers, s.st.Now())
		s.opt.Observe.delivered("home", inline, n)
		if next.Stage != stageFollowers {
			s.opt.Observe.fannedOut(max(s.st.Now().Sub(st.ID.Time()), 0))
		}
	case stageLists:
		s.opt.Observe.delivered("list", inline, n)
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
	if !s.isPulled(st.Author, st.ID) {
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
func (s *Service) publishStage(ctx context.Context, st *linnet.Status, w walk, ds *deliveries) (int, walk, error) {
	switch w.Stage {
	case stageFirst:
		if err := s.publishFirst(ctx, st); err != nil {
			return 0, w, err
		}
		if st.ForMembers() && st.Visibility != linnet.Direct || st.Visibility == linnet.Direct && !st.ForMembers() {
			return 0, walk{Stage: stageDone}, nil // the group's repost reaches the members
		}
		return 0, walk{Stage: stageFollowers}, nil
	case stageFollowers:
		if st.ForMembers() {
			return s.talk(ctx, st, w)
		}
		if s.isPulled(st.Author, st.ID) {
			return 0, walk{Stage: stageLists}, nil
		}
		return s.push(ctx, st, record.Follows(), record.HomeKeys, w, stageLists, ds)
	case stageLists:
		return s.push(ctx, st, record.Listings(), record.ListFeedKeys, w, stageWatchers, ds)
	case stageWatchers:
		if !forWatchers(st) {
			return 0, walk{Stage: stageDone}, nil
		}
		told := delivery{kind: record.Watches(), undo: func(ctx context.Context, ids []linnet.ID) error {
			return s.st.UnnotifyWatchers(ctx, st, ids)
		}}
		return s.deliver(ctx, st.Author, w, stageDone, told, ds, func(o store.Owners) error {
			return s.notifyWatchers(ctx, st, o.IDs)
		})
	}
	return 0, walk{Stage: stageDone}, nil
}

// passOver handles the next members of a set.
func (s *Service) passOver(ctx context.Context, key kv.Key, w walk, then int, f func([]linnet.ID) error) (int, walk, error) {
	return s.passOf(ctx, passSize, key, w, then, f)
}

// passOf is passOver for at most size members, which cost as much of a pass as
// passSize of the usual ones.
func (s *Service) passOf(ctx context.Context, size int, key kv.Key, w walk, then int, f func([]linnet.ID) error) (int, walk, error) {
	ids, from, err := s.st.After(ctx, key, w.From, size)
	if err != nil {
		return 0, w, err
	}
	if len(ids) > 0 {
		if err := f(ids); err != nil {
			return 0, w, err
		}
	}
	return len(ids) * passSize / size, w.next(len(ids) == size, from, then), nil
}

// publishFirst does what a status needs besides followers and lists: public
// timelines, its parent, those it mentions, its original, the author's own home
// and the streams.
func (s *Service) publishFirst(ctx context.Context, st *linnet.Status) error {
	if err := s.publishPublic(ctx, st); err != nil {
		return err
	}
	s.lately.posted(st)
	if st.InReplyTo != 0 {
		if err := s.st.AddReply(ctx, st); err != nil {
			return err
		}
	}
	if st.RepostOf != 0 {
		if err := s.relate(ctx, edgeArgs{record.Reposts().Name, st.Author, st.RepostOf}); err != nil {
			return err
		}
	}
	if err := s.mentions(ctx, st); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.converse(ctx, st); err != nil {
			return err
		}
	}
	if err := s.carry(ctx, st); err != nil {
		return err
	}
	if err := s.st.Push(ctx, st.ID, []kv.Key{record.HomeKey(st.Author)}); err != nil {
		return err
	}
	s.hub.publish(ctx, st.Author, event{Type: linnet.EventUpdate, Status: st.ID})
	return nil
}

func (s *Service) publishPublic(ctx context.Context, st *linnet.Status) error {
	global, tags := PublicPlaces(st)
	switch {
	case global:
		return s.st.Publish(ctx, st, tags)
	case len(tags) > 0:
		return s.st.PublishTags(ctx, st, tags)
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
	walk
}

func eraseOf(st *linnet.Status) eraseArgs {
	a := eraseArgs{Status: st.ID, Author: st.Author, RepostOf: st.RepostOf, Parent: st.InReplyTo, ParentBy: st.InReplyAuthor,
		Tags: foldTags(st.Tags), Public: uint8(st.Visibility)}
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
	for budget := passSize; budget > 0; {
		n, next, err := s.eraseStage(ctx, a)
		if err != nil {
			return nil, err
		}
		if next.Stage == stageDone {
			return nil, s.st.ForgetRelations(ctx, a.Status)
		}
		a.walk = next
		budget -= n
	}
	return &a, nil
}

func (s *Service) eraseStage(ctx context.Context, a eraseArgs) (int, walk, error) {
	switch a.Stage {
	case stageFirst:
		return 0, walk{Stage: stageFollowers}, s.eraseFirst(ctx, a)
	case stageFollowers:
		if st := a.status(); st.ForMembers() {
			if st.Visibility == linnet.Direct {
				return s.untalk(ctx, a)
			}
			return 0, walk{Stage: stageAdmirers}, nil
		}
		if s.isPulled(a.Author, a.Status) {
			return 0, walk{Stage: stageLists}, nil
		}
		return s.passOver(ctx, record.Follows().CopyKey(a.Author), a.walk, stageLists, func(ids []linnet.ID) error {
			return s.st.Pull(ctx, a.Status, record.HomeKeys(ids, nil))
		})
	case stageLists:
		return s.passOver(ctx, record.Listings().CopyKey(a.Author), a.walk, stageWatchers, func(ids []linnet.ID) error {
			return s.st.Pull(ctx, a.Status, record.ListFeedKeys(ids, nil))
		})
	case stageWatchers:
		return s.passOver(ctx, record.Watches().CopyKey(a.Author), a.walk, stageAdmirers, func(ids []linnet.ID) error {
			return s.st.UnnotifyWatchers(ctx, a.status(), ids)
		})
	case stageAdmirers:
		return s.passOver(ctx, record.Favourites().CopyKey(a.Status), a.walk, stageReposts, func(ids []linnet.ID) error {
			return s.st.ForgetFavourites(ctx, a.Status, ids)
		})
	case stageReposts:
		return s.passOf(ctx, repostsPass, record.Reposts().CopyKey(a.Status), a.walk, stagePromotions, func(ids []linnet.ID) error {
			return s.eraseReposts(ctx, a.Status, ids)
		})
	}
	return s.eraseLast(ctx, a)
}

// eraseLast ends what is left at a deleted status: its promotions go, and the replies
// lose their parent.
func (s *Service) eraseLast(ctx context.Context, a eraseArgs) (int, walk, error) {
	orphan := func(ids []linnet.ID) error { return s.st.Orphan(ctx, a.Status, ids...) }
	switch a.Stage {
	case stagePromotions:
		return 0, walk{Stage: stageReplies}, s.erasePromotions(ctx, a.Status)
	case stageReplies:
		return s.passOf(ctx, repostsPass, record.RepliesKey(a.Status), a.walk, stageClosed, orphan)
	case stageClosed:
		return s.passOf(ctx, repostsPass, record.ClosedRepliesKey(a.Status), a.walk, stageDone, orphan)
	}
	return 0, walk{Stage: stageDone}, nil
}

func (s *Service) eraseFirst(ctx context.Context, a eraseArgs) error {
	st := a.status()
	if err := s.st.Unpublish(ctx, st, a.Tags); err != nil {
		return err
	}
	if a.Parent != 0 {
		if err := s.st.RemoveReply(ctx, st); err != nil {
			return err
		}
	}
	if a.RepostOf != 0 {
		if err := s.relate(ctx, edgeArgs{record.Reposts().Name, a.Author, a.RepostOf}); err != nil {
			return err
		}
	}
	for _, id := range a.Mentions {
		if err := s.st.Unmention(ctx, id, a.Status); err != nil {
			return err
		}
	}
	if err := s.st.Unpin(ctx, a.Author, a.Status); err != nil {
		return err
	}
	if st.Visibility == linnet.Direct && !st.ForMembers() {
		if err := s.unconverse(ctx, a); err != nil {
			return err
		}
	}
	if err := s.st.RemoveNotices(ctx, a.Author, a.Status, func(n linnet.Notification) bool { return n.Status == a.Status }); err != nil {
		return err
	}
	if err := s.st.Pull(ctx, a.Status, []kv.Key{record.HomeKey(a.Author)}); err != nil {
		return err
	}
	s.hub.publish(ctx, a.Author, event{Type: linnet.EventDelete, Status: a.Status, Author: a.Author,
		Visibility: linnet.Visibility(a.Public), Tags: a.Tags, Mentions: a.Mentions, Group: a.Group})
	return nil
}

// eraseReposts deletes the reposts that some users made of a deleted status.
func (s *Service) eraseReposts(ctx context.Context, original linnet.ID, users []linnet.ID) error {
	for _, u := range users {
		id, err := s.st.RepostID(ctx, u, original)
		if err != nil {
			return err
		}
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
