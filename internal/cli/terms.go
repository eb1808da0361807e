package cli

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"linnet/internal/backend"
	"linnet/internal/linnet"
)

// termsCommands returns the commands for the terms of service.
func termsCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "terms list", flags: []flagSpec{asJSON}, act: termsList, help: "List the versions of the terms of service"},
		{name: "terms show", args: "[DAY]", max: 1, flags: []flagSpec{asJSON}, act: termsShow, help: "Print the terms of service", details: "DAY is the day on which a version takes effect. The default is the current version."},
		{name: "terms set", args: "DAY TEXT", min: 2, max: 2, act: termsSet,
			help: "Set the terms that take effect on DAY", details: "DAY is today or later, in UTC. To read the text from a file, write \"$(cat FILE)\"."},
		{name: "terms remove", args: "DAY", min: 1, max: 1, act: termsRemove, help: "Remove a future version of the terms"},
	}
}

// termsInfo is the JSON form of a version of the terms.
type termsInfo struct {
	Date  string `json:"effective_date"`
	State string `json:"state"`
	Text  string `json:"text,omitempty"`
}

func termsInfoOf(t linnet.Terms) termsInfo {
	state := "planned"
	switch {
	case t.Past:
		state = "past"
	case t.Now:
		state = "in force"
	}
	return termsInfo{t.Date, state, t.Text}
}

func termsList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Settings.AllTerms(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the terms of service: %w", err)
	}
	slices.Reverse(all)
	infos := make([]termsInfo, len(all))
	for i, t := range all {
		infos[i] = termsInfoOf(t)
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, i := range infos {
		fmt.Fprintf(w, "%s\t%s\n", i.Date, i.State)
	}
	return w.Flush()
}

func termsShow(ctx context.Context, c *call, b *backend.Backend) error {
	day := ""
	if len(c.args()) > 0 {
		day = c.args()[0]
	}
	t, err := b.App.Settings.Terms(ctx, day)
	if err != nil {
		return refused("cannot read the terms of service", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, termsInfoOf(t))
	}
	_, err = fmt.Fprintln(c.stdout, t.Text)
	return err
}

func termsSet(ctx context.Context, c *call, b *backend.Backend) error {
	day, text := c.args()[0], c.args()[1]
	if err := b.App.Settings.SetTerms(ctx, linnet.Operator(), day, text); err != nil {
		return refused("cannot set the terms of service", err)
	}
	_, err := fmt.Fprintf(c.stdout, "the terms of service take effect on %s\n", day)
	return err
}

func termsRemove(ctx context.Context, c *call, b *backend.Backend) error {
	day := c.args()[0]
	if err := b.App.Settings.RemoveTerms(ctx, linnet.Operator(), day); err != nil {
		return refused(fmt.Sprintf("cannot remove the terms of %s", day), err)
	}
	_, err := fmt.Fprintf(c.stdout, "removed the terms of %s\n", day)
	return err
}
