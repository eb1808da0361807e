package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// roleCommands returns the commands for custom roles.
func roleCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "role list", act: roleList, help: "List custom roles", flags: []flagSpec{asJSON}},
		{name: "role add", args: "ROLE [KEY=VALUE…]", min: 1, max: -1, act: roleAdd, flags: []flagSpec{asJSON},
			help: "Create a custom role", details: "KEY is name, colour, highlighted (true or false) or permissions (separated by commas)."},
		{name: "role edit", args: "ROLE KEY=VALUE…", min: 2, max: -1, act: roleEdit, flags: []flagSpec{asJSON}, help: "Change a custom role", details: "KEY is any key that \"role add\" accepts."},
		{name: "role remove", args: "ROLE", min: 1, max: 1, act: roleRemove, help: "Remove an unused custom role"},
	}
}

// customRoleInfo is the JSON form of a custom role.
type customRoleInfo struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Colour      string   `json:"colour"`
	Highlighted bool     `json:"highlighted"`
	Permissions []string `json:"permissions"`
	Holders     int      `json:"holders"`
}

func customRoleInfoOf(r linnet.CustomRoleView) customRoleInfo {
	return customRoleInfo{r.ID.String(), r.Name, r.Colour, r.Highlighted, r.Permissions.Names(), r.Holders}
}

func roleList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Moderation.Roles(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot list the roles: %w", err)
	}
	infos := make([]customRoleInfo, len(all))
	for i, r := range all {
		infos[i] = customRoleInfoOf(r)
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, r := range infos {
		shown := "not shown"
		if r.Highlighted {
			shown = "shown"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", r.Name, r.Holders, orDash(r.Colour), shown, orDash(strings.Join(r.Permissions, ",")))
	}
	return w.Flush()
}

// roleNamed returns the role with a name.
func roleNamed(ctx context.Context, b *backend.Backend, name string) (linnet.CustomRoleView, error) {
	all, err := b.App.Moderation.Roles(ctx, linnet.Operator())
	if err != nil {
		return linnet.CustomRoleView{}, err
	}
	names := make([]string, len(all))
	for i, r := range all {
		if names[i] = r.Name; strings.EqualFold(r.Name, name) {
			return r, nil
		}
	}
	return linnet.CustomRoleView{}, &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no role %q", name), Advice: exit.DidYouMean(name, names, "", "See linnet role list.")}
}

func roleAdd(ctx context.Context, c *call, b *backend.Backend) error {
	name := c.args()[0]
	change, err := roleChange(c.args()[1:])
	if err != nil {
		return err
	}
	if change.Name == nil {
		change.Name = &name
	}
	r, err := b.App.Moderation.WriteRole(ctx, linnet.Operator(), 0, change)
	if err != nil {
		return refused(fmt.Sprintf("cannot create the role %q", name), err)
	}
	return c.printRole(r, 0, "created")
}

func roleEdit(ctx context.Context, c *call, b *backend.Backend) error {
	change, err := roleChange(c.args()[1:])
	if err != nil {
		return err
	}
	was, err := roleNamed(ctx, b, c.args()[0])
	if err != nil {
		return err
	}
	r, err := b.App.Moderation.WriteRole(ctx, linnet.Operator(), was.ID, change)
	if err != nil {
		return refused(fmt.Sprintf("cannot change the role %q", was.Name), err)
	}
	return c.printRole(r, was.Holders, "changed")
}

// printRole prints the permissions of a role.
func (c *call) printRole(r linnet.CustomRole, holders int, did string) error {
	if c.flag("json") {
		return printJSON(c.stdout, customRoleInfoOf(linnet.CustomRoleView{CustomRole: r, Holders: holders}))
	}
	_, err := fmt.Fprintf(c.stdout, "%s %s: %s\n", did, r.Name, orDash(r.Permissions.String()))
	return err
}

func roleRemove(ctx context.Context, c *call, b *backend.Backend) error {
	r, err := roleNamed(ctx, b, c.args()[0])
	if err != nil {
		return err
	}
	if err := b.App.Moderation.RemoveRole(ctx, linnet.Operator(), r.ID); err != nil {
		return refused(fmt.Sprintf("cannot remove the role %q", r.Name), err)
	}
	_, err = fmt.Fprintf(c.stdout, "removed %s\n", r.Name)
	return err
}

// roleChange parses KEY=VALUE pairs into a change of a role.
func roleChange(pairs []string) (change linnet.RoleChange, err error) {
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return change, exit.UsageError(fmt.Sprintf("%q does not have the form KEY=VALUE", pair), "For example: linnet role edit Helper permissions=manage_reports,manage_users.")
		}
		switch key {
		case "name":
			change.Name = &value
		case "colour":
			change.Colour = &value
		case "highlighted":
			yes, err := strconv.ParseBool(value)
			if err != nil {
				return change, exit.UsageError(fmt.Sprintf("highlighted must be true or false, not %q", value), "")
			}
			change.Highlighted = &yes
		case "permissions":
			var may linnet.Permission
			for name := range strings.SplitSeq(value, ",") {
				if name = strings.TrimSpace(name); name == "" {
					continue
				}
				p, ok := linnet.PermissionNamed(name)
				if !ok {
					names := (linnet.Everything() &^ linnet.Administrator).Names()
					return change, exit.UsageError(fmt.Sprintf("there is no permission %q", name), exit.DidYouMean(name, names, "", "Permissions: "+strings.Join(names, ", ")+"."))
				}
				may |= p
			}
			change.Permissions = &may
		default:
			return change, exit.UsageError(fmt.Sprintf("roles have no key %q", key), exit.DidYouMean(key, []string{"name", "colour", "highlighted", "permissions"}, "", "Keys: name, colour, highlighted, permissions."))
		}
	}
	return change, nil
}
