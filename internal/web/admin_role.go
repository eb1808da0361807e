package web

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Roles that administrators make.

// mayField begins the names of the boxes for permissions.
const mayField = "may-"

// roleForm returns the form of a role. It offers the permissions of the reader.
func roleForm(c *call, path, button string, r *linnet.CustomRole) *form {
	f := startForm(c, path, button,
		field{Kind: headField, Name: "role", Label: c.tr("Role")},
		field{Kind: lineField, Name: "name", Label: c.tr("Name"), Value: r.Name, Required: true, Hint: c.tr("At most %d characters.", linnet.MaxRoleName)},
		field{Kind: lineField, Name: "colour", Label: c.tr("Colour"), Value: r.Colour, Hint: c.tr("For example #1b6e4f. Shown in apps and next to the role's name on profiles. Optional.")},
		field{Kind: checkField, Name: "highlighted", Label: c.tr("Show the role on profiles"), On: r.Highlighted},
		field{Kind: headField, Name: "may", Label: c.tr("Permissions")})
	for _, d := range permissionsToGive(c) {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: mayField + d.Name, Label: c.tr(d.Title), Hint: c.tr(d.About), On: r.Permissions.Has(d.Permission)})
	}
	return f
}

// permissionsToGive returns the permissions that a role made by the reader can have.
func permissionsToGive(c *call) (out []linnet.PermissionDoc) {
	for _, d := range linnet.AllPermissions() {
		if d.Permission != linnet.Administrator && c.may(d.Permission) {
			out = append(out, d)
		}
	}
	return out
}

// roleTyped is what the form says.
func roleTyped(c *call) linnet.RoleChange {
	var may linnet.Permission
	for _, d := range permissionsToGive(c) {
		if *ticked(c, mayField+d.Name) {
			may |= d.Permission
		}
	}
	return linnet.RoleChange{Name: typedIn(c, "name"), Colour: typedIn(c, "colour"), Highlighted: ticked(c, "highlighted"), Permissions: &may}
}

// permissionWords are the titles of permissions.
func permissionWords(c *call, p linnet.Permission) string {
	var words []string
	for _, d := range linnet.AllPermissions() {
		if p.Has(d.Permission) {
			words = append(words, c.tr(d.Title))
		}
	}
	if len(words) == 0 {
		return c.tr("same as members")
	}
	return strings.Join(words, c.tr(", "))
}

func newRoleForm(c *call) *form {
	return roleForm(c, paths.AdminRoles, c.tr("Add"), &linnet.CustomRole{})
}

func (h *adminPages) roles(c *call) error { return h.showRoles(c, newRoleForm(c)) }

func (h *adminPages) showRoles(c *call, f *form) error {
	all, err := h.moderation.Roles(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Roles"), Head: []string{c.tr("Name"), c.tr("Permissions"), c.tr("People"), c.tr("Shown on profiles")}, Empty: c.tr("No custom roles yet.")}
	for _, r := range all {
		t.Rows = append(t.Rows, []cell{linkCell(r.Name, paths.AdminRole(r.ID)), textCell(permissionWords(c, r.Permissions)), countCell(int64(r.Holders)), textCell(yesNo(c, r.Highlighted))})
	}
	built := &table{Caption: c.tr("Built-in roles"), Head: []string{c.tr("Name"), c.tr("Permissions")}}
	for _, r := range []linnet.Role{linnet.Moderator, linnet.Admin} {
		may := permissionWords(c, r.Permissions())
		if r == linnet.Admin {
			may = c.tr("Everything")
		}
		built.Rows = append(built.Rows, []cell{textCell(ui.Capitalize(c.tr(builtInWords(r)))), textCell(may)})
	}
	parts := []formSection{{Title: c.tr("Roles"), Table: t}, {Title: c.tr("Built-in roles"), Text: c.tr("Built-in roles can't be changed."), Table: built}}
	if len(all) < linnet.MaxRoles {
		parts = append(parts, formSection{ID: "add", Title: c.tr("New role"), Form: f})
	}
	return showAdmin(c, f.code(), c.tr("Roles"), paths.AdminRoles, formPage{Parts: parts,
		Lead: c.tr("Roles give people permissions to help run this server. To assign a role, open a person's account under People. People with a role rank as moderators: only administrators can moderate them. You can create up to %d roles.", linnet.MaxRoles)})
}

func yesNo(c *call, yes bool) string { return ui.Either(yes, c.tr("yes"), c.tr("no")) }

func (h *adminPages) addRole(c *call) error {
	_, err := h.moderation.WriteRole(c.r.Context(), c.by(), 0, roleTyped(c))
	if err == nil {
		return saved(c, paths.AdminRoles)
	}
	if f := newRoleForm(c); f.refused(err, nil) {
		return h.showRoles(c, f)
	}
	return err
}

// roleInPath is the role that the path names.
func (h *adminPages) roleInPath(c *call) (linnet.CustomRoleView, error) {
	all, err := h.moderation.Roles(c.r.Context(), c.by())
	if err != nil {
		return linnet.CustomRoleView{}, err
	}
	for _, r := range all {
		if r.ID.String() == c.r.PathValue("id") {
			return r, nil
		}
	}
	return linnet.CustomRoleView{}, errNowhere()
}

func (h *adminPages) customRole(c *call) error {
	r, err := h.roleInPath(c)
	if err != nil {
		return err
	}
	return showRole(c, r, roleForm(c, paths.AdminRole(r.ID), c.tr("Save"), &r.CustomRole))
}

func showRole(c *call, r linnet.CustomRoleView, f *form) error {
	d := formPage{Back: &navLink{Path: paths.AdminRoles, Text: c.tr("All roles")},
		Parts: []formSection{{Facts: []fact{{c.tr("People"), countCell(int64(r.Holders))}, {c.tr("Permissions"), textCell(permissionWords(c, r.Permissions))}}}}}
	switch {
	case c.me.Custom == r.ID:
		d.Lead = c.tr("This is your own role. Only someone with another role can change it.")
	case !c.may(r.Permissions):
		d.Lead = c.tr("This role has permissions you don't have, so you can't change it.")
	default:
		away := button(c, paths.AdminRole(r.ID), c.tr("Delete"), c.tr("Delete the role %s", r.Name), "do", "delete")
		away.Grave = true
		last := formSection{Title: c.tr("Delete"), Text: c.tr("You can only delete a role that no one has."), Form: away}
		if r.Holders > 0 {
			last.Text, last.Form = c.tr("You can only delete a role that no one has. Assign its members another one first."), nil
			if c.may(linnet.ManageUsers) {
				last.Links = []navLink{{Path: paths.AdminUsers + "?staff=1", Text: c.tr("Staff")}}
			}
		}
		d.Parts = append(d.Parts, formSection{Title: c.tr("Change"), Text: c.tr("Changes apply immediately to everyone with this role."), Form: f}, last)
	}
	return showAdmin(c, f.code(), r.Name, paths.AdminRoles, d)
}

// changeRole changes or deletes the role that the path names.
func (h *adminPages) changeRole(c *call) error {
	r, err := h.roleInPath(c)
	if err != nil {
		return err
	}
	if c.typed("do") == "delete" {
		if err := h.moderation.RemoveRole(c.r.Context(), c.by(), r.ID); err != nil {
			return err
		}
		return saved(c, paths.AdminRoles)
	}
	if _, err = h.moderation.WriteRole(c.r.Context(), c.by(), r.ID, roleTyped(c)); err == nil {
		return saved(c, paths.AdminRole(r.ID))
	}
	if f := roleForm(c, paths.AdminRole(r.ID), c.tr("Save"), &r.CustomRole); f.refused(err, nil) {
		return showRole(c, r, f)
	}
	return err
}
