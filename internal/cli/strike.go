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

// strikeFlags returns the options of the commands that create a strike.
func strikeFlags() []flagSpec {
	return []flagSpec{{name: "reason", arg: "TEXT", help: "Reason for the account's owner and the audit log"},
		{name: "rules", arg: "N,N…", help: "Instance rules that were broken, by number"}, {name: "no-email", help: "Do not e-mail the owner"}}
}

// strikeCommands returns the commands for posts of others, strikes and appeals.
func strikeCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "post delete", args: "ID", min: 1, max: 1, flags: strikeFlags(), act: moderatePost(linnet.DeletePosts), help: "Delete a member's post", details: "ID is the last part of the post's address. This cannot be undone."},
		{name: "post sensitive", args: "ID", min: 1, max: 1, flags: strikeFlags(), act: moderatePost(linnet.MarkSensitive), help: "Mark a member's post as sensitive", details: "The author cannot remove the mark, but can appeal. Approving the appeal removes the mark."},
		{name: "post remove-picture", args: "ID N", min: 2, max: 2, flags: strikeFlags(), act: moderatePost(linnet.RemovePicture), help: "Remove a picture from a member's post", details: "N is the position of the picture, from 1. Its files are deleted at once."},
		{name: "strike list", args: "[NAME]", max: 1, flags: []flagSpec{asJSON}, act: strikeList, help: "List strikes, newest first", details: "Without NAME the command lists strikes with a pending appeal."},
		{name: "strike approve", args: "ID", min: 1, max: 1, act: strikeDecide(true), help: "Approve an appeal", details: "The action is undone, except that deleted posts and pictures are not restored."},
		{name: "strike reject", args: "ID", min: 1, max: 1, act: strikeDecide(false), help: "Reject an appeal"},
	}
}

// measureOf returns the action of a command with strikeFlags.
func measureOf(c *call, act linnet.Moderation) (linnet.Measure, error) {
	m := linnet.Measure{Act: act, Reason: c.line.flags["reason"], Email: !c.flag("no-email")}
	for digits := range strings.SplitSeq(c.line.flags["rules"], ",") {
		if digits == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(digits))
		if err != nil {
			return m, exit.UsageError(fmt.Sprintf("the rule %q is not a number", digits), "linnet instance show prints the rules.")
		}
		m.Rules = append(m.Rules, n)
	}
	return m, nil
}

// idArg parses the first argument as an id.
func idArg(c *call) (linnet.ID, error) {
	id, ok := linnet.ParseID(c.args()[0])
	if !ok {
		return 0, exit.UsageError(fmt.Sprintf("%q is not an id", c.args()[0]), "")
	}
	return id, nil
}

// moderatePost returns the action of a command on a post.
func moderatePost(act linnet.Moderation) func(context.Context, *call, *backend.Backend) error {
	return func(ctx context.Context, c *call, b *backend.Backend) error {
		id, err := idArg(c)
		if err != nil {
			return err
		}
		m, err := measureOf(c, act)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("cannot moderate the post %v", id)
		v, err := b.App.Moderation.PostFor(ctx, linnet.Operator(), id, 0)
		if err != nil {
			return refused(what, err)
		}
		if act == linnet.RemovePicture {
			n, err := strconv.Atoi(c.args()[1])
			if err != nil || n < 1 || n > len(v.Media) {
				return exit.UsageError(fmt.Sprintf("the post has no picture %q: it has %d in total", c.args()[1], len(v.Media)), "")
			}
			m.Picture = v.Media[n-1].ID
		}
		m.On, m.Posts = v.Author, []linnet.ID{id}
		if err := b.App.Moderation.ModerateReported(ctx, linnet.Operator(), m); err != nil {
			return refused(what, err)
		}
		_, err = fmt.Fprintf(c.stdout, "done; the author can appeal. To see the strike, run: linnet strike list %s\n", v.By.Login)
		return err
	}
}

// strikeInfo is the JSON form of a strike.
type strikeInfo struct {
	ID     linnet.ID `json:"id,string"`
	At     time.Time `json:"at"`
	On     string    `json:"on"`
	By     string    `json:"by"` // a login, or "command"
	Act    string    `json:"act"`
	Reason string    `json:"reason"`
	Rules  []string  `json:"rules"`
	Appeal string    `json:"appeal,omitempty"`
	State  string    `json:"appeal_state,omitempty"`
}

func strikeInfoOf(v linnet.StrikeView) strikeInfo {
	info := strikeInfo{ID: v.ID, At: v.ID.Time(), On: v.On.String(), By: "command", Act: string(v.Act), Reason: v.Text, Rules: []string{}}
	if v.OnAccount != nil {
		info.On = v.OnAccount.Login
	}
	if v.By != 0 {
		info.By = v.By.String()
	}
	if v.ByAccount != nil {
		info.By = v.ByAccount.Login
	}
	for _, r := range v.Rules {
		info.Rules = append(info.Rules, r.Text)
	}
	if a := v.Appeal; a != nil {
		info.Appeal, info.State = a.Text, string(a.State)
	}
	return info
}

// strikeList prints the strikes of an account, or those with a pending appeal.
func strikeList(ctx context.Context, c *call, b *backend.Backend) error {
	strikes := b.App.Moderation.Strikes
	page := func(p linnet.Page) (linnet.Slice[linnet.StrikeView], error) {
		return strikes.Appealed(ctx, linnet.Operator(), p)
	}
	if len(c.args()) > 0 {
		u, err := b.App.Moderation.AccountNamed(ctx, linnet.Operator(), c.args()[0])
		if err != nil {
			return refused(fmt.Sprintf("cannot list the strikes of %q", c.args()[0]), err)
		}
		page = func(p linnet.Page) (linnet.Slice[linnet.StrikeView], error) {
			return strikes.Of(ctx, linnet.Operator(), u.ID, p)
		}
	}
	infos := []strikeInfo{}
	for p := (linnet.Page{Limit: linnet.MaxPage}); ; {
		all, err := page(p)
		if err != nil {
			return fmt.Errorf("cannot list strikes: %w", err)
		}
		for _, v := range all.Items {
			infos = append(infos, strikeInfoOf(v))
		}
		if p.Max = all.Last; p.Max == "" {
			break
		}
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tTIME\tBY\tACTION\tTARGET\tREASON\tAPPEAL")
	for _, s := range infos {
		fmt.Fprintf(w, "%v\t%s\t%s\t%s\t%s\t%s\t%s\n", s.ID, s.At.Format(time.DateTime), s.By, s.Act, s.On, orDash(s.Reason), orDash(s.State))
	}
	return w.Flush()
}

// strikeDecide returns the action of the commands that decide an appeal.
func strikeDecide(approve bool) func(context.Context, *call, *backend.Backend) error {
	return func(ctx context.Context, c *call, b *backend.Backend) error {
		id, err := idArg(c)
		if err != nil {
			return err
		}
		if err := b.App.Moderation.Strikes.Decide(ctx, linnet.Operator(), id, approve); err != nil {
			return refused(fmt.Sprintf("cannot decide the appeal against %v", id), err)
		}
		word := "rejected"
		if approve {
			word = "approved"
		}
		_, err = fmt.Fprintf(c.stdout, "the appeal was %s\n", word)
		return err
	}
}
