package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"linnet/internal/linnet"
)

// questionInfo is how a question at sign-up is printed with --json.
type questionInfo struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
}

// questionsNow are the questions at sign-up as they are typed.
func questionsNow(ctx context.Context, b *backend) ([]string, error) {
	v, err := b.svc.Identity.Instance(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read the questions: %w", err)
	}
	lines := make([]string, len(v.Questions))
	for i, q := range v.Questions {
		lines[i] = q.String()
	}
	return lines, nil
}

func questionAdd(ctx context.Context, c *call, b *backend) error {
	lines, err := questionsNow(ctx, b)
	if err != nil {
		return err
	}
	return setQuestions(ctx, c, b, append(lines, c.args()[0]))
}

func questionRemove(ctx context.Context, c *call, b *backend) error {
	lines, err := questionsNow(ctx, b)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.args()[0])
	if err != nil || n < 1 || n > len(lines) {
		return &fault{code: exitNotFound, what: fmt.Sprintf("there is no question %s", c.args()[0]), advice: "See linnet signup question list."}
	}
	return setQuestions(ctx, c, b, slices.Delete(lines, n-1, n))
}

func setQuestions(ctx context.Context, c *call, b *backend, lines []string) error {
	if _, err := b.svc.Identity.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Questions: &lines}); err != nil {
		return refused("cannot change the questions", err)
	}
	return questionList(ctx, c, b)
}

func questionList(ctx context.Context, c *call, b *backend) error {
	v, err := b.svc.Identity.Instance(ctx)
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
