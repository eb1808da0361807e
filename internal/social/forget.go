package social

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
)

// Deletion deletes accounts. It is safe for concurrent use.
type Deletion struct {
	st    *store.Store
	log   *slog.Logger
	tasks *task.Queue

	core     *core.Service
	uploads  *uploads.Service
	identity *identity.Service
	eraser   Eraser
	social   *Service
}

// DeleteOwnAccount deletes the account of me permanently, if the password is correct. It refuses
// administrators.
func (s *Deletion) DeleteOwnAccount(ctx context.Context, me linnet.ID, password string, from netip.Addr) error {
	u, _, err := s.identity.CheckOwnPassword(ctx, me, password, from)
	if err != nil {
		return err
	}
	if u.Role == linnet.Admin {
		return linnet.Errorf(linnet.Forbidden, "Administrator accounts can't be deleted here. Ask another administrator to change your role first, or run linnet user delete NAME.")
	}
	return s.DeleteUser(ctx, me)
}

// DeleteUser deletes an account permanently. When it returns, the user no longer exists and its
// sessions have ended. A task deletes posts, relations and files. The login never becomes available
// again. It returns NotFound if the user doesn't exist.
func (s *Deletion) DeleteUser(ctx context.Context, id linnet.ID) error {
	return s.removeUser(ctx, forgetArgs{User: id}, func(*linnet.User) error { return nil })
}

// RemoveUser is like DeleteUser, but returns the error of may for the current user record, if any.
// If act is not nil, the task adds it to the audit log.
func (s *Deletion) RemoveUser(ctx context.Context, id linnet.ID, act *core.ActArgs, may func(*linnet.User) error) error {
	return s.removeUser(ctx, forgetArgs{User: id, Act: act}, may)
}

// removeUser is RemoveUser with the arguments of the task: the user, the moderator's action, and
// whether the login becomes available again.
func (s *Deletion) removeUser(ctx context.Context, args forgetArgs, may func(*linnet.User) error) error {
	id, act := args.User, args.Act
	u, err := core.RetryDurable(ctx, func(ctx context.Context) (*linnet.User, error) {
		u, err := s.core.LookupUser(ctx, id)
		if err == nil && u == nil {
			err = core.ErrNoUser
		}
		return u, err
	})
	if err = cmp.Or(err, core.NotSystem(id)); err != nil {
		return err
	}
	if act != nil {
		act.Detail = u.Login
	}
	args.Login, args.Name, args.Files = u.Login, u.Name, []string{u.Avatar, u.Banner}
	args.Seen = !u.Unapproved && u.Group != linnet.Chat
	t, err := s.tasks.New(id.Shard(), TaskForgetUser, args)
	if err != nil {
		return err
	}
	var notice mailing.Mail
	with := func(sec record.Secret) (task.Task, []kv.Op) {
		var also []kv.Op
		if sec.Mail.Confirmed != 0 {
			args.Email = record.Hash(sec.Email)
		}
		if act != nil && act.Act == linnet.Reject {
			notice, also = s.identity.Emails().Refusal(u, &sec)
		}
		return t.With(args), also
	}
	deleted, err := s.st.Accounts.DeleteUser(ctx, id, &t, with, may)
	if err != nil {
		return core.StoreError(err)
	}
	if !deleted {
		return core.ErrNoUser
	}
	if err := s.identity.EndSessions(ctx, id); err != nil { // the task ends the remaining ones
		s.log.Warn("cannot end sessions of deleted user", "err", err)
	}
	s.identity.Emails().Begin(ctx, notice)
	s.tasks.Run(ctx, t)
	return nil
}

// SignUpExpired deletes an account, unless it was approved in the meantime.
func (s *Deletion) SignUpExpired(ctx context.Context, f event.SignUpExpired) error {
	errLetIn := linnet.Errorf(linnet.Conflict, "The account has been approved.")
	err := s.removeUser(ctx, forgetArgs{User: f.User, Free: true}, func(u *linnet.User) error {
		if !u.Unapproved {
			return errLetIn
		}
		return nil
	})
	if errors.Is(err, errLetIn) || linnet.KindOf(err) == linnet.NotFound {
		return nil
	}
	return err
}

// forgetArgs are the arguments of TaskForgetUser. They describe a deleted user.
type forgetArgs struct {
	User  linnet.ID     `json:"user"`
	Login string        `json:"login"`
	Name  string        `json:"name,omitempty"`
	Seen  bool          `json:"seen,omitempty"`  // the account was public
	Free  bool          `json:"free,omitempty"`  // the account was never used, so its login becomes available
	Act   *core.ActArgs `json:"act,omitempty"`   // for the audit log
	Files []string      `json:"files,omitempty"` // of the profile
	Email string        `json:"email,omitempty"` // SHA-256 of the address, if it was confirmed
	timeline.Cursor
}

// forgetPass is the number of relations or statuses that one batch deletes. Each takes several
// round trips.
const forgetPass = 100

// forgetStep is a step of deleting a user. do runs one batch and returns its size, whether there is
// more to do, and where to continue.
type forgetStep struct {
	stage timeline.Stage
	do    func(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error)
}

// forgetTable returns the steps in order. Relations come before statuses, so that each follower's
// feed is changed once and deleted statuses need not be removed from feeds. Roles in groups come
// after follows, whose end has consequences for them.
func (s *Deletion) forgetTable() []forgetStep {
	return []forgetStep{
		{"name", s.forgetName},
		{"files", s.withholdFiles},
		{"email", s.forgetEmail},
		{"passkeys", s.forgetPasskeys},
		{"followers", s.endByOthers(record.Follows())},
		{"requesters", s.endByOthers(record.Requests())},
		{"listed", s.endByOthers(record.Listings())},
		{"watchers", s.endByOthers(record.Watches())},
		{"following", s.endOwned(record.Follows())},
		{"requesting", s.endOwned(record.Requests())},
		{"watching", s.endOwned(record.Watches())},
		{"owned", s.endRoles(record.GroupOwners())},
		{"moderated", s.endRoles(record.GroupModerators())},
		{"offered", s.endByOthers(record.GroupOffers())},
		{"owners", s.endOwned(record.GroupOwners())},
		{"moderators", s.endOwned(record.GroupModerators())},
		{"offers", s.endOwned(record.GroupOffers())},
		{"blocks", s.endOwned(record.Blocks())},
		{"blockers", s.endByOthers(record.Blocks())},
		{"favourites", s.endOwned(record.Favourites())},
		{"votes", forgetOwn(s.st.Statuses.ForgetVotes)},
		{"reactions", forgetOwn(s.st.Staff.ForgetReactions)},
		{"statuses", s.forgetPosts},
		{"scheduled", forgetOwn(s.st.Statuses.Scheduled.Forget)},
		{"attachments", forgetOwn(s.uploads.Forget)}, // including attachments of statuses, which are deleted by now
		{"lists", forgetOwn(s.social.Lists.forgetListsOf)},
		{"collections", forgetOwn(s.social.Collections.forgetCollectionsOf)},
		{"collected", forgetOwn(s.social.Collections.forgetCollected)},
		{"notes", forgetOwn(s.st.Relations.ForgetNotes)},
		{"conversations", forgetOwn(s.st.Inbox.ForgetConversations)},
		{"imports", forgetOwn(s.st.Archives.ForgetImports)},
		{"outside-feed", forgetOwn(s.forgetOutsideFeed)},
		{"strikes", forgetOwn(s.st.Staff.ForgetStrikes)},
		{"tombstones", s.forgetTombstones},
		{"rest", s.forgetRest},
	}
}

// stagesOfNumbers returns the stages that releases up to 2026 stored as an index. The order is not
// that of the steps.
func stagesOfNumbers() []timeline.Stage {
	return []timeline.Stage{"name", "followers", "requesters", "listed", "watchers", "following", "requesting", "watching", "favourites",
		"statuses", "lists", "notes", "conversations", "tombstones", "rest", "owned", "moderated", "offered", "owners", "moderators",
		"offers", "blocks", "blockers"}
}

// batch runs one batch of deleting a user.
func (s *Deletion) batch(ctx context.Context, a forgetArgs) (*forgetArgs, error) {
	a.Stage = a.Stage.Named(stagesOfNumbers())
	steps := s.forgetTable()
	at := slices.IndexFunc(steps, func(f forgetStep) bool { return f.stage == a.Stage })
	if at < 0 {
		return nil, fmt.Errorf("unknown user-deletion stage %q", a.Stage)
	}
	for budget := forgetPass; budget > 0; {
		n, more, from, err := steps[at].do(ctx, a)
		if err != nil {
			return nil, err
		}
		if !more {
			if at++; at == len(steps) {
				return nil, nil
			}
		}
		a.Cursor, budget = a.Next(more, from, steps[at].stage), budget-n
	}
	return &a, nil
}

// withholdFiles takes the user's pictures offline before the longer steps, which delete them.
func (s *Deletion) withholdFiles(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	below, _ := linnet.ParseID(a.From.Member)
	if below == 0 {
		s.uploads.Discard(ctx, slices.Clone(a.Files)...)
	}
	if below, err = s.uploads.UpdateAccountFiles(ctx, a.User, below); err != nil || below == 0 {
		return 1, false, from, err
	}
	return forgetPass, true, kv.Member{Member: below.String()}, nil
}

// forgetEmail makes the e-mail address available to other accounts.
func (s *Deletion) forgetEmail(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	if a.Email == "" {
		return 0, false, from, nil
	}
	return 1, false, from, s.st.Sessions.ReleaseEmail(ctx, a.Email)
}

// forgetPasskeys releases the user's passkeys, so that other accounts can add them.
func (s *Deletion) forgetPasskeys(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	all, _, err := s.st.Sessions.Passkeys(ctx, a.User)
	for i := 0; err == nil && i < len(all); i++ {
		err = s.st.Sessions.ReleasePasskey(ctx, all[i].Hash(), time.Time{})
	}
	return len(all), false, from, err
}

func (s *Deletion) forgetName(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	if err := s.identity.EndSessions(ctx, a.User); err != nil {
		return 0, false, from, err
	}
	if a.Act != nil {
		if err := s.st.Staff.LogAct(ctx, a.Act.Record()); err != nil {
			return 0, false, from, err
		}
	}
	if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
		return 0, false, from, err
	}
	return 1, false, from, s.st.Accounts.ForgetName(ctx, linnet.User{ID: a.User, Login: a.Login, Name: a.Name}, record.Login{Seen: a.Seen, Free: a.Free})
}

// endByOthers ends the relations of other users to the user. The copies are deleted later than the
// owners' sides, so each batch continues after the last one.
func (s *Deletion) endByOthers(k record.RelationKind) func(context.Context, forgetArgs) (int, bool, kv.Member, error) {
	return func(ctx context.Context, a forgetArgs) (int, bool, kv.Member, error) {
		ids, from, err := s.st.After(ctx, k.CopyKey(a.User), a.From, forgetPass)
		for i := 0; err == nil && i < len(ids); i++ {
			err = s.endRelation(ctx, k, ids[i], a.User)
		}
		return len(ids), len(ids) == forgetPass, from, err
	}
}

// endOwned ends the user's relations to others.
func (s *Deletion) endOwned(k record.RelationKind) func(context.Context, forgetArgs) (int, bool, kv.Member, error) {
	return func(ctx context.Context, a forgetArgs) (int, bool, kv.Member, error) {
		ids, _, err := s.st.After(ctx, k.OwnedKey(a.User), kv.Member{}, forgetPass)
		for i := 0; err == nil && i < len(ids); i++ {
			err = s.endRelation(ctx, k, a.User, ids[i])
		}
		return len(ids), len(ids) == forgetPass, kv.Member{}, err
	}
}

// endRoles ends the user's remaining roles in groups.
func (s *Deletion) endRoles(k record.RelationKind) func(context.Context, forgetArgs) (int, bool, kv.Member, error) {
	return func(ctx context.Context, a forgetArgs) (int, bool, kv.Member, error) {
		ids, from, err := s.st.After(ctx, k.CopyKey(a.User), a.From, forgetPass)
		for i := 0; err == nil && i < len(ids); i++ {
			err = s.social.Groups.withoutRole(ctx, ids[i], a.User)
		}
		return len(ids), len(ids) == forgetPass, from, err
	}
}

// endRelation ends a relation on both sides. It needs no task, because a task calls it.
func (s *Deletion) endRelation(ctx context.Context, k record.RelationKind, owner, other linnet.ID) error {
	if _, err := s.st.Relations.SetRelation(ctx, endOf(k, owner, other)); err != nil {
		return err
	}
	return s.social.Relate(ctx, RelationArgs{Kind: k.Name, Owner: owner, Other: other})
}

// forgetOwn returns a step that deletes records in the user's shard.
func forgetOwn(forget func(context.Context, linnet.ID, int) (int, error)) func(context.Context, forgetArgs) (int, bool, kv.Member, error) {
	return func(ctx context.Context, a forgetArgs) (int, bool, kv.Member, error) {
		n, err := forget(ctx, a.User, forgetPass)
		return n, n == forgetPass, kv.Member{}, err
	}
}

// forgetOutsideFeed deletes the feed of an account, with a task that ends its subscription. The task
// runs after the deletion, because the hub asks whether the subscription may end.
func (s *Deletion) forgetOutsideFeed(ctx context.Context, user linnet.ID, _ int) (int, error) {
	f, err := s.st.Accounts.OutsideFeed(ctx, user)
	if err != nil || f == nil {
		return 0, err
	}
	if f.Hub == nil || f.Hub.Asked.IsZero() {
		return 0, s.st.Accounts.ForgetOutsideFeed(ctx, f)
	}
	end, err := s.tasks.New(user.Shard(), TaskEndHub, EndHubArgs{user, f.Hub.URL, f.Hub.Topic})
	if err != nil {
		return 0, err
	}
	if err := s.st.Accounts.ForgetOutsideFeed(ctx, f, end.Ops()...); err != nil {
		return 0, err
	}
	s.tasks.Start(end)
	return 0, nil
}

// forgetPosts deletes the user's statuses.
func (s *Deletion) forgetPosts(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	b := s.st.Batch()
	ref := b.Posts(a.User, db.Span{Limit: forgetPass})
	if err := b.Run(ctx); err != nil {
		return 0, false, from, err
	}
	posts := ref.Posts()
	b = s.st.Batch()
	refs := make([]*db.StatusRef, len(posts))
	for i, p := range posts {
		refs[i] = b.Status(p.ID)
	}
	if err := b.Run(ctx); err != nil {
		return 0, false, from, err
	}
	for _, ref := range refs {
		if ref.Status == nil {
			continue
		}
		if _, err := s.eraser.Erase(ctx, ref.Status, func(t task.Task) { s.tasks.Run(ctx, t) }); err != nil {
			return 0, false, from, err
		}
	}
	return len(posts), len(posts) == forgetPass, from, nil
}

// forgetTombstones deletes the tombstones of the user's relations after it has checked that the
// other sides have ended too.
func (s *Deletion) forgetTombstones(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	for _, k := range record.RelationKinds() {
		if !k.OfUser() {
			continue
		}
		n, err := s.st.Relations.ForgetHalves(ctx, k, a.User, forgetPass)
		if err != nil || n > 0 {
			return n, n > 0, from, err
		}
	}
	return 0, false, from, nil
}

func (s *Deletion) forgetRest(ctx context.Context, a forgetArgs) (n int, more bool, from kv.Member, err error) {
	if err := s.st.Feeds.ForgetOwnFeeds(ctx, a.User); err != nil {
		return 0, true, from, err
	}
	archived, err := s.st.Archives.FilesOf(ctx, a.User)
	if err != nil {
		return 0, true, from, err
	}
	s.uploads.Discard(ctx, append(archived, a.Files...)...)
	return 0, false, from, s.st.Accounts.ForgetUser(ctx, a.User)
}
