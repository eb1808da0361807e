package main

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"linnet/internal/linnet"
)

// termsCommands list and change the terms of service.
func termsCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "terms list", flags: []flagSpec{asJSON}, act: termsList, help: "List the days from which terms of service are in force"},
		{name: "terms show", args: "[DAY]", max: 1, flags: []flagSpec{asJSON}, act: termsShow, help: "Print the terms of service of a day, or those in force"},
		{name: "terms set", args: "DAY TEXT", min: 2, max: 2, act: termsSet,
			help: "Write the terms of service that are in force from a day on (UTC, today or later); a shell reads a file by \"$(cat FILE)\""},
		{name: "terms remove", args: "DAY", min: 1, max: 1, act: termsRemove, help: "Take terms of service back that are not in force yet"},
	}
}

// termsInfo is how terms are printed with --json.
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

func termsList(ctx context.Context, c *call, b *backend) error {
	all, err := b.svc.Identity.AllTerms(ctx)
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

func termsShow(ctx context.Context, c *call, b *backend) error {
	day := ""
	if len(c.args()) > 0 {
		day = c.args()[0]
	}
	t, err := b.svc.Identity.Terms(ctx, day)
	if err != nil {
		return refused("cannot read the terms of service", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, termsInfoOf(t))
	}
	_, err = fmt.Fprintln(c.stdout, t.Text)
	return err
}

func termsSet(ctx context.Context, c *call, b *backend) error {
	day, text := c.args()[0], c.args()[1]
	if err := b.svc.Identity.SetTerms(ctx, linnet.Operator(), day, text); err != nil {
		return refused("cannot write the terms of service", err)
	}
	_, err := fmt.Fprintf(c.stdout, "terms of service are in force from %s on\n", day)
	return err
}

func termsRemove(ctx context.Context, c *call, b *backend) error {
	day := c.args()[0]
	if err := b.svc.Identity.RemoveTerms(ctx, linnet.Operator(), day); err != nil {
		return refused(fmt.Sprintf("cannot take back the terms of %s", day), err)
	}
	_, err := fmt.Fprintf(c.stdout, "terms of %s are taken back\n", day)
	return err
}
