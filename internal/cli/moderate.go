package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
	"linnet/internal/wording"
)

// moderateCommand returns a command that acts on an account.
func moderateCommand(name string, act func(context.Context, *call, *backend.Backend) error, help, details string) command {
	return command{name: name, args: "NAME", min: 1, max: 1, act: act, help: help, details: details,
		flags: []flagSpec{{name: "reason", arg: "TEXT", help: "Reason to record in the audit log"}}}
}

// strikeCommand returns a command that acts against an account, so that its owner is notified.
func strikeCommand(name string, act linnet.Moderation, help, details string) command {
	cmd := moderateCommand(name, userModerate(act), help, details)
	cmd.flags = strikeFlags()
	return cmd
}

// moderationCommands returns the commands for accounts, in the order of the help.
func moderationCommands() []command {
	return []command{
		strikeCommand("user warn", linnet.Warn, "Warn the owner of an account", ""),
		strikeCommand("user suspend", linnet.Suspend, "Suspend an account", "The server hides the profile, posts and files, and rejects logins, sessions and tokens. After \"user unsuspend\", everything is visible again and existing sessions and tokens work again."),
		moderateCommand("user unsuspend", userModerate(linnet.Unsuspend), "Restore a suspended account", ""),
		strikeCommand("user silence", linnet.Silence, "Limit the reach of an account", "The account's posts are hidden from public timelines and trends, and from the search results of people who do not follow the account. By default, only followers get notifications from the account. The profile stays visible."),
		moderateCommand("user unsilence", userModerate(linnet.Unsilence), "Remove the limits of a silenced account", ""),
		strikeCommand("user sensitive", linnet.Sensitize, "Show all posts of an account as sensitive", "Posts published in the meantime stay marked as sensitive after \"user unsensitive\"."),
		moderateCommand("user unsensitive", userModerate(linnet.Unsensitize), "Stop showing an account's posts as sensitive", ""),
		strikeCommand("user disable", linnet.Disable, "Disable an account", "The server rejects logins, sessions and apps of the account until \"user enable\". The profile and posts stay visible."),
		moderateCommand("user enable", userModerate(linnet.Enable), "Enable a disabled account", ""),
		moderateCommand("user approve", userModerate(linnet.Approve), "Approve a pending sign-up", ""),
		moderateCommand("user reject", userModerate(linnet.Reject), "Reject a pending sign-up", "The rejection cannot be undone, and the username cannot be used again."),
	}
}

// userModerate returns the action of a moderation command.
func userModerate(act linnet.Moderation) func(context.Context, *call, *backend.Backend) error {
	return func(ctx context.Context, c *call, b *backend.Backend) error {
		login := c.args()[0]
		m, err := measureOf(c, act)
		if err != nil {
			return err
		}
		if _, err := moderateNamed(ctx, b, login, m); err != nil {
			word := string(act)
			if act == linnet.Warn {
				word = "warn"
			}
			return refused(fmt.Sprintf("cannot %s %q", word, login), err)
		}
		if act == linnet.Reject {
			_, err := fmt.Fprintf(c.stdout, "%s was rejected\n", login)
			return err
		}
		u, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), login)
		if err != nil {
			return refused(fmt.Sprintf("cannot read the user %q", login), err)
		}
		_, err = fmt.Fprintf(c.stdout, "%s is now %s\n", u.Login, stateName(u))
		return err
	}
}

// moderateNamed moderates the account with a username and returns its id.
func moderateNamed(ctx context.Context, b *backend.Backend, login string, m linnet.Measure) (linnet.ID, error) {
	u, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), login)
	if err != nil {
		return 0, err
	}
	m.On = u.ID
	return u.ID, b.App.Moderation.Moderate(ctx, linnet.Operator(), m)
}

// actInfo is the JSON form of an entry of the audit log.
type actInfo struct {
	ID     linnet.ID `json:"id,string"`
	At     time.Time `json:"at"`
	By     string    `json:"by"` // a login, or "command"
	Act    string    `json:"act"`
	On     string    `json:"on,omitempty"`
	Report string    `json:"report,omitempty"`
	Detail string    `json:"detail,omitempty"`
	Reason string    `json:"reason,omitempty"`
}

func actInfoOf(v linnet.ActView) actInfo {
	info := actInfo{ID: v.ID, At: v.At, By: "command", Act: string(v.Act.Act), Detail: wording.Message(v.Detail).String(), Reason: v.Reason}
	if v.By != 0 {
		info.By = v.By.String()
	}
	if v.ByUser != nil {
		info.By = v.ByUser.Login
	}
	if v.On != 0 {
		info.On = v.On.String()
	}
	if v.OnUser != nil {
		info.On = v.OnUser.Login
	}
	if v.Report != 0 {
		info.Report = v.Report.String()
	}
	return info
}

// auditList prints the audit log, newest first.
func auditList(ctx context.Context, c *call, b *backend.Backend) error {
	most, err := strconv.Atoi(cmp.Or(c.line.flags["limit"], "100"))
	if err != nil || most < 1 {
		return exit.UsageError(fmt.Sprintf("--limit must be a number of at least 1, not %q", c.line.flags["limit"]), "")
	}
	infos := []actInfo{}
	p := linnet.Page{Limit: 200}
	for len(infos) < most {
		page, err := b.App.Moderation.Acts(ctx, linnet.Operator(), p)
		if err != nil {
			return fmt.Errorf("cannot read the audit log: %w", err)
		}
		for _, v := range page.Items {
			infos = append(infos, actInfoOf(v))
		}
		if p.Max = page.Last; p.Max == "" {
			break
		}
	}
	infos = infos[:min(most, len(infos))]
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIME\tBY\tACTION\tTARGET\tREASON")
	for _, a := range infos {
		act := a.Act
		if a.Detail != "" {
			act += " " + a.Detail
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", a.At.Format(time.DateTime), a.By, act, orDash(a.On), orDash(a.Reason))
	}
	return w.Flush()
}
