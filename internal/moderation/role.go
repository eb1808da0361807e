package moderation

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/accounts"
	"linnet/internal/store/db"
	"linnet/internal/text"
	"linnet/internal/wording"
)

// Custom roles and their holders.

var (
	errNoRole      = linnet.Errorf(linnet.NotFound, "This role doesn't exist.")
	errOwnRole     = linnet.Errorf(linnet.Forbidden, "This is your own role. Only someone with another role can change it.")
	errAboveRole   = linnet.Errorf(linnet.Forbidden, "This role has permissions you don't have, so you can't change, delete or assign it.")
	errManyRoles   = linnet.Errorf(linnet.Invalid, "There can be at most %d roles. Delete one first.", linnet.MaxRoles)
	errManyStaff   = linnet.Errorf(linnet.Invalid, "At most %d people can have a role. Change someone back to a member first.", accounts.MaxStaff)
	errRoleDeleted = linnet.Errorf(linnet.Conflict, "This role was just deleted, so it can't be assigned.")
	errRaced       = errors.New("the role has changed since it was read")
)

// Roles returns the custom roles in the order of creation, for staff who manage roles.
func (s *Service) Roles(ctx context.Context, by linnet.Actor) ([]linnet.CustomRoleView, error) {
	if err := s.core.Authorize(ctx, by, linnet.ManageRoles); err != nil {
		return nil, err
	}
	set, err := s.core.ReadRoles(ctx)
	if err != nil {
		return nil, err
	}
	holders, err := s.roleHolders(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.CustomRoleView, len(set.Roles))
	for i, r := range set.Roles {
		out[i] = linnet.CustomRoleView{CustomRole: r, Holders: holders[r.ID]}
	}
	return out, nil
}

// roleHolders returns the number of holders of each custom role.
func (s *Service) roleHolders(ctx context.Context) (map[linnet.ID]int, error) {
	staff, err := s.core.StaffUsers(ctx)
	if err != nil {
		return nil, err
	}
	holders := map[linnet.ID]int{}
	for _, u := range staff {
		if u.Custom != 0 {
			holders[u.Custom]++
		}
	}
	return holders, nil
}

// WriteRole changes a role, or creates one if id is 0, and adds it to the audit log. The
// permissions of its holders change at once. by must be allowed to manage roles. It returns
// Forbidden for by's own role and for permissions that by lacks. An Invalid error names the field.
func (s *Service) WriteRole(ctx context.Context, by linnet.Actor, id linnet.ID, c linnet.RoleChange) (r linnet.CustomRole, err error) {
	acting, err := s.core.AuthorizeOn(ctx, by, linnet.ManageRoles, 0)
	if err != nil {
		return r, err
	}
	fresh := id == 0
	if fresh {
		id = s.st.Instance.NewRole()
	}
	logged := ""
	err = s.changeRoles(ctx, id, func(set *linnet.RoleSet) ([]linnet.CustomRole, error) {
		was := linnet.CustomRole{ID: id}
		if at := set.Find(id); at != nil {
			was = *at
		} else if !fresh {
			return nil, errNoRole
		}
		if err := mayChange(acting, &was); err != nil {
			return nil, err
		}
		if r, err = applyRole(acting, set, was, c); err != nil {
			return nil, err
		}
		if fresh && len(set.Roles) >= linnet.MaxRoles {
			return nil, errManyRoles
		}
		what, detail := roleSays(fresh, &was, &r)
		if detail == "" {
			return nil, errSame
		}
		if detail != logged {
			if err := s.core.LogAct(ctx, by, what, 0, detail, ""); err != nil {
				return nil, err
			}
			logged = detail
		}
		return withRole(set.Roles, r), nil
	})
	if err == errSame {
		err = nil
	}
	return r, err
}

// changeRoles writes the roles and notifies all servers. about is the changed role.
func (s *Service) changeRoles(ctx context.Context, about linnet.ID, change func(*linnet.RoleSet) ([]linnet.CustomRole, error)) error {
	set, err := s.st.Instance.ChangeRoles(ctx, change)
	if err != nil {
		return core.StoreError(err)
	}
	s.core.TakeRoles(set)
	s.core.Emit(ctx, about, core.Event{Type: core.EventRoles, Set: set.Version})
	return nil
}

// mayChange returns an error if by holds the role or lacks one of its permissions.
func mayChange(by core.Acting, r *linnet.CustomRole) error {
	switch {
	case by.As == r.ID:
		return errOwnRole
	case !by.May.Has(r.Permissions):
		return errAboveRole
	}
	return nil
}

// applyRole returns a role after a change.
func applyRole(by core.Acting, set *linnet.RoleSet, r linnet.CustomRole, c linnet.RoleChange) (linnet.CustomRole, error) {
	core.Set(&r.Highlighted, c.Highlighted)
	var all linnet.Faults
	if c.Name != nil || r.Name == "" {
		name := ""
		if c.Name != nil {
			name = *c.Name
		}
		var err error
		r.Name, err = checkRoleName(set, r.ID, name)
		all.Add(err)
	}
	if c.Colour != nil {
		if r.Colour = ""; text.Line(*c.Colour) != "" {
			colour, ok := linnet.ParseColour(*c.Colour)
			if !ok {
				all.Add(linnet.FieldError("colour", "ERR_INVALID", "is %q, but must be a colour such as #1b6e4f", *c.Colour))
			}
			r.Colour = colour.String()
		}
	}
	if c.Permissions != nil {
		if wrong := *c.Permissions &^ linnet.Everything(); wrong != 0 || c.Permissions.Any(linnet.Administrator) {
			all.Add(linnet.FieldError("permissions", "ERR_INCLUSION", "can't include “administrator”, which is reserved for the built-in role"))
		} else if above := *c.Permissions &^ by.May; above != 0 {
			all.Add(linnet.FieldError("permissions", "ERR_INCLUSION", "include %v, which you don't have yourself", above))
		}
		r.Permissions = *c.Permissions
	}
	return r, all.Err()
}

// checkRoleName normalizes the name of a role, or returns an error.
func checkRoleName(set *linnet.RoleSet, id linnet.ID, typed string) (string, error) {
	name := text.Line(typed)
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", linnet.FieldError("name", "ERR_BLANK", "can't be blank")
	case n > linnet.MaxRoleName || core.TooLong(typed, 4*linnet.MaxRoleName):
		return "", linnet.FieldError("name", "ERR_TOO_LONG", "has %d characters (maximum is %d)", n, linnet.MaxRoleName)
	case linnet.ReservedRoleName(name):
		return "", linnet.FieldError("name", "ERR_RESERVED", "is %q, which is reserved", name)
	}
	if other := set.Named(name); other != nil && other.ID != id {
		return "", linnet.FieldError("name", "ERR_TAKEN", "is %q, which another role already uses", name)
	}
	return name, core.CheckMarks("name", name)
}

// withRole returns the roles with one of them replaced or added.
func withRole(all []linnet.CustomRole, r linnet.CustomRole) []linnet.CustomRole {
	all = slices.Clone(all)
	for i := range all {
		if all[i].ID == r.ID {
			all[i] = r
			return all
		}
	}
	return append(all, r)
}

// roleSays returns the action and detail of the audit log for a new or changed role. detail is ""
// if nothing has changed.
func roleSays(fresh bool, was, is *linnet.CustomRole) (act linnet.Moderation, detail string) {
	says := core.Changes(roleParts(was), roleParts(is))
	if fresh {
		return core.ActAddRole, string(says)
	}
	if says != "" {
		detail = wording.Store("%s: %s", was.Name, says)
	}
	return core.ActChangeRole, detail
}

// roleParts returns the parts of a role for the audit log.
func roleParts(r *linnet.CustomRole) []core.Part {
	parts := []core.Part{{Name: wording.Messagef("Name"), Is: r.Name}, {Name: wording.Messagef("Colour"), Is: r.Colour}, {Name: wording.Messagef("Shown on profiles"), Is: r.Highlighted}}
	for _, d := range linnet.AllPermissions() {
		parts = append(parts, core.Part{Name: wording.Message(d.Title), Is: r.Permissions.Has(d.Permission)})
	}
	return parts
}

// roleWord returns the name of a user's role. Names of built-in roles are translated.
func roleWord(set *linnet.RoleSet, u *linnet.User) any {
	switch name := set.NameOf(u); {
	case name == linnet.DeletedRole:
		return wording.Messagef("a deleted role")
	case u.Custom != 0:
		return name
	}
	return builtInWord(u.Role)
}

func builtInWord(r linnet.Role) wording.Message {
	switch r {
	case linnet.Moderator:
		return wording.Messagef("moderator")
	case linnet.Admin:
		return wording.Messagef("admin")
	}
	return wording.Messagef("member")
}

// RemoveRole deletes a role without holders and adds that to the audit log. by must be allowed to
// manage roles. It returns NotFound if there is none and Conflict while it has holders.
func (s *Service) RemoveRole(ctx context.Context, by linnet.Actor, id linnet.ID) error {
	acting, err := s.core.AuthorizeOn(ctx, by, linnet.ManageRoles, 0)
	if err != nil {
		return err
	}
	holders, err := s.roleHolders(ctx)
	if err != nil {
		return err
	}
	logged := false
	err = s.changeRoles(ctx, id, func(set *linnet.RoleSet) ([]linnet.CustomRole, error) {
		r := set.Find(id)
		if r == nil {
			return nil, errNoRole
		}
		if err := mayChange(acting, r); err != nil {
			return nil, err
		}
		if n := holders[id]; n > 0 {
			return nil, errHeld(r.Name, n)
		}
		if !logged {
			if err := s.core.LogAct(ctx, by, core.ActDeleteRole, 0, string(core.Changes(roleParts(r), roleParts(&linnet.CustomRole{}))), ""); err != nil {
				return nil, err
			}
			logged = true
		}
		return slices.DeleteFunc(slices.Clone(set.Roles), func(o linnet.CustomRole) bool { return o.ID == id }), nil
	})
	if err != nil {
		return err
	}
	return s.demoteDeleted(ctx, by, id)
}

// demoteDeleted makes users members who were given a role while it was deleted. The deletion calls
// it afterwards, and giving a role checks afterwards that the role exists. So the later of the two
// sees the change of the other.
func (s *Service) demoteDeleted(ctx context.Context, by linnet.Actor, role linnet.ID) error {
	staff, err := s.core.StaffUsers(ctx)
	if err != nil {
		return err
	}
	for _, u := range staff {
		if u.Custom != role {
			continue
		}
		act := s.core.NewAct(by, linnet.GiveRole, u.ID)
		act.Detail = wording.Store("%s → %s", wording.Messagef("a deleted role"), builtInWord(linnet.Member))
		err = errors.Join(err, s.moderate(ctx, moderatedArgs{Act: act}, func(now *linnet.User) error {
			if now.Custom != role {
				return errSame
			}
			now.Role, now.Custom = linnet.Member, 0
			return nil
		}))
	}
	return err
}

func errHeld(name string, n int) error {
	if n == 1 {
		return linnet.Errorf(linnet.Conflict, "1 person has the role “%s”. Give them another role first. You can find them on the Staff page.", name)
	}
	return linnet.Errorf(linnet.Conflict, "%d people have the role “%s”. Give them another role first. You can find them on the Staff page.", n, name)
}

// giveRole gives an account a role. by must be allowed to manage roles and outrank the account, and
// must have all permissions of the role.
func (s *Service) giveRole(ctx context.Context, by linnet.Actor, acting core.Acting, m linnet.Measure, act core.ActArgs) error {
	set, err := s.core.ReadRoles(ctx)
	if err != nil {
		return err
	}
	to := linnet.User{Role: m.Role, Custom: m.Custom}
	if m.Custom != 0 {
		if to.Role = linnet.Moderator; set.Find(m.Custom) == nil {
			return linnet.FieldError("role", "ERR_INCLUSION", "doesn't exist")
		}
	}
	if !acting.May.Has(set.May(&to)) {
		return errAboveRole
	}
	u, err := s.core.LookupUser(ctx, act.On)
	if err == nil && u == nil {
		err = core.ErrNoUser
	}
	if err != nil {
		return err
	}
	for range db.MaxRaces {
		if to.Role.Staff() && !u.Role.Staff() {
			if ids, err := s.st.Accounts.Staff(ctx); err != nil || len(ids) >= accounts.MaxStaff {
				return errors.Join(err, errManyStaff)
			}
		}
		act.Detail = wording.Store("%s → %s", roleWord(set, u), roleWord(set, &to))
		err = s.moderate(ctx, moderatedArgs{Act: act}, func(now *linnet.User) error {
			switch {
			case !acting.Role.Over(now.Role):
				return core.ErrNotAllowed
			case !now.Person():
				return linnet.Errorf(linnet.Invalid, "%s is a group or an external feed and can't have a role.", now.Login)
			case now.Role == to.Role && now.Custom == to.Custom:
				return errSame
			case now.Role != u.Role || now.Custom != u.Custom: // the audit log entry is no longer correct
				u = &linnet.User{Role: now.Role, Custom: now.Custom}
				return errRaced
			}
			now.Role, now.Custom = to.Role, to.Custom
			return nil
		})
		if err == nil && m.Custom != 0 {
			return s.stillThere(ctx, by, m.Custom)
		}
		if !errors.Is(err, errRaced) {
			return err
		}
	}
	return db.TooManyRaces("role of user", act.On)
}

// stillThere checks that a role still exists after it was given. Otherwise it takes the role from
// its holders and returns Conflict.
func (s *Service) stillThere(ctx context.Context, by linnet.Actor, role linnet.ID) error {
	set, err := s.core.ReadRoles(ctx)
	if err != nil || set.Find(role) != nil {
		return err
	}
	return errors.Join(s.demoteDeleted(ctx, by, role), errRoleDeleted)
}
