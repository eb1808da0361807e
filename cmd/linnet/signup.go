package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"linnet/internal/linnet"
)

// signUpCommands look after the rules against sign-ups.
func signUpCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "signup block add", args: "address|email|canonical|name VALUE", min: 2, max: 2, act: blockAdd,
			help: "Refuse sign-ups from a network, with e-mail addresses of a domain, with one e-mail address (canonical), or with names that contain a word or match a pattern with * and ?",
			flags: []flagSpec{asJSON, {name: "ask", help: "Let a moderator decide in place of refusing"},
				{name: "expires", arg: "TIME", help: "For how long it holds, like 12h or 7d (for ever)"}, {name: "note", arg: "TEXT", help: "Why, for those who run the installation"}}},
		{name: "signup block list", act: blockList, help: "List the rules against sign-ups", flags: []flagSpec{asJSON}},
		{name: "signup block remove", args: "ID", min: 1, max: 1, act: blockRemove, help: "Remove a rule against sign-ups"},
		{name: "signup question add", args: "'QUESTION = ANSWER | ANSWER'", min: 1, max: 1, act: questionAdd,
			help: "Ask a question of whoever signs up without an invitation; of several one is drawn"},
		{name: "signup question list", act: questionList, help: "List the questions at sign-up, with their answers", flags: []flagSpec{asJSON}},
		{name: "signup question remove", args: "NUMBER", min: 1, max: 1, act: questionRemove, help: "Remove a question at sign-up by its number in the list"},
	}
}

// blockInfo is how a rule is printed with --json.
type blockInfo struct {
	ID      string     `json:"id"`
	Kind    string     `json:"kind"`
	Value   string     `json:"value"`
	Ask     bool       `json:"ask"`
	Note    string     `json:"note"`
	Expires *time.Time `json:"expires"`
}

func blockInfoOf(b linnet.SignUpBlock) blockInfo {
	i := blockInfo{ID: b.ID.String(), Kind: string(b.Kind), Value: b.Value, Ask: b.Ask, Note: b.Note}
	if !b.Expires.IsZero() {
		i.Expires = &b.Expires
	}
	return i
}

func blockAdd(ctx context.Context, c *call, b *backend) error {
	rule := linnet.SignUpBlock{Kind: linnet.BlockKind(c.args()[0]), Value: c.args()[1], Ask: c.flag("ask"), Note: c.line.flags["note"]}
	var holds time.Duration
	if text := c.line.flags["expires"]; text != "" {
		var err error
		if holds, err = parseDays(text); err != nil {
			return usage(fmt.Sprintf("bad value %q for --expires", text), "It takes a time like 12h or 7d.")
		}
	}
	made, err := b.svc.Moderation.AddSignUpBlock(ctx, linnet.Operator(), rule, holds)
	if err != nil {
		return refused("cannot add the rule", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, blockInfoOf(made))
	}
	_, err = fmt.Fprintln(c.stdout, made.ID)
	return err
}

func blockList(ctx context.Context, c *call, b *backend) error {
	all, err := b.svc.Moderation.SignUpBlocks(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot list the rules against sign-ups: %w", err)
	}
	infos := make([]blockInfo, len(all))
	for i := range all {
		infos[i] = blockInfoOf(all[i])
	}
	if c.flag("json") {
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, i := range infos {
		does, until := "refused", "for ever"
		if i.Ask {
			does = "asked"
		}
		if i.Expires != nil {
			until = i.Expires.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", i.ID, i.Kind, i.Value, does, until, orDash(i.Note))
	}
	return w.Flush()
}

func blockRemove(ctx context.Context, c *call, b *backend) error {
	id, ok := linnet.ParseID(c.args()[0])
	if !ok {
		return &fault{code: exitNotFound, what: fmt.Sprintf("there is no rule %s", c.args()[0]), advice: "See linnet signup block list."}
	}
	if err := b.svc.Moderation.RemoveSignUpBlock(ctx, linnet.Operator(), id); err != nil {
		return refused("cannot remove the rule", err)
	}
	_, err := fmt.Fprintln(c.stdout, "removed")
	return err
}
