package moderation

import (
	"cmp"
	"context"
	"crypto/subtle"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Strikes shows strikes to their owners and to staff, and handles appeals. The actions that create
// strikes are methods of Service. It is safe for concurrent use.
type Strikes struct {
	st    *store.Store
	tasks *task.Queue

	core     *core.Service
	view     *view.Service
	notify   *notify.Service
	identity *identity.Service
	posting  *posting.Service

	moderation *Service
}

var errNoStrike = linnet.Errorf(linnet.NotFound, "Record not found")

// Own returns a page of the strikes of me, newest first. The owner doesn't learn which moderator
// acted.
func (s *Strikes) Own(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StrikeView], error) {
	return s.page(ctx, 0, p, func(sp db.Span) ([]linnet.Strike, error) { return s.st.Staff.StrikesOf(ctx, me, sp) })
}

// OwnByID returns a strike of me.
func (s *Strikes) OwnByID(ctx context.Context, me, id linnet.ID) (linnet.StrikeView, error) {
	return s.one(ctx, id, func(st *linnet.Strike) bool { return st.On == me })
}

// ByToken returns the strike of a link, for owners who can't log in. It has no posts, because the
// link doesn't ask for a second factor.
func (s *Strikes) ByToken(ctx context.Context, token string) (linnet.StrikeView, error) {
	id, key, _ := strings.Cut(token, "-")
	of, ok := linnet.ParseID(id)
	if !ok {
		return linnet.StrikeView{}, errNoStrike
	}
	v, err := s.one(ctx, of, func(st *linnet.Strike) bool { return subtle.ConstantTimeCompare([]byte(st.Key), []byte(key)) == 1 })
	v.Posts = nil
	return v, err
}

// Of returns a page of the strikes of an account, newest first, for staff who manage users.
func (s *Strikes) Of(ctx context.Context, by linnet.Actor, on linnet.ID, p linnet.Page) (out linnet.Slice[linnet.StrikeView], err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return out, err
	}
	return s.page(ctx, linnet.ManageUsers, p, func(sp db.Span) ([]linnet.Strike, error) { return s.st.Staff.StrikesOf(ctx, on, sp) })
}

// Appealed returns a page of the strikes with a pending appeal, newest first, for staff who manage
// users.
func (s *Strikes) Appealed(ctx context.Context, by linnet.Actor, p linnet.Page) (out linnet.Slice[linnet.StrikeView], err error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return out, err
	}
	return s.page(ctx, linnet.ManageUsers, p, func(sp db.Span) ([]linnet.Strike, error) { return s.st.Staff.Appealed(ctx, sp) })
}

// ByID returns a strike for staff who manage users.
func (s *Strikes) ByID(ctx context.Context, by linnet.Actor, id linnet.ID) (linnet.StrikeView, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return linnet.StrikeView{}, err
	}
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{id})
	if err != nil {
		return linnet.StrikeView{}, core.StoreError(err)
	}
	if len(found) == 0 {
		return linnet.StrikeView{}, errNoStrike
	}
	views, err := s.views(ctx, linnet.ManageUsers, found)
	if err != nil {
		return linnet.StrikeView{}, err
	}
	return views[0], nil
}

// one returns a strike as its owner reads it, if it is right.
func (s *Strikes) one(ctx context.Context, id linnet.ID, right func(*linnet.Strike) bool) (linnet.StrikeView, error) {
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{id})
	if err != nil {
		return linnet.StrikeView{}, core.StoreError(err)
	}
	if len(found) == 0 || !right(&found[0]) {
		return linnet.StrikeView{}, errNoStrike
	}
	views, err := s.views(ctx, 0, found)
	if err != nil {
		return linnet.StrikeView{}, err
	}
	return views[0], nil
}

// page returns a page of strikes as readers with a permission see them; 0 for their owner.
func (s *Strikes) page(ctx context.Context, may linnet.Permission, p linnet.Page, read func(db.Span) ([]linnet.Strike, error)) (out linnet.Slice[linnet.StrikeView], err error) {
	p.Limit = cmp.Or(p.Limit, linnet.DefaultPage)
	sp, err := timeline.Span(p, linnet.MaxPage)
	if err != nil {
		return out, err
	}
	found, err := read(sp)
	if err != nil {
		return out, core.StoreError(err)
	}
	if out.Items, err = s.views(ctx, may, found); err != nil {
		return out, err
	}
	if n := len(found); n > 0 {
		out.First, out.Last = linnet.CursorOf(found[0].ID), linnet.CursorOf(found[n-1].ID)
		if n < sp.Limit && !sp.Asc {
			out.End()
		}
	}
	return out, nil
}

// views loads the users of strikes. Only staff see the moderators.
func (s *Strikes) views(ctx context.Context, may linnet.Permission, all []linnet.Strike) ([]linnet.StrikeView, error) {
	b := s.st.Batch()
	refs := make([][3]*db.UserRef, len(all))
	out := make([]linnet.StrikeView, len(all))
	for i, st := range all {
		if out[i].Strike = st; may == 0 {
			out[i].By = 0
			if st.Appeal != nil {
				a := *st.Appeal
				a.By, out[i].Appeal = 0, &a
			}
		}
		refs[i] = [3]*db.UserRef{b.User(st.On), b.User(out[i].By), nil}
		if a := out[i].Appeal; a != nil {
			refs[i][2] = b.User(a.By)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, core.StoreError(err)
	}
	for i, of := range refs {
		for j, to := range []**linnet.UserView{&out[i].OnAccount, &out[i].ByAccount, &out[i].DecidedBy} {
			if of[j] != nil && of[j].User != nil {
				v := s.view.FullView(of[j])
				*to = &v
			}
		}
	}
	return out, nil
}

// Appeal stores the only appeal of me against a strike and notifies staff. The same appeal can be
// sent again. https://docs.joinmastodon.org/entities/Appeal/
func (s *Strikes) Appeal(ctx context.Context, me, id linnet.ID, words string) (linnet.StrikeView, error) {
	if _, err := s.OwnByID(ctx, me, id); err != nil {
		return linnet.StrikeView{}, err
	}
	if err := s.appeal(ctx, id, words); err != nil {
		return linnet.StrikeView{}, err
	}
	return s.OwnByID(ctx, me, id)
}

// AppealByToken is like Appeal for the strike of a link.
func (s *Strikes) AppealByToken(ctx context.Context, token, words string) error {
	v, err := s.ByToken(ctx, token)
	if err != nil {
		return err
	}
	return s.appeal(ctx, v.ID, words)
}

func (s *Strikes) appeal(ctx context.Context, id linnet.ID, words string) error {
	if core.TooLong(words, linnet.MaxAppeal) {
		return linnet.FieldError("text", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxAppeal)
	}
	words = core.Lines(words)
	if text.Blank(words) {
		return linnet.FieldError("text", "ERR_BLANK", "can't be blank")
	}
	if err := core.CheckMarks("text", words); err != nil {
		return err
	}
	t, err := s.tasks.New(id.Shard(), taskAppealed, appealedArgs{Strike: id})
	if err != nil {
		return err
	}
	return s.update(ctx, id, t, func(st *linnet.Strike) error {
		switch {
		case st.Appeal != nil && st.Appeal.Text == words:
			return errSame
		case st.Appeal != nil:
			return linnet.Errorf(linnet.Conflict, "You've already appealed this decision.")
		}
		st.Appeal = &linnet.Appeal{Text: words, At: s.st.Now(), State: linnet.AppealPending}
		return nil
	})
}

// update changes a strike and runs the task of the change.
func (s *Strikes) update(ctx context.Context, id linnet.ID, t task.Task, change func(*linnet.Strike) error) error {
	_, ok, err := s.st.Staff.UpdateStrike(ctx, id, t, change)
	switch {
	case err == errSame:
		return nil
	case err != nil:
		return core.StoreError(err)
	case !ok:
		return errNoStrike
	}
	s.tasks.Run(ctx, t)
	return nil
}

type appealedArgs struct {
	Strike linnet.ID `json:"strike"`
}

// appealed notifies staff of an appeal.
func (s *Strikes) appealed(ctx context.Context, a appealedArgs) (*appealedArgs, error) {
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{a.Strike})
	if err != nil || len(found) == 0 || found[0].Appeal == nil {
		return nil, err
	}
	subject := linnet.MakeID(found[0].Appeal.At, a.Strike.Shard(), uint8(a.Strike&63))
	if err := s.notify.NotifyStaff(ctx, linnet.Notification{ID: subject, Type: linnet.NotifyAppeal, From: found[0].On, Strike: a.Strike}); err != nil {
		return nil, err
	}
	return nil, s.identity.Emails().NotifyStaff(ctx, linnet.ManageUsers, found[0].On, "/admin/strikes/"+a.Strike.String())
}

// Decide approves or rejects the pending appeal against a strike and adds that to the audit log.
// Approval undoes the action if possible: deleted posts and pictures don't return. The same
// decision can be sent again.
func (s *Strikes) Decide(ctx context.Context, by linnet.Actor, id linnet.ID, approve bool) error {
	v, err := s.ByID(ctx, by, id)
	if err != nil {
		return err
	}
	acting, err := s.core.AuthorizeOn(ctx, by, linnet.ManageUsers, v.On)
	if err != nil {
		return err
	}
	if v.OnAccount != nil && !acting.Role.Over(v.OnAccount.Role) {
		return core.ErrNotAllowed
	}
	to, did := linnet.AppealRejected, linnet.RejectAppeal
	if approve {
		to, did = linnet.AppealApproved, linnet.ApproveAppeal
	}
	t, err := s.tasks.New(id.Shard(), taskDecided, decidedArgs{Strike: id, Act: s.core.NewAct(by, did, v.On)})
	if err != nil {
		return err
	}
	return s.update(ctx, id, t, func(st *linnet.Strike) error {
		switch a := st.Appeal; {
		case a == nil:
			return linnet.Errorf(linnet.Conflict, "This decision hasn't been appealed.")
		case a.State == to:
			return errSame
		case a.State != linnet.AppealPending:
			return linnet.Errorf(linnet.Conflict, "This appeal has already been decided.")
		}
		a := *st.Appeal
		a.State, a.By, a.Decided = to, by.ID(), s.st.Now()
		st.Appeal = &a
		return nil
	})
}

type decidedArgs struct {
	Strike linnet.ID    `json:"strike"`
	Act    core.ActArgs `json:"act"`
}

// decided applies the decision about an appeal, adds it to the audit log and notifies the owner.
func (s *Strikes) decided(ctx context.Context, a decidedArgs) (*decidedArgs, error) {
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{a.Strike})
	if err != nil || len(found) == 0 || found[0].Appeal == nil {
		return nil, err
	}
	st := found[0]
	if err := s.st.Staff.LogAct(ctx, a.Act.Record()); err != nil {
		return nil, err
	}
	if st.Appeal.State == linnet.AppealApproved {
		if err := s.undo(ctx, a.Act, &st); err != nil {
			return nil, err
		}
	}
	n := linnet.Notification{ID: linnet.MakeID(st.Appeal.Decided, st.On.Shard(), uint8(st.ID&63)), Type: linnet.NotifySecurity, From: st.On, Strike: st.ID}
	if err := s.notify.Notify(ctx, st.On, n); err != nil {
		return nil, err
	}
	return nil, s.identity.Emails().NotifyStrike(ctx, st.On, st.ID)
}

// undo reverts the action of a strike, unless a later strike has the same action.
func (s *Strikes) undo(ctx context.Context, by core.ActArgs, st *linnet.Strike) error {
	later, err := s.st.Staff.StrikesOf(ctx, st.On, db.Span{Above: st.ID, Limit: linnet.MaxStrikes})
	if err != nil {
		return err
	}
	later = slices.DeleteFunc(later, func(o linnet.Strike) bool {
		return o.Act != st.Act || o.Appeal != nil && o.Appeal.State == linnet.AppealApproved
	})
	if st.Act == linnet.MarkSensitive {
		for _, p := range st.Posts {
			if slices.ContainsFunc(later, func(o linnet.Strike) bool { return o.About(p.ID) }) {
				continue
			}
			if err := s.posting.Mark(ctx, p.ID, false); err != nil {
				return err
			}
		}
		return nil
	}
	back := map[linnet.Moderation]linnet.Moderation{linnet.Silence: linnet.Unsilence, linnet.Sensitize: linnet.Unsensitize, linnet.Disable: linnet.Enable, linnet.Suspend: linnet.Unsuspend}[st.Act]
	if back == "" || len(later) > 0 {
		return nil
	}
	act := by
	act.ID, act.Act = s.st.Staff.NewAct(), back
	err = s.moderation.moderate(ctx, moderatedArgs{Act: act}, func(u *linnet.User) error { return apply(u, linnet.Measure{Act: back}) })
	if linnet.KindOf(err) == linnet.NotFound { // the account was deleted
		return nil
	}
	return err
}

// notifyOwner notifies the owner of a strike, with an e-mail if the moderator wants that. It can
// run more than once.
func (s *Strikes) notifyOwner(ctx context.Context, id linnet.ID, email bool) error {
	found, err := s.st.Staff.Strikes(ctx, []linnet.ID{id})
	if err != nil || len(found) == 0 {
		return err
	}
	on := found[0].On
	u, err := s.core.LookupUser(ctx, on)
	if err != nil || u == nil || !u.Person() {
		return err
	}
	if err := s.notify.Notify(ctx, on, linnet.Notification{ID: id, Type: linnet.NotifySecurity, From: on, Strike: id}); err != nil || !email {
		return err
	}
	return s.identity.Emails().NotifyStrike(ctx, on, id)
}

// notifyReporter notifies the author of a report that staff have resolved it, but not how. It can
// run more than once.
func (s *Service) notifyReporter(ctx context.Context, report linnet.ID) error {
	found, err := s.st.Staff.Reports(ctx, []linnet.ID{report})
	if err != nil || len(found) == 0 || found[0].Open() {
		return err
	}
	r := found[0]
	_, err = s.st.Inbox.NotifyPresent(ctx, r.By, inbox.HandledNotice(&r))
	return err
}
