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

// announcementCommands returns the commands for announcements.
func announcementCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "announcement list", flags: []flagSpec{asJSON}, act: announcementList, help: "List announcements and drafts"},
		{name: "announcement add", args: "TEXT [KEY=VALUE…]", min: 1, max: -1, flags: []flagSpec{asJSON}, act: announcementAdd,
			help: "Create an announcement", details: "KEY is any key that \"announcement set\" accepts."},
		{name: "announcement set", args: "ID KEY=VALUE…", min: 2, max: -1, flags: []flagSpec{asJSON}, act: announcementSet,
			help: "Change an announcement", details: "KEY is text, publish (now, never or a time), starts, ends (a time or none) or all-day (true or false). Times are in UTC, such as 2027-01-31T18:00."},
		{name: "announcement delete", args: "ID", min: 1, max: 1, act: announcementDelete, help: "Delete an announcement"},
	}
}

// announcementInfo is the JSON form of an announcement.
type announcementInfo struct {
	ID        string     `json:"id"`
	Text      string     `json:"text"`
	State     string     `json:"state"`
	Published *time.Time `json:"published_at"`
	Starts    *time.Time `json:"starts_at"`
	Ends      *time.Time `json:"ends_at"`
	AllDay    bool       `json:"all_day"`
	Updated   time.Time  `json:"updated_at"`
}

func announcementInfoOf(a *linnet.Announcement) announcementInfo {
	at := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		return &t
	}
	return announcementInfo{ID: a.ID.String(), Text: a.Text, State: announcementState(a, time.Now()), Published: at(a.Published), Starts: at(a.Starts), Ends: at(a.Ends),
		AllDay: a.AllDay, Updated: a.Updated}
}

// announcementState returns whether users see an announcement.
func announcementState(a *linnet.Announcement, now time.Time) string {
	switch {
	case a.Published.IsZero():
		return "draft"
	case a.ShownAt(now.Add(time.Second)): // tolerate an announcement that was just published
		return "shown"
	case now.Before(a.Published):
		return "scheduled"
	}
	return "over"
}

func announcementList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Announcing.All(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot read the announcements: %w", err)
	}
	infos := make([]announcementInfo, len(all))
	for i := range all {
		infos[i] = announcementInfoOf(&all[i])
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, a := range infos {
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.ID, a.State, strings.Join(strings.Fields(a.Text), " "))
	}
	return w.Flush()
}

// printAnnouncement prints the state of an announcement.
func (c *call) printAnnouncement(a *linnet.Announcement) error {
	i := announcementInfoOf(a)
	if c.flag("json") {
		return printJSON(c.stdout, i)
	}
	_, err := fmt.Fprintf(c.stdout, "%s is now %s\n", i.ID, i.State)
	return err
}

func announcementAdd(ctx context.Context, c *call, b *backend.Backend) error {
	text, now := c.args()[0], time.Now()
	change := linnet.AnnouncementChange{Text: &text, Published: &now}
	for _, pair := range c.args()[1:] {
		if err := announcementPair(&change, pair); err != nil {
			return err
		}
	}
	a, err := b.App.Announcing.Write(ctx, linnet.Operator(), 0, change)
	if err != nil {
		return refused("cannot write the announcement", err)
	}
	return c.printAnnouncement(a)
}

func announcementSet(ctx context.Context, c *call, b *backend.Backend) error {
	id, err := announcementID(c.args()[0])
	if err != nil {
		return err
	}
	var change linnet.AnnouncementChange
	for _, pair := range c.args()[1:] {
		if err := announcementPair(&change, pair); err != nil {
			return err
		}
	}
	a, err := b.App.Announcing.Write(ctx, linnet.Operator(), id, change)
	if err != nil {
		return refused(fmt.Sprintf("cannot change the announcement %v", id), err)
	}
	return c.printAnnouncement(a)
}

func announcementID(typed string) (linnet.ID, error) {
	id, ok := linnet.ParseID(typed)
	if !ok || id == 0 {
		return 0, exit.UsageError(fmt.Sprintf("%q is not an announcement ID", typed), "See linnet announcement list.")
	}
	return id, nil
}

// announcementPair applies KEY=VALUE to a change.
func announcementPair(change *linnet.AnnouncementChange, pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		return exit.UsageError(fmt.Sprintf("%q does not have the form KEY=VALUE", pair), "For example: linnet announcement set 123 publish=never.")
	}
	words := map[string]string{"publish": "never", "starts": "none", "ends": "none"}
	switch key {
	case "text":
		change.Text = &value
	case "all-day":
		yes, err := strconv.ParseBool(value)
		if err != nil {
			return exit.UsageError(fmt.Sprintf("all-day must be true or false, not %q", value), "")
		}
		change.AllDay = &yes
	case "publish", "starts", "ends":
		at, err := parseTime(value, words[key], key == "publish")
		if err != nil {
			return exit.UsageError(fmt.Sprintf("%s must be a time in UTC such as 2027-01-31T18:00, or %s, not %q", key, words[key], value), "")
		}
		*map[string]**time.Time{"publish": &change.Published, "starts": &change.Starts, "ends": &change.Ends}[key] = &at
	default:
		keys := []string{"all-day", "ends", "publish", "starts", "text"}
		return exit.UsageError(fmt.Sprintf("announcements have no key %q", key), exit.DidYouMean(key, keys, "", "Keys: "+strings.Join(keys, ", ")+"."))
	}
	return nil
}

// parseTime parses a time in UTC. The word none means no time. If now is true, the word "now" means
// the current time.
func parseTime(typed, none string, now bool) (t time.Time, err error) {
	switch {
	case typed == none:
		return t, nil
	case typed == "now" && now:
		return time.Now(), nil
	}
	for _, layout := range []string{"2006-01-02T15:04", time.DateOnly, time.RFC3339} {
		if t, err = time.Parse(layout, typed); err == nil {
			return t, nil
		}
	}
	return t, err
}

func announcementDelete(ctx context.Context, c *call, b *backend.Backend) error {
	id, err := announcementID(c.args()[0])
	if err != nil {
		return err
	}
	if err := b.App.Announcing.Delete(ctx, linnet.Operator(), id); err != nil {
		return refused(fmt.Sprintf("cannot delete the announcement %v", id), err)
	}
	_, err = fmt.Fprintf(c.stdout, "deleted %v\n", id)
	return err
}
