package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// signUpCommands returns the commands for sign-up blocks and questions.
func signUpCommands() []command {
	asJSON := flagSpec{name: "json", help: "Print JSON"}
	return []command{
		{name: "signup block add", args: "address|email|canonical|name VALUE", min: 2, max: 2, act: blockAdd,
			help: "Block sign-ups by network, e-mail or name", details: "VALUE depends on the kind of block. address needs an IP address or network, and email a domain. canonical needs one e-mail address, which is then blocked in all its spellings. name needs a word, or a pattern with * and ?.",
			flags: []flagSpec{asJSON, {name: "ask", help: "Require approval instead of blocking"},
				{name: "expires", arg: "TIME", help: "Expire after this time, such as 12h or 7d", details: "Default: never."}, {name: "note", arg: "TEXT", help: "Note for staff who manage sign-up blocks"}}},
		{name: "signup block list", act: blockList, help: "List sign-up blocks", flags: []flagSpec{asJSON}},
		{name: "signup block remove", args: "ID", min: 1, max: 1, act: blockRemove, help: "Remove a sign-up block"},
		{name: "signup question add", args: "'QUESTION = ANSWER | ANSWER'", min: 1, max: 1, act: questionAdd,
			help: "Ask a question at sign-up", details: "Any of the ANSWERs is accepted. If there are several questions, each sign-up gets one at random. Invited people are not asked."},
		{name: "signup question list", act: questionList, help: "List sign-up questions and their answers", flags: []flagSpec{asJSON}},
		{name: "signup question remove", args: "NUMBER", min: 1, max: 1, act: questionRemove, help: "Remove a sign-up question"},
	}
}

// blockInfo is the JSON form of a sign-up block.
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

func blockAdd(ctx context.Context, c *call, b *backend.Backend) error {
	rule := linnet.SignUpBlock{Kind: linnet.BlockKind(c.args()[0]), Value: c.args()[1], Ask: c.flag("ask"), Note: c.line.flags["note"]}
	var holds time.Duration
	if text := c.line.flags["expires"]; text != "" {
		var err error
		if holds, err = parseDays(text); err != nil {
			return exit.UsageError(fmt.Sprintf("invalid value %q for --expires", text), "Pass a duration such as 12h or 7d.")
		}
	}
	made, err := b.App.Moderation.SignUpBlocks.Add(ctx, linnet.Operator(), rule, holds)
	if err != nil {
		return refused("cannot add the block", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, blockInfoOf(made))
	}
	_, err = fmt.Fprintln(c.stdout, made.ID)
	return err
}

func blockList(ctx context.Context, c *call, b *backend.Backend) error {
	all, err := b.App.Moderation.SignUpBlocks.List(ctx, linnet.Operator())
	if err != nil {
		return fmt.Errorf("cannot list the sign-up blocks: %w", err)
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
		does, until := "blocked", "never"
		if i.Ask {
			does = "needs approval"
		}
		if i.Expires != nil {
			until = i.Expires.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", i.ID, i.Kind, i.Value, does, until, orDash(i.Note))
	}
	return w.Flush()
}

func blockRemove(ctx context.Context, c *call, b *backend.Backend) error {
	id, ok := linnet.ParseID(c.args()[0])
	if !ok {
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no sign-up block %s", c.args()[0]), Advice: "See linnet signup block list."}
	}
	if err := b.App.Moderation.SignUpBlocks.Remove(ctx, linnet.Operator(), id); err != nil {
		return refused("cannot remove the sign-up block", err)
	}
	_, err := fmt.Fprintf(c.stdout, "removed the sign-up block %v\n", id)
	return err
}

// questionInfo is the JSON form of a sign-up question.
type questionInfo struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
}

// questionLines returns the sign-up questions in the form of the command line.
func questionLines(ctx context.Context, b *backend.Backend) ([]string, error) {
	v, err := b.App.Settings.Instance(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read the questions: %w", err)
	}
	lines := make([]string, len(v.Questions))
	for i, q := range v.Questions {
		lines[i] = q.String()
	}
	return lines, nil
}

func questionAdd(ctx context.Context, c *call, b *backend.Backend) error {
	lines, err := questionLines(ctx, b)
	if err != nil {
		return err
	}
	return setQuestions(ctx, c, b, append(lines, c.args()[0]))
}

func questionRemove(ctx context.Context, c *call, b *backend.Backend) error {
	lines, err := questionLines(ctx, b)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.args()[0])
	if err != nil || n < 1 || n > len(lines) {
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no question %s", c.args()[0]), Advice: "See linnet signup question list."}
	}
	return setQuestions(ctx, c, b, slices.Delete(lines, n-1, n))
}

func setQuestions(ctx context.Context, c *call, b *backend.Backend, lines []string) error {
	if _, err := b.App.Settings.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Questions: &lines}); err != nil {
		return refused("cannot change the questions", err)
	}
	return questionList(ctx, c, b)
}

func questionList(ctx context.Context, c *call, b *backend.Backend) error {
	v, err := b.App.Settings.Instance(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the questions: %w", err)
	}
	if c.flag("json") {
		infos := make([]questionInfo, len(v.Questions))
		for i, q := range v.Questions {
			infos[i] = questionInfo{q.Ask, q.Answers}
		}
		return printJSON(c.stdout, infos)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for i, q := range v.Questions {
		fmt.Fprintf(w, "%d\t%s\n", i+1, q)
	}
	return w.Flush()
}
