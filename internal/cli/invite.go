package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// inviteInfo is the JSON form of an invitation.
type inviteInfo struct {
	Code    string     `json:"code"`
	URL     string     `json:"url"`
	State   string     `json:"state"`
	Uses    int64      `json:"uses"`
	Most    int64      `json:"max_uses"`
	By      string     `json:"by,omitempty"`
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires"`
}

func inviteInfoOf(v linnet.InviteView) inviteInfo {
	i := inviteInfo{Code: v.Code, URL: v.URL, State: v.State, Uses: v.Uses, Most: v.Most, By: v.Maker, Created: v.Created}
	if !v.Expires.IsZero() {
		i.Expires = &v.Expires
	}
	return i
}

func inviteCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "invite create", act: inviteCreate, help: "Create an invitation and print its link", details: "Invited people need no approval, unless a sign-up block requires it. If sign-up is closed, this command opens it to invited people.",
			flags: []flagSpec{asJSON, {name: "uses", arg: "N", help: "Number of sign-ups allowed", details: "Default: 1."},
				{name: "expires", arg: "TIME", help: "Expire after this time, such as 12h or 7d", details: "Default: never."},
				{name: "by", arg: "NAME", help: "Invite in the name of this member"},
				{name: "collection", arg: "ID", help: "Let invited people follow this collection", details: "The collection must belong to the member that --by names. ID is the last part of the collection's address."}}},
		{name: "invite list", act: inviteList, help: "List invitations, newest first", flags: []flagSpec{asJSON}},
		{name: "invite revoke", args: "CODE", min: 1, max: 1, act: inviteRevoke, help: "Revoke an invitation, but keep accounts created with it"},
	}
}

func inviteCreate(ctx context.Context, c *call, b *backend.Backend) error {
	d := linnet.InviteDraft{By: c.line.flags["by"]}
	var err error
	if text := c.line.flags["uses"]; text != "" {
		if d.Uses, err = strconv.ParseInt(text, 10, 64); err != nil || d.Uses < 1 {
			return exit.UsageError(fmt.Sprintf("invalid value %q for --uses", text), fmt.Sprintf("Pass a number from 1 to %d.", linnet.MaxInviteUses))
		}
	}
	if text := c.line.flags["expires"]; text != "" {
		if d.For, err = parseDays(text); err != nil {
			return exit.UsageError(fmt.Sprintf("invalid value %q for --expires", text), "Pass a duration such as 12h or 7d.")
		}
	}
	if text := c.line.flags["collection"]; text != "" {
		id, ok := linnet.ParseID(text)
		if !ok || d.By == "" {
			return exit.UsageError(fmt.Sprintf("invalid value %q for --collection", text), "Pass the number at the end of the collection's address, and its owner with --by.")
		}
		d.Collection = id
	}
	v, err := b.App.Invites.Create(ctx, linnet.Operator(), d)
	if err != nil {
		return refused("cannot create the invitation", err)
	}
	if v.Opened {
		fmt.Fprintln(c.stderr, "Sign-up was closed and is now open to invited people. To close it: linnet instance set registrations=closed")
	}
	if c.flag("json") {
		return printJSON(c.stdout, inviteInfoOf(v))
	}
	_, err = fmt.Fprintln(c.stdout, v.URL)
	return err
}

// parseDays parses a positive duration, in days or in units of Go.
func parseDays(s string) (d time.Duration, err error) {
	if n, days := strings.CutSuffix(s, "d"); days {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 || count > 36500 {
			return 0, fmt.Errorf("not a number of days")
		}
		return time.Duration(count) * 24 * time.Hour, nil
	}
	if d, err = time.ParseDuration(s); err == nil && d <= 0 {
		err = fmt.Errorf("not greater than 0")
	}
	return d, err
}

func inviteList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Invites.All(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot list the invitations: %w", err)
	}
	infos := []inviteInfo{}
	for _, v := range all {
		infos = append(infos, inviteInfoOf(v))
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CODE\tSTATE\tUSES\tBY\tEXPIRES")
	for _, i := range infos {
		expires := "never"
		if i.Expires != nil {
			expires = i.Expires.Format(time.DateTime)
		}
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%s\t%s\n", i.Code, strings.Replace(i.State, "good", "active", 1), i.Uses, i.Most, orDash(i.By), expires)
	}
	return w.Flush()
}

func inviteRevoke(ctx context.Context, c *call, b *backend.Backend) error {
	if err := b.App.Invites.Revoke(ctx, linnet.Operator(), c.args()[0]); err != nil {
		return refused(fmt.Sprintf("cannot revoke the invitation %q", c.args()[0]), err)
	}
	_, err := fmt.Fprintln(c.stdout, "invitation revoked")
	return err
}
