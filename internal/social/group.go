package social

import (
	"context"
	"errors"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/task"
	"linnet/internal/text"
	"linnet/internal/view"
)

var (
	errNotStaff  = linnet.Errorf(linnet.Forbidden, "Only owners and moderators of the group can do this.")
	errNotOwner  = linnet.Errorf(linnet.Forbidden, "Only owners of the group can do this.")
	errNoMember  = linnet.Errorf(linnet.NotFound, "No member of the group has that username.")
	errLastOwner = linnet.Errorf(linnet.Invalid, "You're the group's only owner. Make someone else an owner first, or delete the group.")
)

// Needs returns the relation of a user to a group, or Forbidden if the user's role is below the
// given one.
func (s *Groups) Needs(ctx context.Context, who, group linnet.ID, role linnet.GroupRole) (view.GroupRelation, error) {
	g, err := s.view.GroupRelation(ctx, who, group)
	switch {
	case err != nil || g.Role >= role:
		return g, err
	case role == linnet.GroupOwner:
		return g, errNotOwner
	}
	return g, errNotStaff
}

// Group returns a group. Every viewer sees its name, note and number of members. A chat is visible
// only to members and invited users.
func (s *Groups) Group(ctx context.Context, viewer, id linnet.ID) (linnet.UserView, error) {
	if _, err := s.view.GroupRelation(ctx, viewer, id); err != nil {
		return linnet.UserView{}, err
	}
	return s.view.User(ctx, viewer, id)
}

// GroupByLogin returns the group with a login.
func (s *Groups) GroupByLogin(ctx context.Context, viewer linnet.ID, login string) (linnet.UserView, error) {
	v, err := s.view.UserByLogin(ctx, viewer, login)
	if err == nil && (v.Group == linnet.NoGroup || v.Suspended) {
		err = view.ErrNoGroup
	}
	return v, err
}

// MyGroups returns the groups that me is a member of, first joined first.
func (s *Groups) MyGroups(ctx context.Context, me linnet.ID) ([]linnet.UserView, error) {
	ids, err := s.st.Relations.Memberships(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return s.view.Users(ctx, me, ids)
}

// GroupRelations returns the relations of me to groups, in their order. Groups that me can't know
// of are left out.
func (s *Groups) GroupRelations(ctx context.Context, me linnet.ID, ids []linnet.ID) ([]linnet.GroupRelation, error) {
	rs, err := s.social.Relationships(ctx, me, ids)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.GroupRelation, 0, len(rs))
	for _, r := range rs {
		g, err := s.view.GroupRelation(ctx, me, r.ID)
		if linnet.KindOf(err) == linnet.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, g.Relation(&r))
	}
	return out, nil
}

// CreateGroup creates a group owned by me. Its login shares the name space of users and never
// becomes available again.
func (s *Groups) CreateGroup(ctx context.Context, me linnet.ID, n linnet.NewGroup) (linnet.UserView, error) {
	c := CleanProfile(linnet.ProfileChange{Name: &n.Name, Note: &n.Note})
	if err := CheckGroup(n); err != nil {
		return linnet.UserView{}, err
	}
	owned, err := s.st.All(ctx, record.GroupOwners().CopyKey(me), linnet.MaxGroupsOwned)
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if len(owned) >= linnet.MaxGroupsOwned {
		return linnet.UserView{}, linnet.Errorf(linnet.Invalid, "You can own at most %d groups. Delete one, or step down as its owner, first.", linnet.MaxGroupsOwned)
	}
	if err := s.roomFor(ctx, me); err != nil {
		return linnet.UserView{}, err
	}
	if err := s.mayInvite(ctx, me, n.Invite); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.social.Profiles.mentions(ctx, me, c)
	if err != nil {
		return linnet.UserView{}, err
	}
	u := linnet.User{Login: n.Login, Name: *c.Name, Note: *c.Note, Mentions: mentions.found}
	setKind(&u, n.Kind)
	u, t, err := s.st.Accounts.CreateUser(ctx, store.RandomShard(), u, record.Secret{}, func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(id.Shard(), TaskFound, foundArgs{id, me, n.Invite})
	})
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if errors.Is(err, accounts.ErrTaken) {
		e := linnet.FieldError("username", "ERR_TAKEN", "%q is taken. Choose another name", n.Login)
		e.Kind = linnet.Conflict
		return linnet.UserView{}, e
	}
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	g, err := s.view.GroupRelation(ctx, me, u.ID)
	if linnet.KindOf(err) == linnet.NotFound || err == nil && g.Role != linnet.GroupOwner { // the task was not complete yet
		err = linnet.Errorf(linnet.Unavailable, "The group is being created. It will be ready in a moment.")
	}
	if err != nil {
		return linnet.UserView{}, err
	}
	return s.view.User(ctx, me, u.ID)
}

// setKind makes an account a group of a kind.
func setKind(u *linnet.User, k linnet.GroupKind) {
	u.Group, u.Locked, u.Discoverable = k, k.Closed(), !k.Closed()
}

// CheckGroup returns all errors of a new group that need no reads, such as an invalid name.
func CheckGroup(n linnet.NewGroup) error {
	var all linnet.Faults
	switch {
	case n.Login == "":
		all.Add(linnet.FieldError("username", "ERR_BLANK", "can't be blank"))
	case len(n.Login) > linnet.MaxLogin:
		all.Add(linnet.FieldError("username", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxLogin))
	case !text.ValidLogin(n.Login):
		all.Add(linnet.FieldError("username", "ERR_INVALID", "must contain only letters, numbers and underscores"))
	case identity.Reserved(n.Login):
		all.Add(linnet.FieldError("username", "ERR_RESERVED", "is reserved"))
	}
	if n.Kind == linnet.NoGroup || n.Kind > linnet.Chat {
		all.Add(linnet.FieldError("kind", "ERR_INCLUSION", "must be public, private, announcement or chat"))
	}
	if len(n.Invite) > linnet.MaxGroupInvites {
		all.Add(linnet.FieldError("account_ids", "ERR_TOO_LONG", "can have at most %[2]d entries (%[1]d given)", len(n.Invite), linnet.MaxGroupInvites))
	}
	all.Add(CheckProfile(CleanProfile(linnet.ProfileChange{Name: &n.Name, Note: &n.Note})))
	return all.Err()
}

// foundArgs are the arguments of TaskFound: a group that may not exist yet, its founder and the
// invited users.
type foundArgs struct {
	User   linnet.ID   `json:"user"`
	By     linnet.ID   `json:"founder"`
	Invite []linnet.ID `json:"invite,omitempty"`
}

// found creates a group and makes its founder the owner and first member. It can run more than once
// and doesn't restore relations that have ended since.
func (s *Groups) found(ctx context.Context, a foundArgs) (*foundArgs, error) {
	if err := s.st.Accounts.FinishSignUp(ctx, a.User); err != nil {
		return nil, err
	}
	u, err := s.st.UserNow(ctx, a.User)
	if err != nil || u == nil {
		return nil, err // another account has the login
	}
	if err := s.beginOnce(ctx, relations.RelationChange{Kind: record.GroupOwners(), Owner: a.User, Other: a.By}); err != nil {
		return nil, err
	}
	by, err := s.st.UserNow(ctx, a.By)
	if err != nil {
		return nil, err
	}
	if by == nil { // the founder has deleted their account
		return nil, s.withoutRole(ctx, a.User, a.By)
	}
	if err := s.beginOnce(ctx, relations.RelationChange{Kind: record.Follows(), Owner: a.By, Other: a.User, Joins: true}); err != nil {
		return nil, err
	}
	if err := s.st.Accounts.IndexDirectory(ctx, a.User); err != nil {
		return nil, err
	}
	return nil, s.offer(ctx, u, a.By, a.Invite)
}

// beginOnce begins a relation unless it has ended before.
func (s *Groups) beginOnce(ctx context.Context, c relations.RelationChange) error {
	c.Live, c.Conds = true, []kv.Cond{db.NeverEnded(c.Kind, c.Owner, c.Other)}
	_, err := s.social.Change(ctx, c)
	if errors.Is(err, db.ErrCondition) {
		return nil
	}
	return err
}

// UpdateGroup changes a group. me must be an owner, or a moderator of the server, whose action is
// added to the audit log. It returns Invalid for a kind that the group can't become.
func (s *Groups) UpdateGroup(ctx context.Context, me, id linnet.ID, c linnet.GroupChange) (linnet.UserView, error) {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return linnet.UserView{}, err
	}
	p := CleanProfile(linnet.ProfileChange{Name: c.Name, Note: c.Note})
	if err := CheckProfile(p); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.social.Profiles.mentions(ctx, me, p)
	if err != nil {
		return linnet.UserView{}, err
	}
	_, t, ok, err := s.st.Accounts.UpdateUser(ctx, id, func(u *linnet.User) error {
		if c.Kind != nil {
			if !u.Group.Becomes(*c.Kind) {
				return linnet.FieldError("kind", "ERR_INCLUSION", "of a %v group can't be changed to %v", u.Group, *c.Kind)
			}
			setKind(u, *c.Kind)
		}
		core.Set(&u.Name, p.Name)
		mentions.set(u, p)
		core.Set(&u.Note, p.Note)
		return nil
	}, func(removed []string) (task.Task, error) {
		return s.social.Profiles.indexTask(id, removed)
	})
	if err != nil {
		return linnet.UserView{}, core.StoreError(err)
	}
	if !ok {
		return linnet.UserView{}, view.ErrNoGroup
	}
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if staff {
		if err := s.core.LogAct(ctx, linnet.By(me), linnet.EditGroup, id, "", ""); err != nil {
			return linnet.UserView{}, err
		}
	}
	return s.view.User(ctx, id, id)
}

// mayRun returns an error unless me can change or delete a group: owners, and moderators of the
// server. staff reports whether me is a moderator who doesn't own it.
func (s *Groups) mayRun(ctx context.Context, me, id linnet.ID) (staff bool, err error) {
	g, err := s.view.GroupRelation(ctx, me, id)
	if err != nil || g.Role == linnet.GroupOwner {
		return false, err
	}
	if err := s.core.Authorize(ctx, linnet.By(me), linnet.ManageUsers); err != nil {
		return false, errNotOwner
	}
	return true, nil
}

// DeleteGroup deletes a group permanently. When it returns, the group doesn't exist. A task deletes
// the rest in batches. Posts for members remain visible to their authors only.
func (s *Groups) DeleteGroup(ctx context.Context, me, id linnet.ID) error {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return err
	}
	if !staff {
		return s.social.Deletion.DeleteUser(ctx, id)
	}
	act := s.core.NewAct(linnet.By(me), linnet.Remove, id)
	return s.social.Deletion.RemoveUser(ctx, id, &act, func(*linnet.User) error { return nil })
}
