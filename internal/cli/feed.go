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
	"linnet/internal/wording"
)

// feedCommands returns the commands for external feeds.
func feedCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "feed list", flags: []flagSpec{asJSON}, act: feedList, help: "List external feeds with their state"},
		{name: "feed add", args: "ADDRESS", min: 1, max: 1, act: feedAdd, help: "Add the feed at an address",
			details: "ADDRESS is the address of a feed, or of a page that links to a feed. The feed is fetched only while it has followers."},
		{name: "feed fetch", args: "FEED", min: 1, max: 1, act: feedFetch, help: "Fetch a feed now", details: "FEED is the username or the address of a feed."},
		{name: "feed import", args: "NAME FILE", min: 2, max: 2, run: importCommand, act: feedImport, help: "Follow the feeds of an OPML file",
			details: "NAME is the member who follows the feeds. The limits for members apply. If the import reaches a limit, the server continues it later. To export feeds, run linnet user export NAME feeds."},
		{name: "feed remove", args: "FEED", min: 1, max: 1, act: feedRemove, help: "Delete a feed and its posts", details: "FEED is the username or the address of a feed."},
		{name: "feed set", args: "KEY=VALUE…", min: 1, max: -1, act: feedSet, help: "Change the settings of external feeds",
			details: "KEY is who, per-member, total or blocked. The key who (members, moderators or off) determines who can add feeds. per-member and total are the maximum numbers of feeds. blocked lists hosts, separated by commas."},
	}
}

// feedInfo is the JSON form of a feed.
type feedInfo struct {
	ID        string           `json:"id"`
	Username  string           `json:"username"`
	URL       string           `json:"url"`
	State     linnet.FeedState `json:"state"`
	Problem   string           `json:"problem,omitempty"`
	Failures  int              `json:"failures"`
	Followers int64            `json:"followers"`
	Fetched   *time.Time       `json:"fetched_at"`
	Hub       string           `json:"hub,omitempty"`
	Until     *time.Time       `json:"subscribed_until,omitempty"`
}

func feedInfoOf(f *linnet.OutsideFeedView) feedInfo {
	i := feedInfo{ID: f.User.String(), Username: f.Account.Login, URL: f.URL, State: f.State(), Problem: wording.Message(f.Problem).String(), Failures: f.Failures, Followers: f.Account.Followers}
	if !f.Fetched.IsZero() {
		i.Fetched = &f.Fetched
	}
	if f.Hub != nil {
		i.Hub = f.Hub.URL
		if !f.Hub.Expires.IsZero() {
			i.Until = &f.Hub.Expires
		}
	}
	return i
}

// feedsAtATime is the number of feeds that are read together.
const feedsAtATime = 500

func feedList(ctx context.Context, c *call, b *backend.Backend) error {
	infos := []feedInfo{}
	for after := ""; ; {
		feeds, next, err := b.App.Outside.List(ctx, linnet.Operator(), after, feedsAtATime)
		if err != nil {
			return fmt.Errorf("cannot read the feeds: %w", err)
		}
		for i := range feeds {
			infos = append(infos, feedInfoOf(&feeds[i]))
		}
		if after = next; next == "" {
			break
		}
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, i := range infos {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", i.Username, i.State, i.URL, i.Problem)
	}
	return w.Flush()
}

func feedAdd(ctx context.Context, c *call, b *backend.Backend) error {
	v, err := b.App.Outside.Resolve(ctx, linnet.Operator(), c.args()[0])
	if err != nil {
		return refused(fmt.Sprintf("cannot find a feed at %q, or a page that links to one", c.args()[0]), err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s is the account of %s\n", v.Login, v.Feed)
	return err
}

func feedFetch(ctx context.Context, c *call, b *backend.Backend) error {
	id, err := b.App.Outside.Named(ctx, linnet.Operator(), c.args()[0])
	if err == nil {
		err = b.App.Outside.Fetch(ctx, linnet.Operator(), id)
	}
	if err != nil {
		return refused(fmt.Sprintf("cannot fetch the feed %q", c.args()[0]), err)
	}
	_, err = fmt.Fprintf(c.stdout, "%s will be fetched shortly\n", c.args()[0])
	return err
}

func feedRemove(ctx context.Context, c *call, b *backend.Backend) error {
	id, err := b.App.Outside.Named(ctx, linnet.Operator(), c.args()[0])
	if err == nil {
		err = b.App.Outside.Remove(ctx, linnet.Operator(), id)
	}
	if err != nil {
		return refused(fmt.Sprintf("cannot delete the feed %q", c.args()[0]), err)
	}
	_, err = fmt.Fprintf(c.stdout, "deleted the feed %s\n", c.args()[0])
	return err
}

func feedSet(ctx context.Context, c *call, b *backend.Backend) error {
	values := map[string]string{}
	for _, pair := range c.args() {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return exit.UsageError(fmt.Sprintf("%q does not have the form KEY=VALUE", pair), "For example: linnet feed set who=moderators.")
		}
		switch key {
		case "who", "blocked":
		case "per-member", "total":
			if _, err := strconv.Atoi(value); err != nil {
				return exit.UsageError(fmt.Sprintf("%s must be a number, not %q", key, value), "")
			}
		default:
			keys := []string{"blocked", "per-member", "total", "who"}
			return exit.UsageError(fmt.Sprintf("feeds have no setting %q", key), exit.DidYouMean(key, keys, "", "Keys: "+strings.Join(keys, ", ")+"."))
		}
		values[key] = value
	}
	err := b.App.Outside.ChangeSettings(ctx, linnet.Operator(), func(s *linnet.OutsideFeedSettings) {
		for key, value := range values {
			number, _ := strconv.Atoi(value) // checked above
			switch key {
			case "who":
				s.Who = linnet.FeedAdders(value)
			case "per-member":
				s.PerMember = number
			case "total":
				s.Total = number
			case "blocked":
				s.Blocked = strings.Split(value, ",")
			}
		}
	})
	if err != nil {
		return refused("cannot change the settings of feeds", err)
	}
	s, err := b.App.Outside.Settings(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the settings of feeds: %w", err)
	}
	_, err = fmt.Fprintf(c.stdout, "who: %s\nper-member: %d\ntotal: %d\nblocked: %s\n", s.Who, s.PerMember, s.Total, strings.Join(s.Blocked, ","))
	return err
}

func feedImport(ctx context.Context, c *call, b *backend.Backend) error {
	if c.stream == nil {
		return exit.UsageError("feed import needs a file", "")
	}
	name, file := c.args()[0], c.args()[1]
	cannot := fmt.Sprintf("cannot import %s for %q", file, name)
	who, i, err := b.App.Archives.ImportFeeds(ctx, linnet.Operator(), name, file, c.stream)
	if err == nil {
		i, err = waitForImport(ctx, c.stderr, b, who, i)
	}
	if err != nil {
		return refused(cannot, err)
	}
	for from := 0; from < int(i.Rows); from += 100 {
		rows, _, err := b.App.Archives.ImportRows(ctx, who, i.ID, from)
		if err != nil {
			return refused(cannot, err)
		}
		for _, r := range rows {
			if r.Outcome != "" {
				fmt.Fprintf(c.stderr, "%s: %s\n", r.Name, wording.Message(r.Outcome))
			}
		}
	}
	if !i.Waits.IsZero() {
		fmt.Fprintf(c.stderr, "the member has reached a limit; the server continues at %s\n", i.Waits.UTC().Format(time.RFC3339))
	}
	_, err = fmt.Fprintf(c.stdout, "imported %d of %d feeds for %s; %d failed\n", i.Imported, i.Rows, name, i.Failed)
	return err
}
