package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"linnet/internal/linnet"
)

// userInfo is how a user is printed with --json.
type userInfo struct {
	ID        linnet.ID `json:"id,string"`
	Login     string    `json:"login"`
	Name      string    `json:"name,omitempty"`
	Role      string    `json:"role"`
	Created   time.Time `json:"created"`
	State     string    `json:"state"`
	Followers int64     `json:"followers"`
	Following int64     `json:"following"`
	Statuses  int64     `json:"statuses"`
	URL       string    `json:"url"`
}

func infoOf(v linnet.UserView, roles *linnet.RoleSet) userInfo {
	return userInfo{ID: v.ID, Login: v.Login, Name: v.Name, Role: roles.NameOf(&v.User), Created: v.ID.Time(),
		State: stateName(&v.User), Followers: v.Followers, Following: v.Following, Statuses: v.Statuses, URL: v.URL}
}

// parseRole reads a role: a built-in one, or one of set.
func parseRole(s string, set *linnet.RoleSet) (m linnet.Measure, err error) {
	var names []string
	for r := linnet.Member; r <= linnet.Admin; r++ {
		if r.String() == s {
			return linnet.Measure{Act: linnet.GiveRole, Role: r}, nil
		}
		names = append(names, r.String())
	}
	if r := set.Named(s); r != nil {
		return linnet.Measure{Act: linnet.GiveRole, Custom: r.ID}, nil
	}
	for _, r := range set.Roles {
		names = append(names, r.Name)
	}
	return m, usage(fmt.Sprintf("unknown role %q", s), didYouMean(s, names, "", "It is one of "+strings.Join(names, ", ")+"."))
}

func userCreate(ctx context.Context, c *call, b *backend) error {
	in := linnet.SignUp{Login: c.args()[0], Password: c.secret, Agreed: true}
	if c.flag("admin") {
		in.Role = linnet.Admin
	}
	u, err := b.svc.Moderation.CreateUser(ctx, linnet.Operator(), in)
	if err != nil {
		return refused(fmt.Sprintf("cannot create the user %q", in.Login), err)
	}
	if err := b.noteAdmin(ctx, u.ID, in.Role); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "made %s %s\n", u.Role, u.Login)
	return err
}

// noteAdmin ends the offer of a set-up link once there is an administrator.
func (b *backend) noteAdmin(ctx context.Context, id linnet.ID, r linnet.Role) error {
	if r != linnet.Admin {
		return nil
	}
	if err := b.svc.Moderation.NoteAdmin(ctx, linnet.Operator(), id); err != nil {
		return fmt.Errorf("cannot record that there is an administrator: %w", err)
	}
	return nil
}

func userPassword(ctx context.Context, c *call, b *backend) error {
	login := c.args()[0]
	if err := b.svc.Identity.SetPassword(ctx, linnet.Operator(), login, c.secret); err != nil {
		return refused(fmt.Sprintf("cannot set the password of %q", login), err)
	}
	_, err := fmt.Fprintf(c.stdout, "changed the password of %s and ended all sessions\n", login)
	return err
}

func userTwoFactorOff(ctx context.Context, c *call, b *backend) error {
	login := c.args()[0]
	if err := b.svc.Identity.ResetTwoFactor(ctx, linnet.Operator(), login); err != nil {
		return refused(fmt.Sprintf("cannot turn off two-factor authentication of %q", login), err)
	}
	_, err := fmt.Fprintf(c.stdout, "%s can now log in with the password alone\n", login)
	return err
}

// userResetLink makes a link by which somebody gets in again.
func userResetLink(ctx context.Context, c *call, b *backend) error {
	login := c.args()[0]
	u, err := b.svc.Moderation.AccountNamed(ctx, linnet.Operator(), login)
	if err != nil {
		return refused(fmt.Sprintf("cannot create a link for %q", login), err)
	}
	address, link, err := b.svc.Identity.OfferReset(ctx, linnet.Operator(), u.ID, c.flag("two-factor"), "")
	if err != nil {
		return refused(fmt.Sprintf("cannot create a link for %q", login), err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\nThe link works once and expires at %s. Send it only to %s.\n", address, link.Expires.Local().Format(time.DateTime), link.Login)
	return err
}

func userDelete(ctx context.Context, c *call, b *backend) error {
	login := c.args()[0]
	v, err := b.svc.View.UserByLogin(ctx, 0, login)
	if err != nil {
		return refused(fmt.Sprintf("cannot delete the user %q", login), err)
	}
	if !c.flag("yes") {
		return usage(fmt.Sprintf("this permanently deletes %s with %d posts, %d followers and %d followed accounts", v.Login, v.Statuses, v.Followers, v.Following),
			"Run it again with --yes.")
	}
	if err := b.svc.Moderation.DeleteAccount(ctx, linnet.Operator(), v.ID); err != nil {
		return refused(fmt.Sprintf("cannot delete the user %q", login), err)
	}
	_, err = fmt.Fprintf(c.stdout, "deleted %s; the remaining data is removed in the background\n", v.Login)
	return err
}

func userRole(ctx context.Context, c *call, b *backend) error {
	login := c.args()[0]
	set, err := b.svc.Core.ReadRoles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	m, err := parseRole(c.args()[1], set)
	if err != nil {
		return err
	}
	id, err := b.moderateNamed(ctx, login, m)
	if err != nil {
		return refused(fmt.Sprintf("cannot set the role of %q", login), err)
	}
	if err := b.noteAdmin(ctx, id, m.Role); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s is %s now\n", login, set.NameOf(&linnet.User{Role: m.Role, Custom: m.Custom}))
	return err
}

func userShow(ctx context.Context, c *call, b *backend) error {
	found, err := b.svc.Moderation.AccountNamed(ctx, linnet.Operator(), c.args()[0])
	if err != nil {
		return refused(fmt.Sprintf("cannot show the user %q", c.args()[0]), err)
	}
	v, err := b.svc.Moderation.Account(ctx, linnet.Operator(), found.ID)
	if err != nil {
		return refused(fmt.Sprintf("cannot show the user %q", c.args()[0]), err)
	}
	roles, err := b.svc.Core.Roles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	u := infoOf(v.UserView, roles)
	if c.flag("json") {
		return printJSON(c.stdout, u)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "login\t%s\nname\t%s\nrole\t%s\nid\t%s\n", u.Login, orDash(u.Name), u.Role, u.ID)
	fmt.Fprintf(w, "created\t%s\nfollowers\t%d\nfollowing\t%d\nstatuses\t%d\npage\t%s\n",
		u.Created.Format(time.DateTime), u.Followers, u.Following, u.Statuses, u.URL)
	fmt.Fprintf(w, "state\t%s\n", u.State)
	if v.Reason != "" {
		fmt.Fprintf(w, "asked\t%s\n", v.Reason)
	}
	return w.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
