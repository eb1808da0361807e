package admin

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// mayField is the prefix of the names of permission checkboxes.
const mayField = "may-"

// roleForm returns the form of a role. It offers the permissions of the reader.
func roleForm(c *page.Context, path, button string, r *linnet.CustomRole) *form.Form {
	f := form.New(c, path, button,
		form.Field{Kind: form.HeadingField, Name: "role", Label: c.Tr("Role")},
		form.Field{Kind: form.LineField, Name: "name", Label: c.Tr("Name"), Value: r.Name, Required: true, Hint: c.Tr("At most %d characters.", linnet.MaxRoleName)},
		form.Field{Kind: form.LineField, Name: "colour", Label: c.Tr("Colour"), Value: r.Colour, Hint: c.Tr("A colour such as #1b6e4f. Shown in apps and next to the role's name on profiles. Optional.")},
		form.Field{Kind: form.CheckField, Name: "highlighted", Label: c.Tr("Show the role on profiles"), On: r.Highlighted},
		form.Field{Kind: form.HeadingField, Name: "may", Label: c.Tr("Permissions")})
	for _, d := range permissionsToGive(c) {
		f.Fields = append(f.Fields, form.Field{Kind: form.CheckField, Name: mayField + d.Name, Label: c.Tr(d.Title), Hint: c.Tr(d.About), On: r.Permissions.Has(d.Permission)})
	}
	return f
}

// permissionsToGive returns the permissions that a role made by the reader can have.
func permissionsToGive(c *page.Context) (out []linnet.PermissionDoc) {
	for _, d := range linnet.AllPermissions() {
		if d.Permission != linnet.Administrator && c.May(d.Permission) {
			out = append(out, d)
		}
	}
	return out
}

// roleTyped reads the submitted role.
func roleTyped(c *page.Context) linnet.RoleChange {
	var may linnet.Permission
	for _, d := range permissionsToGive(c) {
		if *form.Checked(c, mayField+d.Name) {
			may |= d.Permission
		}
	}
	return linnet.RoleChange{Name: form.Text(c, "name"), Colour: form.Text(c, "colour"), Highlighted: form.Checked(c, "highlighted"), Permissions: &may}
}

// permissionWords returns the titles of permissions.
func permissionWords(c *page.Context, p linnet.Permission) string {
	var words []string
	for _, d := range linnet.AllPermissions() {
		if p.Has(d.Permission) {
			words = append(words, c.Tr(d.Title))
		}
	}
	if len(words) == 0 {
		return c.Tr("Same as members")
	}
	return strings.Join(words, c.Tr(", "))
}

// roles is the page of all roles.
func (h *Pages) roles(c *page.Context) (*form.Page, error) {
	all, err := h.Moderation.Roles(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Roles"), Head: []string{c.Tr("Name"), c.Tr("Permissions"), c.Tr("People"), c.Tr("Shown on profiles")}, Empty: c.Tr("No custom roles yet. Create the first one below.")}
	for _, r := range all {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(r.Name, paths.AdminRole(r.ID)), form.TextCell(permissionWords(c, r.Permissions)), form.CountCell(int64(r.Holders)), form.TextCell(page.YesNo(c, r.Highlighted))})
	}
	built := &form.Table{Caption: c.Tr("Built-in roles"), Head: []string{c.Tr("Name"), c.Tr("Permissions")}}
	for _, r := range []linnet.Role{linnet.Moderator, linnet.Admin} {
		may := permissionWords(c, r.Permissions())
		if r == linnet.Admin {
			may = c.Tr("Everything")
		}
		built.Rows = append(built.Rows, []form.Cell{form.TextCell(ui.Capitalize(c.Tr(builtInWords(r)))), form.TextCell(may)})
	}
	p := &form.Page{Title: c.Tr("Roles"), Path: paths.AdminRoles,
		Lead:  c.Tr("Roles give people permissions to help run this server. To assign a role, open a person's account under People. People with a role rank as moderators: only administrators can moderate them. You can create up to %d roles.", linnet.MaxRoles),
		Parts: []form.Section{{Title: c.Tr("Roles"), Table: t}, {Title: c.Tr("Built-in roles"), Text: c.Tr("Built-in roles can't be changed."), Table: built}}}
	if len(all) < linnet.MaxRoles {
		p.Form = roleForm(c, paths.AdminRoles, c.Tr("Add"), &linnet.CustomRole{})
		p.Parts = append(p.Parts, form.Section{ID: "add", Title: c.Tr("New role"), Form: p.Form})
	}
	return p, nil
}

func (h *Pages) addRole(c *page.Context) (string, error) {
	_, err := h.Moderation.WriteRole(c.Request.Context(), c.Actor(), 0, roleTyped(c))
	return form.Saved(paths.AdminRoles), err
}

// roleInPath returns the role in the path.
func (h *Pages) roleInPath(c *page.Context) (linnet.CustomRoleView, error) {
	all, err := h.Moderation.Roles(c.Request.Context(), c.Actor())
	if err != nil {
		return linnet.CustomRoleView{}, err
	}
	for _, r := range all {
		if r.ID.String() == c.Request.PathValue("id") {
			return r, nil
		}
	}
	return linnet.CustomRoleView{}, page.NotFound()
}

func (h *Pages) role(c *page.Context) (*form.Page, error) {
	r, err := h.roleInPath(c)
	if err != nil {
		return nil, err
	}
	d := &form.Page{Title: r.Name, Path: paths.AdminRoles, Back: &form.Link{Path: paths.AdminRoles, Text: c.Tr("All roles")},
		Parts: []form.Section{{Facts: []form.Fact{{Name: c.Tr("People"), Is: form.CountCell(int64(r.Holders))}, {Name: c.Tr("Permissions"), Is: form.TextCell(permissionWords(c, r.Permissions))}}}}}
	switch {
	case c.Me.Custom == r.ID:
		d.Lead = c.Tr("This is your own role. Only someone with another role can change it.")
	case !c.May(r.Permissions):
		d.Lead = c.Tr("This role has permissions you don't have, so you can't change it.")
	default:
		away := form.Button(c, paths.AdminRole(r.ID), c.Tr("Delete"), c.Tr("Delete the role %s", r.Name), "do", "delete")
		away.Grave = true
		last := form.Section{Title: c.Tr("Delete"), Text: c.Tr("You can only delete a role that no one has."), Form: away}
		if r.Holders > 0 {
			last.Text, last.Form = c.Tr("You can only delete a role that no one has. Give everyone with this role another role first."), nil
			if c.May(linnet.ManageUsers) {
				last.Links = []form.Link{{Path: paths.AdminUsers + "?staff=1", Text: c.Tr("Staff")}}
			}
		}
		d.Form = roleForm(c, paths.AdminRole(r.ID), c.Tr("Save"), &r.CustomRole)
		d.Parts = append(d.Parts, form.Section{Title: c.Tr("Change"), Text: c.Tr("Changes apply immediately to everyone with this role."), Form: d.Form}, last)
	}
	return d, nil
}

// changeRole changes or deletes the role in the path.
func (h *Pages) changeRole(c *page.Context) (string, error) {
	r, err := h.roleInPath(c)
	if err != nil {
		return "", err
	}
	if c.Typed("do") == "delete" {
		return form.Saved(paths.AdminRoles), h.Moderation.RemoveRole(c.Request.Context(), c.Actor(), r.ID)
	}
	_, err = h.Moderation.WriteRole(c.Request.Context(), c.Actor(), r.ID, roleTyped(c))
	return form.Saved(paths.AdminRole(r.ID)), err
}
