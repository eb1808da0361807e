package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// userInfo is the JSON form of a user.
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

func userInfoOf(v linnet.UserView, roles *linnet.RoleSet) userInfo {
	return userInfo{ID: v.ID, Login: v.Login, Name: v.Name, Role: roles.NameOf(&v.User), Created: v.ID.Time(),
		State: stateName(&v.User), Followers: v.Followers, Following: v.Following, Statuses: v.Statuses, URL: v.URL}
}

// parseRole parses a built-in role or a custom one in set.
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
	return m, exit.UsageError(fmt.Sprintf("unknown role %q", s), exit.DidYouMean(s, names, "", "Choose one of "+strings.Join(names, ", ")+"."))
}

func userCreate(ctx context.Context, c *call, b *backend.Backend) error {
	in := linnet.SignUp{Login: c.args()[0], Password: c.secret, Agreed: true}
	if c.flag("admin") {
		in.Role = linnet.Admin
	}
	u, err := b.App.Moderation.CreateUser(ctx, linnet.Operator(), in)
	if err != nil {
		return refused(fmt.Sprintf("cannot create the user %q", in.Login), err)
	}
	if err := noteAdmin(ctx, b, u.ID, in.Role); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "created %s %s\n", u.Role, u.Login)
	return err
}

// noteAdmin records that there is an administrator, which ends the offer of a setup link.
func noteAdmin(ctx context.Context, b *backend.Backend, id linnet.ID, r linnet.Role) error {
	if r != linnet.Admin {
		return nil
	}
	if err := b.App.Moderation.Setup.NoteAdmin(ctx, linnet.Operator(), id); err != nil {
		return fmt.Errorf("cannot record that there is an administrator: %w", err)
	}
	return nil
}

func userPassword(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	if err := b.App.Identity.SetPassword(ctx, linnet.Operator(), login, c.secret); err != nil {
		return refused(fmt.Sprintf("cannot set the password of %q", login), err)
	}
	_, err := fmt.Fprintf(c.stdout, "changed the password of %s and ended all sessions\n", login)
	return err
}

func userTwoFactorOff(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	if err := b.App.Identity.ResetTwoFactor(ctx, linnet.Operator(), login); err != nil {
		return refused(fmt.Sprintf("cannot turn off two-factor authentication of %q", login), err)
	}
	_, err := fmt.Fprintf(c.stdout, "%s can now log in with only the password\n", login)
	return err
}

// userResetLink prints a link that lets a user log in again.
func userResetLink(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	u, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), login)
	if err != nil {
		return refused(fmt.Sprintf("cannot create a link for %q", login), err)
	}
	address, link, err := b.App.Identity.OfferReset(ctx, linnet.Operator(), u.ID, c.flag("two-factor"), "")
	if err != nil {
		return refused(fmt.Sprintf("cannot create a link for %q", login), err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\nThe link works once and expires at %s. Send it only to %s.\n", address, link.Expires.Local().Format(time.DateTime), link.Login)
	return err
}

func userDelete(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	v, err := b.App.View.UserByLogin(ctx, 0, login)
	if err != nil {
		return refused(fmt.Sprintf("cannot delete the user %q", login), err)
	}
	if !c.flag("yes") {
		return exit.UsageError(fmt.Sprintf("this permanently deletes %s with %d posts, %d followers and %d followed accounts", v.Login, v.Statuses, v.Followers, v.Following),
			"To confirm, run the command again with --yes.")
	}
	if err := b.App.Moderation.DeleteAccount(ctx, linnet.Operator(), v.ID); err != nil {
		return refused(fmt.Sprintf("cannot delete the user %q", login), err)
	}
	_, err = fmt.Fprintf(c.stdout, "deleted %s; the remaining data is removed in the background\n", v.Login)
	return err
}

func userRole(ctx context.Context, c *call, b *backend.Backend) error {
	login := c.args()[0]
	set, err := b.App.Core.ReadRoles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	m, err := parseRole(c.args()[1], set)
	if err != nil {
		return err
	}
	id, err := moderateNamed(ctx, b, login, m)
	if err != nil {
		return refused(fmt.Sprintf("cannot set the role of %q", login), err)
	}
	if err := noteAdmin(ctx, b, id, m.Role); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s is now %s\n", login, set.NameOf(&linnet.User{Role: m.Role, Custom: m.Custom}))
	return err
}

func userShow(ctx context.Context, c *call, b *backend.Backend) error {
	found, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), c.args()[0])
	if err != nil {
		return refused(fmt.Sprintf("cannot show the user %q", c.args()[0]), err)
	}
	v, err := b.App.Moderation.Account(ctx, linnet.Operator(), found.ID)
	if err != nil {
		return refused(fmt.Sprintf("cannot show the user %q", c.args()[0]), err)
	}
	roles, err := b.App.Core.Roles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	u := userInfoOf(v.UserView, roles)
	if c.flag("json") {
		return printJSON(c.stdout, u)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "login\t%s\nname\t%s\nrole\t%s\nid\t%s\n", u.Login, orDash(u.Name), u.Role, u.ID)
	fmt.Fprintf(w, "created\t%s\nfollowers\t%d\nfollowing\t%d\nstatuses\t%d\npage\t%s\n",
		u.Created.Format(time.DateTime), u.Followers, u.Following, u.Statuses, u.URL)
	fmt.Fprintf(w, "state\t%s\n", u.State)
	if v.Reason != "" {
		fmt.Fprintf(w, "reason\t%s\n", v.Reason)
	}
	return w.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// maxUsersListed limits the number of listed users.
const maxUsersListed = 1_000_000

// userStates returns the states that user list accepts.
func userStates() []string {
	return []string{string(linnet.StateActive), string(linnet.StatePending), string(linnet.StateDisabled),
		string(linnet.StateSilenced), string(linnet.StateSensitized), string(linnet.StateSuspended)}
}

// stateName returns the most severe state of a user.
func stateName(u *linnet.User) string {
	for _, st := range []linnet.AccountState{linnet.StateSuspended, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized} {
		if u.InState(st) {
			return string(st)
		}
	}
	return string(linnet.StateActive)
}

// userList prints users or groups, oldest first.
func userList(ctx context.Context, c *call, b *backend.Backend) error {
	state := c.line.flags["state"]
	if state != "" && !slices.Contains(userStates(), state) {
		return exit.UsageError(fmt.Sprintf("unknown state %q", state), exit.DidYouMean(state, userStates(), "", ""))
	}
	roles, err := b.App.Core.Roles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	infos := []userInfo{}
	p := linnet.Page{Limit: 200}
	for len(infos) < maxUsersListed {
		page, err := b.App.Moderation.Accounts(ctx, linnet.Operator(), moderation.AccountsQuery{State: linnet.AccountState(state), Groups: c.flag("groups")}, p)
		if err != nil {
			return fmt.Errorf("cannot list the users: %w", err)
		}
		for _, v := range page.Items {
			infos = append(infos, userInfoOf(v.UserView, roles))
		}
		if p.Max = page.Last; p.Max == "" {
			break
		}
	}
	slices.Reverse(infos)
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LOGIN\tROLE\tSTATE\tCREATED\tSTATUSES\tFOLLOWERS\tFOLLOWING")
	for _, u := range infos {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\n", u.Login, u.Role, u.State, u.Created.Format(time.DateOnly), u.Statuses, u.Followers, u.Following)
	}
	return w.Flush()
}
