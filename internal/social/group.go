package social

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/text"
)

var (
	errNoGroup   = linnet.Errorf(linnet.NotFound, "Record not found")
	errNotStaff  = linnet.Errorf(linnet.Forbidden, "Only owners and moderators of the group may do this.")
	errNotOwner  = linnet.Errorf(linnet.Forbidden, "Only owners of the group may do this.")
	errNoMember  = linnet.Errorf(linnet.NotFound, "Nobody of that name is a member of the group.")
	errLastOwner = linnet.Errorf(linnet.Invalid, "You are the group's only owner. Make somebody else an owner first, or delete the group.")
)

// standing is how somebody stands to a group at this moment, past all caches of
// who follows whom.
type standing struct {
	group     *linnet.User
	role      linnet.GroupRole
	offered   bool // the other is invited
	requested bool
}

// knows says whether somebody may know that the group is there.
func (g *standing) knows() bool {
	return g.group.Group != linnet.Chat || g.role > linnet.Outsider || g.offered
}

// inside says whether somebody may see who is in the group and what is posted.
func (g *standing) inside() bool { return !g.group.Group.Closed() || g.role > linnet.Outsider }

// standing finds a group, with what who is in it. NotFound if there is no such
// group, or who may not know of it.
func (s *Service) standing(ctx context.Context, who, group linnet.ID) (g standing, err error) {
	b := s.st.Batch()
	ref := b.User(group)
	one, it := []linnet.ID{who}, []linnet.ID{group}
	in := b.EdgeHas(record.Follows(), who, it)
	owner, moderator := b.EdgeHas(record.GroupOwners(), group, one), b.EdgeHas(record.GroupModerators(), group, one)
	offered, requested := b.EdgeHasOwner(record.GroupOffers(), who, it), b.EdgeHas(record.Requests(), who, it)
	if err := b.Run(ctx); err != nil {
		return g, kvError(err)
	}
	if ref.User == nil || ref.User.Group == linnet.NoGroup || ref.User.Hidden() {
		return g, errNoGroup
	}
	g = standing{group: ref.User, offered: offered.Has(group), requested: requested.Has(group)}
	if in.Has(group) {
		g.role = roleIn(who, owner, moderator)
	}
	if !g.knows() {
		return g, errNoGroup
	}
	return g, nil
}

// roleIn is the role of a member, from whether they are among those who run the
// group.
func roleIn(who linnet.ID, owner, moderator *store.Membership) linnet.GroupRole {
	switch {
	case owner.Has(who):
		return linnet.GroupOwner
	case moderator.Has(who):
		return linnet.GroupModerator
	}
	return linnet.GroupMember
}

// needs is standing for an act that asks for a role.
func (s *Service) needs(ctx context.Context, who, group linnet.ID, role linnet.GroupRole) (standing, error) {
	g, err := s.standing(ctx, who, group)
	switch {
	case err != nil || g.role >= role:
		return g, err
	case role == linnet.GroupOwner:
		return g, errNotOwner
	}
	return g, errNotStaff
}

// Group shows a group: to everybody its name, note and number of members, unless
// it is a chat, which only those know of who are in it or invited.
func (s *Service) Group(ctx context.Context, viewer, id linnet.ID) (linnet.UserView, error) {
	if _, err := s.standing(ctx, viewer, id); err != nil {
		return linnet.UserView{}, err
	}
	return s.User(ctx, viewer, id)
}

// GroupByLogin shows the group with a login.
func (s *Service) GroupByLogin(ctx context.Context, viewer linnet.ID, login string) (linnet.UserView, error) {
	v, err := s.UserByLogin(ctx, viewer, login)
	if err == nil && (v.Group == linnet.NoGroup || v.Suspended) {
		err = errNoGroup
	}
	return v, err
}

// MyGroups shows the groups that me is in, the first one joined first.
func (s *Service) MyGroups(ctx context.Context, me linnet.ID) ([]linnet.UserView, error) {
	ids, err := s.st.Joined(ctx, me)
	if err != nil {
		return nil, kvError(err)
	}
	return s.Users(ctx, me, ids)
}

// GroupRelations tells how me stands to groups, in their order; those that me may
// not know of are left out.
func (s *Service) GroupRelations(ctx context.Context, me linnet.ID, ids []linnet.ID) ([]linnet.GroupRelation, error) {
	rs, err := s.Relationships(ctx, me, ids)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.GroupRelation, 0, len(rs))
	for _, r := range rs {
		g, err := s.standing(ctx, me, r.ID)
		if linnet.KindOf(err) == linnet.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, g.relation(&r))
	}
	return out, nil
}

// relation is how somebody of a standing is related to the group.
func (g *standing) relation(r *linnet.Relationship) linnet.GroupRelation {
	return linnet.GroupRelation{ID: r.ID, Role: g.role, Requested: r.Requested, Invited: g.offered,
		Banned: r.BlockedBy, Reposts: r.Reposts, Notify: r.Notify, Muting: r.Muting}
}

// CreateGroup founds a group that me owns. Its login is one among those of users
// and stays claimed for ever.
func (s *Service) CreateGroup(ctx context.Context, me linnet.ID, n linnet.NewGroup) (linnet.UserView, error) {
	c := cleanProfile(linnet.ProfileChange{Name: &n.Name, Note: &n.Note})
	if err := checkGroup(n, c); err != nil {
		return linnet.UserView{}, err
	}
	if err := s.mayFound(ctx, me, n); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.profileMentions(ctx, me, c)
	if err != nil {
		return linnet.UserView{}, err
	}
	u := linnet.User{Login: n.Login, Name: *c.Name, Note: *c.Note, Mentions: mentions.found}
	setKind(&u, n.Kind)
	u, t, err := s.st.CreateUser(ctx, store.RandomShard(), u, record.Secret{}, func(id linnet.ID) (task.Task, error) {
		return s.tasks.New(id.Shard(), taskFound, foundArgs{id, me, n.Invite})
	})
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if errors.Is(err, store.ErrTaken) {
		e := linnet.FieldError("username", "ERR_TAKEN", "%q is taken; choose another", n.Login)
		e.Kind = linnet.Conflict
		return linnet.UserView{}, e
	}
	if err != nil {
		return linnet.UserView{}, kvError(err)
	}
	g, err := s.standing(ctx, me, u.ID)
	if linnet.KindOf(err) == linnet.NotFound || err == nil && g.role != linnet.GroupOwner { // the task could not be done yet
		err = linnet.Errorf(linnet.Unavailable, "The group is being founded. It will be there in a moment.")
	}
	if err != nil {
		return linnet.UserView{}, err
	}
	return s.User(ctx, me, u.ID)
}

// setKind makes an account a group of a kind.
func setKind(u *linnet.User, k linnet.GroupKind) {
	u.Group, u.Locked, u.Discoverable = k, k.Closed(), !k.Closed()
}

func checkGroup(n linnet.NewGroup, c linnet.ProfileChange) error {
	switch {
	case n.Login == "":
		return linnet.FieldError("username", "ERR_BLANK", "can't be blank")
	case len(n.Login) > linnet.MaxLogin:
		return linnet.FieldError("username", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxLogin)
	case !text.ValidLogin(n.Login):
		return linnet.FieldError("username", "ERR_INVALID", "must contain only letters, numbers and underscores")
	case reserved(n.Login):
		return linnet.FieldError("username", "ERR_RESERVED", "is reserved")
	case n.Kind == linnet.NoGroup || n.Kind > linnet.Chat:
		return linnet.FieldError("kind", "ERR_INCLUSION", "must be public, private, announcement or chat")
	case len(n.Invite) > linnet.MaxGroupInvites:
		return linnet.FieldError("account_ids", "ERR_TOO_LONG", "holds %d ids, the limit is %d at a time", len(n.Invite), linnet.MaxGroupInvites)
	}
	return checkProfile(c)
}

// mayFound says whether me may found a group and invite those whom me wants to.
func (s *Service) mayFound(ctx context.Context, me linnet.ID, n linnet.NewGroup) error {
	owned, err := s.st.All(ctx, record.GroupOwners().CopyKey(me), linnet.MaxGroupsOwned)
	if err != nil {
		return kvError(err)
	}
	if len(owned) >= linnet.MaxGroupsOwned {
		return linnet.Errorf(linnet.Invalid, "You own %d groups already, which is the most allowed.", linnet.MaxGroupsOwned)
	}
	if err := s.roomFor(ctx, me); err != nil {
		return err
	}
	return s.mayInvite(ctx, me, n.Invite)
}

// foundArgs carry a group that may not be born yet, with who founds it and whom
// they invite.
type foundArgs struct {
	User   linnet.ID   `json:"user"`
	By     linnet.ID   `json:"founder"`
	Invite []linnet.ID `json:"invite,omitempty"`
}

// found brings a group to life and makes its founder the owner and first member.
// It may be repeated: what was ended since does not come back.
func (s *Service) found(ctx context.Context, a foundArgs) (*foundArgs, error) {
	if err := s.st.SettleUser(ctx, a.User); err != nil {
		return nil, err
	}
	u, err := s.st.UserNow(ctx, a.User)
	if err != nil || u == nil {
		return nil, err // the login was somebody else's
	}
	if err := s.beginOnce(ctx, store.EdgeChange{Kind: record.GroupOwners(), Owner: a.User, Other: a.By}); err != nil {
		return nil, err
	}
	by, err := s.st.UserNow(ctx, a.By)
	if err != nil {
		return nil, err
	}
	if by == nil { // they have deleted their account meanwhile
		return nil, s.withoutRole(ctx, a.User, a.By)
	}
	if err := s.beginOnce(ctx, store.EdgeChange{Kind: record.Follows(), Owner: a.By, Other: a.User, Joins: true}); err != nil {
		return nil, err
	}
	if err := s.st.IndexDirectory(ctx, a.User); err != nil {
		return nil, err
	}
	return nil, s.offer(ctx, u, a.By, a.Invite)
}

// beginOnce begins a relation that was never there before.
func (s *Service) beginOnce(ctx context.Context, c store.EdgeChange) error {
	c.Live, c.Conds = true, []kv.Cond{store.NeverEnded(c.Kind, c.Owner, c.Other)}
	_, err := s.change(ctx, c)
	if errors.Is(err, store.ErrCondition) {
		return nil
	}
	return err
}

// UpdateGroup changes a group, for its owners, and for moderators of the
// installation, whose act is logged. Invalid for a kind that it cannot become.
func (s *Service) UpdateGroup(ctx context.Context, me, id linnet.ID, c linnet.GroupChange) (linnet.UserView, error) {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return linnet.UserView{}, err
	}
	p := cleanProfile(linnet.ProfileChange{Name: c.Name, Note: c.Note})
	if err := checkProfile(p); err != nil {
		return linnet.UserView{}, err
	}
	mentions, err := s.profileMentions(ctx, me, p)
	if err != nil {
		return linnet.UserView{}, err
	}
	_, t, ok, err := s.st.UpdateUser(ctx, id, func(u *linnet.User) error {
		if c.Kind != nil {
			if !u.Group.Becomes(*c.Kind) {
				return linnet.FieldError("kind", "ERR_INCLUSION", "of a %v group cannot become %v", u.Group, *c.Kind)
			}
			setKind(u, *c.Kind)
		}
		set(&u.Name, p.Name)
		mentions.set(u, p)
		set(&u.Note, p.Note)
		return nil
	}, func(gone []string) (task.Task, error) {
		return s.tasks.New(id.Shard(), taskIndex, indexArgs{id, gone})
	})
	if err != nil {
		return linnet.UserView{}, kvError(err)
	}
	if !ok {
		return linnet.UserView{}, errNoGroup
	}
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	if staff {
		if err := s.st.LogAct(ctx, linnet.Act{ID: s.st.NewAct(), By: me, Act: linnet.EditGroup, On: id}); err != nil {
			return linnet.UserView{}, kvError(err)
		}
	}
	return s.User(ctx, id, id)
}

// mayRun says whether me may change or delete a group: an owner, or (staff) a
// moderator of the installation who does not own it.
func (s *Service) mayRun(ctx context.Context, me, id linnet.ID) (staff bool, err error) {
	g, err := s.standing(ctx, me, id)
	if err != nil || g.role == linnet.GroupOwner {
		return false, err
	}
	if _, err := s.staff(ctx, me); err != nil {
		return false, errNotOwner
	}
	return true, nil
}

// DeleteGroup deletes a group for ever, as the account of a person is deleted:
// from the answer on it does not exist, and the rest goes in passes. What people
// have posted for members alone stays theirs, and nobody else sees it any more.
func (s *Service) DeleteGroup(ctx context.Context, me, id linnet.ID) error {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return err
	}
	if !staff {
		return s.DeleteUser(ctx, id)
	}
	act := actArgs{ID: s.st.NewAct(), By: me, Act: linnet.Remove, On: id}
	return s.deleteUser(ctx, id, &act, func(*linnet.User) error { return nil })
}

// known leaves out of some users the groups that a viewer may not know of: chats,
// and with closed also private groups, unless the viewer is in them or invited.
func (s *Service) known(ctx context.Context, viewer linnet.ID, users []linnet.UserView, closed bool) ([]linnet.UserView, error) {
	var asked []linnet.ID
	secret := func(u *linnet.UserView) bool {
		return u.ID != viewer && (u.Group == linnet.Chat || closed && u.Group.Closed())
	}
	for i := range users {
		if secret(&users[i]) {
			asked = append(asked, users[i].ID)
		}
	}
	if len(asked) == 0 {
		return users, nil
	}
	b := s.st.Batch()
	in, offered := b.EdgeHas(record.Follows(), viewer, asked), b.EdgeHasOwner(record.GroupOffers(), viewer, asked)
	if err := b.Run(ctx); err != nil {
		return nil, kvError(err)
	}
	return slices.DeleteFunc(users, func(u linnet.UserView) bool {
		return secret(&u) && !in.Has(u.ID) && !offered.Has(u.ID)
	}), nil
}

// secretChats are those of some users that are chats of which a viewer may not
// know.
func (s *Service) secretChats(ctx context.Context, viewer linnet.ID, refs []*store.UserRef) (map[linnet.ID]bool, error) {
	var chats []linnet.UserView
	for _, ref := range refs {
		if ref.User != nil && ref.User.Group == linnet.Chat {
			chats = append(chats, linnet.UserView{User: *ref.User})
		}
	}
	if len(chats) == 0 {
		return nil, nil
	}
	secret := map[linnet.ID]bool{}
	for _, c := range chats {
		secret[c.ID] = true
	}
	known, err := s.known(ctx, viewer, chats, false)
	for _, c := range known {
		delete(secret, c.ID)
	}
	return secret, err
}
