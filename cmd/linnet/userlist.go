package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/moderation"
)

// maxUsersListed bounds what a list of users holds.
const maxUsersListed = 1_000_000

// userStates are the states that user list takes.
func userStates() []string {
	return []string{string(linnet.StateActive), string(linnet.StatePending), string(linnet.StateDisabled),
		string(linnet.StateSilenced), string(linnet.StateSensitized), string(linnet.StateSuspended)}
}

// stateName is the gravest of the states that a user is in.
func stateName(u *linnet.User) string {
	for _, st := range []linnet.AccountState{linnet.StateSuspended, linnet.StatePending, linnet.StateDisabled, linnet.StateSilenced, linnet.StateSensitized} {
		if u.InState(st) {
			return string(st)
		}
	}
	return string(linnet.StateActive)
}

// userList prints people, or groups, the oldest first.
func userList(ctx context.Context, c *call, b *backend) error {
	state := c.line.flags["state"]
	if state != "" && !slices.Contains(userStates(), state) {
		return usage(fmt.Sprintf("unknown state %q", state), didYouMean(state, userStates(), "", ""))
	}
	roles, err := b.svc.Core.Roles(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the roles: %w", err)
	}
	infos := []userInfo{}
	p := linnet.Page{Limit: 200}
	for len(infos) < maxUsersListed {
		page, err := b.svc.Moderation.Accounts(ctx, linnet.Operator(), moderation.AccountsQuery{State: linnet.AccountState(state), Groups: c.flag("groups")}, p)
		if err != nil {
			return fmt.Errorf("cannot list the users: %w", err)
		}
		for _, v := range page.Items {
			infos = append(infos, infoOf(v.UserView, roles))
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
