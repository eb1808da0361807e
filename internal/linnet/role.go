package linnet

import (
	"strings"
)

// Permission is a set of permissions of staff, with Mastodon's numbers and names. Permissions
// without a meaning here don't exist. https://docs.joinmastodon.org/entities/Role/#permission-flags
type Permission uint64

// Permissions of staff.
const (
	Administrator       Permission = 1 << 0 // all permissions; only the built-in administrator role has it
	ViewDevops          Permission = 1 << 1
	ViewAuditLog        Permission = 1 << 2
	ViewDashboard       Permission = 1 << 3
	ManageReports       Permission = 1 << 4
	ManageSettings      Permission = 1 << 6
	ManageBlocks        Permission = 1 << 7
	ManageTaxonomies    Permission = 1 << 8
	ManageUsers         Permission = 1 << 10
	ManageInvites       Permission = 1 << 11
	ManageRules         Permission = 1 << 12
	ManageAnnouncements Permission = 1 << 13
	ManageCustomEmojis  Permission = 1 << 14
	InviteUsers         Permission = 1 << 16
	ManageRoles         Permission = 1 << 17
	ManageUserAccess    Permission = 1 << 18
	DeleteUserData      Permission = 1 << 19

	moderatorPermissions = ViewAuditLog | ViewDashboard | ManageReports | ManageTaxonomies | ManageUsers | ManageInvites | InviteUsers | DeleteUserData
)

// PermissionDoc has the name of a permission in Mastodon's documentation and in commands, and its
// name on pages.
type PermissionDoc struct {
	Permission Permission
	Name       string
	Title      string
	About      string
}

// AllPermissions returns the permissions in the order of pages.
func AllPermissions() []PermissionDoc {
	return []PermissionDoc{
		{Administrator, "administrator", "Administrator", "Can do everything."},
		{ViewDashboard, "view_dashboard", "View dashboard", "See the overview and its charts."},
		{ManageReports, "manage_reports", "Manage reports", "See, assign and resolve reports. Includes notifications of new reports."},
		{ManageUsers, "manage_users", "Manage users", "See account details. Approve, silence, disable and suspend members. Includes notifications of new sign-ups."},
		{ManageUserAccess, "manage_user_access", "Manage user access", "Create links that let members reset their password or turn off two-factor authentication. Needs “Manage users”."},
		{DeleteUserData, "delete_user_data", "Delete user data", "Permanently delete suspended accounts. Needs “Manage users”."},
		{ManageTaxonomies, "manage_taxonomies", "Manage trends", "Use an app to hide hashtags, links, sites and posts from trends, and to restrict hashtags."},
		{InviteUsers, "invite_users", "Invite users", "Create invitations without the limits that apply to members."},
		{ManageInvites, "manage_invites", "Manage invitations", "See and revoke all invitations."},
		{ViewAuditLog, "view_audit_log", "View audit log", "See the actions of staff."},
		{ManageSettings, "manage_settings", "Manage settings", "Change the settings, policies and terms of this server."},
		{ManageRules, "manage_rules", "Manage rules", "Change the rules of this server."},
		{ManageBlocks, "manage_blocks", "Manage sign-up blocks", "Block sign-ups by network, e-mail domain or address, and username."},
		{ManageAnnouncements, "manage_announcements", "Manage announcements", "Publish announcements for everyone."},
		{ManageCustomEmojis, "manage_custom_emojis", "Manage custom emoji", "Add, change and delete this server's emoji."},
		{ManageRoles, "manage_roles", "Manage roles", "Create and assign roles that have no more permissions than this role."},
		{ViewDevops, "view_devops", "Manage the server", "Manage background tasks and backups, and see the health of the server and the store."},
	}
}

// PermissionNamed returns the permission with a name of PermissionDoc.
func PermissionNamed(name string) (Permission, bool) {
	for _, d := range AllPermissions() {
		if d.Name == name {
			return d.Permission, true
		}
	}
	return 0, false
}

// Has reports whether all of some permissions are in the set.
func (p Permission) Has(all Permission) bool { return p&all == all }

// Any reports whether one of some permissions is in the set.
func (p Permission) Any(of Permission) bool { return p&of != 0 }

// Names returns the names of the permissions.
func (p Permission) Names() []string {
	names := []string{}
	for _, d := range AllPermissions() {
		if p.Has(d.Permission) {
			names = append(names, d.Name)
		}
	}
	return names
}

// String returns the names, separated by commas.
func (p Permission) String() string { return strings.Join(p.Names(), ", ") }

// Everything returns all permissions.
func Everything() (p Permission) {
	for _, d := range AllPermissions() {
		p |= d.Permission
	}
	return p
}

// Permissions returns the permissions of a built-in role.
func (r Role) Permissions() Permission {
	switch r {
	case Admin:
		return Everything()
	case Moderator:
		return moderatorPermissions
	}
	return 0
}

// String returns the name of the role in commands and the audit log.
func (r Role) String() string {
	return [...]string{"member", "moderator", "admin"}[min(r, Admin)]
}

// Limits of custom roles.
const (
	MaxRoles    = 20
	MaxRoleName = 40 // characters
)

// CustomRole is a role made by administrators. Its holders rank as moderators.
type CustomRole struct {
	ID          ID
	Name        string // unique without regard to case
	Colour      string // "#rrggbb", or "" for none
	Highlighted bool   // shown on profiles
	Permissions Permission
}

// CustomRoleView is a role with the number of its holders.
type CustomRoleView struct {
	CustomRole
	Holders int
}

// RoleChange creates or changes a role. Nil fields stay.
type RoleChange struct {
	Name        *string
	Colour      *string // see ParseColour; "" for none
	Highlighted *bool
	Permissions *Permission
}

// RoleSet has the custom roles of a version. It is immutable. The nil set is empty.
type RoleSet struct {
	Version uint64
	Roles   []CustomRole // in the order of their creation
}

// Find returns the role with an id, or nil if there is none.
func (s *RoleSet) Find(id ID) *CustomRole {
	return s.first(func(r *CustomRole) bool { return r.ID == id })
}

// Named returns the role with a name, regardless of case, or nil if there is none.
func (s *RoleSet) Named(name string) *CustomRole {
	return s.first(func(r *CustomRole) bool { return strings.EqualFold(r.Name, name) })
}

func (s *RoleSet) first(is func(*CustomRole) bool) *CustomRole {
	if s == nil {
		return nil
	}
	for i := range s.Roles {
		if is(&s.Roles[i]) {
			return &s.Roles[i]
		}
	}
	return nil
}

// Of returns the custom role of a user, or nil if the user has none or it is deleted.
func (s *RoleSet) Of(u *User) *CustomRole {
	if u.Custom == 0 {
		return nil
	}
	return s.Find(u.Custom)
}

// May returns the permissions of a user's role. A deleted role has none.
func (s *RoleSet) May(u *User) Permission {
	switch r := s.Of(u); {
	case r != nil:
		return r.Permissions
	case u.Custom != 0:
		return 0
	}
	return u.Role.Permissions()
}

// DeletedRole replaces the name of a deleted role.
const DeletedRole = "a deleted role"

// NameOf returns the name of a user's role in commands and the audit log.
func (s *RoleSet) NameOf(u *User) string {
	switch r := s.Of(u); {
	case r != nil:
		return r.Name
	case u.Custom != 0:
		return DeletedRole
	}
	return u.Role.String()
}

// ReservedRoleName reports whether a name could be taken for a built-in role, or for no role.
func ReservedRoleName(name string) bool {
	switch strings.ToLower(name) {
	case "member", "moderator", "admin", "administrator", "owner", "everybody", "everyone", "nobody":
		return true
	}
	return false
}

// Actor is the user or operator who performs a staff action or read. The operator runs commands on
// the server. An Actor has no permissions: core.Service decides them for each call. The zero Actor
// has no permission at all.
type Actor struct {
	id       ID
	session  string
	operator bool
}

// By returns a user as an actor. By(0) is the zero Actor.
func By(id ID) Actor { return Actor{id: id} }

// Operator returns the actor of commands on the server. It has all permissions of staff and of
// commands.
func Operator() Actor { return Actor{operator: true} }

// In returns the user as the actor in a session with this ID. Some actions need a recent
// confirmation of the password in it.
func (a Actor) In(session string) Actor {
	a.session = session
	return a
}

// IsOperator reports whether the actor is the operator, not a user.
func (a Actor) IsOperator() bool { return a.operator }

// ID returns the user's id, as in the audit log: 0 for the operator.
func (a Actor) ID() ID { return a.id }

// Session returns the ID of the session, or "" if none was given.
func (a Actor) Session() string { return a.session }
